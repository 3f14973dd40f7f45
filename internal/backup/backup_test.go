package backup_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/backup"
	"guiche/internal/blob"
	"guiche/internal/blob/files"

	"filippo.io/age"
)

// rows is what a database of these tests holds. Its file is this in JSON.
type rows struct {
	Names             []blob.Ref
	Held              map[blob.Ref]string // bytes that are in the database
	Damage, Unchecked []string
	Head              backup.Head
}

// database is one that the installation uses.
type database struct {
	rows
	passing []blob.Ref
	alone   bool
	open    int // snapshots
	moment  func() error
	failure error
}

func (d *database) Alone(_ context.Context, fn func([]blob.Ref) error) error {
	d.alone = true
	defer func() { d.alone = false }()
	return errors.Join(d.failure, fn(d.passing))
}

func (d *database) Snapshot(context.Context) (backup.Snapshot, error) {
	text, err := json.Marshal(d.rows)
	d.open++
	return snapshot{d, text}, errors.Join(err, d.moment())
}

type snapshot struct {
	of   *database
	text []byte
}

func (s snapshot) CopyTo(_ context.Context, path string) error {
	return os.WriteFile(path, s.text, 0o600)
}

func (s snapshot) Close() error { s.of.open--; return nil }

// contents is a database's file that is looked into.
type contents struct {
	rows
	of *installation
	at backup.Place
}

func (c contents) Check(context.Context) (found, unchecked []string, err error) {
	if c.at.Head.Position > c.rows.Head.Position && c.at.Half == "desk" {
		found = append(found, "Falta o fim da trilha.")
	}
	if c.at.Keys == "" {
		unchecked = append(unchecked, "Sem chaves.")
	}
	return append(found, c.Damage...), append(unchecked, c.Unchecked...), c.of.checkFailure
}

func (c contents) BlobNames(_ context.Context, prefix string) (names []blob.Ref, err error) {
	for _, ref := range c.Names {
		if strings.HasPrefix(string(ref), prefix) {
			names = append(names, ref)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), c.of.namesFailure
}

func (c contents) Bytes(_ context.Context, ref blob.Ref) ([]byte, error) {
	return []byte(c.Held[ref]), c.of.bytesFailure
}

func (c contents) Head(context.Context) (backup.Head, error) { return c.rows.Head, nil }

func (c contents) Reaches(_ context.Context, h backup.Head) (bool, error) {
	return h.MAC == c.rows.Head.MAC && h.Position <= c.rows.Head.Position, nil
}

func (c contents) Close() error { c.of.looking--; return nil }

// installation is one with two halves.
type installation struct {
	data, folder string // its own, and that of its backups
	now          time.Time
	databases    map[string]*database
	blobs        map[string]*files.Store
	refs         map[string]blob.Ref // by content

	looked                     []backup.Place
	looking                    int
	looks                      func(p backup.Place) error
	checkFailure, namesFailure error
	bytesFailure               error
}

// The contents of its files: two of the desk, one of the service and one of both.
var kept = map[string][]string{"desk": {"order", "photo", "guide"}, "service": {"request", "guide"}}

func MustInstall(tb testing.TB) *installation {
	tb.Helper()
	i := &installation{data: filepath.Join(tb.TempDir(), "data"), folder: filepath.Join(tb.TempDir(), "backups"),
		now: time.Date(2026, 11, 22, 5, 9, 30, 0, time.FixedZone("", -3*60*60)), databases: map[string]*database{},
		blobs: map[string]*files.Store{}, refs: map[string]blob.Ref{}, looks: func(backup.Place) error { return nil }}
	for half, all := range kept {
		d := &database{moment: func() error { return nil }}
		i.databases[half] = d
		store, err := files.Open(files.Options{Dir: filepath.Join(i.data, half)})
		MustDo(tb, err)
		tb.Cleanup(func() { _ = store.Close() })
		i.blobs[half] = store
		for _, content := range all {
			i.MustKeep(tb, half, content)
		}
	}
	i.databases["desk"].Head = backup.Head{Position: 7, MAC: "ab"}
	MustWrite(tb, filepath.Join(i.data, "keys", "audit.key"), "the secret of the trail")
	MustWrite(tb, filepath.Join(i.data, "keys", ".old"), "hidden")
	i.MustSave(tb)
	return i
}

// MustKeep stores a content that a row names.
func (i *installation) MustKeep(tb testing.TB, half, content string) blob.Ref {
	tb.Helper()
	ctx, hold := i.blobs[half].Hold(tb.Context())
	defer hold.End()
	info, err := i.blobs[half].Put(ctx, strings.NewReader(content))
	MustDo(tb, err)
	i.refs[content] = info.Ref
	i.databases[half].Names = append(i.databases[half].Names, info.Ref)
	return info.Ref
}

// MustSave writes the databases' files.
func (i *installation) MustSave(tb testing.TB) {
	tb.Helper()
	for _, h := range i.halves() {
		text, err := json.Marshal(i.databases[h.Name].rows)
		MustDo(tb, err)
		MustWrite(tb, filepath.Join(i.data, h.Name, h.File), string(text))
	}
}

// path is where the installation has a content.
func (i *installation) path(half, content string) string {
	return filepath.Join(i.data, half, filepath.FromSlash(i.refs[content].Path()))
}

// stored is where the plain backups have it.
func (i *installation) stored(content string) string {
	ref := string(i.refs[content])
	return filepath.Join(i.folder, "blobs", ref[:2], ref)
}

func (i *installation) halves() []backup.DataHalf {
	return []backup.DataHalf{{Name: "desk", File: "guiche.db"}, {Name: "service", File: "service.db"}}
}

func (i *installation) keyFiles() map[string]string {
	return map[string]string{"audit.key": filepath.Join(i.data, "keys", "audit.key")}
}

// config is that of a plain backup.
func (i *installation) config() backup.Config {
	c := backup.Config{Data: i.data, Keys: filepath.Join(i.data, "keys"), KeyFiles: i.keyFiles(), Folder: i.folder, Look: i.look, Now: i.now,
		NameKey: []byte("names"), Version: "1.2"}
	for _, h := range i.halves() {
		c.Halves = append(c.Halves, backup.Half{Name: h.Name, File: h.File, Database: i.databases[h.Name], Blobs: i.blobs[h.Name]})
	}
	return c
}

func (i *installation) look(_ context.Context, p backup.Place) (backup.Contents, error) {
	i.looked = append(i.looked, p)
	c := contents{of: i, at: p}
	text, err := os.ReadFile(p.Path)
	if err = errors.Join(err, json.Unmarshal(text, &c.rows), i.looks(p)); err == nil {
		i.looking++
	}
	return c, err
}

func (i *installation) MustMake(tb testing.TB, change ...func(*backup.Config)) backup.Result {
	tb.Helper()
	c := i.config()
	for _, f := range change {
		f(&c)
	}
	r, err := backup.Make(tb.Context(), c)
	MustDo(tb, err)
	i.now = i.now.Add(time.Hour)
	if i.looking != 0 || i.databases["desk"].open+i.databases["service"].open != 0 {
		tb.Errorf("%d contents and some snapshots stay open", i.looking)
	}
	return r
}

// identity is a key pair: whom a backup is for, and what opens it.
func identity(tb testing.TB) (recipient string, opens *age.X25519Identity) {
	tb.Helper()
	opens, err := age.GenerateX25519Identity()
	MustDo(tb, err)
	return opens.Recipient().String(), opens
}

func sealedFor(recipients ...string) func(*backup.Config) {
	return func(c *backup.Config) { c.Recipients = recipients }
}

func MustDo(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func MustWrite(tb testing.TB, path, content string) {
	tb.Helper()
	MustDo(tb, os.MkdirAll(filepath.Dir(path), 0o700))
	MustDo(tb, os.WriteFile(path, []byte(content), 0o600))
}

func MustRead(tb testing.TB, path string) string {
	tb.Helper()
	content, err := os.ReadFile(path)
	MustDo(tb, err)
	return string(content)
}

// MustFlip changes one bit in the middle of a file.
func MustFlip(tb testing.TB, path string) {
	tb.Helper()
	content := []byte(MustRead(tb, path))
	content[len(content)/2] ^= 1
	MustWrite(tb, path, string(content))
}

// tree are the files below a folder, locks aside.
func tree(tb testing.TB, folder string) (all []string) {
	tb.Helper()
	MustDo(tb, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		name, err := filepath.Rel(folder, path)
		all = append(all, filepath.ToSlash(name))
		return err
	}))
	return all
}

// has reports whether any file below a folder holds a text.
func has(tb testing.TB, folder, text string) bool {
	tb.Helper()
	return slices.ContainsFunc(tree(tb, folder), func(name string) bool {
		return strings.Contains(name, text) || bytes.Contains([]byte(MustRead(tb, filepath.Join(folder, name))), []byte(text))
	})
}
