package desk

import (
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// Person is who did something to a case, as the case keeps it; the zero value is
// the program.
type Person struct {
	User uuid.UUID
	Name string // as it was then
}

func personOf(a permission.Actor) Person { return Person{User: a.User, Name: a.Name} }
