package deskstore

import (
	"context"
	"time"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

const phoneColumns = `SELECT draft, owner, session, unit, expires_at, phone_hash IS NOT NULL, files FROM phone_link `

func scanPhoneLink(row engine.Row) (l desk.PhoneLink, err error) {
	err = row.Scan(engine.ScanUID(&l.Draft), engine.ScanUID(&l.Owner), engine.ScanUID(&l.Session), &l.Unit, engine.ScanTime(&l.Expires),
		&l.Opened, &l.Files)
	return l, engine.Error(err)
}

// PutPhoneLink adds a link in place of the draft's one before.
func (s *Store) PutPhoneLink(ctx context.Context, l desk.PhoneLink, code desk.SecretHash, stale time.Time, entry audit.Entry) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		_, err := exec(ctx, tx, `DELETE FROM phone_link WHERE draft = ? OR expires_at < ?`, engine.UID(l.Draft), engine.Micros(stale))
		if err != nil {
			return err
		}
		_, err = exec(ctx, tx, `INSERT INTO phone_link (draft, owner, session, unit, code_hash, expires_at) VALUES (?, ?, ?, ?, ?, ?)`,
			engine.UID(l.Draft), engine.UID(l.Owner), engine.UID(l.Session), l.Unit, code[:], engine.Micros(l.Expires))
		if err != nil {
			return err
		}
		return s.trail.Append(ctx, tx, entry)
	})
}

// PhoneLink returns the link of the owner's draft.
func (s *Store) PhoneLink(ctx context.Context, owner, draft uuid.UUID) (desk.PhoneLink, error) {
	return s.phoneLink(ctx, `WHERE draft = ? AND owner = ?`, engine.UID(draft), engine.UID(owner))
}

// PhoneLinkOfCode returns the link that a code opens, or opened.
func (s *Store) PhoneLinkOfCode(ctx context.Context, code desk.SecretHash) (desk.PhoneLink, error) {
	return s.phoneLink(ctx, `WHERE code_hash = ?`, code[:])
}

// PhoneLinkOfPhone returns the link of a phone.
func (s *Store) PhoneLinkOfPhone(ctx context.Context, phone desk.SecretHash) (desk.PhoneLink, error) {
	return s.phoneLink(ctx, `WHERE phone_hash = ?`, phone[:])
}

func (s *Store) phoneLink(ctx context.Context, where string, args ...any) (desk.PhoneLink, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (desk.PhoneLink, error) {
		return scanPhoneLink(tx.QueryRow(ctx, phoneColumns+where, args...))
	})
}

// OpenPhoneLink uses a code up.
func (s *Store) OpenPhoneLink(ctx context.Context, code, phone desk.SecretHash, entry audit.Entry) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		n, err := exec(ctx, tx, `UPDATE phone_link SET phone_hash = ? WHERE code_hash = ? AND phone_hash IS NULL`, phone[:], code[:])
		if err != nil {
			return err
		}
		if n == 0 {
			return problem.New(problem.Conflict, "")
		}
		return s.trail.Append(ctx, tx, entry)
	})
}

// EndPhoneLink forgets the link of the owner's draft.
func (s *Store) EndPhoneLink(ctx context.Context, owner, draft uuid.UUID, entry audit.Entry) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		n, err := exec(ctx, tx, `DELETE FROM phone_link WHERE draft = ? AND owner = ?`, engine.UID(draft), engine.UID(owner))
		if err != nil || n == 0 {
			return err
		}
		return s.trail.Append(ctx, tx, entry)
	})
}

// AttachFromPhone adds an attachment to the draft of a link and counts it there.
func (s *Store) AttachFromPhone(ctx context.Context, phone desk.SecretHash, a desk.Attachment,
	admit func(present []desk.Attachment, kept int64) error) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		link, err := scanPhoneLink(tx.QueryRow(ctx, phoneColumns+`WHERE phone_hash = ?`, phone[:]))
		if err != nil {
			return err
		}
		if err := attach(ctx, tx, link.Owner, link.Draft, a, admit); err != nil {
			return err
		}
		_, err = exec(ctx, tx, `UPDATE phone_link SET files = files + 1 WHERE phone_hash = ?`, phone[:])
		return err
	})
}
