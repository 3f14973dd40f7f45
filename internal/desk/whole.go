package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"guiche/internal/blob"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// DamageLog remembers files that are damaged, so that administração is told.
type DamageLog interface {
	// FileDamaged remembers that a file of a case or a draft is damaged or missing.
	FileDamaged(ctx context.Context, ref blob.Ref, uid uuid.UUID) error
	// DamagedFiles picks those of the files that are known to be damaged.
	DamagedFiles(ctx context.Context, refs ...blob.Ref) ([]blob.Ref, error)
}

// forgetful is the log of a desk without one.
type forgetful struct{}

// FileDamaged implements DamageLog.
func (forgetful) FileDamaged(context.Context, blob.Ref, uuid.UUID) error { return nil }

// DamagedFiles implements DamageLog.
func (forgetful) DamagedFiles(context.Context, ...blob.Ref) ([]blob.Ref, error) { return nil, nil }

// openWhole opens a file of a case or a draft of which every byte was read and is as it
// was stored. A damaged one is remembered, and problem.Damaged.
func (d *Desk) openWhole(ctx context.Context, uid uuid.UUID, ref blob.Ref) (_ io.ReadSeekCloser, size int64, err error) {
	file, err := d.config.Blobs.Open(ctx, ref)
	if err != nil {
		return nil, 0, d.fileError(ctx, uid, ref, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, file.Close())
		}
	}()
	if size, err = io.Copy(io.Discard, file); err == nil {
		_, err = file.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, 0, d.fileError(ctx, uid, ref, err)
	}
	return file, size, nil
}

// fileError is why a file cannot be shown.
func (d *Desk) fileError(ctx context.Context, uid uuid.UUID, ref blob.Ref, err error) error {
	if unlessDamage(err) != nil {
		return fmt.Errorf("desk: open file: %w", err)
	}
	if err := d.config.Damage.FileDamaged(context.WithoutCancel(ctx), ref, uid); err != nil {
		d.config.Logger.ErrorContext(ctx, "damage was not written down", "error", err)
	}
	return problem.Wrap(problem.Damaged, "Este arquivo não está no Guichê como foi guardado, e por isso não é mostrado. "+
		"A administração foi avisada e pode trazê-lo de uma cópia de segurança.", err)
}

// files are all that came with a case, answers of before included.
func (c Case) files() (refs []blob.Ref) {
	for _, past := range c.Answers {
		for _, g := range past.Guides() {
			refs = append(refs, g.Blob)
		}
	}
	for _, a := range c.Attachments {
		refs = append(refs, a.Blob)
	}
	return refs
}

// Damaged picks those files of a case that are not to be shown, Case having returned it: those
// known to be damaged, and the one that the page is about to show, which is read.
func (d *Desk) Damaged(ctx context.Context, c Case, shown int) ([]blob.Ref, error) {
	guides, damaged := c.Guides(), slices.Clone(c.damaged)
	if shown < 0 || shown >= len(guides) {
		return damaged, nil
	}
	ref := guides[shown].Blob
	file, _, err := d.openWhole(ctx, c.UID, ref)
	switch {
	case problem.Is(err, problem.Damaged):
		return append(damaged, ref), nil
	case err != nil:
		return damaged, err
	}
	damaged = slices.DeleteFunc(damaged, func(r blob.Ref) bool { return r == ref })
	return damaged, file.Close()
}
