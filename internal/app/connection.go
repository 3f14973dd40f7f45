package app

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"guiche/internal/connection"
	"guiche/internal/document"
	"guiche/internal/keyfile"
	"guiche/internal/store/connectionstore"
)

// openConnection puts the connection in force: what was saved, and what the
// configuration sets over it.
func (a *App) openConnection(ctx context.Context) error {
	key, err := keyfile.Load(filepath.Join(a.config.DataDir, "keys", "seal.key"))
	if err != nil {
		return fmt.Errorf("GUICHE_DATA: %w", err)
	}
	sealer, err := connection.NewSealer(key)
	if err != nil {
		return err
	}
	a.connection = connection.New(connection.Config{
		Store: connectionstore.New(a.data.db, a.data.trail), Sealer: sealer, ServiceClient: deskConnection{a.service, a.desk},
		Overrides: a.config.overrides(), Clock: a.config.Clock,
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
	SetTimes(deadline, answer time.Duration)
	SetLimits(document.Limits)
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
	d.desk.SetTimes(p.Deadline, p.Answer)
	d.desk.SetLimits(document.Limits{MaxFiles: p.UploadFiles, MaxFile: p.UploadFile, MaxTotal: p.UploadTotal})
	return d.desk.ReleaseHeld(ctx)
}

// Try implements connection.ServiceClient.
func (d deskConnection) Try(ctx context.Context, p connection.Plan) (connection.Trial, error) {
	return d.client.try(ctx, p)
}

// Unknown implements connection.ServiceClient.
func (d deskConnection) Unknown(ctx context.Context) (int, error) { return d.desk.Unsettled(ctx) }

// overrides returns what the configuration sets, named by its variables.
func (c Config) overrides() connection.Overrides {
	o := connection.Overrides{Names: map[string]string{}, Settings: connection.Settings{
		BaseURL: c.BaseURL, User: c.ServiceUser, ClientID: c.ClientID, LoginPath: c.LoginPath, UserField: c.LoginUserField, PasswordField: c.LoginPasswordField,
		TokenPath: c.TokenPath, Attachments: c.AttachmentShape, UploadFiles: c.Uploads.MaxFiles, UploadFile: c.Uploads.MaxFile, UploadTotal: c.Uploads.MaxTotal,
		Connect: c.ConnectTimeout, Query: c.QueryTimeout, Answer: c.AnswerTimeout, Deadline: c.Deadline}}
	for _, f := range []struct {
		set         bool
		field, name string
	}{
		{c.BaseURL != "", connection.FieldBaseURL, "GUICHE_BASE_URL"},
		{c.LoginPath != "", connection.FieldLoginPath, "GUICHE_LOGIN_PATH"},
		{c.LoginUserField != "", connection.FieldUserName, "GUICHE_LOGIN_USER_FIELD"},
		{c.LoginPasswordField != "", connection.FieldPassName, "GUICHE_LOGIN_PASSWORD_FIELD"},
		{c.TokenPath != "", connection.FieldTokenPath, "GUICHE_TOKEN_PATH"},
		{c.Uploads.MaxFiles > 0, connection.FieldUploadFiles, "GUICHE_UPLOAD_FILES"},
		{c.Uploads.MaxFile > 0, connection.FieldUploadFile, "GUICHE_UPLOAD_FILE_MB"},
		{c.Uploads.MaxTotal > 0, connection.FieldUploadTotal, "GUICHE_UPLOAD_TOTAL_MB"},
		{c.AttachmentShape != "", connection.FieldAttachments, "GUICHE_ATTACHMENT_SHAPE"},
		{c.ConnectTimeout > 0, connection.FieldConnect, "GUICHE_CONNECT_TIMEOUT"},
		{c.QueryTimeout > 0, connection.FieldQuery, "GUICHE_QUERY_TIMEOUT"},
		{c.AnswerTimeout > 0, connection.FieldAnswer, "GUICHE_ANSWER_TIMEOUT"},
		{c.Deadline > 0, connection.FieldDeadline, "GUICHE_DEADLINE"},
	} {
		if f.set {
			o.Names[f.field] = f.name
		}
	}
	if c.BaseURL != "" {
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

// deskService returns the host of the service that the desk sends to, "" when that is
// the embedded one, whatever address was typed before.
func (a *App) deskService(ctx context.Context) (string, error) {
	state, err := a.connection.State(ctx)
	if err != nil || state.Embedded {
		return "", err
	}
	return state.Host(), nil
}
