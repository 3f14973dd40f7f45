package e2e_test

import (
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
)

// TestPages_Bucket pictures what people see while the bucket of files is out of reach, and what
// administração sees of files that are gone from it.
func TestPages_Bucket(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	if server == nil {
		return
	}
	folder := t.TempDir()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Blobs = app.Blobs{Place: server.Place(), Key: s3test.Key, Secret: s3test.Secret}
		c.Backups = app.Backups{Folder: folder, Keep: 30}
	}})
	ana, rui := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Administration)
	sent := ana.Submit(ana.NewDraft())
	apptest.Eventually(t, "a backup is made", func() bool { return rui.Get("/copias").Has("#copias") })
	desk, gone := server.File("guiche/desk/blobs"), 0
	apptest.Eventually(t, "the guide is in the bucket alone", func() bool {
		left, err := filepath.Glob(filepath.Join(p.DataDir, "desk", "blobs", "??", "*"))
		entries, _ := os.ReadDir(desk)
		return err == nil && len(left) == 0 && len(entries) > 0
	})
	server.Fail(s3test.Answer(http.StatusServiceUnavailable, "SlowDown"))
	b := MustBrowse(t, p)
	b.logIn(apptest.Reception)
	b.open(sent.Path)
	b.look("caso-deposito-fora")
	server.Fail(nil)
	err := filepath.WalkDir(desk, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			gone, err = gone+1, os.Remove(path)
		}
		return err
	})
	if err != nil || gone == 0 {
		t.Fatalf("%d removed, %v", gone, err)
	}
	apptest.Eventually(t, "it is back", func() bool { return p.Client(t).Get("/readyz").Status == http.StatusOK })
	ana.Get(sent.Path)
	b = MustBrowse(t, p)
	b.logIn(apptest.Administration)
	b.open("/copias")
	b.look("copias-deposito")
	apptest.Eventually(t, "it is known", func() bool {
		ana.Get(sent.Path)
		return rui.Get("/integridade").Has("#danos")
	})
	b.open("/integridade")
	b.look("integridade-deposito")
}
