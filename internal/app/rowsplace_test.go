package app_test

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/permission"
	"guiche/internal/postgres/postgrestest"
)

// TestRowsPlace: a data folder whose rows are elsewhere than the settings say is refused and stays as it is. Its files,
// which no other rows name, would be swept.
func TestRowsPlace(t *testing.T) {
	t.Parallel()
	url := postgrestest.Database(t)
	for name, tt := range map[string]struct {
		database string // of the installation
		turn     func(c *app.Config)
		says     string
	}{
		"ToServer":   {"", func(c *app.Config) { c.Database.URL = url }, "guiche copy"},
		"FromServer": {postgrestest.Database(t), func(c *app.Config) { c.Database = app.Database{} }, "are in PostgreSQL"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{Database: tt.database})
			sent := submitWithFile(t, p.LogIn(t, apptest.Reception), apptest.PDF(3000))
			p.Stop()
			before, c := contentsOf(t, p.DataDir), p.Config
			tt.turn(&c)
			if err := startError(t, c); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %v, want %q", err, tt.says)
			}
			_, err := app.AddPerson(t.Context(), c, app.NewPerson{Login: "lia", Name: "Lia", Roles: []string{string(permission.Reception)}})
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("a person: got %v, want %q", err, tt.says)
			}
			if !maps.Equal(before, contentsOf(t, p.DataDir)) {
				t.Error("the folder is not as it was")
			}
			p.Restart(nil)
			if guide := guideOf(t, p.LogIn(t, apptest.Reception), sent.Path); guide.Status != http.StatusOK {
				t.Errorf("the guide afterwards: %d", guide.Status)
			}
		})
	}
}

// TestRowsPlace_Empty: files beside a database that nobody has used yet are those of another, and stay.
func TestRowsPlace_Empty(t *testing.T) {
	t.Parallel()
	removed := func(half, name string) func(t *testing.T, c *app.Config) {
		return func(t *testing.T, c *app.Config) {
			t.Helper()
			for _, ext := range []string{"", "-wal", "-shm"} {
				if err := os.RemoveAll(filepath.Join(c.DataDir, half, name+ext)); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	for name, tt := range map[string]struct {
		database string // of the installation
		turn     func(t *testing.T, c *app.Config)
		says     string
	}{
		"Folder":  {"", removed("desk", "guiche.db"), "desk/blobs has files"},
		"Service": {"", removed("service", "service.db"), "service/blobs has files"},
		"Server": {postgrestest.Database(t), func(t *testing.T, c *app.Config) {
			t.Helper()
			c.Database.URL = postgrestest.Database(t)
		}, "desk/blobs has files"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{Database: tt.database})
			submitWithFile(t, p.LogIn(t, apptest.Reception), apptest.PDF(3000))
			p.Stop()
			half, _, _ := strings.Cut(tt.says, " ")
			blobs, c := filepath.Join(p.DataDir, filepath.FromSlash(half)), p.Config
			before := contentsOf(t, blobs)
			tt.turn(t, &c)
			for range 2 { // the first one made the empty database
				if err := startError(t, c); err == nil || !strings.Contains(err.Error(), tt.says) {
					t.Errorf("got %v, want %q", err, tt.says)
				}
			}
			if after := contentsOf(t, blobs); !maps.Equal(before, after) {
				t.Errorf("got %d files, want %d", len(after), len(before))
			}
		})
	}
}
