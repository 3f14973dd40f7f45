package app

import (
	"context"
	"fmt"
	"path/filepath"

	"guiche/internal/connection"
	"guiche/internal/keys"
	"guiche/internal/sqlite/connectionstore"
)

// openConnection puts the desk's way to its service in force: what was saved, and
// what the configuration sets over it.
func (a *App) openConnection(ctx context.Context) error {
	key, err := keys.Load(filepath.Join(a.config.DataDir, "keys", "seal.key"))
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
	o := connection.Outside{Names: map[string]string{}, Settings: connection.Settings{BaseURL: c.BaseURL, Attachments: c.AttachmentShape,
		Connect: c.ConnectTimeout, Query: c.QueryTimeout, Answer: c.AnswerTimeout, Deadline: c.Deadline}}
	for _, f := range []struct {
		set         bool
		field, name string
	}{
		{c.BaseURL != "", connection.FieldBaseURL, "GUICHE_BASE_URL"},
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
		o.Method, o.Secret = connection.APIKey, connection.Secret(c.APIKey)
	}
	return o
}

// noService reports whether nothing is configured that could authorize.
func (a *App) noService() bool { return !a.road.far.Load() && !a.config.Simulated }
