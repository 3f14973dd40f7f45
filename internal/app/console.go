package app

import (
	"context"

	"guiche/internal/webui/console"
)

// consoleConfig is what administração's console is about.
func (a *App) consoleConfig() console.Config {
	c := console.Config{Trail: a.people.trail, Other: a.otherService}
	if a.embedded != nil {
		c.Admin = a.embedded.service.Admin()
	}
	return c
}

// otherService returns the host of the service that the desk sends to, "" when
// that is the embedded one.
func (a *App) otherService(ctx context.Context) (string, error) {
	state, err := a.connection.State(ctx)
	return state.Host(), err
}
