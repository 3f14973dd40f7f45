package deskstore

import (
	"context"

	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// SentFiles lists the attachments of cases, in the order of these.
func (s *Store) SentFiles(ctx context.Context, cases []uuid.UUID) (files []desk.SentFile, err error) {
	err = s.db.Read(ctx, func(tx *engine.Tx) error {
		files = nil
		for _, uid := range cases {
			found, err := engine.List(ctx, tx, func(row engine.Row) (f desk.SentFile, err error) {
				err = row.Scan(engine.ScanUID(&f.Case), engine.ScanTime(&f.SentAt), engine.ScanUID(&f.UID), &f.Name, &f.ContentType, &f.Size, &f.Blob)
				return f, err
			}, `SELECT s.uid, s.created_at, a.uid, a.name, a.content_type, a.size, a.blob
				FROM submission s JOIN submission_attachment a ON a.submission_id = s.id WHERE s.uid = ? ORDER BY a.position`, engine.UID(uid))
			if err != nil {
				return err
			}
			files = append(files, found...)
		}
		return nil
	})
	return files, err
}

// ReplaceAttachments puts one attachment of the owner's open draft in the place of others.
func (s *Store) ReplaceAttachments(ctx context.Context, owner, draft uuid.UUID, a desk.Attachment, others []desk.Attachment,
	admit func(present []desk.Attachment, kept int64) error, drop func(...blob.Ref)) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		d, err := openDraft(ctx, tx, owner, draft)
		if err != nil {
			return err
		}
		for _, other := range others {
			removed, err := engine.List(ctx, tx, scanBlob, `DELETE FROM draft_attachment WHERE draft_id = ? AND uid = ? RETURNING blob`,
				d.id, engine.UID(other.UID))
			if err != nil {
				return err
			}
			if len(removed) == 0 {
				return problem.New(problem.Conflict, "Os anexos mudaram enquanto eram juntados. Tente de novo.")
			}
			drop(removed...)
		}
		present, err := draftAttachments(ctx, tx, d.id)
		if err != nil {
			return err
		}
		kept, err := draftBytes(ctx, tx, owner)
		if err != nil {
			return err
		}
		if err := admit(present, kept); err != nil {
			return err
		}
		if err := insertDraftAttachment(ctx, tx, d.id, a); err != nil {
			return err
		}
		return touchDraft(ctx, tx, d.id)
	})
}
