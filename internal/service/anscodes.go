package service

// Codes of the ANS domain tables that are printed on a guide.
const (
	electiveCare      = "1"      // table 23
	urgentCare        = "2"      // table 23
	firstConsultation = "1"      // table 52
	followUp          = "2"      // table 52
	performerRole     = "12"     // table 35: clínico
	procedureTable    = "22"     // table 87: TUSS procedures
	unknownCBO        = "999999" // table 24: not informed by the requester
	urgentRegime      = "U"      // regimeAtendimento (row 3)
	consultation      = "04"     // tipoAtendimento (row 3)
)

// councilCodes is table 26 by abbreviation.
var councilCodes = map[string]string{
	"CRESS": "01", "COREN": "02", "CRF": "03", "CRFA": "04", "CREFITO": "05", "CRM": "06", "CRN": "07", "CRO": "08",
	"CRP": "09", "OUT": "10", "CRBIO": "11", "CRBM": "12", "CREF": "13", "CRMV": "14", "CRTR": "15",
}

// stateCodes is table 59 by abbreviation.
var stateCodes = map[string]string{
	"RO": "11", "AC": "12", "AM": "13", "RR": "14", "PA": "15", "AP": "16", "TO": "17", "MA": "21", "PI": "22", "CE": "23",
	"RN": "24", "PB": "25", "PE": "26", "AL": "27", "SE": "28", "BA": "29", "MG": "31", "ES": "32", "RJ": "33", "SP": "35",
	"PR": "41", "SC": "42", "RS": "43", "MS": "50", "MT": "51", "GO": "52", "DF": "53", "EX": "98",
}
