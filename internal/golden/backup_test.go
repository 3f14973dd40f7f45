package golden_test

import (
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
)

// TestGolden_Backup copies the first release's folder as it is, without bringing it up to
// date, and restores the copy with this version.
func TestGolden_Backup(t *testing.T) {
	t.Parallel()
	folder, to := MustRestore(t), t.TempDir()
	_, err := app.MakeBackup(t.Context(), app.Config{DataDir: folder}, app.Backups{Folder: to})
	must(t, err)
	r, err := app.Verify(t.Context(), app.Config{}, to, "")
	must(t, err)
	if !r.Whole() || r.Blobs == 0 || !strings.Contains(strings.Join(r.Unchecked, " "), "outra versão") {
		t.Errorf("got damage %q, unchecked %q, %d blobs", r.Damage, r.Unchecked, r.Blobs)
	}
	data := filepath.Join(t.TempDir(), "data")
	_, err = app.Restore(t.Context(), app.Config{DataDir: data}, app.Restoration{From: to, Keys: filepath.Join(folder, "keys")})
	must(t, err)
	if r, err = app.Verify(t.Context(), app.Config{}, data, ""); err != nil || !r.Whole() || len(r.Unchecked) > 0 {
		t.Errorf("restored: got %q, %q, %v", r.Damage, r.Unchecked, err)
	}
}
