package admin

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// Limits of what is typed about units and professionals, in characters.
const (
	maxName          = 200
	maxCouncilNumber = 20
)

// Units searches units by name, care points included.
func (a *Admin) Units(ctx context.Context, q service.DirectoryQuery) (service.Listing[service.Unit], error) {
	return a.directory.Units(ctx, q)
}

// Unit returns one unit, disabled or not, or problem.NotFound.
func (a *Admin) Unit(ctx context.Context, id uuid.UUID) (service.Unit, error) {
	return a.directory.Unit(ctx, id)
}

// CheckUnit refuses a unit that must not be kept: problem.Invalid about "nome" and
// "pontosAtendimento[i].nome".
func (a *Admin) CheckUnit(u service.Unit) error {
	u = trimUnit(u)
	var f fieldProblems
	f.name("nome", u.Name, "Informe o nome da unidade.")
	for i, p := range u.Points {
		f.name(fmt.Sprintf("pontosAtendimento[%d].nome", i), p.Name, "Informe o nome do ponto de atendimento.")
	}
	return problem.InvalidFields(f)
}

// PutUnit adds a unit or replaces the one with the same ID; care points it no
// longer lists are disabled.
func (a *Admin) PutUnit(ctx context.Context, u service.Unit) error {
	return a.directory.PutUnit(ctx, trimUnit(u))
}

// ChangeUnit puts in place of a unit what change makes of it as it stands by then, as
// ChangeProfile does of a profile.
func (a *Admin) ChangeUnit(ctx context.Context, id uuid.UUID, change func(service.Unit) (service.Unit, error)) error {
	return a.directory.ChangeUnit(ctx, id, func(now service.Unit) (service.Unit, error) {
		u, err := change(now)
		return trimUnit(u), err
	})
}

// Professionals searches executing professionals by name, specialties included.
func (a *Admin) Professionals(ctx context.Context, q service.DirectoryQuery) (service.Listing[service.Professional], error) {
	return a.directory.Professionals(ctx, q)
}

// Professional returns one professional, disabled or not, or problem.NotFound.
func (a *Admin) Professional(ctx context.Context, id uuid.UUID) (service.Professional, error) {
	return a.directory.Professional(ctx, id)
}

var cbo = regexp.MustCompile(`^(\d{6})?$`) // ANS table 24; not every specialty has one

// CheckProfessional refuses a professional that must not be kept: problem.Invalid
// about "nome", "siglaConselho", "numeroConselho", "uf" and
// "especialidades[i].id", ".nome", ".cbo" and ".ativo". Without a specialty in use no request
// can name them.
func (a *Admin) CheckProfessional(p service.Professional) error {
	p = trimProfessional(p)
	var f fieldProblems
	f.name("nome", p.Name, "Informe o nome do profissional.")
	f.oneOf("siglaConselho", p.Council, authorization.Councils(), "Escolha o conselho na lista.")
	f.limit("numeroConselho", p.Number, maxCouncilNumber)
	f.oneOf("uf", p.State, authorization.States(), "Escolha a UF na lista.")
	known := map[int]bool{}
	for i, s := range p.Specialties {
		path := fmt.Sprintf("especialidades[%d].", i)
		f.when(s.ID <= 0, path+"id", authorization.CodeRequired, "Informe o número da especialidade, de 1 em diante.")
		f.when(s.ID > 0 && known[s.ID], path+"id", authorization.CodeDomain, "Este número aparece duas vezes.")
		f.name(path+"nome", s.Name, "Informe o nome da especialidade.")
		f.when(!cbo.MatchString(s.CBO), path+"cbo", authorization.CodeFormat, "O CBO tem 6 dígitos.")
		known[s.ID] = true
	}
	some, used := len(p.Specialties) > 0, slices.ContainsFunc(p.Specialties, func(s service.Specialty) bool { return !s.Disabled })
	f.when(!some, "especialidades[0].nome", authorization.CodeRequired, "Informe pelo menos uma especialidade.")
	f.when(some && !used, "especialidades[0].ativo", authorization.CodeRequired, "Deixe pelo menos uma especialidade em uso.")
	return problem.InvalidFields(f)
}

// PutProfessional adds a professional or replaces the one with the same ID;
// specialties it no longer lists are disabled.
func (a *Admin) PutProfessional(ctx context.Context, p service.Professional) error {
	return a.directory.PutProfessional(ctx, trimProfessional(p))
}

// ChangeProfessional puts in place of a professional what change makes of them as they stand by
// then, as ChangeProfile does of a profile.
func (a *Admin) ChangeProfessional(ctx context.Context, id uuid.UUID,
	change func(service.Professional) (service.Professional, error)) error {
	return a.directory.ChangeProfessional(ctx, id, func(now service.Professional) (service.Professional, error) {
		p, err := change(now)
		return trimProfessional(p), err
	})
}

// fieldProblems collects what is wrong with what was typed.
type fieldProblems []problem.Field

func (f *fieldProblems) when(wrong bool, path, code, message string) {
	if wrong {
		*f = append(*f, problem.Field{Path: path, Code: code, Message: message})
	}
}

func (f *fieldProblems) name(path, value, missing string) {
	f.when(value == "", path, authorization.CodeRequired, missing)
	f.limit(path, value, maxName)
}

func (f *fieldProblems) limit(path, value string, most int) {
	f.when(utf8.RuneCountInString(value) > most, path, authorization.CodeLimit, fmt.Sprintf("Use no máximo %d caracteres.", most))
}

// oneOf takes a code of a table, or none.
func (f *fieldProblems) oneOf(path, value string, table []authorization.Option, message string) {
	f.when(value != "" && authorization.Label(table, value) == "", path, authorization.CodeDomain, message)
}
