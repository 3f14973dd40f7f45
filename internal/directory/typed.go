package directory

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// TypedUnit is a unit as an administrator types it. An identifier is the
// authorization service's UUID, or empty for a new one.
type TypedUnit struct {
	ID, Name, Phone string
	CarePoints      []TypedPoint
}

// TypedPoint is a care point as typed.
type TypedPoint struct {
	ID, Name string
	Active   bool
}

// Read returns the unit, or problem.Invalid with all that is wrong at once.
func (t TypedUnit) Read() (Unit, error) {
	var in typed
	u := Unit{UID: in.id("id", t.ID), Name: t.Name, Phone: t.Phone}
	for i, p := range t.CarePoints {
		u.CarePoints = append(u.CarePoints, CarePoint{UID: in.id(fmt.Sprintf("pontosAtendimento[%d].id", i), p.ID), Name: p.Name,
			Active: p.Active})
	}
	return u, in.with(u.trimmed().check())
}

// TypedProfessional is an executing professional as an administrator types one.
type TypedProfessional struct {
	ID, Name, Council, CouncilNumber, State string
	Specialties                             []TypedSpecialty
}

// TypedSpecialty is a specialty as typed; ID is the service's number.
type TypedSpecialty struct{ ID, Name, CBO string }

// Read returns the professional, or problem.Invalid with all that is wrong at
// once. Without a specialty no request can name her.
func (t TypedProfessional) Read() (Professional, error) {
	var in typed
	p := Professional{UID: in.id("id", t.ID), Name: t.Name, Council: t.Council, CouncilNumber: t.CouncilNumber, State: t.State}
	for i, s := range t.Specialties {
		p.Specialties = append(p.Specialties, Specialty{ID: in.number(fmt.Sprintf("especialidades[%d].id", i), s.ID), Name: s.Name, CBO: s.CBO})
	}
	if len(p.Specialties) == 0 {
		in.add("especialidades[0].nome", authorization.CodeRequired, "Informe pelo menos uma especialidade.")
	}
	return p, in.with(p.trimmed().check())
}

// typed collects what cannot be read.
type typed []problem.Field

func (in *typed) add(path, code, message string) {
	*in = append(*in, problem.Field{Path: path, Code: code, Message: message})
}

// id reads an identifier; none, or one that is none, is a new one.
func (in *typed) id(path, text string) uuid.UUID {
	text = strings.TrimSpace(text)
	uid, err := uuid.Parse(text)
	if text != "" && (err != nil || uid == uuid.Nil) {
		in.add(path, authorization.CodeFormat, "O identificador é um UUID, de 32 letras e números; deixe vazio para o Guichê criar um.")
	}
	if err != nil || uid == uuid.Nil {
		return newUID()
	}
	return uid
}

func (in *typed) number(path, text string) int {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
	if err != nil && strings.TrimSpace(text) != "" {
		in.add(path, authorization.CodeFormat, "O número da especialidade é inteiro.")
	}
	return int(n)
}

// with adds the problems of the rules. What could not be read is not called
// missing too.
func (in *typed) with(rules error) error {
	all := slices.Clone(*in)
	for _, p := range problem.FieldsOf(rules) {
		if !slices.ContainsFunc(*in, func(q problem.Field) bool { return q.Path == p.Path }) {
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b problem.Field) int { return cmp.Compare(place(a.Path), place(b.Path)) })
	return problem.InvalidFields(all)
}

// place brings problems into the order of the form: the entry itself, name first,
// then row after row.
func place(path string) int {
	var row int
	if _, err := fmt.Sscanf(path[strings.IndexByte(path, '[')+1:], "%d]", &row); err == nil {
		return row + 1
	}
	if path == "nome" {
		return -1
	}
	return 0
}
