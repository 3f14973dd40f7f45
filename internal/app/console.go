package app

import (
	"context"

	"guiche/internal/webui/console"
)

// consoleConfig is what administração's console is about; other names the service
// that the desk sends to, nil without a desk.
func (o *office) consoleConfig(other func(context.Context) (string, error)) console.Config {
	c := console.Config{Trail: o.people.trail, Other: other}
	if other != nil {
		c.Registers = "/cadastros"
	}
	if o.embedded != nil {
		c.Admin = o.embedded.service.Admin()
	}
	return c
}

// otherService returns the host of the service that the desk sends to, "" when
// that is the embedded one, whatever address was typed before.
func (a *App) otherService(ctx context.Context) (string, error) {
	state, err := a.connection.State(ctx)
	if err != nil || state.Embedded {
		return "", err
	}
	return state.Host(), nil
}
