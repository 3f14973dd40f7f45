package keyfile_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"guiche/internal/keyfile"
)

// register is what a database notes, or its error.
type register struct {
	mu   sync.Mutex
	uses map[keyfile.Name]keyfile.Use
	err  error

	first func() // is called before anything is noted
	after func() // is called once, when something is
}

func (r *register) Uses(context.Context) (map[keyfile.Name]keyfile.Use, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.uses), r.err
}

func (r *register) Note(_ context.Context, ids map[keyfile.Name]string) error {
	if after := r.note(ids); after != nil {
		after()
	}
	return nil
}

func (r *register) note(ids map[keyfile.Name]string) (after func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	after, r.after = r.after, nil
	if r.first != nil {
		r.first()
		r.first = nil
	}
	if r.uses == nil {
		r.uses = map[keyfile.Name]keyfile.Use{}
	}
	for name, id := range ids {
		if use := r.uses[name]; use.ID == "" {
			use.ID = id
			r.uses[name] = use
		}
	}
	return after
}

func (r *register) need(name keyfile.Name) {
	r.uses = map[keyfile.Name]keyfile.Use{name: {Needed: true}}
}

func MustOpen(tb testing.TB, folder string, r *register) *keyfile.Keys {
	tb.Helper()
	keys, err := keyfile.Open(tb.Context(), keyfile.InFolder(folder), r)
	if err != nil {
		tb.Fatal(err)
	}
	return keys
}

func TestOpen(t *testing.T) {
	t.Run("CreatedOnceAndKept", func(t *testing.T) {
		folder, r := filepath.Join(t.TempDir(), "keys"), &register{}
		first := MustOpen(t, folder, r)
		second := MustOpen(t, folder, r)
		for _, name := range keyfile.Names() {
			if key := first.Key(name); key == (keyfile.Key{}) || second.Key(name) != key || r.uses[name].ID != key.ID() {
				t.Errorf("%s: got two keys, or another one noted: %s, %s", name, second.Key(name).ID(), r.uses[name].ID)
			}
		}
		for name, want := range map[string]os.FileMode{filepath.Join(folder, "audit.key"): 0o600, folder: 0o700} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: got %v, error %v, want mode %o", name, info.Mode(), err, want)
			}
		}
		if entries, _ := os.ReadDir(folder); len(entries) != len(keyfile.Names()) {
			t.Errorf("got %d files in the folder, want the keys alone", len(entries))
		}
	})
	t.Run("OneKeyForAll", func(t *testing.T) {
		folder, r := t.TempDir(), &register{}
		var ids sync.Map
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				keys, err := keyfile.Open(t.Context(), keyfile.InFolder(folder), r)
				if err != nil {
					t.Error(err)
					return
				}
				ids.Store(keys.Key(keyfile.Seal).ID(), true)
			})
		}
		wg.Wait()
		count := 0
		ids.Range(func(any, any) bool { count++; return true })
		if count != 1 {
			t.Fatalf("got %d keys, want one", count)
		}
	})
	t.Run("OldOnesAreNoted", func(t *testing.T) {
		folder, r := t.TempDir(), &register{}
		before := MustOpen(t, folder, &register{}).Key(keyfile.Audit)
		r.need(keyfile.Audit)
		if MustOpen(t, folder, r); r.uses[keyfile.Audit].ID != before.ID() {
			t.Errorf("got %q noted, want %q", r.uses[keyfile.Audit].ID, before.ID())
		}
	})
	t.Run("DamagedIsRefusedAndKept", func(t *testing.T) {
		folder := t.TempDir()
		path := filepath.Join(folder, "audit.key")
		MustWrite(t, path, "short")
		if _, err := keyfile.Open(t.Context(), keyfile.InFolder(folder), &register{}); err == nil {
			t.Error("got no error, want one")
		}
		if raw, _ := os.ReadFile(path); string(raw) != "short" {
			t.Errorf("got %q, want the file untouched", raw)
		}
	})
	t.Run("AnotherMachineAtOnce", func(t *testing.T) { // it comes as soon as anything is noted
		r, ours, theirs := &register{}, t.TempDir(), t.TempDir()
		var err error
		r.after = func() { _, err = keyfile.Open(t.Context(), keyfile.InFolder(theirs), r) }
		MustOpen(t, ours, r)
		if lost := new(keyfile.LostError); !errors.As(err, &lost) || len(lost.Keys) != len(keyfile.Names()) {
			t.Errorf("got %v, want all keys to be another's", err)
		}
		MustOpen(t, ours, r)
	})
	t.Run("AnotherMachineWasFirst", func(t *testing.T) {
		theirs, r := MustOpen(t, t.TempDir(), &register{}), &register{}
		r.first = func() { r.uses = map[keyfile.Name]keyfile.Use{keyfile.Seal: {ID: theirs.Key(keyfile.Seal).ID()}} }
		_, err := keyfile.Open(t.Context(), keyfile.InFolder(t.TempDir()), r)
		if lost := new(keyfile.LostError); !errors.As(err, &lost) || len(lost.Keys) != 1 || lost.Keys[0].Name != keyfile.Seal {
			t.Errorf("got %v, want the key that the other one noted", err)
		}
	})
	t.Run("NotNoted", func(t *testing.T) {
		r := &register{err: errors.New("database")}
		if _, err := keyfile.Open(t.Context(), keyfile.InFolder(t.TempDir()), r); !errors.Is(err, r.err) {
			t.Errorf("got %v, want the database's error", err)
		}
	})
}

// What rests on a key that is not there is named, all of it at once, and no file is made.
func TestOpen_Lost(t *testing.T) {
	for name, tc := range map[string]struct {
		prepare func(t *testing.T, folder string, r *register)
		says    []string
	}{
		"Needed": {func(_ *testing.T, _ string, r *register) { r.need(keyfile.Audit) },
			[]string{"audit.key is missing", "the audit trail rests on it", "guiche key replace -name audit"}},
		"Noted": {func(t *testing.T, folder string, r *register) {
			MustOpen(t, folder, r)
			MustRemove(t, filepath.Join(folder, "seal.key"))
			MustRemove(t, filepath.Join(folder, "browser.key"))
		}, []string{"browser.key is missing", "seal.key is missing", "-name browser,seal"}},
		"Other": {func(t *testing.T, folder string, r *register) {
			MustOpen(t, folder, r)
			MustWrite(t, filepath.Join(folder, "seal.key"), strings.Repeat("k", keyfile.Size))
		}, []string{"seal.key is another key", "-name seal"}},
	} {
		t.Run(name, func(t *testing.T) {
			folder, r := t.TempDir(), &register{}
			tc.prepare(t, folder, r)
			before := names(t, folder)
			_, err := keyfile.Open(t.Context(), keyfile.InFolder(folder), r)
			if lost := new(keyfile.LostError); !errors.As(err, &lost) {
				t.Fatalf("got %v, want a LostError", err)
			}
			for _, want := range tc.says {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want %q in it", err, want)
				}
			}
			if after := names(t, folder); after != before {
				t.Errorf("got files %s, want %s", after, before)
			}
		})
	}
}

func TestKeys_Find(t *testing.T) {
	folder, r := t.TempDir(), &register{}
	first, other := MustOpen(t, folder, r), MustOpen(t, folder, r)
	next, err := first.Next(keyfile.Seal, []string{first.Key(keyfile.Seal).ID()})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []keyfile.Key{first.Key(keyfile.Seal), next} { // both were opened before there was a second key
		if got, err := other.Find(keyfile.Seal, want.ID()); err != nil || got != want {
			t.Errorf("got key %s, error %v, want %s", got.ID(), err, want.ID())
		}
	}
	if got, err := other.Find(keyfile.Seal, ""); err != nil || got != first.Key(keyfile.Seal) {
		t.Errorf("without an id: got %s, error %v, want the first key", got.ID(), err)
	}
	if _, err := other.Find(keyfile.Audit, next.ID()); err == nil {
		t.Error("a key of another name was found")
	}
	if got := first.File(keyfile.Seal, next.ID()); filepath.Base(got) != "seal-"+next.ID()+".key" {
		t.Errorf("got file %s", got)
	}
}

// A key that nothing was ever sealed under is taken first: an interrupted renewal leaves
// one behind.
// TestKeys_FindBesideDamaged: a renewed key is found whatever became of the first one, which nothing rests on any more.
func TestKeys_FindBesideDamaged(t *testing.T) {
	folder := t.TempDir()
	first := MustOpen(t, folder, &register{}).Key(keyfile.Seal)
	renewed, err := keyfile.At(keyfile.InFolder(folder)).Next(keyfile.Seal, nil)
	if err != nil {
		t.Fatal(err)
	}
	MustWrite(t, filepath.Join(folder, "seal.key"), "half of a key")
	keys := keyfile.At(keyfile.InFolder(folder))
	if got, err := keys.Find(keyfile.Seal, renewed.ID()); err != nil || got != renewed {
		t.Errorf("got error %v, want the renewed key", err)
	}
	if _, err := keys.Find(keyfile.Seal, first.ID()); err == nil || !strings.Contains(err.Error(), "holds 13 bytes") {
		t.Errorf("the damaged one itself: got %v", err)
	}
}

func TestKeys_Next(t *testing.T) {
	folder := t.TempDir()
	keys := keyfile.At(keyfile.InFolder(folder))
	first, err := keys.Next(keyfile.Seal, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := keyfile.At(keyfile.InFolder(folder)).Next(keyfile.Seal, nil)
	if err != nil || again != first {
		t.Errorf("got %s, error %v, want %s again", again.ID(), err, first.ID())
	}
	MustWrite(t, filepath.Join(folder, "seal-0123456789abcdef.key"), "short") // not one of ours
	other, err := keys.Next(keyfile.Seal, []string{first.ID()})
	if err != nil || other == first {
		t.Errorf("got %s, error %v, want another key than %s", other.ID(), err, first.ID())
	}
	t.Run("NoFolder", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		MustWrite(t, file, "x")
		if _, err := keyfile.At(keyfile.InFolder(file)).Next(keyfile.Seal, nil); err == nil {
			t.Error("got no error, want one")
		}
	})
}

func TestParsePlace(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		says string // of the error
	}{
		"Folder":        {text: "/var/lib/keys"},
		"FolderOdd":     {text: "/mnt/a=b,c"},
		"Files":         {text: "audit=/run/a, browser=/run/b,seal=/run/s=1"},
		"NoFile":        {"audit=/run/a,browser=,seal=/run/s", "the key browser has no file"},
		"Missing":       {"audit=/run/a,browser=/run/b", "no file is given for the key seal"},
		"Twice":         {"audit=/run/a,audit=/run/b", "the key audit has two files"},
		"Unknown":       {"audit=/run/a,sale=/run/s", `"sale" is no key`},
		"WithoutName":   {"audit=/run/a,/run/s", `"/run/s" is no key`},
		"UnknownAtOnce": {"keys=/run/a", `"keys" is no key`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := keyfile.ParsePlace(tt.text)
			if (err != nil) != (tt.says != "") || err != nil && !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got error %v, want %q", err, tt.says)
			}
		})
	}
}

// TestPlace_Files: keys that lie one by one are those of a folder in all else, and renewed ones
// lie beside the first.
func TestPlace_Files(t *testing.T) {
	top := t.TempDir()
	at := func(name keyfile.Name) string { return filepath.Join(top, string(name), "the secret") }
	place, err := keyfile.ParsePlace("audit=" + at(keyfile.Audit) + ",browser=" + at(keyfile.Browser) + ",seal=" + at(keyfile.Seal))
	if err != nil {
		t.Fatal(err)
	}
	keys, err := keyfile.Open(t.Context(), place, &register{})
	if err != nil {
		t.Fatal(err)
	}
	renewed, err := keys.Next(keyfile.Seal, nil)
	if err != nil {
		t.Fatal(err)
	}
	MustWrite(t, filepath.Join(top, "seal", "seal-notes.txt"), "no key")
	got, err := place.Files()
	later := "seal-" + renewed.ID() + ".key"
	want := map[string]string{"audit.key": at(keyfile.Audit), "browser.key": at(keyfile.Browser), "seal.key": at(keyfile.Seal),
		later: filepath.Join(top, "seal", later)}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("got %v, error %v, want %v", got, err, want)
	}
	if again, err := keyfile.At(place).Find(keyfile.Seal, renewed.ID()); err != nil || again != renewed {
		t.Errorf("got error %v, want the renewed key", err)
	}
	lost := new(keyfile.LostError)
	if _, err := keyfile.At(place).Find(keyfile.Audit, "0123456789abcdef"); !errors.As(err, &lost) || lost.Keys[0].Path != at(keyfile.Audit) {
		t.Errorf("got %v, want %s named", err, at(keyfile.Audit))
	}
	if _, err := keyfile.InFolder(filepath.Join(top, "none")).Files(); err == nil {
		t.Error("got no error, want one for a folder that is not there")
	}
}

func TestName_Known(t *testing.T) {
	for name, want := range map[keyfile.Name]bool{keyfile.Audit: true, keyfile.Seal: true, "": false, "other": false} {
		if name.Known() != want {
			t.Errorf("%q: got %t, want %t", name, !want, want)
		}
	}
}

func MustWrite(tb testing.TB, path, content string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
}

func MustRemove(tb testing.TB, path string) {
	tb.Helper()
	if err := os.Remove(path); err != nil {
		tb.Fatal(err)
	}
}

// names lists a folder.
func names(tb testing.TB, folder string) string {
	tb.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		tb.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return strings.Join(all, " ")
}
