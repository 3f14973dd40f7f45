package authorization

import (
	"errors"
	"time"
)

// ErrNotAdmitted is why a service that does not accept the access tells nothing.
var ErrNotAdmitted = errors.New("the service does not accept the access")

// Recourse is what a service offers about a request after it was sent (interface.md,
// row 17).
type Recourse struct {
	Status bool      // situacao: it tells how an authorization stands later
	LookUp bool      // consulta-por-guia: it tells by guiaPrestador
	Repeat bool      // idempotencia: the same request with the same key is not acted on twice
	Since  time.Time // in use since then: what was sent before may have gone to another service
}
