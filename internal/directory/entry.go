package directory

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"guiche/internal/authorization"
	"guiche/internal/oneline"

	"github.com/google/uuid"
)

// Unit is one of the provider's units (interface.md, row 13).
type Unit struct {
	UID        uuid.UUID // unidadeId
	Name       string
	Phone      string // whom patients call, "" when unknown; the desk's own
	CarePoints []CarePoint
	Active     bool
	SyncState  SyncState // changed by Synchronise alone
}

// CarePoint is a care point of a unit.
type CarePoint struct {
	UID       uuid.UUID // pontoAtendimentoId
	Name      string
	Active    bool
	SyncState SyncState // changed by Synchronise alone
}

// CarePoint returns the care point of the unit with that identifier.
func (u Unit) CarePoint(uid uuid.UUID) (CarePoint, bool) {
	for _, p := range u.CarePoints {
		if p.UID == uid {
			return p, true
		}
	}
	return CarePoint{}, false
}

func (u Unit) trimmed() Unit {
	u.Name, u.Phone = oneline.Clean(u.Name), oneline.Clean(u.Phone)
	points := make([]CarePoint, len(u.CarePoints))
	for i, p := range u.CarePoints {
		p.Name = oneline.Clean(p.Name)
		points[i] = p
	}
	u.CarePoints = points
	return u
}

// Professional is an executing professional (interface.md, row 13).
type Professional struct {
	UID           uuid.UUID // profissionalExecutanteId
	Name          string
	Council       string // abbreviation: CRM
	CouncilNumber string
	State         string // abbreviation: SP
	Specialties   []Specialty
	Active        bool
	SyncState     SyncState // changed by Synchronise alone
}

// Specialty is one specialty of a professional.
type Specialty struct {
	ID   int // especialidadeExecutanteId: the service's own number
	Name string
	CBO  string // ANS table 24, "" when unknown
}

// Specialty returns the specialty of the professional with that number.
func (p Professional) Specialty(id int) (Specialty, bool) {
	for _, s := range p.Specialties {
		if s.ID == id {
			return s, true
		}
	}
	return Specialty{}, false
}

func (p Professional) trimmed() Professional {
	p.Name, p.CouncilNumber = oneline.Clean(p.Name), oneline.Clean(p.CouncilNumber)
	p.Council, p.State = strings.ToUpper(oneline.Clean(p.Council)), strings.ToUpper(oneline.Clean(p.State))
	specialties := make([]Specialty, len(p.Specialties))
	for i, s := range p.Specialties {
		s.Name, s.CBO = oneline.Clean(s.Name), cleanCode(s.CBO)
		specialties[i] = s
	}
	p.Specialties = specialties
	return p
}

// Procedure is one entry of ANS table 22 (TUSS) that can be asked for.
type Procedure struct {
	Code    string
	Name    string
	Aliases []string // other words people search by: "TSH"
	Active  bool
}

func (p Procedure) trimmed() Procedure {
	p.Code, p.Name = cleanCode(p.Code), oneline.Clean(p.Name)
	aliases := make([]string, 0, len(p.Aliases))
	for _, a := range p.Aliases {
		if a = oneline.Clean(a); a != "" && !slices.Contains(aliases, a) {
			aliases = append(aliases, a)
		}
	}
	p.Aliases = aliases
	return p
}

// cleanCode keeps what a code is made of: 4.03.16.52-1 is 40316521.
func cleanCode(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

// Credential is what the desk knows about an operator credential.
type Credential struct {
	UID              uuid.UUID // credencialId
	Name             string    // operator name
	ProviderCode     string    // codigoPrestador
	EligibilityID    uuid.UUID // credencialElegibilityId, zero when unknown
	ValidityRequired bool      // validadeCarteira must be given
	CardPattern      string    // regular expression over the whole card; "" takes any card
	Indication       string    // default indicacaoClinica, "" when there is none
	Biometrics       bool      // the operator wants biometrics (row 20)
	BiometricsHow    string    // how they are collected, as the reception reads it; "" when unwritten
	Phone            string    // whom the reception and patients call, "" when unknown
	Active           bool
	Damaged          bool // of a list: what was stored cannot be read, and of all else here only UID may be relied on
}

// Rules returns the settings as rules of a request (interface.md, row 1).
func (c Credential) Rules() (authorization.Rules, error) {
	pattern, err := authorization.CompileCard(c.CardPattern)
	if err != nil {
		return authorization.Rules{}, fmt.Errorf("credential %s: %w", c.UID, err)
	}
	return authorization.Rules{ValidityRequired: c.ValidityRequired, CardPattern: pattern}, nil
}

func (c Credential) trimmed() Credential {
	c.Name, c.ProviderCode = oneline.Clean(c.Name), oneline.Clean(c.ProviderCode)
	c.CardPattern, c.Phone = strings.TrimSpace(c.CardPattern), oneline.Clean(c.Phone)
	c.Indication, c.BiometricsHow = strings.TrimSpace(c.Indication), strings.TrimSpace(c.BiometricsHow)
	return c
}

// credentialOf reads what the service listed.
func credentialOf(s authorization.Credential) (Credential, bool) {
	uid, err := uuid.Parse(strings.TrimSpace(s.ID))
	if err != nil || uid == uuid.Nil {
		return Credential{}, false
	}
	eligibility, err := uuid.Parse(strings.TrimSpace(s.EligibilityID))
	if err != nil {
		eligibility = uuid.Nil // it is only needed for eligibility, which then is not offered
	}
	return Credential{
		UID: uid, Name: oneline.Clean(s.Name), ProviderCode: oneline.Clean(s.ProviderCode),
		EligibilityID: eligibility, Biometrics: s.Biometrics, Active: true,
	}, true
}
