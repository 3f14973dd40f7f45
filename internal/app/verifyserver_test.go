package app_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
	"guiche/internal/postgres/postgrestest"
)

// TestVerifyServer_Files: each file that rows on a server name is read, wherever files are kept.
func TestVerifyServer_Files(t *testing.T) {
	t.Parallel()
	t.Run("Folder", func(t *testing.T) {
		t.Parallel()
		p := apptest.Start(t, apptest.Options{Database: postgrestest.Database(t)})
		checkVerifiesFiles(t, p, func() map[string]string {
			found, _ := filepath.Glob(filepath.Join(p.DataDir, "desk", "blobs", "??", "*"))
			all := map[string]string{}
			for _, path := range found {
				all[filepath.Base(path)] = path
			}
			return all
		})
	})
	t.Run("Bucket", func(t *testing.T) {
		t.Parallel()
		bucket := s3test.Start(t)
		if bucket == nil {
			return
		}
		p := apptest.Start(t, apptest.Options{Database: postgrestest.Database(t), Configure: inBucket(bucket)})
		checkVerifiesFiles(t, p, func() map[string]string { return objects(t, bucket, "desk") })
	})
}

// checkVerifiesFiles: of a file that is gone and of one that holds other bytes the name is told. stored are
// those of the desk, by name.
func checkVerifiesFiles(t *testing.T, p *apptest.Server, stored func() map[string]string) {
	t.Helper()
	submitWithFile(t, p.LogIn(t, apptest.Reception), apptest.PDF(300_000))
	p.Stop()
	r, err := app.VerifyServer(t.Context(), p.Config, false)
	if err != nil || !r.Whole() || len(r.Unchecked) != 0 || r.Blobs < 2 {
		t.Fatalf("before: %+v, %v", r, err)
	}
	files := stored()
	refs := slices.Sorted(maps.Keys(files))
	if len(refs) < 2 {
		t.Fatalf("%d files, want some to harm", len(refs))
	}
	if err := os.Remove(files[refs[0]]); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[refs[1]], []byte("%PDF other bytes"), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err = app.VerifyServer(t.Context(), p.Config, false)
	told := strings.Join(r.Damage, "\n")
	if err != nil || len(r.Damage) != 2 || !strings.Contains(told, refs[0]) || !strings.Contains(told, refs[1]) {
		t.Errorf("got %+v, %v, want two files damaged", r, err)
	}
	if r, err = app.VerifyServer(t.Context(), p.Config, true); err != nil || !r.Whole() || r.Blobs != 0 || len(r.Unchecked) != 1 {
		t.Errorf("rows only: %+v, %v", r, err)
	}
}

// TestVerifyServer_Elsewhere: where nobody says how the files are reached that is told, and is no damage.
func TestVerifyServer_Elsewhere(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Empty: true, Database: postgrestest.Database(t)})
	p.Stop()
	c := p.Config
	c.DataDir, c.Keys = t.TempDir(), filepath.Join(p.DataDir, "keys")
	r, err := app.VerifyServer(t.Context(), c, false)
	if err != nil || !r.Whole() || len(r.Unchecked) == 0 || !strings.Contains(r.Unchecked[0], "GUICHE_BLOBS") {
		t.Errorf("got %+v, %v", r, err)
	}
}
