package files_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/iotest"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/problem"
)

var _ blob.Store = (*files.Store)(nil)

func MustOpen(tb testing.TB, dir string) *files.Store {
	tb.Helper()
	return MustOpenAt(tb, dir, nil)
}

func MustOpenAt(tb testing.TB, dir string, clock func() time.Time) *files.Store {
	tb.Helper()
	store, err := files.Open(files.Options{Dir: dir, Clock: clock})
	if err != nil {
		tb.Fatalf("Open: %v", err)
	}
	tb.Cleanup(func() { _ = store.Close() })
	return store
}

func MustPut(tb testing.TB, store *files.Store, content string) blob.Ref {
	tb.Helper()
	info, err := store.Put(tb.Context(), strings.NewReader(content))
	if err != nil {
		tb.Fatalf("Put: %v", err)
	}
	return info.Ref
}

func refOf(content string) blob.Ref {
	sum := sha256.Sum256([]byte(content))
	return blob.Ref(hex.EncodeToString(sum[:]))
}

func pathOf(dir string, ref blob.Ref) string {
	return filepath.Join(dir, "blobs", string(ref[:2]), string(ref))
}

// regularFiles lists the files under a folder, relative to it, but for those that say
// what is held.
func regularFiles(tb testing.TB, dir string) []string {
	tb.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && entry.Name() == "held" {
			return fs.SkipDir
		}
		if err == nil && !entry.IsDir() {
			name, _ := filepath.Rel(dir, path)
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return names
}

func TestStore_Put(t *testing.T) {
	for name, content := range map[string]string{"Empty": "", "Small": "pedido médico", "Large": strings.Repeat("0123456789abcdef", 1<<16)} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			store := MustOpen(t, dir)
			want := blob.Info{Ref: refOf(content), Size: int64(len(content))}
			info, err := store.Put(t.Context(), iotest.HalfReader(strings.NewReader(content)))
			if err != nil || info != want {
				t.Fatalf("got %v, error %v, want %v", info, err, want)
			}
			r, err := store.Open(t.Context(), info.Ref)
			if err != nil {
				t.Fatal(err)
			}
			got, err := io.ReadAll(r)
			if err != nil || string(got) != content || r.Close() != nil {
				t.Errorf("got %d bytes, error %v, want the %d that were put", len(got), err, len(content))
			}
			if got, err := store.Stat(t.Context(), info.Ref); err != nil || got != want {
				t.Errorf("got %v, error %v, want %v", got, err, want)
			}
		})
	}

	t.Run("PrivateModes", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "desk")
		ref := MustPut(t, MustOpen(t, dir), "x")
		file := pathOf(dir, ref)
		for path, want := range map[string]fs.FileMode{dir: 0o700, filepath.Join(dir, "blobs"): 0o700, filepath.Dir(file): 0o700, file: 0o600} {
			if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: got %v, error %v, want mode %o", path, info, err, want)
			}
		}
	})
}

func TestStore_Put_SameBytes(t *testing.T) {
	t.Run("RenewTheirTime", func(t *testing.T) {
		dir := t.TempDir()
		now := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
		store := MustOpenAt(t, dir, func() time.Time { return now })
		ref := MustPut(t, store, "x")
		now = now.Add(8 * 24 * time.Hour)
		MustPut(t, store, "x")
		info, err := os.Stat(pathOf(dir, ref))
		if err != nil || !info.ModTime().Equal(now) {
			t.Errorf("got %v, error %v, want %v", info.ModTime(), err, now)
		}
	})

	t.Run("MendADamagedFile", func(t *testing.T) {
		dir := t.TempDir()
		store := MustOpen(t, dir)
		ref := MustPut(t, store, "right")
		if err := os.WriteFile(pathOf(dir, ref), []byte("wrong"), 0o600); err != nil {
			t.Fatal(err)
		}
		MustPut(t, store, "right")
		if got, err := os.ReadFile(pathOf(dir, ref)); err != nil || string(got) != "right" {
			t.Errorf("got %q, error %v, want the bytes mended", got, err)
		}
	})
}

func TestStore_Put_ManyAtOnce(t *testing.T) {
	dir := t.TempDir()
	store := MustOpen(t, dir)
	content := strings.Repeat("same", 1<<14)
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			info, err := store.Put(t.Context(), strings.NewReader(content))
			if err != nil || info.Ref != refOf(content) {
				t.Errorf("got %v, error %v", info, err)
				return
			}
			r, err := store.Open(t.Context(), info.Ref)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = r.Close() }()
			if _, err := io.Copy(io.Discard, r); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := regularFiles(t, dir); len(got) != 1 {
		t.Errorf("got files %v, want one", got)
	}
}

func TestStore_Put_Unfinished(t *testing.T) {
	t.Run("FailingReaderLeavesNothing", func(t *testing.T) {
		dir := t.TempDir()
		broken := errors.New("connection lost")
		_, err := MustOpen(t, dir).Put(t.Context(), io.MultiReader(strings.NewReader("half"), iotest.ErrReader(broken)))
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want the reader's error", err)
		}
		if got := regularFiles(t, dir); len(got) != 0 {
			t.Errorf("got files %v, want none", got)
		}
	})

	t.Run("CancelledLeavesNothing", func(t *testing.T) {
		dir := t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		endless := readerFunc(func(p []byte) (int, error) { cancel(); return len(p), nil })
		if _, err := MustOpen(t, dir).Put(ctx, endless); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		if got := regularFiles(t, dir); len(got) != 0 {
			t.Errorf("got files %v, want none", got)
		}
	})

	t.Run("AdoptRemovesOnlyAbandonedOnes", func(t *testing.T) {
		dir := t.TempDir()
		MustOpen(t, dir)
		now := time.Now()
		for name, age := range map[string]time.Duration{"old": 25 * time.Hour, "young": time.Hour} {
			path := filepath.Join(dir, "blobs", "tmp", name)
			if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, time.Time{}, now.Add(-age))); err != nil {
				t.Fatal(err)
			}
		}
		if err := MustOpenAt(t, dir, func() time.Time { return now }).Adopt(); err != nil {
			t.Fatal(err)
		}
		if got := regularFiles(t, filepath.Join(dir, "blobs", "tmp")); len(got) != 1 || got[0] != "young" {
			t.Errorf("got %v, want only the young one", got)
		}
	})
}

func TestStore_Put_Visible(t *testing.T) {
	dir := t.TempDir()
	store := MustOpen(t, dir)
	pr, pw := io.Pipe()
	result := make(chan blob.Info)
	go func() {
		info, err := store.Put(context.Background(), pr)
		if err != nil {
			t.Error(err)
		}
		result <- info
	}()
	if _, err := pw.Write([]byte("first half, ")); err != nil {
		t.Fatal(err)
	}
	for _, content := range []string{"", "first half, ", "first half, second half"} {
		if _, err := store.Open(t.Context(), refOf(content)); !problem.Is(err, problem.NotFound) {
			t.Errorf("%q: got %v, want NotFound", content, err)
		}
	}
	if got := regularFiles(t, dir); len(got) != 1 || !strings.HasPrefix(got[0], filepath.Join("blobs", "tmp")) {
		t.Errorf("got files %v, want one temporary file", got)
	}
	_, _ = pw.Write([]byte("second half"))
	_ = pw.Close()
	if info := <-result; info.Ref != refOf("first half, second half") {
		t.Errorf("got %v, want the whole content", info)
	}
}

func TestStore_Open(t *testing.T) {
	content := strings.Repeat("guia SP/SADT ", 10000)
	read := func(t *testing.T, damage func([]byte) []byte, r func(io.ReadSeeker) io.Reader) error {
		t.Helper()
		dir := t.TempDir()
		store := MustOpen(t, dir)
		ref := MustPut(t, store, content)
		if err := os.WriteFile(pathOf(dir, ref), damage([]byte(content)), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := store.Open(t.Context(), ref)
		if err != nil {
			return err
		}
		defer func() { _ = f.Close() }()
		_, err = io.Copy(io.Discard, r(f))
		return err
	}
	all := func(f io.ReadSeeker) io.Reader { return f }
	exactly := func(f io.ReadSeeker) io.Reader { // as http.ServeContent reads: never asks for io.EOF
		size, _ := f.Seek(0, io.SeekEnd)
		_, _ = f.Seek(0, io.SeekStart)
		return io.LimitReader(f, size)
	}
	twice := func(f io.ReadSeeker) io.Reader {
		_, _ = io.Copy(io.Discard, io.LimitReader(f, 100))
		_, _ = f.Seek(0, io.SeekStart)
		return f
	}
	for name, damage := range map[string]func([]byte) []byte{
		"Flipped":  func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"Cut":      func(b []byte) []byte { return b[:len(b)-1] },
		"Emptied":  func(b []byte) []byte { return nil },
		"Extended": func(b []byte) []byte { return append(b, 0) },
	} {
		for way, r := range map[string]func(io.ReadSeeker) io.Reader{"All": all, "Exactly": exactly, "Twice": twice} {
			t.Run(name+way, func(t *testing.T) {
				if err := read(t, damage, r); !errors.Is(err, blob.ErrDamaged) {
					t.Errorf("got %v, want ErrDamaged", err)
				}
			})
		}
	}
	t.Run("PartOfAnIntactOne", func(t *testing.T) {
		intact := func(b []byte) []byte { return b }
		fromTheMiddle := func(f io.ReadSeeker) io.Reader { _, _ = f.Seek(100, io.SeekStart); return f }
		for _, r := range []func(io.ReadSeeker) io.Reader{all, exactly, twice, fromTheMiddle} {
			if err := read(t, intact, r); err != nil {
				t.Errorf("got %v, want nil", err)
			}
		}
	})
}

func TestStore_Ref(t *testing.T) {
	store := MustOpen(t, t.TempDir())
	for _, ref := range []blob.Ref{
		"", "ab", "../../etc/passwd", blob.Ref(strings.Repeat("A", 64)), blob.Ref(strings.Repeat("a", 63)), blob.Ref(strings.Repeat("a", 65)),
		blob.Ref("tmp/" + strings.Repeat("a", 60)), blob.Ref(strings.Repeat("a", 63) + "/"), blob.Ref(strings.Repeat("g", 64)),
	} {
		_, openErr := store.Open(t.Context(), ref)
		_, statErr := store.Stat(t.Context(), ref)
		for doing, err := range map[string]error{"Open": openErr, "Stat": statErr, "Delete": store.Delete(t.Context(), ref)} {
			if err == nil || problem.Is(err, problem.NotFound) {
				t.Errorf("%s(%q): got %v, want an error about the name", doing, ref, err)
			}
		}
	}
}

func TestStore_Delete(t *testing.T) {
	store := MustOpen(t, t.TempDir())
	ctx, hold := store.Hold(t.Context())
	info, err := store.Put(ctx, strings.NewReader("x"))
	if err != nil {
		t.Fatal(err)
	}
	ref := info.Ref
	if err := store.Delete(t.Context(), ref); !errors.Is(err, blob.ErrHeld) {
		t.Errorf("held: got %v, want ErrHeld", err)
	}
	hold.End()
	for range 2 { // one that is gone is no error
		if err := store.Delete(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := store.Stat(t.Context(), ref); !problem.Is(err, problem.NotFound) {
		t.Errorf("Stat: got %v, want NotFound", err)
	}
	if _, err := store.Open(t.Context(), ref); !problem.Is(err, problem.NotFound) {
		t.Errorf("Open: got %v, want NotFound", err)
	}
}

func TestStore_Symlink(t *testing.T) {
	dir := t.TempDir()
	store := MustOpen(t, dir)
	ref := refOf("secret")
	outside := filepath.Join(t.TempDir(), "secret")
	err := errors.Join(os.WriteFile(outside, []byte("secret"), 0o600), os.Mkdir(filepath.Dir(pathOf(dir, ref)), 0o700),
		os.Symlink(outside, pathOf(dir, ref)))
	if err != nil {
		t.Fatal(err)
	}
	if r, err := store.Open(t.Context(), ref); err == nil {
		_ = r.Close()
		t.Error("got a file outside the folder, want an error")
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// BenchmarkStore_Put reports the ratio of storing to hashing alone.
func BenchmarkStore_Put(b *testing.B) {
	store := MustOpen(b, b.TempDir())
	content := bytes.Repeat([]byte("0123456789abcdef"), 1<<16)
	b.SetBytes(int64(len(content)))
	var storing, hashing time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := store.Put(b.Context(), bytes.NewReader(content)); err != nil {
			b.Fatal(err)
		}
		storing += time.Since(start)
		start = time.Now()
		_ = sha256.Sum256(content)
		hashing += time.Since(start)
	}
	b.ReportMetric(storing.Seconds()/hashing.Seconds(), "hashes")
}
