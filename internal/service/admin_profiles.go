package service

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Bounds of a profile's settings.
const (
	maxProfileName = 100
	maxRate        = 60_000 // requests a minute
)

// Permanent reports whether the profile is that of the desk that runs with the
// service.
func (p Profile) Permanent() bool { return p.ID == DeskProfile().ID }

// Live reports whether the key opens the door at a moment, as far as it is about
// the key.
func (k Key) Live(at time.Time) bool { return k.valid(at) }

// Live reports whether the client may have tokens at a moment, as far as it is
// about the client.
func (c OAuthClient) Live(at time.Time) bool { return c.valid(at) }

// Profile returns one profile, or problem.NotFound.
func (a *Admin) Profile(ctx context.Context, id uuid.UUID) (Profile, error) {
	all, err := a.s.store.Profiles(ctx)
	if err != nil {
		return Profile{}, err
	}
	i := slices.IndexFunc(all, func(p Profile) bool { return p.ID == id })
	if i < 0 {
		return Profile{}, fmt.Errorf("service: profile %s: %w", id, problem.New(problem.NotFound, ""))
	}
	return all[i], nil
}

// CheckProfile refuses a profile that must not be kept: problem.Invalid about
// "nome", "metodos", "escopos" and "limite", problem.Conflict for the desk's own,
// which stays as it is.
func (a *Admin) CheckProfile(ctx context.Context, p Profile) error {
	if p.Permanent() {
		return errPermanent()
	}
	all, err := a.s.store.Profiles(ctx)
	if err != nil {
		return err
	}
	fields := p.problems()
	if slices.ContainsFunc(all, func(o Profile) bool { return o.ID != p.ID && strings.EqualFold(o.Name, p.Name) }) {
		fields = append(fields, problem.Field{Path: "nome", Code: "repetido", Message: "Já existe um parceiro com este nome."})
	}
	return problem.InvalidFields(fields)
}

// CheckOpen refuses to change who may come in as the desk itself.
func (a *Admin) CheckOpen(p Profile) error {
	if p.Permanent() {
		return errPermanent()
	}
	return nil
}

func errPermanent() error {
	return problem.New(problem.Conflict, "Este é o acesso do próprio Guichê: ele se renova a cada início e não muda aqui.")
}

func (p Profile) problems() (fields []problem.Field) {
	wrong := func(on bool, path, code, message string) {
		if on {
			fields = append(fields, problem.Field{Path: path, Code: code, Message: message})
		}
	}
	length := utf8.RuneCountInString(p.Name)
	wrong(length == 0, "nome", authorization.CodeRequired, "Informe o nome do parceiro.")
	wrong(length > maxProfileName, "nome", authorization.CodeLimit, fmt.Sprintf("O nome tem até %d caracteres.", maxProfileName))
	wrong(len(p.Methods) == 0, "metodos", authorization.CodeRequired, "Escolha ao menos um modo de entrar.")
	wrong(!subset(p.Methods, Methods()), "metodos", authorization.CodeDomain, "Escolha modos da lista.")
	wrong(len(p.Scopes) == 0, "escopos", authorization.CodeRequired, "Escolha ao menos uma permissão.")
	wrong(!subset(p.Scopes, Scopes()), "escopos", authorization.CodeDomain, "Escolha permissões da lista.")
	wrong(p.Rate < 0 || p.Rate > maxRate, "limite", authorization.CodeLimit, fmt.Sprintf("O limite vai de 0 a %d pedidos por minuto.", maxRate))
	return fields
}

func subset[T comparable](some, all []T) bool {
	return !slices.ContainsFunc(some, func(v T) bool { return !slices.Contains(all, v) })
}

// CheckUserName refuses a name that no user can have: problem.Invalid about
// "usuario".
func (a *Admin) CheckUserName(name string) error {
	return problem.InvalidFields(userProblems(foldUser(name)))
}
