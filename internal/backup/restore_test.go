package backup_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/backup"
	"guiche/internal/blob"

	"filippo.io/age"
)

func sha(content string) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(content))) }

// rewrite has a backup say other things of itself, with the right sum.
func rewrite(tb testing.TB, path string, m backup.Manifest) {
	tb.Helper()
	text, err := json.MarshalIndent(m, "", "  ")
	MustDo(tb, err)
	MustWrite(tb, filepath.Join(path, "manifest.json"), string(text)+"\n")
	MustWrite(tb, filepath.Join(path, "manifest.sha256"), sha(string(text)+"\n")+"  manifest.json\n")
}

// restoration is one of the newest backup into a new folder.
func (i *installation) restoration(tb testing.TB, opens ...age.Identity) backup.RestoreConfig {
	return backup.RestoreConfig{From: i.folder, Data: filepath.Join(tb.TempDir(), "new"), Look: i.look, Identities: opens,
		Finish: func(context.Context, string, backup.Manifest) error { return nil }}
}

// TestRestore: what was backed up is there again, byte by byte.
func TestRestore(t *testing.T) {
	ana, opens := identity(t)
	for name, tt := range map[string]struct {
		to    []string
		opens []age.Identity
		keys  bool
		want  []string // of the keys
	}{
		"Plain":     {nil, nil, false, nil},
		"PlainKeys": {nil, nil, true, []string{"keys/audit.key"}},
		"Encrypted": {[]string{ana}, []age.Identity{opens}, false, []string{"keys/audit.key"}},
		"BothKeys":  {[]string{ana}, []age.Identity{opens}, true, []string{"keys/audit.key"}},
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			MustDo(t, os.Remove(i.path("desk", "photo"))) // it was missing before
			made := i.MustMake(t, sealedFor(tt.to...))
			c := i.restoration(t, tt.opens...)
			if tt.keys {
				c.KeyFiles = i.keyFiles()
			}
			if tt.keys && tt.to != nil { // those of the backup are used
				renewed := filepath.Join(t.TempDir(), "renewed")
				MustWrite(t, renewed, "another key")
				c.KeyFiles = map[string]string{"audit.key": renewed}
			}
			finished := ""
			c.Finish = func(_ context.Context, folder string, m backup.Manifest) error {
				finished = folder
				if m.MadeAt != made.Manifest.MadeAt || !strings.Contains(strings.Join(tree(t, folder), " "), "desk/guiche.db") {
					t.Errorf("finishes %+v with %q", m, tree(t, folder))
				}
				MustWrite(t, filepath.Join(folder, "note"), "finished")
				return nil
			}
			MustWrite(t, filepath.Join(c.Data, "guiche.lock"), "")
			MustWrite(t, filepath.Join(c.Data, ".restoring", "half"), "of a restore that was killed")
			MustDo(t, os.Mkdir(filepath.Join(c.Data, "lost+found"), 0o700))
			m, err := backup.Restore(t.Context(), c)
			if err != nil || m.Version != "1.2" || filepath.Dir(finished) != c.Data || i.looking != 0 {
				t.Fatalf("got %+v, %v, finished %s", m, err, finished)
			}
			want := slices.Concat(tt.want, []string{"note"})
			for _, h := range i.halves() {
				want = append(want, h.Name+"/"+h.File)
				for _, content := range kept[h.Name] {
					if content != "photo" {
						ref := string(i.refs[content])
						want = append(want, h.Name+"/blobs/"+ref[:2]+"/"+ref)
					}
				}
			}
			got := slices.DeleteFunc(tree(t, c.Data), func(name string) bool { return strings.Contains(name, "/.") })
			slices.Sort(want)
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
			for _, name := range got {
				if name != "note" && MustRead(t, filepath.Join(c.Data, name)) != MustRead(t, filepath.Join(i.data, name)) {
					t.Errorf("%s differs", name)
				}
			}
		})
	}
}

// TestRestore_Refuses: a folder with anything in it stays as it is, and nothing is made of
// what is not whole.
func TestRestore_Refuses(t *testing.T) {
	ana, opens := identity(t)
	_, other := identity(t)
	broken := errors.New("broken")
	for name, tt := range map[string]struct {
		sealed  bool
		prepare func(t *testing.T, i *installation, path string, c *backup.RestoreConfig)
		want    error // nil: any
	}{
		"NotEmpty": {false, func(t *testing.T, _ *installation, _ string, c *backup.RestoreConfig) {
			MustWrite(t, filepath.Join(c.Data, "desk", "guiche.db"), "in use")
		}, backup.ErrNotEmpty},
		"NoBackup": {false, func(t *testing.T, _ *installation, _ string, c *backup.RestoreConfig) { c.From = t.TempDir() }, backup.ErrNone},
		"Sealed":   {true, func(_ *testing.T, _ *installation, _ string, c *backup.RestoreConfig) { c.Identities = nil }, nil},
		"SealedToOthers": {true, func(_ *testing.T, _ *installation, _ string, c *backup.RestoreConfig) {
			c.Identities = []age.Identity{other}
		}, nil},
		"Manifest": {false, func(t *testing.T, _ *installation, path string, _ *backup.RestoreConfig) {
			MustFlip(t, filepath.Join(path, "manifest.json"))
		}, nil},
		"Database": {false, func(t *testing.T, _ *installation, path string, _ *backup.RestoreConfig) {
			MustFlip(t, filepath.Join(path, "service", "service.db"))
		}, nil},
		"List": {false, func(t *testing.T, _ *installation, path string, _ *backup.RestoreConfig) {
			MustDo(t, os.Remove(filepath.Join(path, "desk", "blobs.list")))
		}, nil},
		"ListOrder": {false, func(t *testing.T, _ *installation, path string, _ *backup.RestoreConfig) {
			lines := strings.SplitAfter(MustRead(t, filepath.Join(path, "desk", "blobs.list")), "\n")
			slices.Reverse(lines)
			replaceFile(t, path, "desk/blobs.list", strings.Join(lines, ""))
		}, nil},
		"Blob": {false, func(t *testing.T, i *installation, _ string, _ *backup.RestoreConfig) { MustFlip(t, i.stored("photo")) }, nil},
		"BlobGone": {false, func(t *testing.T, i *installation, _ string, _ *backup.RestoreConfig) {
			MustDo(t, os.Remove(i.stored("photo")))
		}, nil},
		"BlobSealed": {true, func(t *testing.T, i *installation, _ string, _ *backup.RestoreConfig) {
			blobs := filepath.Join(i.folder, "blobs")
			MustFlip(t, filepath.Join(blobs, tree(t, blobs)[0]))
		}, nil},
		"Named": {false, func(t *testing.T, i *installation, path string, _ *backup.RestoreConfig) {
			text := strings.Replace(MustRead(t, filepath.Join(path, "desk", "guiche.db")), `["`, `["`+strings.Repeat("ab", 32)+`","`, 1)
			replaceFile(t, path, "desk/guiche.db", text)
		}, nil},
		"Rows": {false, func(t *testing.T, i *installation, path string, _ *backup.RestoreConfig) {
			text := strings.Replace(MustRead(t, filepath.Join(path, "desk", "guiche.db")), `"Damage":null`, `"Damage":["Página 3."]`, 1)
			replaceFile(t, path, "desk/guiche.db", text)
		}, nil},
		"Trail": {false, func(t *testing.T, i *installation, path string, _ *backup.RestoreConfig) {
			m, err := backup.ReadManifest(path)
			MustDo(t, err)
			m.Trail.Position = 8
			rewrite(t, path, m)
		}, nil},
		"Keys": {false, func(t *testing.T, _ *installation, _ string, c *backup.RestoreConfig) {
			c.KeyFiles = map[string]string{"audit.key": filepath.Join(t.TempDir(), "none")}
		}, fs.ErrNotExist},
		"Check": {false, func(_ *testing.T, i *installation, _ string, _ *backup.RestoreConfig) { i.checkFailure = broken }, broken},
		"Names": {false, func(_ *testing.T, i *installation, _ string, _ *backup.RestoreConfig) { i.namesFailure = broken }, broken},
		"Look": {false, func(_ *testing.T, i *installation, _ string, _ *backup.RestoreConfig) {
			i.looks = func(backup.Place) error { return broken }
		}, broken},
		"Finish": {false, func(_ *testing.T, _ *installation, _ string, c *backup.RestoreConfig) {
			c.Finish = func(context.Context, string, backup.Manifest) error { return broken }
		}, broken},
	} {
		t.Run(name, func(t *testing.T) {
			i := MustInstall(t)
			seal := sealedFor()
			if tt.sealed {
				seal = sealedFor(ana)
			}
			made, c := i.MustMake(t, seal), i.restoration(t, opens)
			tt.prepare(t, i, made.Path, &c)
			before := ""
			if _, err := os.Stat(c.Data); err == nil {
				before = strings.Join(tree(t, c.Data), " ")
			}
			if _, err := backup.Restore(t.Context(), c); err == nil || tt.want != nil && !errors.Is(err, tt.want) {
				t.Errorf("got %v, want %v", err, tt.want)
			}
			if entries, err := os.ReadDir(c.Data); err == nil && (len(entries) > 0) != (before != "") {
				t.Errorf("%q is left", tree(t, c.Data))
			}
			if i.looking != 0 {
				t.Errorf("%d databases stay open", i.looking)
			}
		})
	}
}

// TestReadManifest_Outside: a manifest that names files elsewhere is none.
func TestReadManifest_Outside(t *testing.T) {
	i := MustInstall(t)
	made := i.MustMake(t)
	for name, change := range map[string]func(m *backup.Manifest){
		"File":     func(m *backup.Manifest) { m.Files[0].Path = "../../etc/passwd" },
		"Half":     func(m *backup.Manifest) { m.Halves[0].Name = ".." },
		"Database": func(m *backup.Manifest) { m.Halves[1].Database = "/etc/passwd" },
		"List":     func(m *backup.Manifest) { m.Halves[0].List = "desk/../../x" },
	} {
		m := made.Manifest
		m.Files, m.Halves = slices.Clone(m.Files), slices.Clone(m.Halves)
		change(&m)
		rewrite(t, made.Path, m)
		if _, err := backup.ReadManifest(made.Path); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
	rewrite(t, made.Path, made.Manifest)
	if _, err := backup.ReadManifest(made.Path); err != nil {
		t.Errorf("as it was made: %v", err)
	}
	MustWrite(t, filepath.Join(made.Path, "manifest.json"), "{")
	MustWrite(t, filepath.Join(made.Path, "manifest.sha256"), sha("{")+"  manifest.json\n")
	if _, err := backup.ReadManifest(made.Path); err == nil {
		t.Error("of half a manifest: got no error")
	}
}

// TestComplete: a restore that had happened is finished, and one that had not is told.
func TestComplete(t *testing.T) {
	data := t.TempDir()
	MustDo(t, backup.Complete(data))
	MustWrite(t, filepath.Join(data, ".restored", "service", "service.db"), "rows")
	MustWrite(t, filepath.Join(data, ".restored", "note"), "x")
	MustWrite(t, filepath.Join(data, "desk", "guiche.db"), "moved before it was killed")
	MustDo(t, backup.Complete(data))
	if got, want := tree(t, data), []string{"desk/guiche.db", "note", "service/service.db"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if _, err := os.Stat(filepath.Join(data, ".restored")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	MustDo(t, backup.Complete(data))
	MustDo(t, os.Mkdir(filepath.Join(data, ".restoring"), 0o700))
	if err := backup.Complete(data); err == nil {
		t.Error("half a restore is taken for an installation")
	}
	MustWrite(t, filepath.Join(t.TempDir(), "x"), "")
	other := t.TempDir()
	MustWrite(t, filepath.Join(other, ".restored"), "no folder")
	if err := backup.Complete(other); err == nil {
		t.Error("got no error")
	}
}

// TestFindBlob: a whole copy is found, whichever backups have it.
func TestFindBlob(t *testing.T) {
	i := MustInstall(t)
	ana, _ := identity(t)
	find := func(content string, to ...string) (backup.BlobCopy, bool) {
		c := i.config()
		c.Recipients = to
		return backup.FindBlob(c, i.refs[content])
	}
	if got, ok := find("photo"); ok {
		t.Errorf("before there is any: got %+v", got)
	}
	i.MustMake(t, sealedFor(ana))
	if got, ok := find("photo", ana); !ok || !got.Encrypted || !strings.HasSuffix(got.Path, ".age") {
		t.Errorf("encrypted: got %+v, %t", got, ok)
	}
	if got, ok := find("photo"); ok {
		t.Errorf("for others: got %+v", got)
	}
	i.MustMake(t)
	for _, to := range [][]string{nil, {ana}} {
		if got, ok := find("photo", to...); !ok || got.Encrypted || got.Path != i.stored("photo") || MustRead(t, got.Path) != "photo" {
			t.Errorf("plain: got %+v, %t", got, ok)
		}
	}
	MustFlip(t, i.stored("photo"))
	if got, ok := find("photo", ana); !ok || !got.Encrypted {
		t.Errorf("with a damaged plain one: got %+v, %t", got, ok)
	}
	MustFlip(t, must(find("photo", ana)).Path)
	if got, ok := find("photo", ana); ok {
		t.Errorf("with damaged ones: got %+v", got)
	}
	for _, ref := range []blob.Ref{"", "ab", blob.Ref(strings.Repeat("a", 63))} {
		if got, ok := backup.FindBlob(i.config(), ref); ok {
			t.Errorf("%q: got %+v", ref, got)
		}
	}
}

func must[T any](v T, _ bool) T { return v }

// TestRecipients_Identities: who may open backups, and what opens them, is read or refused.
func TestRecipients_Identities(t *testing.T) {
	ana, opens := identity(t)
	bia, _ := identity(t)
	if all, err := backup.Recipients([]string{ana, bia}); err != nil || len(all) != 2 {
		t.Errorf("got %d, %v", len(all), err)
	}
	if all, err := backup.Recipients([]string{ana, "x"}); err == nil {
		t.Errorf("got %d", len(all))
	}
	file := filepath.Join(t.TempDir(), "identity.txt")
	if _, err := backup.Identities(file); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	MustWrite(t, file, "# Ana\n"+opens.String()+"\n")
	if all, err := backup.Identities(file); err != nil || len(all) != 1 {
		t.Errorf("got %d, %v", len(all), err)
	}
	MustWrite(t, file, "x")
	if all, err := backup.Identities(file); err == nil {
		t.Errorf("got %d", len(all))
	}
}
