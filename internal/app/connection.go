package app

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"guiche/internal/connection"
	"guiche/internal/keyfile"
	"guiche/internal/store/connectionstore"
)

// openConnection puts the desk's way to its service in force: what was saved, and
// what the configuration sets over it.
func (a *App) openConnection(ctx context.Context) error {
	key, err := keyfile.Load(filepath.Join(a.config.DataDir, "keys", "seal.key"))
	if err != nil {
		return fmt.Errorf("GUICHE_DATA: %w", err)
	}
	sealer, err := connection.NewSealer(key)
	if err != nil {
		return err
	}
	a.connection = connection.New(connection.Config{Store: connectionstore.New(a.people.db, a.people.trail), Sealer: sealer, Road: a.road,
		Outside: a.config.connection(), Clock: a.config.Clock})
	return a.connection.Start(ctx)
}

// connection returns what the configuration sets, named by its variables.
func (c Config) connection() connection.Outside {
	o := connection.Outside{Names: map[string]string{}, Settings: connection.Settings{
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

// connectionPause is how soon this process obeys what another one saved.
const connectionPause = 2 * time.Second

// followConnection obeys what another process over the same data saved, until ctx is
// done.
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
			a.config.Logger.Error("the connection could not be read again", "err", err)
		}
	}
}

// noService reports whether nothing is configured that could authorize.
func (a *App) noService() bool { return !a.road.far.Load() && !a.config.Simulated }
