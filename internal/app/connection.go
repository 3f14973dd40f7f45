package app

import (
	"context"
	"time"

	"guiche/internal/connection"
	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/internal/store/connectionstore"
)

// openConnection puts the connection in force: what was saved, and what the
// configuration sets over it.
func (a *App) openConnection(ctx context.Context) error {
	a.connection = connection.New(connection.Config{
		Store: connectionstore.New(a.data.db, a.data.trail), Sealer: a.data.sealer(), ServiceClient: deskConnection{a.service, a.desk},
		Overrides: a.config.overrides(), Route: a.route, Clock: a.config.Clock,
	})
	a.inBackground(a.followConnection)
	return a.connection.Start(ctx)
}

// deskConnection applies the connection's settings to the desk and to its client of
// the service.
type deskConnection struct {
	client *serviceClient
	desk   deskCallbacks
}

// deskCallbacks is what the desk has to do with its connection.
type deskCallbacks interface {
	SetDeadline(time.Duration)
	SetLimits(document.Limits)
	SetSlots(desk.Slots)
	// ReleaseHeld gives another chance to what was held for want of access.
	ReleaseHeld(ctx context.Context) error
	// Unsettled counts the requests that the service in use may have acted on.
	Unsettled(ctx context.Context) (int, error)
}

var _ connection.ServiceClient = deskConnection{}

// Use implements connection.ServiceClient.
func (d deskConnection) Use(ctx context.Context, p connection.Plan) error {
	if err := d.client.use(ctx, p); err != nil {
		return err
	}
	d.desk.SetDeadline(p.Deadline)
	d.desk.SetLimits(uploadLimits(p.Settings))
	d.desk.SetSlots(desk.Slots{All: p.Slots, PerCredential: p.CredentialSlots})
	return d.desk.ReleaseHeld(ctx)
}

// uploadLimits are the limits of attachments.
func uploadLimits(s connection.Settings) document.Limits {
	return document.Limits{MaxFiles: s.UploadFiles, MaxFile: s.UploadFile, MaxTotal: s.UploadTotal}
}

// Try implements connection.ServiceClient.
func (d deskConnection) Try(ctx context.Context, p connection.Plan) (connection.Trial, error) {
	return d.client.try(ctx, p)
}

// Unknown implements connection.ServiceClient.
func (d deskConnection) Unknown(ctx context.Context) (int, error) { return d.desk.Unsettled(ctx) }

// overrides returns what the configuration sets over the page.
func (c Config) overrides() connection.Overrides {
	o := connection.Overrides{Settings: c.Connection}
	if o.BaseURL != "" {
		o.Method, o.Secret = c.access()
	}
	return o
}

// access returns the method that the configuration chooses by naming its secret.
func (c Config) access() (connection.Method, connection.Secret) {
	switch {
	case c.ServicePassword != "":
		return connection.Password, connection.Secret(c.ServicePassword)
	case c.ClientSecret != "":
		return connection.OAuth, connection.Secret(c.ClientSecret)
	}
	return connection.APIKey, connection.Secret(c.APIKey)
}

// connectionPause is how soon this process applies what another one saved.
const connectionPause = 2 * time.Second

// followConnection applies what another process over the same data saved, until ctx
// is done.
func (a *App) followConnection(ctx context.Context) {
	tick := time.NewTicker(connectionPause)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if err := a.connection.Refresh(ctx); err != nil && ctx.Err() == nil {
			a.config.Logger.Error("the connection could not be read again", "error", err)
		}
	}
}

// noService reports whether no configured service could authorize anything: the
// embedded one has no operators of its own.
func (a *App) noService() bool { return a.service.embedded() && !a.config.Simulated }

// simulated reports whether what is sent now goes to simulated operators of this process.
func (a *App) simulated() bool { return a.service.embedded() && a.config.Simulated }

// deskService returns the host of the service that the desk sends to, "" when that is
// the embedded one, whatever address was typed before.
func (a *App) deskService(ctx context.Context) (string, error) {
	state, err := a.connection.State(ctx)
	if err != nil || state.Embedded {
		return "", err
	}
	return state.Host(), nil
}
