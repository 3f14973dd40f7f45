package deskstore

import (
	"context"

	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Attach adds an attachment unless admit refuses it.
func (s *Store) Attach(ctx context.Context, owner, draft uuid.UUID, a desk.Attachment,
	admit func(present []desk.Attachment, kept int64) error) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error { return attach(ctx, tx, owner, draft, a, admit) })
}

func attach(ctx context.Context, tx *engine.Tx, owner, draft uuid.UUID, a desk.Attachment,
	admit func(present []desk.Attachment, kept int64) error) error {
	d, err := ensureDraft(ctx, tx, owner, draft, true)
	if err != nil {
		return err
	}
	kept, err := draftBytes(ctx, tx, owner)
	if err != nil {
		return err
	}
	if err := admit(d.Attachments, kept); err != nil {
		return err
	}
	if err := insertDraftAttachment(ctx, tx, d.id, a); err != nil {
		return err
	}
	return touchDraft(ctx, tx, d.id)
}

// DraftBytes sums what the owner's open drafts keep.
func (s *Store) DraftBytes(ctx context.Context, owner uuid.UUID) (int64, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (int64, error) { return draftBytes(ctx, tx, owner) })
}

func draftBytes(ctx context.Context, tx *engine.Tx, owner uuid.UUID) (bytes int64, err error) {
	err = tx.QueryRow(ctx, `SELECT coalesce(sum(octet_length(d.form)
			+ (SELECT coalesce(sum(a.size), 0) FROM draft_attachment a WHERE a.draft_id = d.id)), 0)
		FROM draft d WHERE d.owner = ? AND d.state = 'open'`, engine.UID(owner)).Scan(&bytes)
	return bytes, engine.Error(err)
}

// Detach removes an attachment from the owner's open draft.
func (s *Store) Detach(ctx context.Context, owner, draft, attachment uuid.UUID, drop func(...blob.Ref)) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		d, err := openDraft(ctx, tx, owner, draft)
		if err != nil {
			return err
		}
		removed, err := engine.List(ctx, tx, scanBlob, `DELETE FROM draft_attachment WHERE draft_id = ? AND uid = ? RETURNING blob`,
			d.id, engine.UID(attachment))
		if err != nil {
			return err
		}
		if len(removed) == 0 {
			return problem.New(problem.NotFound, "Anexo não encontrado.")
		}
		drop(removed...)
		return touchDraft(ctx, tx, d.id)
	})
}

// AttachmentPlace finds the draft or the case of an attachment.
func (s *Store) AttachmentPlace(ctx context.Context, attachment uuid.UUID) (draft, caseID uuid.UUID, err error) {
	err = s.db.Read(ctx, func(tx *engine.Tx) error {
		return engine.Error(tx.QueryRow(ctx, `SELECT
			(SELECT d.uid FROM draft_attachment a JOIN draft d ON d.id = a.draft_id WHERE a.uid = ?1),
			(SELECT s.uid FROM submission_attachment a JOIN submission s ON s.id = a.submission_id WHERE a.uid = ?1)`,
			engine.UID(attachment)).Scan(engine.ScanUID(&draft), engine.ScanUID(&caseID)))
	})
	return draft, caseID, err
}

// touchDraft counts a change of the attachments as a change of the draft: a second
// window that still shows the old list is told so when it saves.
func touchDraft(ctx context.Context, tx *engine.Tx, id int64) error {
	_, err := exec(ctx, tx, `UPDATE draft SET revision = revision + 1, updated_at = ? WHERE id = ?`, engine.Micros(tx.Now), id)
	return err
}

// insertDraftAttachment names a blob in a draft. The blob was stored before: a row never
// points to a file that is not there.
func insertDraftAttachment(ctx context.Context, tx *engine.Tx, draft int64, a desk.Attachment) error {
	_, err := exec(ctx, tx, `INSERT INTO draft_attachment (uid, draft_id, name, content_type, size, blob) VALUES (?, ?, ?, ?, ?, ?)`,
		engine.UID(a.UID), draft, a.Name, a.ContentType, a.Size, string(a.Blob))
	return err
}

// draftAttachments lists a draft's attachments in the order in which they were added.
func draftAttachments(ctx context.Context, tx *engine.Tx, draft int64) ([]desk.Attachment, error) {
	return engine.List(ctx, tx, scanAttachment, `SELECT uid, name, content_type, size, blob FROM draft_attachment
		WHERE draft_id = ? ORDER BY id`, draft)
}

// submissionAttachments lists what a submission carries, in the order in which it is
// sent.
func submissionAttachments(ctx context.Context, tx *engine.Tx, submission int64) ([]desk.Attachment, error) {
	return engine.List(ctx, tx, scanAttachment, `SELECT uid, name, content_type, size, blob FROM submission_attachment
		WHERE submission_id = ? ORDER BY position`, submission)
}

// scanBlob reads the name of a blob.
func scanBlob(row engine.Row) (ref blob.Ref, err error) {
	err = row.Scan(&ref)
	return ref, err
}

func scanAttachment(rows engine.Row) (a desk.Attachment, err error) {
	err = rows.Scan(engine.ScanUID(&a.UID), &a.Name, &a.ContentType, &a.Size, &a.Blob)
	return a, err
}
