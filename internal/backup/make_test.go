package backup_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"guiche/internal/backup"
	"guiche/internal/blob"
	"guiche/internal/problem"

	"github.com/gofrs/flock"
	"github.com/google/go-cmp/cmp"
)

// TestMake: a backup has the databases, the lists of their files, and the files once.
func TestMake(t *testing.T) {
	i := MustInstall(t)
	r := i.MustMake(t)
	const id = "2026-11-22T080930Z"
	want := []string{}
	for _, content := range []string{"order", "photo", "guide", "request"} {
		ref := string(i.refs[content])
		want = append(want, "blobs/"+ref[:2]+"/"+ref)
	}
	for _, name := range []string{"desk/blobs.list", "desk/guiche.db", "manifest.json", "manifest.sha256", "service/blobs.list",
		"service/service.db"} {
		want = append(want, id+"/"+name)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, tree(t, i.folder)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	m, err := backup.ReadManifest(r.Path)
	MustDo(t, err)
	if diff := cmp.Diff(r.Manifest, m); diff != "" {
		t.Errorf("the manifest: -want +got\n%s", diff)
	}
	if r.Path != filepath.Join(i.folder, id) || r.Copied != 4 || r.Removed != 0 || !m.MadeAt.Equal(i.now.Add(-3600e9)) || m.Format != 1 ||
		m.Version != "1.2" || m.Encrypted || m.Keys || m.Recipients != nil || m.Missing() != 0 ||
		m.Trail != (backup.Head{Position: 7, MAC: "ab"}) {
		t.Errorf("got %+v", r)
	}
	var bytes int64
	for _, f := range m.Files {
		if content := MustRead(t, filepath.Join(r.Path, f.Path)); int64(len(content)) != f.Size {
			t.Errorf("%s: got %d bytes, want %d", f.Path, f.Size, len(content))
		}
		bytes += f.Size
	}
	if len(m.Files) != 4 || m.Bytes() != bytes+int64(len("order"+"photo"+"guide"+"request"+"guide")) {
		t.Errorf("got %d files, %d bytes", len(m.Files), m.Bytes())
	}
	for n, h := range i.halves() {
		if got := m.Halves[n]; got.Name != h.Name || got.Database != h.Name+"/"+h.File || got.List != h.Name+"/blobs.list" ||
			got.Blobs != len(kept[h.Name]) {
			t.Errorf("got %+v", got)
		}
		if p := i.looked[n]; p.Half != h.Name || p.Keys != filepath.Join(i.data, "keys") || p.InUse {
			t.Errorf("looked at %+v", p)
		}
	}
	MustDo(t, filepath.WalkDir(i.folder, func(path string, e fs.DirEntry, err error) error {
		if info, err := e.Info(); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
		return err
	}))
}

// TestMake_Again: only what is new is copied, and each backup has a name.
func TestMake_Again(t *testing.T) {
	i := MustInstall(t)
	before := i.now
	first := i.MustMake(t)
	i.MustKeep(t, "desk", "another order")
	i.now = before
	second := i.MustMake(t)
	i.now = before
	third := i.MustMake(t)
	if second.Copied != 1 || third.Copied != 0 || second.Path != first.Path+".2" || third.Path != first.Path+".3" {
		t.Errorf("got %+v, then %+v", second, third)
	}
	i.now = before.Add(-1e9)
	i.MustMake(t)
	MustWrite(t, filepath.Join(i.folder, "2026-11-23T080930Z"), "no folder")
	MustWrite(t, filepath.Join(i.folder, "other", "x"), "")
	ids, err := backup.IDs(i.folder)
	newest, _ := backup.Newest(i.folder, i.now)
	want := []string{"2026-11-22T080929Z", "2026-11-22T080930Z", "2026-11-22T080930Z.2", "2026-11-22T080930Z.3"}
	if err != nil || !slices.Equal(ids, want) || newest != third.Path {
		t.Errorf("got %q, %v, the newest %s", ids, err, newest)
	}
	if !backup.IsBackup(newest) || backup.IsBackup(i.folder) {
		t.Error("a folder of backups is taken for one, or the other way")
	}
}

func TestNewest_None(t *testing.T) {
	if _, err := backup.Newest(t.TempDir(), time.Now()); !errors.Is(err, backup.ErrNone) {
		t.Errorf("got %v, want ErrNone", err)
	}
	if _, err := backup.IDs(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

// TestMake_Encrypted: nothing in it can be read, nor be told by its name; the keys are in it.
func TestMake_Encrypted(t *testing.T) {
	i := MustInstall(t)
	ana, _ := identity(t)
	bia, _ := identity(t)
	r := i.MustMake(t, sealedFor(ana))
	for _, text := range []string{"order", "the secret of the trail", string(i.refs["order"]), "hidden", `"Names"`} {
		if has(t, i.folder, text) {
			t.Errorf("%q can be read", text)
		}
	}
	m := r.Manifest
	if !m.Encrypted || !m.Keys || !slices.Equal(m.Recipients, []string{ana}) || m.Halves[0].Database != "desk/guiche.db.age" ||
		m.Halves[0].List != "desk/blobs.list" || r.Copied != 4 {
		t.Errorf("got %+v", r)
	}
	var paths []string
	for _, f := range m.Files {
		paths = append(paths, f.Path)
	}
	slices.Sort(paths)
	want := []string{"desk/blobs.list", "desk/guiche.db.age", "keys/audit.key.age", "service/blobs.list", "service/service.db.age"}
	if !slices.Equal(paths, want) {
		t.Errorf("got %q, want %q", paths, want)
	}
	if _, err := os.Stat(filepath.Join(i.data, ".backup")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what is not encrypted stays: %v", err)
	}
	for _, tt := range []struct {
		for_   []string
		copied int64
	}{{[]string{ana}, 0}, {[]string{ana, bia}, 4}, {[]string{bia, ana}, 0}, {[]string{bia}, 4}, {nil, 4}, {[]string{ana}, 0}} {
		if got := i.MustMake(t, sealedFor(tt.for_...)); got.Copied != tt.copied {
			t.Errorf("for %d: copied %d, want %d", len(tt.for_), got.Copied, tt.copied)
		}
	}
}

// TestMake_Recheck: what is there is relied on, unless it has another size or is to be read.
func TestMake_Recheck(t *testing.T) {
	ana, _ := identity(t)
	recheck := func(c *backup.Config) { c.Recheck = true }
	for name, seal := range map[string]func(*backup.Config){"Plain": func(*backup.Config) {}, "Encrypted": sealedFor(ana)} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			i.MustMake(t, seal)
			blobs := filepath.Join(i.folder, "blobs")
			file := filepath.Join(blobs, tree(t, blobs)[0])
			if got := i.MustMake(t, seal, recheck); got.Copied != 0 {
				t.Errorf("copied %d of what is whole", got.Copied)
			}
			MustFlip(t, file)
			if got := i.MustMake(t, seal); got.Copied != 0 {
				t.Errorf("copied %d without being told to read", got.Copied)
			}
			if got := i.MustMake(t, seal, recheck); got.Copied != 1 {
				t.Errorf("copied %d, want what is damaged", got.Copied)
			}
			if got := i.MustMake(t, seal, recheck); got.Copied != 0 {
				t.Errorf("copied %d, want that the whole copy is found", got.Copied)
			}
		})
	}
	i := MustInstall(t)
	i.MustMake(t)
	MustWrite(t, i.stored("photo"), "phot")
	if got := i.MustMake(t); got.Copied != 1 || MustRead(t, i.stored("photo")) != "photo" {
		t.Errorf("copied %d, want what was shortened", got.Copied)
	}
}

// TestMake_Missing: what the installation does not have whole is named, and the rest kept.
func TestMake_Missing(t *testing.T) {
	i := MustInstall(t)
	MustDo(t, os.Remove(i.path("desk", "photo")))
	MustFlip(t, i.path("service", "request"))
	r := i.MustMake(t)
	if r.Copied != 2 || r.Manifest.Missing() != 2 || r.Manifest.Halves[0].Blobs != 2 || r.Manifest.Halves[1].Blobs != 1 ||
		!slices.Equal(r.Manifest.Halves[0].Missing, []string{string(i.refs["photo"])}) ||
		!slices.Equal(r.Manifest.Halves[1].Missing, []string{string(i.refs["request"])}) {
		t.Errorf("got %+v", r)
	}
	if slices.ContainsFunc(tree(t, i.folder), func(name string) bool { return strings.Contains(name, ".new-") }) {
		t.Error("what was not whole is there in part")
	}
}

// TestMake_InDatabase: a file that a power cut has taken is copied from the database, which
// the next start makes it of.
func TestMake_InDatabase(t *testing.T) {
	ana, opens := identity(t)
	for name, tt := range map[string]struct {
		lose func(path string) error
		held string
		fail error
		want int // missing
	}{
		"Gone":       {os.Remove, "request", nil, 0},
		"Empty":      {func(path string) error { return os.Truncate(path, 0) }, "request", nil, 0},
		"Zeros":      {func(path string) error { return os.WriteFile(path, make([]byte, len("request")), 0o600) }, "request", nil, 0},
		"NotHeld":    {os.Remove, "", nil, 1},
		"HeldOther":  {os.Remove, "requesT", nil, 1},
		"Unreadable": {os.Remove, "request", errors.New("no"), 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, seal := range []func(*backup.Config){func(*backup.Config) {}, sealedFor(ana)} {
				i := MustInstall(t)
				MustDo(t, tt.lose(i.path("service", "request")))
				i.databases["service"].Held = map[blob.Ref]string{i.refs["request"]: tt.held}
				i.bytesFailure = tt.fail
				r := i.MustMake(t, seal)
				if r.Manifest.Missing() != tt.want || r.Copied != int64(4-tt.want) {
					t.Errorf("%d are missing, %d copied, want %d missing", r.Manifest.Missing(), r.Copied, tt.want)
				}
				if report := i.verify(t, r.Path, opens); !report.Whole() {
					t.Errorf("got %q", report.Damage)
				}
			}
		})
	}
}

// TestMake_KeptBefore: what was damaged in the installation since an earlier backup stays in
// the later ones.
func TestMake_KeptBefore(t *testing.T) {
	for name, lose := range map[string]func(path string) error{
		"Gone": os.Remove, "Short": func(path string) error { return os.Truncate(path, 3) },
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			i.MustMake(t)
			MustDo(t, lose(i.path("service", "request")))
			for _, recheck := range []bool{false, true} {
				r := i.MustMake(t, func(c *backup.Config) { c.Recheck = recheck })
				if r.Manifest.Missing() != 0 || MustRead(t, i.stored("request")) != "request" {
					t.Errorf("%d are missing, want what the folder has already", r.Manifest.Missing())
				}
			}
			MustFlip(t, i.stored("request"))
			if r := i.MustMake(t, func(c *backup.Config) { c.Recheck = true }); r.Manifest.Missing() != 1 {
				t.Errorf("%d are missing, want the one of which both are damaged", r.Manifest.Missing())
			}
		})
	}
}

// TestMake_OneMoment: nobody writes in either half while both are looked at, and what rows
// cease to name meanwhile stays.
func TestMake_OneMoment(t *testing.T) {
	i := MustInstall(t)
	desk, service := i.databases["desk"], i.databases["service"]
	desk.passing = []blob.Ref{i.refs["photo"]}
	moments := 0
	for _, d := range i.databases {
		d.moment = func() error {
			if moments++; !desk.alone || !service.alone {
				t.Error("somebody may write")
			}
			return nil
		}
	}
	i.looks = func(backup.Place) error {
		if desk.alone || service.alone || desk.open+service.open != 0 {
			t.Error("nobody can write while files are copied")
		}
		if err := i.blobs["desk"].Delete(t.Context(), i.refs["photo"]); !errors.Is(err, blob.ErrHeld) {
			t.Errorf("what a row ceases to name can go: %v", err)
		}
		return nil
	}
	if r := i.MustMake(t); moments != 2 || r.Manifest.Missing() != 0 {
		t.Errorf("%d snapshots, %+v", moments, r)
	}
	if err := i.blobs["desk"].Delete(t.Context(), i.refs["photo"]); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// noDescriptors are blobs of a process that can open nothing more for a moment.
type noDescriptors struct{ backup.Blobs }

func (noDescriptors) Open(context.Context, blob.Ref) (io.ReadSeekCloser, error) {
	return nil, problem.NewBusy(syscall.EMFILE)
}

// TestMake_Fails: there is a backup or none, older ones stay, and what is wrong has a word.
func TestMake_Fails(t *testing.T) {
	broken := errors.New("broken")
	locked := func(path string) func(*testing.T, *installation, *backup.Config) {
		return func(t *testing.T, i *installation, c *backup.Config) {
			folder := map[string]string{"data": c.Data, "folder": c.Folder}[path]
			l := flock.New(filepath.Join(folder, ".backup.lock"))
			if ok, err := l.TryLock(); !ok || err != nil {
				t.Fatal(ok, err)
			}
			t.Cleanup(func() { _ = l.Close() })
		}
	}
	for name, tt := range map[string]struct {
		prepare func(t *testing.T, i *installation, c *backup.Config)
		want    backup.Failure
	}{
		"DataLocked":   {locked("data"), backup.FailedBusy},
		"FolderLocked": {locked("folder"), backup.FailedBusy},
		"Damaged": {func(_ *testing.T, i *installation, _ *backup.Config) {
			i.databases["service"].Damage = []string{"Página 3."}
		},
			backup.FailedDamaged},
		"SameFolder": {func(_ *testing.T, _ *installation, c *backup.Config) { c.Folder = c.Data + "/" }, backup.FailedOther},
		"SameFolderByLink": {func(t *testing.T, _ *installation, c *backup.Config) {
			c.Folder = filepath.Join(t.TempDir(), "link")
			MustDo(t, os.Symlink(c.Data, c.Folder))
		}, backup.FailedOther},
		"InHalf": {func(_ *testing.T, _ *installation, c *backup.Config) { c.Folder = filepath.Join(c.Data, "desk") }, backup.FailedOther},
		"InDataByLink": {func(t *testing.T, _ *installation, c *backup.Config) {
			link := filepath.Join(t.TempDir(), "link")
			MustDo(t, os.Symlink(filepath.Join(c.Data, "desk"), link))
			c.Folder = filepath.Join(link, "new", "backups")
		}, backup.FailedOther},
		"NoFolder": {func(t *testing.T, _ *installation, c *backup.Config) {
			file := filepath.Join(t.TempDir(), "file")
			MustDo(t, os.WriteFile(file, nil, 0o600))
			c.Folder = filepath.Join(file, "backups")
		}, backup.FailedFolder},
		"NoRecipient": {func(_ *testing.T, _ *installation, c *backup.Config) { c.Recipients = []string{"ana"} }, backup.FailedOther},
		"NoKeys": {func(t *testing.T, i *installation, c *backup.Config) {
			ana, _ := identity(t)
			c.Recipients = []string{ana}
			MustDo(t, os.RemoveAll(filepath.Join(i.data, "keys")))
		}, backup.FailedFolder},
		"NotAlone": {func(_ *testing.T, i *installation, _ *backup.Config) { i.databases["service"].failure = broken }, backup.FailedOther},
		"NoSnapshot": {func(_ *testing.T, i *installation, _ *backup.Config) {
			i.databases["service"].moment = func() error { return broken }
		}, backup.FailedOther},
		"NoLook": {func(_ *testing.T, i *installation, _ *backup.Config) {
			i.looks = func(backup.Place) error { return broken }
		}, backup.FailedOther},
		"NoCheck": {func(_ *testing.T, i *installation, _ *backup.Config) { i.checkFailure = broken }, backup.FailedOther},
		"NoNames": {func(_ *testing.T, i *installation, _ *backup.Config) { i.namesFailure = broken }, backup.FailedOther},
		"NoDescriptors": {func(_ *testing.T, _ *installation, c *backup.Config) {
			for n, h := range c.Halves {
				c.Halves[n].Blobs = noDescriptors{h.Blobs}
			}
		}, backup.FailedOther},
		"ReadOnly": {func(_ *testing.T, i *installation, _ *backup.Config) {
			i.looks = func(backup.Place) error { return fmt.Errorf("mkdir: %w", syscall.EROFS) }
		}, backup.FailedFolder},
		"Full": {func(_ *testing.T, i *installation, _ *backup.Config) {
			i.looks = func(backup.Place) error { return fmt.Errorf("copy: %w", syscall.ENOSPC) }
		}, backup.FailedNoSpace},
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			i.MustMake(t)
			i.MustKeep(t, "desk", "another order")
			before := tree(t, i.folder)
			c := i.config()
			tt.prepare(t, i, &c)
			r, err := backup.Make(t.Context(), c)
			if err == nil || r.Path != "" {
				t.Fatalf("got %+v, %v", r, err)
			}
			if got := backup.FailureOf(err); got != tt.want {
				t.Errorf("got %q of %v, want %q", got, err, tt.want)
			}
			after := slices.DeleteFunc(tree(t, i.folder), func(name string) bool { return strings.HasPrefix(name, "blobs/") })
			for _, name := range after {
				if !slices.Contains(before, name) {
					t.Errorf("%s is left", name)
				}
			}
			if report, err := backup.Verify(t.Context(), i.folder, backup.VerifyConfig{Look: MustInstall(t).look}); err != nil || !report.Whole() {
				t.Errorf("the older one: got %q, %v", report.Damage, err)
			}
		})
	}
}

// TestMake_Cancelled: a backup that is given up is none.
func TestMake_Cancelled(t *testing.T) {
	i := MustInstall(t)
	ctx, cancel := context.WithCancel(t.Context())
	i.looks = func(backup.Place) error { cancel(); return nil }
	r, err := backup.Make(ctx, i.config())
	if !errors.Is(err, context.Canceled) || len(tree(t, i.folder)) != 0 {
		t.Errorf("got %+v, %v, and %q left", r, err, tree(t, i.folder))
	}
}

// TestMake_Leavings: what a killed process left goes, whatever the folder is called.
func TestMake_Leavings(t *testing.T) {
	i := MustInstall(t)
	i.folder = filepath.Join(t.TempDir(), "disco [1]")
	left := []string{filepath.Join(i.folder, "2026-11-21T080930Z.partial", "desk", "guiche.db"),
		filepath.Join(filepath.Dir(i.stored("order")), ".new-ABC"), filepath.Join(i.data, ".backup", "desk", "guiche.db")}
	foreign := filepath.Join(i.folder, "ISO do servidor.partial")
	for _, path := range append(left, foreign) {
		MustWrite(t, path, "half of it")
	}
	if ids, err := backup.IDs(i.folder); err != nil || len(ids) != 0 {
		t.Errorf("half a backup is listed: %q, %v", ids, err)
	}
	i.MustMake(t)
	for _, path := range left {
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is there: %v", path, err)
		}
	}
	if got := MustRead(t, foreign); got != "half of it" {
		t.Errorf("what is no backup holds %q", got)
	}
}

// TestMake_Keep: the newest stay, with the files that they name.
func TestMake_Keep(t *testing.T) {
	i := MustInstall(t)
	keep := func(c *backup.Config) { c.Keep = 2 }
	ana, _ := identity(t)
	first := i.MustMake(t)
	desk := i.databases["desk"]
	i.MustMake(t, keep)
	desk.Names = slices.DeleteFunc(desk.Names, func(ref blob.Ref) bool { return ref == i.refs["photo"] })
	if r := i.MustMake(t, keep); r.Removed != 1 || has(t, i.folder, filepath.Base(first.Path)) {
		t.Errorf("removed %d, and the first is there or not", r.Removed)
	}
	if MustRead(t, i.stored("photo")) != "photo" {
		t.Error("a file that a backup names is gone")
	}
	if r := i.MustMake(t, keep); r.Removed != 1 || has(t, i.folder, string(i.refs["photo"])) || MustRead(t, i.stored("order")) != "order" {
		t.Errorf("removed %d; the photo has to be gone and nothing else", r.Removed)
	}
	if r := i.MustMake(t, keep, sealedFor(ana)); r.Removed != 1 || MustRead(t, i.stored("guide")) != "guide" {
		t.Errorf("removed %d; a plain backup names its files still", r.Removed)
	}
	for range 2 {
		i.MustMake(t, keep, sealedFor(ana))
	}
	if has(t, i.folder, string(i.refs["guide"])) {
		t.Error("files of no backup are there")
	}
	if report, err := backup.Verify(t.Context(), i.folder, backup.VerifyConfig{Look: i.look}); err != nil || !report.Whole() {
		t.Errorf("got %q, %v", report.Damage, err)
	}
}

// TestMake_KeepClockBack: a backup stays that was just made, though the clock has been put back and
// older ones have later names.
func TestMake_KeepClockBack(t *testing.T) {
	i := MustInstall(t)
	later := i.MustMake(t)
	i.now = i.now.AddDate(-1, 0, 0)
	r := i.MustMake(t, func(c *backup.Config) { c.Keep = 1 })
	if !backup.IsBackup(r.Path) || backup.IsBackup(later.Path) || r.Removed != 1 {
		t.Errorf("got %+v, want the backup that was made, and it alone", r)
	}
	if MustRead(t, i.stored("photo")) != "photo" {
		t.Error("a file that the backup names is gone")
	}
}

// TestMake_KeepClockAhead: what a clock that was ahead made goes first once it is right, and is not taken for the newest.
func TestMake_KeepClockAhead(t *testing.T) {
	i := MustInstall(t)
	first, right := i.MustMake(t), i.now
	i.now = i.now.AddDate(1, 0, 0)
	ahead := i.MustMake(t)
	i.now = right
	r := i.MustMake(t, func(c *backup.Config) { c.Keep = 2 })
	if r.Removed != 1 || !backup.IsBackup(first.Path) || backup.IsBackup(ahead.Path) {
		t.Errorf("removed %d, want that of the wrong clock", r.Removed)
	}
	i.now = right.AddDate(1, 0, 0)
	i.MustMake(t)
	report, err := backup.Verify(t.Context(), i.folder, backup.VerifyConfig{Look: i.look, Now: right})
	if err != nil || report.Path != r.Path {
		t.Errorf("checked %s, %v, want %s", report.Path, err, r.Path)
	}
	m, err := backup.Restore(t.Context(), backup.RestoreConfig{
		From: i.folder, Data: filepath.Join(t.TempDir(), "new"), Look: i.look, Now: right,
		Finish: func(context.Context, string, backup.Manifest) error { return nil }})
	if err != nil || !m.MadeAt.Equal(r.Manifest.MadeAt) {
		t.Errorf("restored that of %s, %v, want %s", m.MadeAt, err, r.Manifest.MadeAt)
	}
	if newest, err := backup.Newest(i.folder, right.AddDate(-1, 0, 0)); err != nil || newest == r.Path {
		t.Errorf("by a clock that was put back: got %s, %v, want the one with the latest name", newest, err)
	}
}

// TestMake_KeepForeign: in one folder an installation removes backups of its own alone, and files that those of others name
// stay.
func TestMake_KeepForeign(t *testing.T) {
	one, other := MustInstall(t), MustInstall(t)
	other.folder = one.folder
	other.databases["desk"].Head.MAC = "cd"
	other.MustKeep(t, "desk", "of the other one")
	keep := func(c *backup.Config) { c.Keep = 1 }
	one.MustMake(t)
	theirs := other.MustMake(t)
	if r := one.MustMake(t, keep); r.Removed != 1 || !backup.IsBackup(theirs.Path) || MustRead(t, other.stored("of the other one")) == "" {
		t.Errorf("removed %d, want its own one", r.Removed)
	}
	if r := other.MustMake(t, keep); r.Removed != 1 || backup.IsBackup(theirs.Path) {
		t.Errorf("the other one removed %d, want its own one", r.Removed)
	}
	if ids, err := backup.IDs(one.folder); err != nil || len(ids) != 2 {
		t.Errorf("there are %v, %v, want one of each", ids, err)
	}
}

// TestMake_KeepUnreadable: where a backup cannot be read, or is not as it was made, no file goes.
func TestMake_KeepUnreadable(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, path string){
		"Manifest": func(t *testing.T, path string) { MustDo(t, os.Remove(filepath.Join(path, "manifest.json"))) },
		"List":     func(t *testing.T, path string) { MustDo(t, os.Remove(filepath.Join(path, "desk", "blobs.list"))) },
		"ListCut":  func(t *testing.T, path string) { MustDo(t, os.Truncate(filepath.Join(path, "desk", "blobs.list"), 0)) },
		"ListOfAnother": func(t *testing.T, path string) {
			MustWrite(t, filepath.Join(path, "desk", "blobs.list"), MustRead(t, filepath.Join(path, "service", "blobs.list")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			i.MustMake(t)
			second := i.MustMake(t)
			damage(t, second.Path)
			for _, d := range i.databases {
				d.Names = nil
			}
			c := i.config()
			c.Keep = 2
			r, err := backup.Make(t.Context(), c)
			if err == nil || !backup.IsBackup(r.Path) || r.Removed != 1 || MustRead(t, i.stored("photo")) != "photo" {
				t.Errorf("got %+v, %v, want a backup and all files", r, err)
			}
		})
	}
}

func TestRun_Good(t *testing.T) {
	for want, runs := range map[bool][]backup.Run{true: {{}, {Missing: 3}}, false: {{Damage: 1}, {Failure: backup.FailedBusy}}} {
		for _, r := range runs {
			if r.Good() != want {
				t.Errorf("%+v: got %t", r, !want)
			}
		}
	}
}

func TestFailureOf(t *testing.T) {
	for want, err := range map[backup.Failure]error{backup.FailedOther: errors.New("x"),
		backup.FailedFolder: fmt.Errorf("x: %w", fs.ErrPermission), backup.FailedNoSpace: fmt.Errorf("x: %w", syscall.ENOSPC)} {
		if got := backup.FailureOf(err); got != want {
			t.Errorf("%v: got %q, want %q", err, got, want)
		}
	}
}
