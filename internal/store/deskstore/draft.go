package deskstore

import (
	"context"
	"encoding/json"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

const draftColumns = `SELECT id, uid, owner, form, version, revision, previous_uid, copy_kind, created_at, updated_at FROM draft `

// draftRow is a draft with its place in the database.
type draftRow struct {
	id   int64
	text int64 // bytes of the form
	desk.Draft
}

// scanDraft reads a draft with its row number and its form, which is stored as one JSON
// text.
func scanDraft(row engine.Row) (d draftRow, err error) {
	var form string
	err = row.Scan(&d.id, engine.ScanUID(&d.UID), engine.ScanUID(&d.Owner), &form, &d.Version, &d.Revision,
		engine.ScanUID(&d.Previous), &d.Copy, engine.ScanTime(&d.CreatedAt), engine.ScanTime(&d.UpdatedAt))
	if err != nil {
		return d, err
	}
	d.text = int64(len(form))
	d.Form, err = decodeForm(form)
	return d, err
}

// Draft returns an open draft of the owner.
func (s *Store) Draft(ctx context.Context, owner, uid uuid.UUID) (desk.Draft, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (desk.Draft, error) {
		row, err := openDraft(ctx, tx, owner, uid)
		return row.Draft, err
	})
}

// DraftOwner returns whose a draft is or was, the zero uid without one.
func (s *Store) DraftOwner(ctx context.Context, uid uuid.UUID) (uuid.UUID, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (owner uuid.UUID, err error) {
		err = tx.QueryRow(ctx, `SELECT owner FROM draft WHERE uid = ?`, engine.UID(uid)).Scan(engine.ScanUID(&owner))
		if err = engine.Error(err); problem.Is(err, problem.NotFound) {
			err = nil
		}
		return owner, err
	})
}

// openDraft reads an open draft with its attachments.
func openDraft(ctx context.Context, tx *engine.Tx, owner, uid uuid.UUID) (draftRow, error) {
	d, err := scanDraft(tx.QueryRow(ctx, draftColumns+`WHERE uid = ? AND owner = ? AND state = 'open'`,
		engine.UID(uid), engine.UID(owner)))
	if err != nil {
		return draftRow{}, engine.Error(err)
	}
	d.Attachments, err = draftAttachments(ctx, tx, d.id)
	return d, err
}

const openDrafts = draftColumns + `WHERE owner = ? AND state = 'open' ORDER BY updated_at DESC, id DESC`

// Drafts lists the owner's open drafts, the latest change first.
func (s *Store) Drafts(ctx context.Context, owner uuid.UUID) ([]desk.Draft, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.Draft, error) {
		rows, err := engine.List(ctx, tx, scanDraft, openDrafts, engine.UID(owner))
		if err != nil {
			return nil, err
		}
		drafts := make([]desk.Draft, len(rows))
		for i, row := range rows {
			if row.Attachments, err = draftAttachments(ctx, tx, row.id); err != nil {
				return nil, err
			}
			drafts[i] = row.Draft
		}
		return drafts, nil
	})
}

// SaveDraft stores the form if version is still the draft's.
func (s *Store) SaveDraft(ctx context.Context, owner, uid uuid.UUID, form desk.Form, version int,
	admit func(kept int64) error) (draft desk.Draft, err error) {
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		row, err := ensureDraft(ctx, tx, owner, uid, version == 0)
		draft = row.Draft
		if err != nil || (row.Version > 0 && row.Form.Equal(form)) {
			return err // the same again: an answer was lost, or a tab merely shows the draft
		}
		if row.Version != version {
			return problem.New(problem.Conflict, "Este rascunho foi alterado em outra aba. Nada foi sobrescrito.")
		}
		text, err := encodeForm(form)
		if err == nil {
			err = admitText(ctx, tx, row, text, admit)
		}
		if err != nil {
			return err
		}
		draft.Form, draft.UpdatedAt = form, tx.Now
		draft.Version++
		draft.Revision++
		_, err = exec(ctx, tx, `UPDATE draft SET form = ?, version = version + 1, revision = revision + 1, updated_at = ? WHERE id = ?`,
			text, engine.Micros(tx.Now), row.id)
		return err
	})
	return draft, err
}

// admitText asks whether a draft may keep a text, unless that is no longer than before.
func admitText(ctx context.Context, tx *engine.Tx, d draftRow, text string, admit func(kept int64) error) error {
	grown := int64(len(text)) - d.text
	if grown <= 0 {
		return nil
	}
	kept, err := draftBytes(ctx, tx, d.Owner)
	if err != nil {
		return err
	}
	return admit(kept + grown)
}

// ensureDraft returns the owner's open draft, opening it where that is allowed.
func ensureDraft(ctx context.Context, tx *engine.Tx, owner, uid uuid.UUID, create bool) (draftRow, error) {
	if create {
		_, err := exec(ctx, tx, `INSERT INTO draft (uid, owner, form, version, revision, created_at, updated_at)
			VALUES (?, ?, '{}', 0, 0, ?, ?) ON CONFLICT (uid) DO NOTHING`,
			engine.UID(uid), engine.UID(owner), engine.Micros(tx.Now), engine.Micros(tx.Now))
		if err != nil {
			return draftRow{}, err
		}
	}
	d, err := openDraft(ctx, tx, owner, uid)
	if !problem.Is(err, problem.NotFound) {
		return d, err
	}
	var own bool
	if own, err = exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM draft WHERE uid = ?
		AND owner = ?)`, engine.UID(uid), engine.UID(owner)); err != nil {
		return draftRow{}, err
	}
	if own {
		return draftRow{}, problem.New(problem.Conflict, "Este rascunho já foi enviado ou descartado.")
	}
	return draftRow{}, problem.New(problem.NotFound, "Rascunho não encontrado.")
}

// exists answers a SELECT EXISTS.
func exists(ctx context.Context, tx *engine.Tx, query string, args ...any) (found bool, err error) {
	err = tx.QueryRow(ctx, query, args...).Scan(&found)
	return found, engine.Error(err)
}

// AddDraft stores a new draft with attachments.
func (s *Store) AddDraft(ctx context.Context, d desk.Draft, entry audit.Entry, admit func(kept int64) error) error {
	text, err := encodeForm(d.Form)
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		kept, err := draftBytes(ctx, tx, d.Owner)
		if err != nil {
			return err
		}
		if err := admit(kept + int64(len(text))); err != nil {
			return err
		}
		id, err := insert(ctx, tx, `INSERT INTO draft (uid, owner, form, version, revision, previous_uid, copy_kind, created_at,
			updated_at) VALUES (?, ?, ?, 1, 1, ?, ?, ?, ?)`, engine.UID(d.UID), engine.UID(d.Owner), text, engine.UID(d.Previous), d.Copy,
			engine.Micros(tx.Now), engine.Micros(tx.Now))
		if err != nil {
			return err
		}
		for _, a := range d.Attachments {
			if err := insertDraftAttachment(ctx, tx, id, a); err != nil {
				return err
			}
		}
		return s.trail.Append(ctx, tx, entry)
	})
}

// DiscardDraft forgets what the draft held and keeps that there was one, so that
// a save on its way does not open it again.
func (s *Store) DiscardDraft(ctx context.Context, owner, uid uuid.UUID, revision int, entry audit.Entry, drop func(...blob.Ref)) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		d, err := openDraft(ctx, tx, owner, uid)
		if err == nil && revision != desk.AnyVersion && revision != d.Revision {
			err = problem.New(problem.Conflict, "Este rascunho mudou enquanto isso.")
		}
		if err != nil {
			return err
		}
		for _, a := range d.Attachments {
			drop(a.Blob)
		}
		if err := closeDraft(ctx, tx, d.id, "discarded"); err != nil {
			return err
		}
		return s.trail.Append(ctx, tx, entry)
	})
}

// closeDraft ends a draft as sent or discarded. Its form, its attachments and its phone's
// link go at once: a health record is not kept longer than it is needed, and what was sent
// stands in the submission.
func closeDraft(ctx context.Context, tx *engine.Tx, id int64, state string) error {
	if _, err := exec(ctx, tx, `DELETE FROM draft_attachment WHERE draft_id = ?`, id); err != nil {
		return err
	}
	if _, err := exec(ctx, tx, `DELETE FROM phone_link WHERE draft = (SELECT uid FROM draft WHERE id = ?)`, id); err != nil {
		return err
	}
	_, err := exec(ctx, tx, `UPDATE draft SET state = ?, form = '{}', updated_at = ? WHERE id = ?`,
		state, engine.Micros(tx.Now), id)
	return err
}

// formText is a form as the column holds it.
type formText struct {
	Values     map[string]string `json:"values,omitempty"`
	Procedures []procedureText   `json:"procedures,omitempty"`
}

// procedureText is a row of the form as it was typed; Quantity may be any text. Its keys
// are stored and do not change.
type procedureText struct {
	Code     string `json:"code"`
	Name     string `json:"name"`
	Quantity string `json:"quantity"`
}

// encodeForm makes the JSON that a draft stores, with keys of its own: a renamed field
// of desk.Form leaves stored drafts readable.
func encodeForm(f desk.Form) (string, error) {
	text := formText{Values: f.Values}
	for _, p := range f.Procedures {
		text.Procedures = append(text.Procedures, procedureText(p))
	}
	encoded, err := json.Marshal(text)
	if err != nil {
		return "", fmt.Errorf("deskstore: encode form: %w", err)
	}
	return string(encoded), nil
}

// decodeForm is encodeForm's reverse. Values is never nil, so that a form can be filled
// at once.
func decodeForm(s string) (desk.Form, error) {
	var text formText
	if err := json.Unmarshal([]byte(s), &text); err != nil {
		return desk.Form{}, fmt.Errorf("deskstore: decode form: %w", err)
	}
	f := desk.Form{Values: text.Values}
	if f.Values == nil {
		f.Values = map[string]string{}
	}
	for _, p := range text.Procedures {
		f.Procedures = append(f.Procedures, desk.ProcedureRow(p))
	}
	return f, nil
}
