package files_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/blobtest"
)

// TestStore_Contract: files keep what every store promises.
func TestStore_Contract(t *testing.T) {
	blobtest.Run(t, func(tb testing.TB) blobtest.Place {
		dir := tb.TempDir()
		return blobtest.Place{
			Open: func(tb testing.TB) blobtest.Store { return MustOpen(tb, dir) },
			Damage: func(ref blob.Ref, change func([]byte) []byte) {
				path := filepath.Join(dir, filepath.FromSlash(ref.Path()))
				content, err := os.ReadFile(path)
				if err == nil {
					err = os.WriteFile(path, change(content), 0o600)
				}
				if err != nil {
					tb.Fatal(err)
				}
			},
			Now: time.Now,
		}
	})
}
