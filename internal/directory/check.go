package directory

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Limits of what is typed into the directory, in characters.
const (
	maxName    = 200
	maxCode    = 20
	maxAliases = 50 // of one procedure
	maxPattern = 200
	maxPhone   = 60   // there may be two
	maxText    = 2000 // clinical indication
	maxHow     = 500  // stands beside the form, which stays in sight
)

// check collects the problems of one entry.
type check []problem.Field

func (c *check) that(ok bool, path, code, message string) {
	if !ok {
		*c = append(*c, problem.Field{Path: path, Code: code, Message: message})
	}
}

func (c *check) require(ok bool, path, message string) {
	c.that(ok, path, authorization.CodeRequired, message)
}

// name asks for a name of at most maxName characters.
func (c *check) name(value, path, message string) {
	c.require(value != "", path, message)
	c.limit(value, maxName, path)
}

func (c *check) limit(value string, most int, path string) {
	c.that(utf8.RuneCountInString(value) <= most, path, authorization.CodeLimit, fmt.Sprintf("Use no máximo %d caracteres.", most))
}

// oneOf asks for a code of a table, or nothing.
func (c *check) oneOf(value string, table []authorization.Option, path, message string) {
	c.that(value == "" || authorization.Label(table, value) != "", path, authorization.CodeDomain, message)
}

func (u Unit) check() error {
	var c check
	c.require(u.UID != uuid.Nil, "id", "Informe o identificador da unidade.")
	c.name(u.Name, "nome", "Informe o nome da unidade.")
	c.limit(u.Phone, maxPhone, "telefone")
	known := map[uuid.UUID]bool{}
	for i, p := range u.CarePoints {
		path := fmt.Sprintf("pontosAtendimento[%d].", i)
		c.require(p.UID != uuid.Nil, path+"id", "Informe o identificador do ponto de atendimento.")
		c.that(!known[p.UID], path+"id", authorization.CodeDomain, "Este identificador aparece duas vezes.")
		c.name(p.Name, path+"nome", "Informe o nome do ponto de atendimento.")
		known[p.UID] = true
	}
	return problem.InvalidFields(c)
}

func (p Professional) check() error {
	var c check
	c.require(p.UID != uuid.Nil, "id", "Informe o identificador do profissional.")
	c.name(p.Name, "nome", "Informe o nome do profissional.")
	c.oneOf(p.Council, authorization.Councils(), "siglaConselho", "Escolha o conselho na lista.")
	c.limit(p.CouncilNumber, maxCode, "numeroConselho")
	c.oneOf(p.State, authorization.States(), "uf", "Escolha a UF na lista.")
	known := map[int]bool{}
	for i, s := range p.Specialties {
		path := fmt.Sprintf("especialidades[%d].", i)
		c.require(s.ID > 0, path+"id", "Informe o número da especialidade, de 1 em diante.")
		c.that(!known[s.ID], path+"id", authorization.CodeDomain, "Este número aparece duas vezes.")
		c.name(s.Name, path+"nome", "Informe o nome da especialidade.")
		c.that(s.CBO == "" || isCBO(s.CBO), path+"cbo", authorization.CodeFormat, "O CBO tem 6 dígitos.")
		known[s.ID] = true
	}
	return problem.InvalidFields(c)
}

// isCBO reports whether s has the form of ANS table 24.
func isCBO(s string) bool { return len(s) == 6 && strings.Trim(s, "0123456789") == "" }

func (p Procedure) check() error {
	var c check
	c.require(p.Code != "", "codigo", "Informe o código do procedimento.")
	c.that(p.Code == "" || strings.ContainsAny(p.Code, "0123456789"), "codigo", authorization.CodeFormat,
		"O código precisa ter ao menos um número.")
	c.limit(p.Code, maxCode, "codigo")
	c.require(p.Name != "", "nome", "Informe o nome do procedimento.")
	c.limit(p.Name, maxText, "nome") // TUSS has names far beyond maxName
	c.that(len(p.Aliases) <= maxAliases, "sinonimos", authorization.CodeLimit, fmt.Sprintf("Use no máximo %d nomes.", maxAliases))
	for _, a := range p.Aliases {
		if utf8.RuneCountInString(a) > maxName {
			c.limit(a, maxName, "sinonimos")
			break
		}
	}
	return problem.InvalidFields(c)
}

func (c Credential) check() error {
	var ck check
	ck.require(c.UID != uuid.Nil, "id", "Informe o identificador da credencial.")
	_, err := c.Rules()
	ck.that(err == nil, "padraoCarteira", authorization.CodeFormat, "O padrão da carteira não é uma expressão regular.")
	ck.limit(c.CardPattern, maxPattern, "padraoCarteira")
	ck.limit(c.Indication, maxText, "indicacaoClinica")
	ck.limit(c.BiometricsHow, maxHow, "instrucoesBiometria")
	ck.limit(c.Phone, maxPhone, "telefone")
	return problem.InvalidFields(ck)
}
