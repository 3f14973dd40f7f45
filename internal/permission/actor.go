package permission

import (
	"slices"

	"github.com/google/uuid"
)

// Actor is who does something: a user with their roles, or the program itself. The
// zero value may do nothing.
type Actor struct {
	User  uuid.UUID // uuid.Nil for the program
	Name  string    // as others read it: "Ana Prado"
	Roles []Role
	Units []uuid.UUID // units the user belongs to
}

// Program is the program itself: what it does when it starts, and what somebody at
// the command line has it do. It sees no patients.
func Program() Actor { return Actor{Roles: []Role{program}} }

// May reports whether one of the actor's roles permits something. Roles without a
// user permit nothing, those of the program aside.
func (a Actor) May(p Permission) bool {
	if a.User == uuid.Nil && !slices.Contains(a.Roles, program) {
		return false
	}
	return slices.ContainsFunc(a.Roles, func(r Role) bool { return r.Grants(p) })
}

// Require returns nil when the actor may do something, else problem.Forbidden with
// a sentence for the person.
func (a Actor) Require(p Permission) error {
	if a.May(p) {
		return nil
	}
	return p.denied()
}

// Reach is which cases an actor may see: those of the units, or all.
type Reach struct {
	Units []uuid.UUID
	All   bool
}

// Reach returns the cases that the actor may see, given SeePatients.
func (a Actor) Reach() Reach { return Reach{Units: a.Units, All: a.May(SeeAllUnits)} }

// Covers reports whether the unit lies within the reach.
func (r Reach) Covers(unit uuid.UUID) bool { return r.All || slices.Contains(r.Units, unit) }
