package register

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Unit is one of the provider's units (open points, row 13).
type Unit struct {
	UID        uuid.UUID // unidadeId
	Name       string
	CarePoints []CarePoint
	Active     bool
}

// CarePoint is a care point of a unit.
type CarePoint struct {
	UID    uuid.UUID // pontoAtendimentoId
	Name   string
	Active bool
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
	u.Name = strings.TrimSpace(u.Name)
	points := make([]CarePoint, len(u.CarePoints))
	for i, p := range u.CarePoints {
		p.Name = strings.TrimSpace(p.Name)
		points[i] = p
	}
	u.CarePoints = points
	return u
}

func (u Unit) check() error {
	var c check
	c.require(u.UID != uuid.Nil, "id", "Informe o identificador da unidade.")
	c.require(u.Name != "", "nome", "Informe o nome da unidade.")
	for i, p := range u.CarePoints {
		path := fmt.Sprintf("pontosAtendimento[%d].", i)
		c.require(p.UID != uuid.Nil, path+"id", "Informe o identificador do ponto de atendimento.")
		c.require(p.Name != "", path+"nome", "Informe o nome do ponto de atendimento.")
	}
	return problem.InvalidFields(c)
}

// Professional is an executing professional (open points, row 13).
type Professional struct {
	UID           uuid.UUID // profissionalExecutanteId
	Name          string
	Council       string // abbreviation: CRM
	CouncilNumber string
	State         string // abbreviation: SP
	Specialties   []Specialty
	Active        bool
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
	p.Name = strings.TrimSpace(p.Name)
	specialties := make([]Specialty, len(p.Specialties))
	for i, s := range p.Specialties {
		s.Name = strings.TrimSpace(s.Name)
		specialties[i] = s
	}
	p.Specialties = specialties
	return p
}

func (p Professional) check() error {
	var c check
	c.require(p.UID != uuid.Nil, "id", "Informe o identificador do profissional.")
	c.require(p.Name != "", "nome", "Informe o nome do profissional.")
	known := map[int]bool{}
	for i, s := range p.Specialties {
		path := fmt.Sprintf("especialidades[%d].", i)
		c.require(s.ID > 0, path+"id", "Informe o número da especialidade.")
		c.require(s.Name != "", path+"nome", "Informe o nome da especialidade.")
		c.require(!known[s.ID], path+"id", "A especialidade aparece duas vezes.")
		known[s.ID] = true
	}
	return problem.InvalidFields(c)
}

// Procedure is one entry of ANS table 22 (TUSS) that can be asked for.
type Procedure struct {
	Code    string
	Name    string
	Aliases []string // other words people search by: "TSH"
	Active  bool
}

func (p Procedure) trimmed() Procedure {
	p.Code, p.Name = cleanCode(p.Code), strings.TrimSpace(p.Name)
	aliases := make([]string, 0, len(p.Aliases))
	for _, a := range p.Aliases {
		if a = strings.Join(strings.Fields(a), " "); a != "" {
			aliases = append(aliases, a)
		}
	}
	p.Aliases = aliases
	return p
}

func (p Procedure) check() error {
	var c check
	c.require(p.Code != "", "codigo", "Informe o código do procedimento.")
	c.require(p.Name != "", "nome", "Informe o nome do procedimento.")
	return problem.InvalidFields(c)
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
	Active           bool
}

// Rules returns the settings as rules of a request (open points, row 1).
func (c Credential) Rules() (authorization.Rules, error) {
	rules := authorization.Rules{ValidityRequired: c.ValidityRequired}
	if c.CardPattern == "" {
		return rules, nil
	}
	pattern, err := regexp.Compile(`^(?:` + c.CardPattern + `)$`)
	if err != nil {
		return authorization.Rules{}, fmt.Errorf("card pattern of credential %s: %w", c.UID, err)
	}
	rules.CardPattern = pattern
	return rules, nil
}

func (c Credential) trimmed() Credential {
	c.Name, c.ProviderCode = strings.TrimSpace(c.Name), strings.TrimSpace(c.ProviderCode)
	c.CardPattern = strings.TrimSpace(c.CardPattern)
	c.Indication = strings.TrimSpace(c.Indication)
	return c
}

func (c Credential) check() error {
	var ck check
	ck.require(c.UID != uuid.Nil, "id", "Informe o identificador da credencial.")
	_, err := c.Rules()
	ck.require(err == nil, "padraoCarteira", "O padrão da carteira não é uma expressão regular.")
	return problem.InvalidFields(ck)
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
		UID: uid, Name: strings.TrimSpace(s.Name), ProviderCode: strings.TrimSpace(s.ProviderCode),
		EligibilityID: eligibility, Biometrics: s.Biometrics, Active: true,
	}, true
}

// check collects the problems of one entry.
type check []problem.Field

func (c *check) require(ok bool, path, message string) {
	if !ok {
		*c = append(*c, problem.Field{Path: path, Code: authorization.CodeRequired, Message: message})
	}
}
