package app

import (
	"context"
	"fmt"

	"guiche/internal/service"
	"guiche/internal/webui"
)

// Alone is the authorization service without a desk: its API, and its console for
// the people of administração. NewAlone binds its address; Run serves until told to
// stop.
type Alone struct{ office }

// serviceFile is service.json: where the service is, and the key of this
// installation's own partner profile.
type serviceFile struct {
	URL    string `json:"url"`
	APIKey string `json:"api_key"`
}

// NewAlone checks the configuration, opens people and the service and binds the
// address. What it returns is to be closed. Settings of the desk do not count.
func NewAlone(ctx context.Context, c Config) (*Alone, error) {
	a := &Alone{office{config: c.withDefaults()}}
	if err := a.open(ctx, a.openPeople, a.openEmbedded, a.fill, a.inviteFirst, a.openConsole); err != nil {
		a.Close()
		return nil, err
	}
	return a, nil
}

// fill gives simulated operators what they need to be tried, once.
func (a *Alone) fill(ctx context.Context) error {
	if !a.config.Simulated {
		return nil
	}
	if some, err := a.embedded.service.Admin().HasCredentials(ctx); err != nil || some {
		return err
	}
	for _, u := range demoUnits() {
		if err := a.embedded.FollowUnit(ctx, u); err != nil {
			return err
		}
	}
	for _, p := range demoProfessionals() {
		if err := a.embedded.FollowProfessional(ctx, p); err != nil {
			return err
		}
	}
	return a.embedded.fillCredentials(ctx)
}

// openConsole opens the door with nothing but the console behind it.
func (a *Alone) openConsole(ctx context.Context) error {
	return a.openDoor(ctx, webui.Config{Console: a.consoleConfig(nil)})
}

// Run serves until ctx is done, then stops: requests that run are finished,
// operators that are being asked get their time.
func (a *Alone) Run(ctx context.Context) error {
	if err := a.announce(ctx); err != nil {
		return err
	}
	return a.run(ctx)
}

// announce writes service.json with a fresh key, readable by the owner of the
// folder only: the way in for whoever runs the program.
func (a *Alone) announce(ctx context.Context) error {
	key, err := a.embedded.mint(ctx, service.DeskProfile())
	if err != nil {
		return fmt.Errorf("mint the installation's key: %w", err)
	}
	return writePrivate(a.config.DataDir, "service.json", serviceFile{URL: a.URL(), APIKey: key})
}
