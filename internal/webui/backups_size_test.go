package webui_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestBackups_Sizes: how large a backup is stands in the unit that people read it in.
func TestBackups_Sizes(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	sizes := []int64{0, 999_000, 1_000_000, 600_000_000, 5_432_100_000, 2_700_000_000_000, 3_000_000_000_000_000}
	for _, bytes := range sizes {
		server.Exec(t, `INSERT INTO backup_run (at, name, bytes, encrypted, missing, failure, verified_at, damage)
			VALUES (?1, '2026-11-20T150000Z', ?2, 0, 0, '', ?1, 0)`, int64(1795186800000000), bytes)
	}
	want := []string{"3000,0 TB", "2,7 TB", "5,4 GB", "600,0 MB", "1,0 MB", "999,0 kB", "0,0 kB"} // the newest first
	if got := rui.Get("/copias").Texts("#copias tbody td:nth-child(4)"); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestBackups_One: one backup that stays, and one day that addresses stay, are not told as several.
func TestBackups_One(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Backups = app.Backups{Folder: t.TempDir(), Keep: 1}
		c.AuditAddressLife = 24 * time.Hour
	}})
	rui := server.LogIn(t, apptest.Administration)
	rui.Get("/copias").Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{".facts": "só a mais nova"}})
	rui.Get("/auditoria").Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"main": "apagados depois de 1 dia;"}})
}
