package service

import (
	"cmp"
	"regexp"
	"strings"

	"guiche/internal/authorization"
)

// Codes of the ANS domain tables that are printed on a guide, as TISS 4.03.00 has
// them. What the interface does not tell is not guessed: its box stays empty, for
// whoever fills the guide.
const (
	electiveCare   = "1"       // table 23
	urgentCare     = "2"       // table 23
	followUp       = "2"       // table 52
	unknownCBO     = "999999"  // table 24: not informed by the requester
	unknownCNES    = "9999999" // field 31 of a place without one
	electiveRegime = "E"       // regimeAtendimento (row 3)
	urgentRegime   = "U"       // regimeAtendimento (row 3)
	consultation   = "04"      // table 50
)

// councilCodes is table 26 by abbreviation. CRAS is what TISS 2 called CRESS.
var councilCodes = map[string]string{
	"CRESS": "01", "COREN": "02", "CRF": "03", "CRFA": "04", "CREFITO": "05", "CRM": "06", "CRN": "07", "CRO": "08",
	"CRP": "09", "OUT": "10", "CRBIO": "11", "CRBM": "12", "CREF": "13", "CRMV": "14", "CRTR": "15", "CRAS": "01",
}

// stateCodes is table 59 by abbreviation.
var stateCodes = map[string]string{
	"RO": "11", "AC": "12", "AM": "13", "RR": "14", "PA": "15", "AP": "16", "TO": "17", "MA": "21", "PI": "22", "CE": "23",
	"RN": "24", "PB": "25", "PE": "26", "AL": "27", "SE": "28", "BA": "29", "MG": "31", "ES": "32", "RJ": "33", "SP": "35",
	"PR": "41", "SC": "42", "RS": "43", "MS": "50", "MT": "51", "GO": "52", "DF": "53", "EX": "98",
}

// careTypes is table 50 by tipoAtendimento (row 3). 05 (exames) became 23 with TISS
// 4.01. 06, 07 and 11 left the table with 4.00: they tell the regime, and each may
// be any of the types that remain.
var careTypes = map[string]string{
	"01": "01", "02": "02", "03": "03", "04": "04", "05": "23", "08": "08", "09": "09", "10": "10", "13": "13", "23": "23",
}

// regimesOfCareTypes is table 76 by those values of tipoAtendimento that became
// regimes: domiciliar, internação, pronto-socorro.
var regimesOfCareTypes = map[string]string{"06": "02", "07": "03", "11": "04"}

// characters is table 23 by regimeAtendimento: E and U are what TISS 2 had for it.
// A regime of table 76 tells no character.
var characters = map[string]string{electiveRegime: electiveCare, urgentRegime: urgentCare}

// codeOf returns the code of an abbreviation, or the abbreviation where the table
// lacks it: the interface takes any (row 1).
func codeOf(table map[string]string, abbreviation string) string {
	return cmp.Or(table[strings.ToUpper(strings.TrimSpace(abbreviation))], abbreviation)
}

// regimeOf returns the code of table 76: the one that is given, or what the type of
// care tells.
func regimeOf(r authorization.Request) string {
	if _, character := characters[r.CareRegime]; !character {
		return r.CareRegime
	}
	return regimesOfCareTypes[r.CareType]
}

// Codes of TUSS, as the ANS publishes them: eight digits, of which the first tells
// procedures (table 22) from medicines (table 20).
var (
	tussProcedure = regexp.MustCompile(`^[1-58]\d{7}$`)
	tussMedicine  = regexp.MustCompile(`^9\d{7}$`)
)

// tableOf returns the code of table 87 of the table that a procedure's code is in,
// "" for a code that may be an operator's own or of a table that its digits do not
// tell.
func tableOf(code string) string {
	switch {
	case tussProcedure.MatchString(code):
		return "22"
	case tussMedicine.MatchString(code):
		return "20"
	}
	return ""
}
