package keyfile_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/keyfile"
)

func TestLoad(t *testing.T) {
	t.Run("CreatedOnceAndKept", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "keys", "audit.key")
		first, err := keyfile.Load(path)
		if err != nil || first == [keyfile.Size]byte{} {
			t.Fatalf("got %x, error %v, want a key", first, err)
		}
		if second, err := keyfile.Load(path); err != nil || second != first {
			t.Errorf("got %x, error %v, want the same key", second, err)
		}
		for name, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700} {
			if info, err := os.Stat(name); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: got %v, error %v, want mode %o", name, info.Mode(), err, want)
			}
		}
		if entries, _ := os.ReadDir(filepath.Dir(path)); len(entries) != 1 {
			t.Errorf("got %d files in the folder, want the key alone", len(entries))
		}
	})
	t.Run("OneKeyForAll", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "audit.key")
		got := make([][keyfile.Size]byte, 20)
		var wg sync.WaitGroup
		for i := range got {
			wg.Go(func() {
				key, err := keyfile.Load(path)
				if err != nil {
					t.Error(err)
				}
				got[i] = key
			})
		}
		wg.Wait()
		for _, key := range got {
			if key != got[0] {
				t.Fatalf("got two keys, want one")
			}
		}
	})
	t.Run("DamagedIsRefusedAndKept", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "audit.key")
		if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := keyfile.Load(path); err == nil {
			t.Error("got no error, want one")
		}
		if raw, _ := os.ReadFile(path); string(raw) != "short" {
			t.Errorf("got %q, want the file untouched", raw)
		}
	})
}
