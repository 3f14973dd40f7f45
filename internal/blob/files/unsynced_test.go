package files_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/files"
)

// TestStore_PutBatch: a small blob is left to the batch, and is read as any other at once.
func TestStore_PutBatch(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	s, err := files.Open(files.Options{Dir: dir, Clock: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	put := func(content string) (blob.Info, []blob.Content) {
		var batch blob.Batch
		info, err := s.Put(batch.In(t.Context()), strings.NewReader(content))
		if err != nil {
			t.Fatal(err)
		}
		return info, batch.Contents()
	}
	info, left := put("a resposta")
	path := filepath.Join(dir, filepath.FromSlash(info.Ref.Path()))
	if len(left) != 1 || left[0].Ref != info.Ref || string(left[0].Bytes) != "a resposta" || info.Size != 10 {
		t.Fatalf("got %+v, %+v, want the bytes left to the batch", info, left)
	}
	for name, tt := range map[string]struct {
		change func() error
		left   int
	}{
		"ThereAlready": {func() error { return nil }, 1},
		"Damaged":      {func() error { return os.WriteFile(path, []byte("a respasta"), 0o600) }, 0},
		"Gone":         {func() error { return os.Remove(path) }, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tt.change(); err != nil {
				t.Fatal(err)
			}
			now = now.Add(time.Hour)
			again, left := put("a resposta")
			if again != info || len(left) != tt.left {
				t.Errorf("got %+v and %d blobs left to the batch, want %d", again, len(left), tt.left)
			}
			content, err := os.ReadFile(path)
			stat, statErr := os.Stat(path)
			if err != nil || statErr != nil || string(content) != "a resposta" || !stat.ModTime().Equal(now) {
				t.Errorf("got %q, %v of %v, want it whole and of now", content, err, stat.ModTime())
			}
		})
	}
	t.Run("Large", func(t *testing.T) {
		large := strings.Repeat("guiche.\n", 1<<15)
		if info, left := put(large); len(left) != 0 || info.Size != int64(len(large)) {
			t.Errorf("got %+v and %d blobs left to the batch, want none", info, len(left))
		}
	})
	t.Run("NothingUnfinished", func(t *testing.T) {
		if left, err := os.ReadDir(filepath.Join(dir, "blobs", "tmp")); err != nil || len(left) != 0 {
			t.Errorf("got %v, %v", left, err)
		}
	})
	if gone, err := s.Sync([]blob.Ref{info.Ref, blob.Ref(strings.Repeat("0", 64))}); err != nil || len(gone) > 0 {
		t.Errorf("got %v, %v", gone, err)
	}
}
