package files_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/diskspace"
	"guiche/internal/problem"
)

func TestOpen_Refused(t *testing.T) {
	for _, taken := range []string{"", "blobs", "blobs/tmp", "blobs/held"} {
		dir := filepath.Join(t.TempDir(), "desk")
		file := filepath.Join(dir, taken)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("x"), 0o600)); err != nil {
			t.Fatal(err)
		}
		if _, err := files.Open(files.Options{Dir: dir}); err == nil {
			t.Errorf("%q is a file: got no error", taken)
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != "x" {
			t.Errorf("%q: got %q, %v, want the file as it was", taken, got, err)
		}
	}
}

// TestStore_Put_Failures: where the disk fails, nothing is told as stored and nothing
// is left half.
func TestStore_Put_Failures(t *testing.T) {
	for name, harm := range map[string]func(blobs string) error{
		"FolderIsAFile": func(blobs string) error {
			return os.WriteFile(filepath.Join(blobs, string(refOf("x")[:2])), nil, 0o600)
		},
		"NameIsAFolder": func(blobs string) error {
			return os.MkdirAll(filepath.Join(blobs, string(refOf("x")[:2]), string(refOf("x")), "in"), 0o700)
		},
		"NoRoomForUnfinished": func(blobs string) error { return os.RemoveAll(filepath.Join(blobs, "tmp")) },
		"NoRoomForHolds":      func(blobs string) error { return os.RemoveAll(filepath.Join(blobs, "held")) },
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := MustOpen(t, dir)
			if err := harm(filepath.Join(dir, "blobs")); err != nil {
				t.Fatal(err)
			}
			ctx, hold := store.Hold(t.Context())
			defer hold.End()
			if info, err := store.Put(ctx, strings.NewReader("x")); err == nil || info != (blob.Info{}) {
				t.Errorf("got %+v, %v, want an error alone", info, err)
			}
			if _, err := os.Stat(filepath.Join(dir, "blobs", "tmp")); err == nil {
				if got := regularFiles(t, filepath.Join(dir, "blobs", "tmp")); len(got) != 0 {
					t.Errorf("left behind: %v", got)
				}
			}
		})
	}
}

// TestStore_Delete_Failures: where nobody can tell who holds a blob, it stays.
func TestStore_Delete_Failures(t *testing.T) {
	dir := t.TempDir()
	store := MustOpen(t, dir)
	ref, hold := MustHold(t, store, "x")
	hold.End()
	held := filepath.Join(dir, "blobs", "held")
	if err := os.Rename(held, held+"-away"); err != nil {
		t.Fatal(err)
	}
	if err := store.Delete(t.Context(), ref); err == nil || errors.Is(err, blob.ErrHeld) {
		t.Errorf("got %v, want what failed", err)
	}
	if err := store.Adopt(); err == nil {
		t.Error("Adopt: got no error")
	}
	if _, err := store.Stat(t.Context(), ref); err != nil {
		t.Errorf("the blob: %v, want it still there", err)
	}
}

// A hold on a disk that takes no marker counts in this process all the same.
func TestStore_Hold_WithoutMarker(t *testing.T) {
	dir := t.TempDir()
	store := MustOpen(t, dir)
	ref, stored := MustHold(t, store, "x")
	stored.End()
	store.Settle(store.TakeReleased(1)...)
	held := filepath.Join(dir, "blobs", "held")
	if err := os.Rename(held, held+"-away"); err != nil {
		t.Fatal(err)
	}
	_, hold := store.Hold(t.Context())
	hold.Add(ref)
	if err := os.Rename(held+"-away", held); err != nil {
		t.Fatal(err)
	}
	checkHeld(t, store, ref, blob.ErrHeld)
	hold.End()
	checkHeld(t, store, ref, nil)
}

// A position that does not exist is refused, and what is read goes on being checked.
func TestReader_Seek(t *testing.T) {
	dir := t.TempDir()
	store := MustOpen(t, dir)
	ref := MustPut(t, store, "0123456789")
	read := func() (string, error) {
		r, err := store.Open(t.Context(), ref)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = r.Close() }()
		if _, err := io.CopyN(io.Discard, r, 3); err != nil {
			t.Fatal(err)
		}
		if _, err := r.Seek(-1, io.SeekStart); err == nil {
			t.Error("before the start: got no error")
		}
		rest, err := io.ReadAll(r)
		return string(rest), err
	}
	if got, err := read(); got != "3456789" || err != nil {
		t.Errorf("got %q, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(ref.Path())), []byte("0123456780"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := read(); !errors.Is(err, blob.ErrDamaged) {
		t.Errorf("damaged: got %v, want %v", err, blob.ErrDamaged)
	}
}

func TestStore_Room(t *testing.T) {
	for free, want := range map[int64]problem.Code{1 << 40: "", 511 << 20: problem.NoSpace, 0: problem.NoSpace} {
		store, err := files.Open(files.Options{Dir: t.TempDir(), Disk: MustOpenDisk(t, func() int64 { return free })})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = store.Close() })
		if err := store.Room(); err == nil && want != "" || err != nil && problem.CodeOf(err) != want {
			t.Errorf("%d bytes free: got %v, want %q", free, err, want)
		}
		if _, err := store.Put(t.Context(), strings.NewReader("what must be kept")); err != nil {
			t.Errorf("%d bytes free, Put: %v", free, err)
		}
	}
}

// MustOpenDisk opens a disk of which 512 MiB shall stay free.
func MustOpenDisk(tb testing.TB, free func() int64) *diskspace.Disk {
	tb.Helper()
	return diskspace.Open(diskspace.Config{Dir: tb.TempDir(), MinFree: 512 << 20, Logger: slog.New(slog.DiscardHandler),
		Free: func(string) (int64, error) { return free(), nil }})
}

func TestStore_Older(t *testing.T) {
	dir := t.TempDir()
	start := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	now := start
	store := MustOpenAt(t, dir, func() time.Time { return now })
	var old []blob.Ref
	for i := range 60 { // some folders have several
		old = append(old, MustPut(t, store, fmt.Sprint("old ", i)))
	}
	renewed := MustPut(t, store, "renewed")
	now = start.Add(time.Hour)
	MustPut(t, store, "renewed")
	MustPut(t, store, "young")
	strange := filepath.Join(dir, "blobs", string(renewed[:2]), "notes.txt")
	if err := errors.Join(os.WriteFile(strange, nil, 0o600), os.Chtimes(strange, start, start)); err != nil {
		t.Fatal(err)
	}
	list := func(limit int) (all []blob.Ref) {
		err := store.Older(t.Context(), now, limit, func(refs []blob.Ref) error {
			if len(refs) == 0 || len(refs) > limit {
				t.Errorf("got %d at a time, want 1 to %d", len(refs), limit)
			}
			all = append(all, refs...)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(all)
		return all
	}
	slices.Sort(old)
	for _, limit := range []int{1, 2, 1000} {
		if got := list(limit); !slices.Equal(got, old) {
			t.Errorf("%d at a time: got %d, want the %d old ones", limit, len(got), len(old))
		}
	}
	t.Run("Ends", func(t *testing.T) {
		failed := errors.New("no")
		calls := 0
		err := store.Older(t.Context(), now, 10, func([]blob.Ref) error { calls++; return failed })
		if !errors.Is(err, failed) || calls != 1 {
			t.Errorf("got %v after %d calls, want %v after one", err, calls, failed)
		}
		ctx, cancel := context.WithCancel(t.Context())
		err = store.Older(ctx, now, 1, func([]blob.Ref) error { cancel(); return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
	})
}
