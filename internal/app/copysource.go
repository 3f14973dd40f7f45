package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"guiche/internal/audit"
	"guiche/internal/keyfile"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/keystore"
)

// copySource is an installation that is copied.
type copySource struct {
	config  Config
	dbs     map[string]copyDatabase // by half
	place   blobPlace
	keys    keyfile.Place
	uses    map[keyfile.Name]keyfile.Use
	trail   *auditlog.Log
	head    string // of its audit trail, which tells installations and their states apart
	closers []func() error
}

// openCopySource opens an installation that nobody works with.
func openCopySource(ctx context.Context, c Config) (s *copySource, err error) {
	s = &copySource{config: c, dbs: map[string]copyDatabase{}}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	if err := errors.Join(c.checkDatabase(), c.checkBlobs(), c.checkKeys(), s.lock(ctx)); err != nil {
		return s, err
	}
	for _, half := range []string{deskHalf, serviceHalf} {
		db, err := c.openToCopy(ctx, half)
		if err != nil {
			return s, err
		}
		if db != nil {
			s.dbs[half] = db
			s.closers = append(s.closers, db.Close)
		}
	}
	if err := s.findKeys(ctx); err != nil {
		return s, err
	}
	if s.place, err = c.markedBlobPlace(ctx, c.blobMarks(s.dbs[deskHalf])); err != nil {
		return s, err
	}
	if err := s.checkFolder(ctx); err != nil {
		return s, err
	}
	s.head, err = s.state(ctx)
	return s, err
}

// lock keeps others from working with the folder of the installation, which has to be there.
func (s *copySource) lock(ctx context.Context) error {
	c := s.config
	if c.onServer() {
		if err := c.checkThere(ctx); err != nil || !exists(c.DataDir) {
			return err
		}
	} else if !exists(c.databaseFile(deskHalf)) {
		return fmt.Errorf("GUICHE_DATA: no installation in %s", c.DataDir)
	}
	unlock, err := c.Lock(ctx)
	if err == nil {
		s.closers = append(s.closers, func() error { unlock(); return nil })
	}
	return err
}

var errFilesElsewhere = errors.New("GUICHE_DATA: the files of the source are in another data folder: name that one")

// checkFolder refuses a data folder that does not have the files of the rows on a server.
func (s *copySource) checkFolder(ctx context.Context) error {
	marks, ok := s.config.blobMarks(s.dbs[deskHalf]).(databaseMarks)
	if !ok || s.place.bucket != nil {
		return nil
	}
	kept, err := marks.store.Find(ctx)
	if err != nil || kept.Place != folderPlace {
		return err
	}
	name, err := s.config.folderName(false)
	if err == nil && name != kept.Installation {
		err = errFilesElsewhere
	}
	return err
}

// findKeys finds the keys that the rows rest on.
func (s *copySource) findKeys(ctx context.Context) (err error) {
	c := s.config
	if s.keys, err = keyfile.ParsePlace(c.keyPlace()); err != nil {
		return c.keyError(err)
	}
	if s.uses, err = keystore.New(s.dbs[deskHalf]).Uses(ctx); err != nil {
		return err
	}
	for _, name := range keyfile.Names() {
		key, err := keyfile.At(s.keys).Find(name, s.uses[name].ID)
		if err != nil && (s.uses[name].Needed || s.uses[name].ID != "") {
			return c.keyError(err)
		}
		if name == keyfile.Audit {
			s.trail = auditlog.New(s.dbs[deskHalf], audit.Key(key))
		}
	}
	return nil
}

var errUnlinked = errors.New("GUICHE_DATABASE: entries of the audit trail have no place in its chain yet: " +
	"guiche verify with the settings of the source gives them one")

// state is the end of the audit trail; an installation that works is refused.
func (s *copySource) state(ctx context.Context) (string, error) {
	db := s.dbs[deskHalf]
	if s.config.onServer() {
		running, err := deskstore.New(db, s.trail).LeaseHeld(ctx)
		if err == nil && running {
			err = errRunning
		}
		if err != nil {
			return "", err
		}
	}
	unlinked, err := engine.Get(ctx, db, func(tx *engine.Tx) (some bool, err error) {
		err = tx.QueryRow(ctx, `SELECT EXISTS (SELECT 1 FROM audit_unlinked)`).Scan(&some)
		return some, engine.Error(err)
	})
	if err == nil && unlinked {
		err = errUnlinked
	}
	if err != nil {
		return "", err
	}
	head, err := s.trail.Head(ctx)
	return fmt.Sprintf("%d %x", head.Position, head.MAC), err
}

// checkHead holds the trail to the ends that were written down outside of the database.
func (s *copySource) checkHead(ctx context.Context) error {
	err := s.trail.CheckHead(ctx, filepath.Join(s.config.DataDir, deskHalf, "audit.head"))
	if err == nil && s.place.bucket != nil && s.config.onServer() {
		err = s.trail.CheckHeadIn(ctx, s.place.bucket.Of(deskHalf))
	}
	return err
}

// journal is the file of looks that the database had no space for.
func journal(c Config) string { return filepath.Join(c.DataDir, deskHalf, "looks.journal") }

// hasLooks reports whether there are some.
func (s *copySource) hasLooks() (bool, error) {
	if s.config.onServer() {
		return false, nil
	}
	content, err := os.ReadFile(journal(s.config))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	for _, b := range content {
		if b != 0 {
			return true, err
		}
	}
	return false, err
}

func (s *copySource) close() error { return closeAll(s.closers) }

// closeAll closes the last one first.
func closeAll(closers []func() error) error {
	var errs []error
	for i := len(closers) - 1; i >= 0; i-- {
		errs = append(errs, closers[i]())
	}
	return errors.Join(errs...)
}
