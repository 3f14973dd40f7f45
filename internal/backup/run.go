package backup

import (
	"context"
	"errors"
	"io/fs"
	"syscall"
	"time"

	"guiche/internal/diskspace"
)

// Run is one try to make a backup, as the installation remembers it.
type Run struct {
	At         time.Time // when it began
	Name       string    // of the backup in its folder, "" where none was made
	Bytes      int64     // its share of the common blobs included
	Encrypted  bool
	Missing    int       // blobs that the installation itself did not have whole
	Failure    Failure   // "" where one was made
	VerifiedAt time.Time // zero: nobody has checked it yet
	Damage     int       // what the check found
}

// Failure is why no backup was made.
type Failure string

// The failures.
const (
	FailedNoSpace Failure = "sem_espaco"
	FailedFolder  Failure = "pasta"      // the folder of backups cannot be reached or written
	FailedBusy    Failure = "ocupada"    // another one is being made
	FailedDamaged Failure = "danificada" // the installation's own database
	FailedOther   Failure = "outra"
)

// FailureOf returns why Make failed.
func FailureOf(err error) Failure {
	switch {
	case diskspace.IsFull(err):
		return FailedNoSpace
	case errors.Is(err, errBusy):
		return FailedBusy
	case errors.Is(err, errDamaged):
		return FailedDamaged
	case errors.Is(err, errFolder), errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrExist),
		errors.Is(err, syscall.EROFS):
		return FailedFolder
	}
	return FailedOther
}

// Good reports whether there is a backup that is whole as far as is known.
func (r Run) Good() bool { return r.Failure == "" && r.Damage == 0 }

// Store remembers runs.
type Store interface {
	Add(ctx context.Context, r Run) error
	// Latest returns runs, newest first: the newest of all, and beyond the limit the newest
	// that made a backup, that is whole, and that was found whole.
	Latest(ctx context.Context, limit int) ([]Run, error)
}
