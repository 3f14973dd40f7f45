package app_test

import (
	"slices"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/backup"
)

// TestBackup_SharedFolder: two installations with one folder of backups remove none of each other's.
func TestBackup_SharedFolder(t *testing.T) {
	t.Parallel()
	one, other, folder := apptest.Start(t, apptest.Options{}), apptest.Start(t, apptest.Options{}), t.TempDir()
	settings := app.Backups{Folder: folder, Keep: 1}
	for _, p := range []*apptest.Server{one, other} {
		p.LogIn(t, apptest.Reception)
		mustBackUp(t, p, settings)
	}
	for _, p := range []*apptest.Server{one, other, one} {
		before, err := backup.IDs(folder)
		r := mustBackUp(t, p, settings)
		after, errAfter := backup.IDs(folder)
		if err != nil || errAfter != nil || r.Removed != 1 || len(after) != 2 {
			t.Fatalf("got %q, %v, %v, %d removed, want one of each", after, err, errAfter, r.Removed)
		}
		gone := slices.DeleteFunc(before, func(id string) bool { return slices.Contains(after, id) })
		if len(gone) != 1 || slices.Index(before, gone[0]) != 0 {
			t.Errorf("%q went of %q, want its own one", gone, before)
		}
	}
	if report := mustVerify(t, folder, ""); !report.Whole() {
		t.Errorf("got %q", report.Damage)
	}
}
