package access

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Method is a way to authenticate (specification 5), enabled for each profile.
type Method string

// The methods.
const (
	MethodAPIKey   Method = "chave" // request header x-api-key
	MethodPassword Method = "senha" // bearer token of a login with user and password
	MethodOAuth    Method = "oauth" // bearer token of OAuth 2.0 client credentials
)

// Methods lists all methods.
func Methods() []Method { return []Method{MethodAPIKey, MethodPassword, MethodOAuth} }

// Scope is a permission (row 25).
type Scope string

// The scopes.
const (
	ReadCredentials      Scope = "credenciais:ler"
	ReadDirectory        Scope = "cadastros:ler"
	ReadEligibility      Scope = "elegibilidade:ler"
	CreateAuthorizations Scope = "autorizacoes:criar"
	ReadAuthorizations   Scope = "autorizacoes:ler"
	ChangeAuthorizations Scope = "autorizacoes:alterar"
)

// Scopes lists all scopes.
func Scopes() []Scope {
	return []Scope{
		ReadCredentials, ReadDirectory, ReadEligibility,
		CreateAuthorizations, ReadAuthorizations, ChangeAuthorizations,
	}
}

// Profile is a partner integration profile (specification 5).
type Profile struct {
	ID       uuid.UUID
	Name     string
	Methods  []Method
	Scopes   []Scope
	Rate     int // requests a minute, 0 is no limit (row 10)
	Disabled bool
}

// DeskProfile is the permanent profile of the desk that runs with the service.
func DeskProfile() Profile {
	return Profile{
		ID:      uuid.MustParse("0198a000-0000-7000-8000-000000000001"),
		Name:    "Guichê desta instalação",
		Methods: []Method{MethodAPIKey},
		Scopes:  Scopes(),
	}
}

// Permanent reports whether the profile is that of the desk that runs with the
// service.
func (p Profile) Permanent() bool { return p.ID == DeskProfile().ID }

func (p Profile) allows(m Method) bool { return slices.Contains(p.Methods, m) }

// may reports whether the profile has a scope; the empty one needs none.
func (p Profile) may(s Scope) bool { return s == "" || slices.Contains(p.Scopes, s) }

// Bounds of a profile's settings.
const (
	maxProfileName = 100
	maxRate        = 60_000 // requests a minute
)

// Problems returns what is wrong with a profile, about "nome", "metodos",
// "escopos" and "limite".
func (p Profile) Problems() (fields []problem.Field) {
	wrong := func(on bool, path, code, message string) {
		if on {
			fields = append(fields, problem.Field{Path: path, Code: code, Message: message})
		}
	}
	length := utf8.RuneCountInString(p.Name)
	wrong(length == 0, "nome", authorization.CodeRequired, "Informe o nome do parceiro.")
	wrong(length > maxProfileName, "nome", authorization.CodeLimit, fmt.Sprintf("Use no máximo %d caracteres.", maxProfileName))
	wrong(len(p.Methods) == 0, "metodos", authorization.CodeRequired, "Escolha ao menos um modo de entrar.")
	wrong(!subset(p.Methods, Methods()), "metodos", authorization.CodeDomain, "Escolha modos da lista.")
	wrong(len(p.Scopes) == 0, "escopos", authorization.CodeRequired, "Escolha ao menos uma permissão.")
	wrong(!subset(p.Scopes, Scopes()), "escopos", authorization.CodeDomain, "Escolha permissões da lista.")
	wrong(p.Rate < 0 || p.Rate > maxRate, "limite", authorization.CodeLimit,
		fmt.Sprintf("O limite vai de 0 a %d pedidos por minuto.", maxRate))
	return fields
}

func subset[T comparable](some, all []T) bool {
	return !slices.ContainsFunc(some, func(v T) bool { return !slices.Contains(all, v) })
}
