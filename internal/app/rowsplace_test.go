package app_test

import (
	"maps"
	"net/http"
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
