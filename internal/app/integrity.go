package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"guiche/internal/backup"
	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/integrity"
	"guiche/internal/problem"
	"guiche/internal/store/damagestore"
	"guiche/internal/webui"
)

// integrityJob keeps account of what is damaged in this installation.
type integrityJob struct {
	*damagestore.Store
	config Config
	data   *deskData
	blobs  map[integrity.Half]*files.Store // of the halves that are open
}

// openIntegrity makes the account; the parts that are opened later are added to it.
func (s *baseServer) openIntegrity() {
	s.integrity = &integrityJob{Store: damagestore.New(s.data.db, s.data.trail), config: s.config, data: s.data,
		blobs: map[integrity.Half]*files.Store{}}
	s.pages.Integrity = s.integrity
}

// Remedy implements webui.Integrity.
func (j *integrityJob) Remedy(ctx context.Context, d integrity.Damage) (webui.Remedy, error) {
	if d.Kind != integrity.File || len(d.Name) != 64 {
		return webui.Remedy{}, nil
	}
	ref := blob.Ref(d.Name)
	r := webui.Remedy{Place: filepath.Join(j.config.DataDir, string(d.Half), filepath.FromSlash(files.Path(ref)))}
	b := j.config.Backups
	if b.Folder == "" {
		return r, nil
	}
	c := backup.Config{Folder: b.Folder, Recipients: b.Recipients}
	if len(b.Recipients) > 0 {
		var err error
		if c.NameKey, err = backupNameKey(ctx, j.data.db, j.config.keyFolder()); err != nil {
			return r, fmt.Errorf("app: names in backups: %w", err)
		}
	}
	if found, ok := backup.FindBlob(c, ref); ok {
		r.Copy, r.Encrypted = found.Path, found.Encrypted
	}
	return r, nil
}

// mostRechecked bounds what a look at known damage reads.
const mostRechecked = 1000

// Recheck implements webui.Integrity.
func (j *integrityJob) Recheck(ctx context.Context) error {
	known, err := j.List(ctx, mostRechecked)
	if err != nil {
		return err
	}
	for _, d := range known {
		whole, err := j.isWhole(ctx, d)
		if err == nil && whole {
			err = j.Remove(ctx, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// isWhole reads what was found damaged once more.
func (j *integrityJob) isWhole(ctx context.Context, d integrity.Damage) (bool, error) {
	store, open := j.blobs[d.Half]
	if !open || d.Kind != integrity.File {
		return false, nil
	}
	return readWhole(ctx, store, blob.Ref(d.Name))
}

// readWhole reports whether a file is as it was stored; an error tells nothing about it.
func readWhole(ctx context.Context, store *files.Store, ref blob.Ref) (bool, error) {
	f, err := store.Open(ctx, ref)
	if err == nil {
		_, err = io.Copy(io.Discard, f)
		err = errors.Join(err, f.Close())
	}
	if problem.Is(err, problem.NotFound) || errors.Is(err, blob.ErrDamaged) {
		return false, nil
	}
	return err == nil, err
}
