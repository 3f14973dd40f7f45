// Package backup copies an installation while it runs, checks such copies, and makes an
// installation of one again.
//
// A folder of backups holds a folder for each backup and one of blobs that they share:
//
//	FOLDER/2026-11-22T080930Z/manifest.json    what the backup is, with the hash of each of its files
//	                          manifest.sha256  the hash of the manifest
//	                          desk/guiche.db   the databases, of one moment
//	                          desk/blobs.list   the blobs that belong to it, by their files below FOLDER/blobs
//	                          keys/            only in an encrypted backup
//	FOLDER/blobs/ab/abcdef…
//
// In an encrypted backup databases, keys and blobs are age files (.age). Whether all is
// there and undamaged can be told without what opens them.
package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/blob"

	"github.com/gofrs/flock"
)

// Half is one half of an installation: a database with its blobs.
type Half struct {
	Name     string // its folder in the installation and in a backup
	File     string // the database in it
	Database Database
	Blobs    Blobs
	// Remote is where the blobs lie that the backup only names; nil for those that it
	// copies. Blobs holds them all the same.
	Remote Remote
}

// Database is a database that is in use.
type Database interface {
	// Alone runs fn while nobody writes. Passing are the blobs that rows name and may
	// cease to name.
	Alone(ctx context.Context, fn func(passing []blob.Ref) error) error
	// Snapshot begins a snapshot of what is committed.
	Snapshot(ctx context.Context) (Snapshot, error)
}

// Snapshot is a database as it was at one moment.
type Snapshot interface {
	CopyTo(ctx context.Context, path string) error
	Close() error
}

// Blobs are the blobs of a half.
type Blobs interface {
	blob.Holder
	Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error)
	Stat(ctx context.Context, ref blob.Ref) (blob.Info, error)
}

// Place says where a database to be looked into lies.
type Place struct {
	Half  string
	Path  string // of the file
	Keys  string // where the installation's keys lie, "" where they are not at hand
	Head  Head   // that its trail must reach
	InUse bool   // somebody may be writing
}

// Head is the end of an audit trail.
type Head struct {
	Position int64  `json:"position"`
	MAC      string `json:"mac"` // hexadecimal
}

// Contents is a database that is looked into. Nothing in it is changed.
type Contents interface {
	// Check looks for damage in pages, references, protected rows and the trail. What it
	// found and what it could not check are sentences for a person.
	Check(ctx context.Context) (found, unchecked []string, err error)
	// BlobNames lists the blobs that rows name and whose names begin so, in their order.
	BlobNames(ctx context.Context, prefix string) ([]blob.Ref, error)
	// Bytes are those of a blob that the database itself holds, none where it holds none:
	// the next start makes its file of them.
	Bytes(ctx context.Context, ref blob.Ref) ([]byte, error)
	// Head is the end of the trail, the zero Head without one.
	Head(ctx context.Context) (Head, error)
	// Reaches reports whether the trail has gone through a Head; true without one.
	Reaches(ctx context.Context, h Head) (bool, error)
	Close() error
}

// Look opens a database to look into it.
type Look func(ctx context.Context, p Place) (Contents, error)

const (
	blobsFolder = "blobs"
	keysFolder  = "keys"
	workFolder  = ".backup" // in that of the installation: what is not encrypted yet
	blobList    = "blobs.list"
	partial     = ".partial" // ends the name of a backup that is being made
	ageSuffix   = ".age"
	idLayout    = "2006-01-02T150405Z" // no colons: Windows takes none

	folderMode = 0o700
)

// ErrNone says that a folder holds no backup.
var ErrNone = errors.New("backup: there is no backup here")

// errFolder says that the folder of backups is of no use.
var errFolder = errors.New("backup: the folder of backups cannot be used")

// errBusy says that somebody else makes a backup.
var errBusy = errors.New("backup: another one is being made")

// lock keeps a second backup out until the function that it returns is called, or the
// process ends.
func lock(path string) (unlock func() error, err error) {
	makeFor(path)
	l := flock.New(path, flock.SetPermissions(0o600))
	switch locked, err := l.TryLock(); {
	case err != nil:
		return nil, fmt.Errorf("backup: lock: %w", err)
	case !locked:
		return nil, fmt.Errorf("%w: %s", errBusy, path)
	}
	return l.Close, nil
}

// IDs lists the backups of a folder, oldest first.
func IDs(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, fmt.Errorf("backup: list: %w", err)
	}
	var ids []string
	for _, e := range entries {
		if _, err := madeAt(e.Name()); err == nil && e.IsDir() {
			ids = append(ids, e.Name())
		}
	}
	slices.Sort(ids)
	return ids, nil
}

// madeAt is when the backup of that name was made.
func madeAt(id string) (time.Time, error) {
	at, _, _ := strings.Cut(id, ".") // a second one within the second has a number
	t, err := time.Parse(idLayout, at)
	if err == nil && strings.HasSuffix(id, partial) {
		err = ErrNone
	}
	return t, err
}

// wrongBy is by how much a backup has to be named after now to have been named by a wrong clock.
const wrongBy = 24 * time.Hour

// wrongFirst puts the names that a clock which was ahead gave before all others, which keep their order: they would stay the
// newest until the right one has come so far.
func wrongFirst(ids []string, now time.Time) []string {
	late := now.Add(wrongBy).UTC().Format(idLayout)
	at, _ := slices.BinarySearch(ids, late)
	return slices.Concat(ids[at:], ids[:at])
}

// Newest is the path of the newest backup of a folder.
func Newest(folder string, now time.Time) (string, error) {
	ids, err := IDs(folder)
	if err != nil {
		return "", err
	}
	if len(ids) == 0 {
		return "", fmt.Errorf("%w: %s", ErrNone, folder)
	}
	return filepath.Join(folder, wrongFirst(ids, now)[len(ids)-1]), nil
}

// IsBackup reports whether a folder is one backup.
func IsBackup(path string) bool {
	_, err := os.Stat(filepath.Join(path, manifestFile))
	return err == nil
}

// find returns the backup at a path: itself, or the newest of a folder.
func find(path string, now time.Time) (string, error) {
	if IsBackup(path) {
		return filepath.Abs(path)
	}
	return Newest(path, now)
}

// shards are the beginnings of blobs' names, in their order: what is done in pieces of
// one shard needs little memory however many blobs there are.
func shards() []string {
	all := make([]string, 256)
	for i := range all {
		all[i] = fmt.Sprintf("%02x", i)
	}
	return all
}

func syncFolder(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(atomicfile.SyncFolder(f), f.Close())
}
