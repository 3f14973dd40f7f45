package atomicfile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"guiche/internal/atomicfile"
)

// writers are the two functions that put a file in place.
var writers = map[string]func(path string, content []byte, mode fs.FileMode) error{
	"Write": atomicfile.Write, "Create": atomicfile.Create,
}

func TestWriters(t *testing.T) {
	for name, write := range writers {
		for _, tt := range []struct {
			name    string
			content string
			mode    fs.FileMode
		}{
			{"Private", "a secret\n", 0o600}, {"ReadOnly", "a note", 0o400}, {"Shared", "a note", 0o644}, {"Empty", "", 0o600},
			{"Large", strings.Repeat("0123456789", 1<<17), 0o600},
		} {
			t.Run(name+tt.name, func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "file.json")
				if err := write(path, []byte(tt.content), tt.mode); err != nil {
					t.Fatal(err)
				}
				wantFile(t, path, tt.content, tt.mode)
				wantNames(t, filepath.Dir(path), "file.json")
			})
		}
		t.Run(name+"MissingFolders", func(t *testing.T) {
			root := t.TempDir()
			path := filepath.Join(root, "data", "keys", "seal.key")
			if err := write(path, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			wantFile(t, path, "x", 0o600)
			wantMode(t, filepath.Join(root, "data"), 0o700)
			wantMode(t, filepath.Join(root, "data", "keys"), 0o700)
		})
		t.Run(name+"FolderIsAFile", func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "data")
			MustWriteFile(t, folder, "a file")
			if err := write(filepath.Join(folder, "file.json"), []byte("x"), 0o600); err == nil {
				t.Error("got no error, want one")
			}
			wantFile(t, folder, "a file", 0o600)
		})
	}
}

func TestWrite_Replaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "head")
	for _, content := range []string{"a long first version", "second", ""} {
		if err := atomicfile.Write(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		wantFile(t, path, content, 0o600)
	}
	wantNames(t, filepath.Dir(path), "head")
}

func TestWrite_RelativePath(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := atomicfile.Write("head", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantNames(t, ".", "head")
}

// TestWrite_Fails: whatever step fails, what was there stays and nothing is left over.
func TestWrite_Fails(t *testing.T) {
	t.Run("NoTemporaryFile", func(t *testing.T) {
		// A name that is as long as names may be leaves no room for a longer one.
		path := filepath.Join(t.TempDir(), strings.Repeat("n", 255))
		MustWriteFile(t, path, "old")
		if err := atomicfile.Write(path, []byte("new"), 0o600); err == nil {
			t.Fatal("got no error, want one")
		}
		wantFile(t, path, "old", 0o600)
		wantNames(t, filepath.Dir(path), filepath.Base(path))
	})
	t.Run("NoRename", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "occupied")
		if err := os.Mkdir(path, 0o700); err != nil {
			t.Fatal(err)
		}
		MustWriteFile(t, filepath.Join(path, "inside"), "old")
		if err := atomicfile.Write(path, []byte("new"), 0o600); err == nil {
			t.Fatal("got no error, want one")
		}
		wantFile(t, filepath.Join(path, "inside"), "old", 0o600)
		wantNames(t, filepath.Dir(path), "occupied")
	})
}

func TestCreate_NeverReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "audit.key")
	if err := atomicfile.Create(path, []byte("first"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.Create(path, []byte("second"), 0o644); !errors.Is(err, fs.ErrExist) {
		t.Errorf("got %v, want fs.ErrExist", err)
	}
	wantFile(t, path, "first", 0o600)
	wantNames(t, filepath.Dir(path), "audit.key")
}

func TestCreate_OneWins(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys", "audit.key")
	var won atomic.Int64
	var winner atomic.Value
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			content := fmt.Sprint("key ", i)
			switch err := atomicfile.Create(path, []byte(content), 0o600); {
			case err == nil:
				won.Add(1)
				winner.Store(content)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if won.Load() != 1 {
		t.Fatalf("got %d winners, want 1", won.Load())
	}
	wantFile(t, path, winner.Load().(string), 0o600)
	wantNames(t, filepath.Dir(path), "audit.key")
}

// TestWrite_ManyAtOnce: a reader sees one whole version while others write.
func TestWrite_ManyAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "head")
	version := func(i int) []byte { return bytes.Repeat([]byte{byte('a' + i)}, 50_000+i) }
	whole := func(content []byte) bool {
		return len(content) > 0 && bytes.Equal(content, version(int(content[0]-'a')))
	}
	if err := atomicfile.Write(path, version(0), 0o600); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				if err := atomicfile.Write(path, version(i), 0o600); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range 50 {
				if content, err := os.ReadFile(path); err != nil || !whole(content) {
					t.Errorf("got %d bytes, error %v, want one version whole", len(content), err)
				}
			}
		})
	}
	wg.Wait()
	wantNames(t, filepath.Dir(path), "head")
}

func TestMkdirAll(t *testing.T) {
	t.Run("NewFolders", func(t *testing.T) {
		root := t.TempDir()
		folder := filepath.Join(root, "a", "b", "c")
		for range 2 { // what is there already is no error
			if err := atomicfile.MkdirAll(folder, 0o750); err != nil {
				t.Fatal(err)
			}
		}
		for _, path := range []string{"a", "a/b", "a/b/c"} {
			wantMode(t, filepath.Join(root, path), 0o750)
		}
	})
	t.Run("KeepsTheModeOfOld", func(t *testing.T) {
		root := t.TempDir()
		if err := errors.Join(os.Mkdir(filepath.Join(root, "a"), 0o755), os.Chmod(filepath.Join(root, "a"), 0o755)); err != nil {
			t.Fatal(err)
		}
		if err := atomicfile.MkdirAll(filepath.Join(root, "a", "b"), 0o700); err != nil {
			t.Fatal(err)
		}
		wantMode(t, filepath.Join(root, "a"), 0o755)
	})
	t.Run("ManyAtOnce", func(t *testing.T) {
		folder := filepath.Join(t.TempDir(), "a", "b", "c", "d")
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := atomicfile.MkdirAll(folder, 0o700); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
	})
	for name, path := range map[string]string{"ErrFile": "file", "ErrBelowAFile": "file/below", "ErrNoName": "\x00"} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			MustWriteFile(t, filepath.Join(root, "file"), "x")
			if err := atomicfile.MkdirAll(filepath.Join(root, path), 0o700); err == nil {
				t.Error("got no error, want one")
			}
		})
	}
}

func TestSyncFolder(t *testing.T) {
	folder, err := os.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.SyncFolder(folder); err != nil {
		t.Errorf("got %v, want nil", err)
	}
	if err := folder.Close(); err != nil {
		t.Fatal(err)
	}
	if err := atomicfile.SyncFolder(folder); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("got %v, want the error of a closed folder", err)
	}
}

// MustWriteFile puts a private file in place.
func MustWriteFile(tb testing.TB, path, content string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
}

func wantFile(t *testing.T, path, content string, mode fs.FileMode) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != content {
		t.Errorf("got %.40q, error %v, want %.40q", got, err, content)
	}
	wantMode(t, path, mode)
}

func wantMode(t *testing.T, path string, want fs.FileMode) {
	t.Helper()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
		t.Errorf("%s: got %v, error %v, want mode %o", path, info, err, want)
	}
}

// wantNames fails unless the folder has just these names in it.
func wantNames(t *testing.T, folder string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, entry := range entries {
		got = append(got, entry.Name())
	}
	if strings.Join(got, "/") != strings.Join(want, "/") {
		t.Errorf("got %.60q, want %.60q alone", got, want)
	}
}

func TestEnsureFolder(t *testing.T) {
	root := t.TempDir()
	folder := filepath.Join(root, "a", "b")
	for range 2 { // made, and there already
		if err := atomicfile.EnsureFolder(folder, 0o750); err != nil {
			t.Fatal(err)
		}
		wantMode(t, folder, 0o750)
	}
	MustWriteFile(t, filepath.Join(root, "file"), "x")
	for _, path := range []string{"file", "file/below", "\x00"} {
		if err := atomicfile.EnsureFolder(filepath.Join(root, path), 0o700); err == nil {
			t.Errorf("%q: got no error, want one", path)
		}
	}
}
