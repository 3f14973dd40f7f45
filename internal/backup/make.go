package backup

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/blob"

	"filippo.io/age"
)

// Config says what is copied where. All but the last group is required.
type Config struct {
	Data   string // the installation's folder
	Keys   string // where its keys lie, for Look
	Folder string // of backups
	Halves []Half
	Look   Look
	Now    time.Time

	Recipients []string          // age recipients; without any nothing is encrypted
	KeyFiles   map[string]string // of the installation's keys, by their names in an encrypted backup
	NameKey    []byte            // secret of the installation that names of encrypted blobs are made of
	Keep       int               // how many backups stay, counting this one; 0 means all
	Recheck    bool              // read blobs that are there already, and copy damaged ones again
	Version    string            // of the program
}

// Result is a backup that was made.
type Result struct {
	Path     string
	Manifest Manifest
	Copied   int64 // blobs that were not there yet
	Removed  int   // older backups
}

// Bytes is how much the backup is, its share of the common blobs included.
func (m Manifest) Bytes() (n int64) {
	for _, f := range m.Files {
		n += f.Size
	}
	for _, h := range m.Halves {
		n += h.Bytes
	}
	return n
}

// Place is where the blobs lie that the backup only names, "" where it has copies.
func (m Manifest) Place() string {
	for _, h := range m.Halves {
		if h.Place != "" {
			return h.Place
		}
	}
	return ""
}

// Missing is how many blobs the installation itself did not have whole.
func (m Manifest) Missing() (n int) {
	for _, h := range m.Halves {
		n += len(h.Missing)
	}
	return n
}

// Make copies an installation that may be in use. A backup is there whole or not at all:
// until all of it is on disk its folder has another name.
func Make(ctx context.Context, c Config) (r Result, err error) {
	to, err := Recipients(c.Recipients)
	if err != nil {
		return r, err
	}
	if err := CheckApart(c.Folder, c.Data); err != nil {
		return r, err
	}
	m := maker{Config: c, to: to}
	if err := atomicfile.MkdirAll(filepath.Join(c.Folder, blobsFolder), folderMode); err != nil {
		return r, fmt.Errorf("%w: %w", errFolder, err)
	}
	for _, path := range []string{filepath.Join(c.Data, ".backup.lock"), filepath.Join(c.Folder, ".backup.lock")} {
		unlock, err := lock(path)
		if err != nil {
			return r, err
		}
		defer func() { _ = unlock() }() // the process's end unlocks, too
	}
	defer m.clean()
	return m.make(ctx)
}

// maker makes one backup.
type maker struct {
	Config
	to    []age.Recipient
	work  string // folder of the copied databases
	stage string // folder of the backup until it is whole
	found Manifest
	// foreign are the backups of other installations in the folder.
	foreign []string
	keeper
}

// make takes the steps in order; a killed process's leavings go first.
func (m *maker) make(ctx context.Context) (r Result, err error) {
	id, err := m.newID()
	if err != nil {
		return r, err
	}
	m.stage, m.work = filepath.Join(m.Folder, id+partial), filepath.Join(m.Folder, id+partial)
	if len(m.to) > 0 { // what is not encrypted yet never leaves the installation
		m.work = filepath.Join(m.Data, workFolder)
	}
	m.clean()
	m.keeper = keeper{folder: m.Folder, to: m.to, secret: m.secret(), recheck: m.Recheck}
	m.found = Manifest{Format: format, MadeAt: m.Now.UTC(), Version: m.Version, Encrypted: len(m.to) > 0, Recipients: m.Recipients}
	err = m.copyDatabases(ctx, func() error { return m.keepAll(ctx) })
	if err == nil {
		err = m.publish(id)
	}
	if err != nil {
		return r, err
	}
	r = Result{Path: filepath.Join(m.Folder, id), Manifest: m.found, Copied: m.Copied}
	if m.Keep > 0 {
		r.Removed, err = prune(ctx, m.Folder, id, m.Keep, m.foreign, m.Now)
	}
	return r, err
}

// newID names the backup after the moment.
func (m *maker) newID() (string, error) {
	base := m.Now.UTC().Format(idLayout)
	for n := 1; ; n++ {
		id := base
		if n > 1 {
			id += "." + strconv.Itoa(n)
		}
		if _, err := os.Lstat(filepath.Join(m.Folder, id)); errors.Is(err, os.ErrNotExist) {
			return id, nil
		} else if err != nil {
			return "", fmt.Errorf("backup: name: %w", err)
		}
	}
}

// secret is another one for other recipients: what was encrypted for some of them alone
// is copied again for all.
func (m *maker) secret() []byte {
	mac := hmac.New(sha256.New, m.NameKey)
	mac.Write([]byte(strings.Join(slices.Sorted(slices.Values(m.Recipients)), "\n")))
	return mac.Sum(nil)
}

// clean removes what is unfinished, and nothing else that lies beside the backups.
func (m *maker) clean() {
	_ = os.RemoveAll(filepath.Join(m.Data, workFolder))
	entries, _ := os.ReadDir(m.Folder)
	for _, e := range entries {
		id, unfinished := strings.CutSuffix(e.Name(), partial)
		if _, err := madeAt(id); unfinished && err == nil {
			_ = os.RemoveAll(filepath.Join(m.Folder, e.Name()))
		}
	}
}

// copyDatabases copies all databases as they were at one moment, at which nobody wrote in
// any of them: what one half says of the other is true in the copy, too. What rows might
// cease to name meanwhile is held until keep has returned.
func (m *maker) copyDatabases(ctx context.Context, keep func() error) (err error) {
	snapshots := make([]Snapshot, 0, len(m.Halves))
	closeAll := func() {
		for _, s := range snapshots {
			err = errors.Join(err, s.Close())
		}
		snapshots = nil
	}
	defer closeAll()
	var holds []blob.Hold
	defer func() {
		for _, h := range holds {
			h.End()
		}
	}()
	err = alone(ctx, m.Halves, func(h Half, passing []blob.Ref) {
		_, hold := h.Blobs.Hold(ctx)
		hold.Add(passing...)
		holds = append(holds, hold)
	}, func() error {
		for _, h := range m.Halves {
			s, err := h.Database.Snapshot(ctx)
			if err != nil {
				return err
			}
			snapshots = append(snapshots, s)
		}
		return nil
	})
	for i := 0; err == nil && i < len(m.Halves); i++ {
		err = m.copyDatabase(ctx, m.Halves[i], snapshots[i])
	}
	if closeAll(); err != nil {
		return fmt.Errorf("backup: copy databases: %w", err)
	}
	return keep()
}

// alone runs fn while nobody writes in any of the halves.
func alone(ctx context.Context, halves []Half, hold func(Half, []blob.Ref), fn func() error) error {
	if len(halves) == 0 {
		return fn()
	}
	return halves[0].Database.Alone(ctx, func(passing []blob.Ref) error {
		hold(halves[0], passing)
		return alone(ctx, halves[1:], hold, fn)
	})
}

func (m *maker) copyDatabase(ctx context.Context, h Half, s Snapshot) error {
	path := m.copyOf(h)
	if err := atomicfile.MkdirAll(filepath.Dir(path), folderMode); err != nil {
		return err
	}
	return s.CopyTo(ctx, path)
}

// copyOf is where the copied database of a half lies.
func (m *maker) copyOf(h Half) string { return filepath.Join(m.work, h.Name, h.File) }

// keepAll puts databases, blobs and keys where the backup is being made.
func (m *maker) keepAll(ctx context.Context) error {
	for _, h := range m.Halves {
		if err := m.keepHalfOf(ctx, h); err != nil {
			return err
		}
	}
	if len(m.to) == 0 {
		return nil
	}
	return m.keepKeys(ctx)
}

var errDamaged = errors.New("backup: the installation's database is damaged")

// keepHalfOf keeps a database that is whole and the blobs that it names. A damaged one is
// no backup: older ones stay.
func (m *maker) keepHalfOf(ctx context.Context, h Half) (err error) {
	contents, err := m.Look(ctx, Place{Half: h.Name, Path: m.copyOf(h), Keys: m.Keys})
	if err != nil {
		return fmt.Errorf("backup: look into the copy: %w", err)
	}
	defer func() { err = errors.Join(err, contents.Close()) }()
	damage, _, err := contents.Check(ctx)
	if err != nil {
		return fmt.Errorf("backup: check the copy: %w", err)
	}
	if len(damage) > 0 {
		return fmt.Errorf("%w: %s", errDamaged, strings.Join(damage, "; "))
	}
	head, err := contents.Head(ctx)
	if err != nil {
		return fmt.Errorf("backup: end of the trail: %w", err)
	}
	if m.found.Trail == (Head{}) && head != (Head{}) {
		m.found.Trail = head
		if m.foreign, err = foreignIn(ctx, m.Folder, contents); err != nil {
			return err
		}
	}
	list := filepath.Join(m.stage, h.Name, blobList)
	if err := atomicfile.MkdirAll(filepath.Dir(list), folderMode); err != nil {
		return err
	}
	var info HalfInfo
	if h.Remote == nil {
		info, err = m.keepHalf(ctx, h.Blobs, contents, list)
	} else {
		info, err = nameHalf(ctx, h.Remote, contents, list)
		m.found.Format = formatRemote
	}
	if err != nil {
		return err
	}
	info.Name, info.List = h.Name, h.Name+"/"+blobList
	if info.Database, err = m.keepFile(ctx, m.copyOf(h), h.Name+"/"+h.File); err != nil {
		return err
	}
	m.found.Halves = append(m.found.Halves, info)
	s, err := sumFile(list)
	m.add(info.List, s)
	return err
}

// keepFile keeps one file under a path and returns the path that it got.
func (m *maker) keepFile(ctx context.Context, from, path string) (string, error) {
	if m.work == m.stage && from == filepath.Join(m.stage, filepath.FromSlash(path)) { // it is there already
		s, err := sumFile(from)
		m.add(path, s)
		return path, err
	}
	f, err := os.Open(from)
	if err != nil {
		return "", fmt.Errorf("backup: keep file: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	path += ageSuffix
	s, err := store(filepath.Join(m.stage, filepath.FromSlash(path)), blob.Until(ctx, f), m.to)
	if err != nil {
		return "", fmt.Errorf("backup: keep file: %w", err)
	}
	m.add(path, s)
	return path, nil
}

func (m *maker) add(path string, s stored) {
	m.found.Files = append(m.found.Files, File{Path: path, Size: s.size, SHA256: s.sum})
}

// keepKeys puts the installation's keys into an encrypted backup.
func (m *maker) keepKeys(ctx context.Context) error {
	for _, name := range slices.Sorted(maps.Keys(m.KeyFiles)) {
		if _, err := m.keepFile(ctx, m.KeyFiles[name], keysFolder+"/"+name); err != nil {
			return err
		}
		m.found.Keys = true
	}
	return nil
}

// publish writes the manifest and gives the backup its name.
func (m *maker) publish(id string) error {
	err := m.found.write(m.stage)
	if err == nil {
		err = syncTree(m.stage)
	}
	if err == nil {
		err = syncFolder(filepath.Join(m.Folder, blobsFolder))
	}
	if err == nil {
		err = os.Rename(m.stage, filepath.Join(m.Folder, id))
	}
	if err == nil {
		err = syncFolder(m.Folder)
	}
	if err != nil {
		return fmt.Errorf("backup: finish: %w", err)
	}
	return nil
}
