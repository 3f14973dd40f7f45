// Package connectionstore keeps the connection to the authorization service in
// SQLite, its secrets sealed. It satisfies connection.Store; the schema is
// migrations/desk/00008_connection.sql and 00009_service.sql.
package connectionstore

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"time"

	"guiche/internal/audit"
	"guiche/internal/connection"
	"guiche/internal/sqlite"
)

// Trail takes audit entries within the transaction of what they tell.
type Trail interface {
	Append(ctx context.Context, tx *sqlite.Tx, e audit.Entry) error
}

// Store keeps the connection. It is safe for concurrent use.
type Store struct {
	db    *sqlite.DB
	trail Trail
}

var _ connection.Store = (*Store)(nil)

// New returns a store over an open database.
func New(db *sqlite.DB, trail Trail) *Store { return &Store{db: db, trail: trail} }

// Load implements connection.Store.
func (s *Store) Load(ctx context.Context) (stored connection.Stored, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		stored = connection.Stored{Settings: connection.Defaults()}
		if err := settings(ctx, tx, &stored); err != nil {
			return err
		}
		stored.Secrets, err = secrets(ctx, tx)
		return err
	})
	return stored, err
}

// columns are those of the settings, in the order in which they are read and put.
const columns = `embedded, base_url, internal_host, method, service_user, login_path, user_field, password_field, refresh_path, client_id,
	token_path, scope, client_basic, units_path, executants_path, eligibility, eligibility_path, attachments, upload_files, upload_file, upload_total,
	connect_s, query_s, answer_s, deadline_s, by_hand, features, updated_at`

// settings fills stored, and leaves it alone where nobody has saved yet.
func settings(ctx context.Context, tx *sqlite.Tx, stored *connection.Stored) error {
	var s connection.Settings
	var connect, query, answer, deadline int64
	var features string
	err := tx.QueryRow(ctx, `SELECT `+columns+` FROM connection`).Scan(
		&s.Embedded, &s.BaseURL, &s.InternalHost, &s.Method, &s.User, &s.LoginPath, &s.UserField, &s.PasswordField, &s.RefreshPath, &s.ClientID,
		&s.TokenPath, &s.Scope, &s.ClientBasic, &s.UnitsPath, &s.ProfessionalsPath, &s.Eligibility, &s.EligibilityPath,
		&s.Attachments, &s.UploadFiles, &s.UploadFile, &s.UploadTotal, &connect, &query, &answer, &deadline, &s.ByHand, &features, sqlite.ScanTime(&stored.UpdatedAt))
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	s.Connect, s.Query, s.Answer, s.Deadline = seconds(connect), seconds(query), seconds(answer), seconds(deadline)
	if features != "" {
		s.Features = strings.Fields(features)
	}
	stored.Settings = s
	return sqlite.Error(err)
}

func seconds(n int64) time.Duration { return time.Duration(n) * time.Second }

func secrets(ctx context.Context, tx *sqlite.Tx) (map[connection.Method]connection.Sealed, error) {
	rows, err := tx.Query(ctx, `SELECT method, origin, sealed, stored_at FROM connection_secret`)
	if err != nil {
		return nil, sqlite.Error(err)
	}
	defer func() { _ = rows.Close() }() // Err below tells what went wrong
	all := map[connection.Method]connection.Sealed{}
	for rows.Next() {
		var s connection.Sealed
		if err := rows.Scan(&s.Method, &s.Origin, &s.Bytes, sqlite.ScanTime(&s.StoredAt)); err != nil {
			return nil, sqlite.Error(err)
		}
		all[s.Method] = s
	}
	return all, sqlite.Error(rows.Err())
}

// Save implements connection.Store.
func (s *Store) Save(ctx context.Context, c connection.Settings, secret *connection.Sealed, e audit.Entry) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		if err := put(ctx, tx, c); err != nil {
			return err
		}
		if secret != nil {
			if _, err := tx.Exec(ctx, `INSERT OR REPLACE INTO connection_secret (method, origin, sealed, stored_at) VALUES (?, ?, ?, ?)`,
				secret.Method, secret.Origin, secret.Bytes, sqlite.Micros(secret.StoredAt)); err != nil {
				return sqlite.Error(err)
			}
		}
		return s.trail.Append(ctx, tx, e)
	})
}

func put(ctx context.Context, tx *sqlite.Tx, c connection.Settings) error {
	_, err := tx.Exec(ctx, `INSERT OR REPLACE INTO connection (id, `+columns+`) VALUES (1`+strings.Repeat(", ?", strings.Count(columns, ",")+1)+`)`,
		c.Embedded, c.BaseURL, c.InternalHost, c.Method, c.User, c.LoginPath, c.UserField,
		c.PasswordField, c.RefreshPath, c.ClientID, c.TokenPath, c.Scope, c.ClientBasic, c.UnitsPath, c.ProfessionalsPath, c.Eligibility, c.EligibilityPath,
		c.Attachments, c.UploadFiles, c.UploadFile, c.UploadTotal, wholeSeconds(c.Connect), wholeSeconds(c.Query), wholeSeconds(c.Answer), wholeSeconds(c.Deadline),
		c.ByHand, strings.Join(c.Features, " "), sqlite.Micros(tx.Now))
	return sqlite.Error(err)
}

func wholeSeconds(d time.Duration) int64 { return int64(d / time.Second) }

// AppendAudit implements connection.Store.
func (s *Store) AppendAudit(ctx context.Context, e audit.Entry) error {
	return s.db.Write(ctx, func(tx *sqlite.Tx) error { return s.trail.Append(ctx, tx, e) })
}
