package files_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/blob"
	"guiche/internal/blob/files"
)

// MustHold stores a text under a hold of its own.
func MustHold(tb testing.TB, store *files.Store, content string) (blob.Ref, blob.Hold) {
	tb.Helper()
	ctx, hold := store.Hold(tb.Context())
	info, err := store.Put(ctx, strings.NewReader(content))
	if err != nil {
		tb.Fatalf("Put: %v", err)
	}
	return info.Ref, hold
}

// MustAdopt takes over what dead processes left.
func MustAdopt(tb testing.TB, store *files.Store) {
	tb.Helper()
	if err := store.Adopt(); err != nil {
		tb.Fatalf("Adopt: %v", err)
	}
}

// held lists what is in the folder of holds, but for what a living process needs.
func held(tb testing.TB, dir string) (names []string) {
	tb.Helper()
	root := filepath.Join(dir, "blobs", "held")
	err := filepath.WalkDir(root, func(path string, entry os.DirEntry, err error) error {
		if err == nil && path != filepath.Join(root, "all.lock") && !entry.IsDir() {
			names = append(names, entry.Name())
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return names
}

// checkHeld compares whether a blob may be removed.
func checkHeld(tb testing.TB, store *files.Store, ref blob.Ref, want error) {
	tb.Helper()
	if err := store.Delete(tb.Context(), ref); !errors.Is(err, want) {
		tb.Errorf("Delete: got %v, want %v", err, want)
	}
}

func TestStore_Hold(t *testing.T) {
	t.Run("LastOneCounts", func(t *testing.T) {
		store := MustOpen(t, t.TempDir())
		ref, first := MustHold(t, store, "x")
		_, second := MustHold(t, store, "x")
		first.End()
		first.End() // ending twice lets go once
		checkHeld(t, store, ref, blob.ErrHeld)
		if got := store.TakeReleased(9); len(got) != 0 {
			t.Errorf("while it is held: got %v to ask about", got)
		}
		second.End()
		if got := store.TakeReleased(9); !slices.Equal(got, []blob.Ref{ref}) {
			t.Errorf("got %v to ask about, want %v", got, ref)
		}
		checkHeld(t, store, ref, nil)
	})
	t.Run("WithoutOne", func(t *testing.T) {
		store := MustOpen(t, t.TempDir())
		checkHeld(t, store, MustPut(t, store, "x"), blob.ErrHeld)
	})
	t.Run("Added", func(t *testing.T) {
		store := MustOpen(t, t.TempDir())
		ref, stored := MustHold(t, store, "x")
		_, added := store.Hold(t.Context())
		added.Add(ref, ref, refOf("nothing stored"))
		stored.End()
		checkHeld(t, store, ref, blob.ErrHeld)
		added.End()
		checkHeld(t, store, ref, nil)
	})
	t.Run("AddedTooLate", func(t *testing.T) { // nobody would let go of it
		store := MustOpen(t, t.TempDir())
		ref, hold := MustHold(t, store, "x")
		hold.End()
		hold.Add(ref)
		hold.End()
		checkHeld(t, store, ref, blob.ErrHeld)
	})
	t.Run("OfAnotherStore", func(t *testing.T) { // the desk's hold says nothing about the service's blobs
		desk, service := MustOpen(t, t.TempDir()), MustOpen(t, t.TempDir())
		ctx, hold := desk.Hold(t.Context())
		info, err := service.Put(ctx, strings.NewReader("x"))
		if err != nil {
			t.Fatal(err)
		}
		hold.End()
		checkHeld(t, service, info.Ref, blob.ErrHeld)
	})
}

// Of several processes each leaves alone what another one holds, or has yet to ask
// about.
func TestStore_Hold_OtherProcess(t *testing.T) {
	dir := t.TempDir()
	one, other := MustOpen(t, dir), MustOpen(t, dir)
	ref, hold := MustHold(t, one, "x")
	checkHeld(t, other, ref, blob.ErrHeld)
	hold.End()
	checkHeld(t, other, ref, blob.ErrHeld)
	one.Settle(one.TakeReleased(9)...)
	checkHeld(t, other, ref, nil)
	if got := regularFiles(t, dir); len(got) != 0 {
		t.Errorf("got %v, want nothing", got)
	}
}

func TestStore_TakeReleased(t *testing.T) {
	dir := t.TempDir()
	store := MustOpen(t, dir)
	var refs []blob.Ref
	for _, content := range []string{"a", "b", "c"} {
		ref, hold := MustHold(t, store, content)
		refs = append(refs, ref)
		hold.End()
	}
	<-store.Released()
	some := store.TakeReleased(2)
	rest := store.TakeReleased(2)
	if len(some) != 2 || len(rest) != 1 || len(store.TakeReleased(2)) != 0 {
		t.Fatalf("got %d and %d, want 2 and 1, and each once", len(some), len(rest))
	}
	store.AskAgain(rest...)
	if got := store.TakeReleased(9); !slices.Equal(got, rest) {
		t.Errorf("asked again: got %v, want %v", got, rest)
	}
	again, hold := MustHold(t, store, "a") // held again before it was settled
	store.Settle(refs...)
	store.Settle(refs...)
	if got := held(t, dir); !slices.Contains(got, string(again)) || len(got) != 2 { // beside the process's own lock
		t.Errorf("markers: got %v, want that of %s alone", got, again)
	}
	hold.End()
	<-store.Released()
	store.Settle(again) // and released again meanwhile: it is to be asked about
	if got := store.TakeReleased(9); !slices.Equal(got, []blob.Ref{again}) {
		t.Errorf("got %v to ask about, want %v", got, again)
	}
}

// TestStore_Adopt: what a process held that is dead is asked about by the next one.
func TestStore_Adopt(t *testing.T) {
	t.Run("Dead", func(t *testing.T) {
		dir := t.TempDir()
		dead := MustOpen(t, dir)
		ref, _ := MustHold(t, dead, "x")
		ended, hold := MustHold(t, dead, "y")
		hold.End()
		if err := dead.Close(); err != nil {
			t.Fatal(err)
		}
		next := MustOpen(t, dir)
		checkHeld(t, next, ref, blob.ErrHeld)
		MustAdopt(t, next)
		got := next.TakeReleased(9)
		if len(got) != 2 || !slices.Contains(got, ref) || !slices.Contains(got, ended) {
			t.Fatalf("got %v to ask about, want %v and %v", got, ref, ended)
		}
		checkHeld(t, next, ref, nil)
		next.Settle(got...)
		if got := held(t, dir); len(got) != 1 {
			t.Errorf("left behind: %v", got)
		}
	})
	t.Run("Alive", func(t *testing.T) {
		dir := t.TempDir()
		alive, next := MustOpen(t, dir), MustOpen(t, dir)
		ref, hold := MustHold(t, alive, "x")
		MustAdopt(t, next)
		if got := next.TakeReleased(9); len(got) != 0 {
			t.Errorf("got %v to ask about, want nothing", got)
		}
		checkHeld(t, next, ref, blob.ErrHeld)
		hold.End()
		if got := alive.TakeReleased(9); !slices.Equal(got, []blob.Ref{ref}) {
			t.Errorf("its own process is to ask about %v, want %v", got, ref)
		}
	})
	t.Run("HeldHereToo", func(t *testing.T) {
		dir := t.TempDir()
		dead, next := MustOpen(t, dir), MustOpen(t, dir)
		MustHold(t, dead, "x")
		if err := dead.Close(); err != nil {
			t.Fatal(err)
		}
		ref, hold := MustHold(t, next, "x")
		MustAdopt(t, next)
		if got := next.TakeReleased(9); len(got) != 0 {
			t.Errorf("while it is held: got %v to ask about", got)
		}
		hold.End()
		if got := next.TakeReleased(9); !slices.Equal(got, []blob.Ref{ref}) {
			t.Errorf("got %v to ask about, want %v", got, ref)
		}
	})
	t.Run("Strangers", func(t *testing.T) { // a lock without a folder, and what is no marker
		dir := t.TempDir()
		MustOpen(t, dir)
		folder := filepath.Join(dir, "blobs", "held")
		err := errors.Join(os.WriteFile(filepath.Join(folder, "A.lock"), nil, 0o600), os.WriteFile(filepath.Join(folder, "B.lock"), nil, 0o600),
			os.Mkdir(filepath.Join(folder, "B"), 0o700), os.WriteFile(filepath.Join(folder, "B", "notes.txt"), nil, 0o600))
		if err != nil {
			t.Fatal(err)
		}
		next := MustOpen(t, dir)
		MustAdopt(t, next)
		if got := next.TakeReleased(9); len(got) != 0 {
			t.Errorf("got %v to ask about", got)
		}
		if got := held(t, dir); len(got) != 2 { // the locks of the two that live
			t.Errorf("left behind: %v", got)
		}
	})
}

// Files that a dead process had not finished go; those of a living one stay.
func TestStore_Adopt_Unfinished(t *testing.T) {
	dir := t.TempDir()
	alive, dead := MustOpen(t, dir), MustOpen(t, dir)
	pr, pw := io.Pipe()
	result := make(chan error, 1)
	go func() {
		_, err := alive.Put(t.Context(), pr)
		result <- err
	}()
	if _, err := pw.Write([]byte("half, ")); err != nil {
		t.Fatal(err)
	}
	MustHold(t, dead, "x")
	processes, err := os.ReadDir(filepath.Join(dir, "blobs", "held"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range processes { // that of the dead one has a marker in it
		if inside, _ := os.ReadDir(filepath.Join(dir, "blobs", "held", p.Name())); len(inside) == 1 {
			left := filepath.Join(dir, "blobs", "tmp", p.Name()+".LEFT")
			if err := os.WriteFile(left, []byte("cut"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	MustAdopt(t, MustOpen(t, dir))
	if got := regularFiles(t, filepath.Join(dir, "blobs", "tmp")); len(got) != 1 || strings.HasSuffix(got[0], ".LEFT") {
		t.Errorf("unfinished: got %v, want that of the living process", got)
	}
	if _, err := pw.Write([]byte("whole")); err != nil {
		t.Fatal(err)
	}
	_ = pw.Close()
	if err := <-result; err != nil {
		t.Errorf("the living one's Put: got %v", err)
	}
	if _, err := alive.Stat(t.Context(), refOf("half, whole")); err != nil {
		t.Error(err)
	}
}

// TestStore_Adopt_NoLock: what a dead process held is taken over also where its lock is lost.
func TestStore_Adopt_NoLock(t *testing.T) {
	dir := t.TempDir()
	dead := MustOpen(t, dir)
	ref, hold := MustHold(t, dead, "x")
	hold.End()
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	locks, _ := filepath.Glob(filepath.Join(dir, "blobs", "held", "*.lock"))
	for _, lock := range locks {
		if err := os.Remove(lock); err != nil {
			t.Fatal(err)
		}
	}
	heir := MustOpen(t, dir)
	MustAdopt(t, heir)
	if got := heir.TakeReleased(9); !slices.Equal(got, []blob.Ref{ref}) {
		t.Errorf("got %v to ask about, want %v", got, ref)
	}
	checkHeld(t, heir, ref, nil)
}

// TestStore_Adopt_Again: what could not be taken over, as on a full disk, is taken over by the next try.
func TestStore_Adopt_Again(t *testing.T) {
	dir := t.TempDir()
	dead := MustOpen(t, dir)
	ref, hold := MustHold(t, dead, "x")
	hold.End()
	if err := dead.Close(); err != nil {
		t.Fatal(err)
	}
	heir := MustOpen(t, dir)
	var inTheWay string
	folders, _ := filepath.Glob(filepath.Join(dir, "blobs", "held", "*"))
	for _, folder := range folders {
		if entries, err := os.ReadDir(folder); err == nil && len(entries) == 0 { // the heir's
			inTheWay = filepath.Join(folder, string(ref))
		}
	}
	if err := os.Mkdir(inTheWay, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := heir.Adopt(); err == nil {
		t.Fatal("it was taken over although something is in the way")
	}
	if err := os.Remove(inTheWay); err != nil {
		t.Fatal(err)
	}
	MustAdopt(t, heir)
	if got := heir.TakeReleased(9); !slices.Equal(got, []blob.Ref{ref}) {
		t.Errorf("got %v to ask about, want %v", got, ref)
	}
	checkHeld(t, heir, ref, nil)
}
