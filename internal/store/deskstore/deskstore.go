// Package deskstore keeps the desk's drafts, submissions, queue and cases, each with its list row,
// search words and checksum, which change in the same transaction. It satisfies desk.Store.
package deskstore

import (
	"context"
	"fmt"
	"sync"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Trail takes audit entries within the transaction of what they tell.
type Trail interface {
	Append(ctx context.Context, tx *engine.Tx, e audit.Entry) error
	// AppendAll adds entries one after the other.
	AppendAll(ctx context.Context, tx *engine.Tx, entries []audit.Entry) error
	// AppendOnce is Append unless the same was written since a moment.
	AppendOnce(ctx context.Context, tx *engine.Tx, e audit.Entry, since time.Time) error
	// Keep keeps elsewhere what was not written for want of space, once since a moment
	// unless that is zero; otherwise it returns notWritten.
	Keep(ctx context.Context, e audit.Entry, since time.Time, notWritten error) error
}

// Store keeps what the desk works on. It is safe for concurrent use.
type Store struct {
	db       engine.DB
	trail    Trail
	onDamage func(checksum.Row)
	damaged  sync.Map // numbers of submissions that are not sent: their rows are damaged

	guides guides
	came   chan struct{} // cases that may be pending: see LearnWords

	queue struct {
		sync.Mutex
		whole bool // cases from before stand in it
	}
}

var _ desk.Store = (*Store)(nil)

// New returns a store over an open database.
func New(db engine.DB, trail Trail) *Store {
	return &Store{db: db, trail: trail, came: make(chan struct{}, 1)}
}

// ReadTogether implements desk.Store. Who does not answer is told around every page.
func (s *Store) ReadTogether(ctx context.Context, fn func(context.Context) error) error {
	return s.db.ReadTogether(ctx, func(ctx context.Context) error {
		err := s.db.Read(ctx, func(tx *engine.Tx) error {
			tx.Ahead(outagesQuery, desk.OutageAfter, serviceItself[:])
			return nil
		})
		if err != nil {
			return err
		}
		return fn(ctx)
	})
}

// ReadOn implements desk.Store.
func (s *Store) ReadOn(ctx context.Context, name string) (on context.Context, end func()) {
	return engine.ReadOn(ctx, s.db, name)
}

// AppendAuditOnce is AppendAudit unless the same entry was written since a moment.
func (s *Store) AppendAuditOnce(ctx context.Context, entry audit.Entry, since time.Time) error {
	err := s.db.Write(ctx, func(tx *engine.Tx) error { return s.trail.AppendOnce(ctx, tx, entry, since) })
	return s.trail.Keep(ctx, entry, since, err)
}

// AppendAudit commits an audit entry about something that was only read.
func (s *Store) AppendAudit(ctx context.Context, entry audit.Entry) error {
	err := s.db.Write(ctx, func(tx *engine.Tx) error { return s.trail.Append(ctx, tx, entry) })
	return s.trail.Keep(ctx, entry, time.Time{}, err)
}

// exec runs a statement and returns how many rows it changed.
func exec(ctx context.Context, tx *engine.Tx, query string, args ...any) (int64, error) {
	changed, err := tx.Exec(ctx, query, args...)
	return changed, engine.Error(err)
}

// insert runs an INSERT and returns the new row's id.
func insert(ctx context.Context, tx *engine.Tx, query string, args ...any) (int64, error) {
	id, err := tx.InsertID(ctx, query, args...)
	return id, engine.Error(err)
}

// scanID reads a row number. Row numbers stay in this package; the desk knows
// identifiers.
func scanID(rows engine.Row) (id int64, err error) {
	err = rows.Scan(&id)
	return id, err
}

// scanUID reads an identifier that is the only column.
func scanUID(rows engine.Row) (uid uuid.UUID, err error) {
	err = rows.Scan(engine.ScanUID(&uid))
	return uid, err
}

// localTime reads a date without zone as it is on the wire.
type localTime authorization.LocalTime

// Scan implements sql.Scanner.
func (l *localTime) Scan(src any) error {
	text, ok := src.(string)
	if !ok {
		return fmt.Errorf("deskstore: a date is a text, not %T", src)
	}
	if text == "" {
		*l = localTime{}
		return nil
	}
	parsed, err := authorization.ParseLocalTime(text)
	*l = localTime(parsed)
	return err
}
