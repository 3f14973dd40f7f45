package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"guiche/internal/atomicfile"
	"guiche/internal/audit"
	"guiche/internal/copying"
	"guiche/internal/keyfile"
	"guiche/internal/store/auditlog"
)

// copyTarget is what becomes the copy of an installation.
type copyTarget struct {
	config  Config
	dbs     map[string]copyDatabase // by half
	place   blobPlace
	same    bool // its files are in the bucket of the source
	trail   *auditlog.Log
	closers []func() error
}

var (
	errSameFolder = errors.New("GUICHE_DATA: the copy wants a folder of its own, also where its rows or files are elsewhere")
	errOtherCopy  = errors.New("the target holds a part of a copy of another installation, or of this one as it was before it worked on: " +
		"empty it and begin again")
	errOtherKeys = errors.New("GUICHE_KEYS: the target's keys are others than those of the source: they have to be the same, " +
		"or not there yet")
	errLooks = errors.New("the source keeps looks in desk/looks.journal, which its database had no space for: start it once and stop it, " +
		"then they are in the trail")
)

// openCopyTarget opens what is empty, or a part of a copy of the source, and marks it as such.
func openCopyTarget(ctx context.Context, c Config, source *copySource) (t *copyTarget, err error) {
	t = &copyTarget{config: c, dbs: map[string]copyDatabase{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.close())
		}
	}()
	if err := errors.Join(c.checkDatabase(), c.checkBlobs(), c.checkKeys(), t.checkFolder(source)); err != nil {
		return t, err
	}
	foreign, err := foreignFile(c)
	if err != nil {
		return t, err
	}
	unlock, err := c.Lock(ctx)
	if err != nil {
		return t, err
	}
	t.closers = append(t.closers, func() error { unlock(); return nil })
	if err := t.openDatabases(ctx, source); err != nil {
		return t, err
	}
	if err := t.begin(ctx, source, foreign); err != nil {
		return t, err
	}
	return t, t.openPlace(ctx, source)
}

// checkFolder refuses the folder of the source, and what a target on a server would lose.
func (t *copyTarget) checkFolder(source *copySource) error {
	from, err := filepath.Abs(source.config.DataDir)
	to, err2 := filepath.Abs(t.config.DataDir)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	here, err := os.Stat(to)
	there, err2 := os.Stat(from)
	if from == to || err == nil && err2 == nil && os.SameFile(here, there) {
		return errSameFolder
	}
	looks, err := source.hasLooks()
	if err == nil && looks && t.config.onServer() {
		err = errLooks
	}
	return err
}

func (t *copyTarget) openDatabases(ctx context.Context, source *copySource) error {
	for _, half := range []string{deskHalf, serviceHalf} {
		if source.dbs[half] == nil {
			continue
		}
		db, err := t.config.openCopiedTo(ctx, half)
		if err != nil {
			return err
		}
		t.dbs[half] = db
		t.closers = append(t.closers, db.Close)
	}
	return nil
}

// halves are those that the source has.
func (t *copyTarget) halves() (all []string) {
	for _, half := range []string{deskHalf, serviceHalf} {
		if t.dbs[half] != nil {
			all = append(all, half)
		}
	}
	return all
}

// begin refuses what is no part of a copy of the source, and has the target be one.
func (t *copyTarget) begin(ctx context.Context, source *copySource, foreign string) error {
	db := t.dbs[deskHalf]
	of, err := copying.Marked(ctx, db)
	switch {
	case err != nil:
		return err
	case of == "" && foreign != "":
		return fmt.Errorf("GUICHE_DATA: the target is not empty: %s", foreign)
	case of != "" && of != source.head:
		return errOtherCopy
	}
	if of == "" {
		err = t.checkEmpty(ctx)
	}
	if err == nil {
		err = t.checkKeys(source)
	}
	if of == "" && err == nil {
		err = copying.Mark(ctx, db, source.head)
	}
	if err != nil {
		return err
	}
	return t.giveKeys(source)
}

// checkEmpty refuses databases in which rows are.
func (t *copyTarget) checkEmpty(ctx context.Context) error {
	for _, half := range t.halves() {
		table, err := copyHalf(half, nil, t.dbs[half]).Filled(ctx)
		if err == nil && table != "" {
			err = fmt.Errorf("the target is not empty: its table %s/%s has rows", half, table)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkKeys refuses keys that are others than those of the source.
func (t *copyTarget) checkKeys(source *copySource) error {
	place, err := keyfile.ParsePlace(t.config.keyPlace())
	if err != nil {
		return t.config.keyError(err)
	}
	there, err := place.Files()
	if errors.Is(err, fs.ErrNotExist) {
		there, err = nil, nil
	}
	if err != nil {
		return t.config.keyError(err)
	}
	theirs, err := source.keys.Files()
	if err != nil {
		return ofSide("FROM", err)
	}
	for name, path := range theirs {
		if there[name] == "" {
			continue
		}
		a, err := os.ReadFile(path)
		b, err2 := os.ReadFile(there[name])
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if !slices.Equal(a, b) {
			return errOtherKeys
		}
	}
	return nil
}

// giveKeys copies the keys that the target lacks, where it has a folder of them, and finds those that the
// rows rest on.
func (t *copyTarget) giveKeys(source *copySource) error {
	place, err := keyfile.ParsePlace(t.config.keyPlace())
	if err != nil {
		return t.config.keyError(err)
	}
	if folder := place.Folder(); folder != "" {
		if err := copyKeys(source.keys, folder); err != nil {
			return t.config.keyError(err)
		}
	}
	keys := keyfile.At(place)
	for _, name := range keyfile.Names() {
		id := source.uses[name].ID
		key, err := keys.Find(name, id)
		if err != nil && id != "" {
			return t.config.keyError(err)
		}
		if name == keyfile.Audit {
			t.trail = auditlog.New(t.dbs[deskHalf], audit.Key(key))
		}
	}
	return nil
}

func copyKeys(from keyfile.Place, folder string) error {
	theirs, err := from.Files()
	if err != nil {
		return err
	}
	if err := atomicfile.EnsureFolder(folder, 0o700); err != nil {
		return err
	}
	for name, path := range theirs {
		content, err := os.ReadFile(path)
		if err == nil {
			err = atomicfile.Create(filepath.Join(folder, name), content, 0o600)
		}
		if err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	return nil
}

// openPlace finds where files go. A bucket becomes the target's; that of the source may be it, and keeps its
// name then.
func (t *copyTarget) openPlace(ctx context.Context, source *copySource) (err error) {
	c := t.config
	marks := c.blobMarks(t.dbs[deskHalf])
	bucket, err := c.Blobs.bucket(c)
	if err != nil {
		return err
	}
	theirs := source.place.bucket
	if t.same = bucket != nil && theirs != nil && bucket.Location().String() == theirs.Location().String(); t.same {
		if _, err := marks.write(ctx, blobMark{Place: theirs.Location().String(), Installation: source.place.owner}); err != nil {
			return err
		}
	}
	t.place, err = c.openBlobPlace(ctx, marks)
	t.place.shared = t.dbs[deskHalf].Shared()
	if err == nil {
		err = t.place.unreachable
	}
	return err
}

func (t *copyTarget) close() error { return closeAll(t.closers) }

// foreignFile names what a folder holds that an empty target may not have, "" for nothing.
func foreignFile(c Config) (string, error) {
	allowed := []string{lockFile, "keys", "lost+found", deskHalf, serviceHalf}
	for _, h := range halves() {
		for _, suffix := range []string{"", "-wal", "-shm"} {
			allowed = append(allowed, filepath.Join(h.Name, h.File+suffix))
		}
	}
	for _, folder := range []string{"", deskHalf, serviceHalf} {
		entries, err := os.ReadDir(filepath.Join(c.DataDir, folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("GUICHE_DATA: %w", err)
		}
		for _, e := range entries {
			if name := filepath.Join(folder, e.Name()); !slices.Contains(allowed, name) {
				return filepath.Join(c.DataDir, name), nil
			}
		}
	}
	return "", nil
}
