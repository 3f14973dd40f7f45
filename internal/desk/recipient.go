package desk

import (
	"context"
	"errors"
	"time"

	"guiche/internal/authorization"
)

// Recipient is the service that attempts go to.
type Recipient struct {
	Name  string
	Keyed bool // it announced that it honours idempotency keys
}

// recipient is the service in use as it is known now.
func (d *Desk) recipient() Recipient {
	return Recipient{Name: d.config.Service.Name(), Keyed: d.config.Service.Keyed()}
}

const (
	learnTime  = 10 * time.Second       // how long a start waits to be told what the service offers
	learnPause = 100 * time.Millisecond // between the first two questions; it doubles
)

// learn asks what the service offers before anything is sent: what leaves without its key
// can never be repeated. A service that does not tell offers nothing.
func (d *Desk) learn(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, learnTime)
	defer cancel()
	for pause := learnPause; ; pause *= 2 {
		if _, err := d.config.Service.Recourse(ctx); err == nil || errors.Is(err, authorization.ErrNotAdmitted) {
			return // what is sent without access is not acted on
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}
