package desk

import (
	"slices"

	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Actor is the person who acts; the browser's door makes it from the account.
type Actor struct {
	User     uuid.UUID
	Name     string      // as others read it: "Ana Prado"
	Units    []uuid.UUID // units the person belongs to
	AllUnits bool        // supervisão: every unit
	Clinical bool        // may see patients' data; administração alone may not
}

// Person is somebody of the provider who acted; the zero value is the program.
type Person struct {
	User uuid.UUID
	Name string
}

// Reach is which cases somebody may see: those of the units, or all.
type Reach struct {
	Units []uuid.UUID
	All   bool
}

// Covers reports whether the unit lies within the reach.
func (r Reach) Covers(unit uuid.UUID) bool { return r.All || slices.Contains(r.Units, unit) }

func (a Actor) reach() Reach { return Reach{Units: a.Units, All: a.AllUnits} }

func (a Actor) person() Person { return Person{User: a.User, Name: a.Name} }

// clinical returns problem.Forbidden for who may not see patients' data.
func (a Actor) clinical() error {
	if !a.Clinical || a.User == uuid.Nil {
		return problem.New(problem.Forbidden, "Seu acesso não inclui dados de pacientes.")
	}
	return nil
}
