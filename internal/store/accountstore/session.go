package accountstore

import (
	"context"
	"time"

	"guiche/internal/account"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// InsertSession implements account.SessionTx.
func (t *tx) InsertSession(ctx context.Context, hash account.Hash, s account.Session) error {
	return t.run(ctx, `
		INSERT INTO session (uid, hash, person_id, created_at, confirmed_at, active_at, device, address)
		VALUES (?, ?, (SELECT id FROM person WHERE uid = ?), ?, ?, ?, ?, ?)`,
		engine.UID(s.UID), hash[:], engine.UID(s.User), engine.Micros(s.CreatedAt), engine.Micros(s.ConfirmedAt),
		engine.Micros(s.ActiveAt), s.Device, s.Address)
}

// sessionColumns are the columns of session s of person p that sessionTargets
// receives.
const sessionColumns = `s.uid, p.uid, s.created_at, s.confirmed_at, s.active_at, s.device, s.address, s.data`

func sessionTargets(s *account.Session) []any {
	return []any{engine.ScanUID(&s.UID), engine.ScanUID(&s.User), engine.ScanTime(&s.CreatedAt), engine.ScanTime(&s.ConfirmedAt),
		engine.ScanTime(&s.ActiveAt),
		&s.Device, &s.Address, &s.Data}
}

// Session implements account.SessionTx. Each page begins with it, and who only reads it reads nothing else.
func (t *tx) Session(ctx context.Context, hash account.Hash) (account.Session, account.User, error) {
	var s account.Session
	var row userRow
	t.Single()
	err := t.QueryRow(ctx, `SELECT `+sessionColumns+`, `+userColumns+` FROM session s JOIN person p ON p.id = s.person_id
		WHERE s.hash = ?`, hash[:]).
		Scan(append(sessionTargets(&s), row.targets()...)...)
	if err != nil {
		return account.Session{}, account.User{}, engine.DamagedIfUnread(err)
	}
	user, err := row.value()
	return s, user, engine.DamagedIfUnread(err)
}

// Sessions implements account.SessionTx.
func (t *tx) Sessions(ctx context.Context, user uuid.UUID) ([]account.Session, error) {
	scan := func(row engine.Row) (s account.Session, err error) {
		err = row.Scan(sessionTargets(&s)...)
		return s, err
	}
	return engine.List(ctx, t.Tx, scan, `SELECT `+sessionColumns+` FROM session s JOIN person p ON p.id = s.person_id
		WHERE p.uid = ? ORDER BY s.id DESC`, engine.UID(user))
}

// SessionOwner implements account.SessionTx.
func (t *tx) SessionOwner(ctx context.Context, session uuid.UUID) (owner uuid.UUID, err error) {
	err = t.QueryRow(ctx, `SELECT p.uid FROM session s JOIN person p ON p.id = s.person_id WHERE s.uid = ?`, engine.UID(session)).
		Scan(engine.ScanUID(&owner))
	return owner, engine.Error(err)
}

// TouchSession implements account.SessionTx; a time never goes back.
func (t *tx) TouchSession(ctx context.Context, session uuid.UUID, at time.Time) error {
	return t.run(ctx, `UPDATE session SET active_at = ?1 WHERE uid = ?2 AND active_at < ?1`, engine.Micros(at), engine.UID(session))
}

// ConfirmSession implements account.SessionTx.
func (t *tx) ConfirmSession(ctx context.Context, session uuid.UUID, at time.Time) error {
	return t.run(ctx, `UPDATE session SET confirmed_at = ? WHERE uid = ?`, engine.Micros(at), engine.UID(session))
}

// SetSessionData implements account.SessionTx.
func (t *tx) SetSessionData(ctx context.Context, session uuid.UUID, data []byte) error {
	if data == nil {
		data = []byte{}
	}
	return t.run(ctx, `UPDATE session SET data = ? WHERE uid = ?`, data, engine.UID(session))
}

// DeleteSession implements account.SessionTx.
func (t *tx) DeleteSession(ctx context.Context, session uuid.UUID) error {
	if n, err := t.Exec(ctx, `DELETE FROM session WHERE uid = ?`, engine.UID(session)); err != nil || n > 0 {
		return engine.Error(err)
	}
	return problem.New(problem.NotFound, "Esta sessão já terminou.")
}

// DeleteSessions implements account.SessionTx.
func (t *tx) DeleteSessions(ctx context.Context, user uuid.UUID) error {
	return t.run(ctx, `DELETE FROM session WHERE person_id = (SELECT id FROM person WHERE uid = ?)`, engine.UID(user))
}

// DeleteStaleSessions implements account.SessionTx.
func (t *tx) DeleteStaleSessions(ctx context.Context, activeBefore, createdBefore time.Time) error {
	return t.run(ctx, `DELETE FROM session WHERE active_at < ? OR created_at < ?`, engine.Micros(activeBefore), engine.Micros(createdBefore))
}
