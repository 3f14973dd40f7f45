package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"guiche/internal/atomicfile"

	"github.com/gofrs/flock"
)

// lockFile is locked by the process that serves a data folder for as long as it lives: the
// system ends the lock with it, however it ends.
const lockFile = "guiche.lock"

// lockPause is between two tries to get the lock.
const lockPause = 50 * time.Millisecond

// Lock makes this process the one that serves the data folder, and waits c.Wait for
// another one to end. Its error names the folder and the way out.
func (c Config) Lock(ctx context.Context) (unlock func(), err error) {
	if err := atomicfile.EnsureFolder(c.DataDir, 0o700); err != nil {
		return nil, fmt.Errorf("GUICHE_DATA: %w", err)
	}
	lock := flock.New(filepath.Join(c.DataDir, lockFile), flock.SetPermissions(0o600))
	switch locked, err := waitFor(ctx, lock, c.Wait); {
	case err != nil:
		return nil, fmt.Errorf("GUICHE_DATA: lock %s: %w", lock.Path(), err)
	case !locked:
		return nil, fmt.Errorf("GUICHE_DATA: another guiche serves from %s: stop that one, "+
			"or wait longer for it to end, as with --wait 40s", c.DataDir)
	}
	return func() { _ = lock.Close() }, nil
}

// waitFor tries to get the lock, at least once, until the time is over.
func waitFor(ctx context.Context, lock *flock.Flock, limit time.Duration) (bool, error) {
	locked, err := lock.TryLock()
	if locked || err != nil {
		return locked, err
	}
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	locked, err = lock.TryLockContext(waiting, lockPause)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		err = nil
	}
	return locked, err
}
