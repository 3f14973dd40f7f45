package webui_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

const noticeOfBackups = "#estado p"

// MustSay waits until the page of backups says something.
func MustSay(t *testing.T, rui *apptest.Client, words string) *apptest.Page {
	t.Helper()
	var page *apptest.Page
	apptest.Eventually(t, "the page says "+words, func() bool {
		page = rui.Get("/copias")
		return strings.Contains(page.Text("main"), words)
	})
	return page
}

// TestBackups: the server makes a backup at its start, when one is due and when asked for,
// checks each, and the page says so.
func TestBackups(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	server := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC), Configure: func(c *app.Config) {
		c.Backups = app.Backups{Folder: folder, Keep: 2}
	}})
	rui := server.LogIn(t, apptest.Administration)
	MustSay(t, rui, "sem danos.").Check(t, apptest.Want{Status: http.StatusOK,
		Text:  map[string]string{noticeOfBackups: "Última cópia: hoje, 12:00.", ".facts": "as 2 mais novas", "#copias tbody": "Feita"},
		Count: map[string]int{"#copias tbody tr": 1}})
	rui.Get("/auditoria").Check(t, apptest.Want{Text: map[string]string{"main": "Cópia de segurança feita"},
		Count: map[string]int{"a[href='/copias']": 1}})
	t.Run("Asked", func(t *testing.T) {
		server.Clock.Advance(time.Minute)
		rui.Post("/copias/fazer", nil)
		MustSay(t, rui, "hoje, 12:01")
	})
	t.Run("Damaged", func(t *testing.T) {
		ana := server.LogIn(t, apptest.Reception)
		ana.Submit(ana.NewDraft())
		server.Clock.Advance(time.Minute)
		rui.Post("/copias/fazer", nil)
		MustSay(t, rui, "hoje, 12:02")
		blobs, _ := filepath.Glob(filepath.Join(folder, "blobs", "*", "*"))
		if len(blobs) == 0 {
			t.Fatal("no blob was copied")
		}
		if err := os.WriteFile(blobs[0], []byte(strings.Repeat("x", int(MustStat(t, blobs[0])))), 0o600); err != nil {
			t.Fatal(err)
		}
		server.Clock.Advance(time.Minute)
		rui.Post("/copias/fazer", nil)
		MustSay(t, rui, "1 dano, ").Check(t, apptest.Want{Text: map[string]string{noticeOfBackups: "não deu certo"}})
		server.Clock.Advance(time.Minute)
		rui.Post("/copias/fazer", nil)
		MustSay(t, rui, "hoje, 12:04").Check(t, apptest.Want{Text: map[string]string{noticeOfBackups: "sem danos"}})
	})
	t.Run("Missing", func(t *testing.T) {
		server.Exec(t, `PRAGMA busy_timeout = 10000; UPDATE backup_run SET missing = 2 WHERE id = (SELECT MAX(id) FROM backup_run)`)
		rui.Get("/copias").Check(t, apptest.Want{Text: map[string]string{noticeOfBackups: "2 arquivos já faltavam na instalação."},
			Count: map[string]int{"#estado.tone-attention": 1}})
	})
	t.Run("Refused", func(t *testing.T) {
		server.LogIn(t, apptest.Supervision).Get("/copias").Check(t, apptest.Want{Status: http.StatusForbidden})
	})
}

// TestBackups_ByHand: a backup that somebody makes elsewhere puts off none of the server's own.
func TestBackups_ByHand(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	server := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC), Configure: func(c *app.Config) {
		c.Backups.Folder = folder
	}})
	MustSay(t, server.LogIn(t, apptest.Administration), "sem danos.")
	server.Clock.Advance(23 * time.Hour)
	if _, err := app.MakeBackup(t.Context(), server.Config, app.Backups{Folder: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	server.Clock.Advance(time.Hour)
	server.Restart(nil)
	apptest.Eventually(t, "the server makes that of the next day", func() bool {
		made, err := filepath.Glob(filepath.Join(folder, "2026-11-21T*"))
		return len(made) == 1 && err == nil
	})
}

// MustStat is the size of a file.
func MustStat(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestBackups_Failed says why there is none.
func TestBackups_Failed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Backups.Folder = filepath.Join(file, "copias") }})
	rui := server.LogIn(t, apptest.Administration)
	MustSay(t, rui, "A pasta de cópias não pôde ser lida ou escrita.").Check(t, apptest.Want{
		Text: map[string]string{noticeOfBackups: "Não há cópia em que confiar.", "#copias": "Não foi feita"}})
}

// TestBackups_OnlyFailures: what is said of runs that made no whole backup does not speak of
// one that there is, and does not depend on how many there were.
func TestBackups_OnlyFailures(t *testing.T) {
	t.Parallel()
	planned := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC), Configure: func(c *app.Config) {
		c.Backups = app.Backups{Folder: t.TempDir(), Keep: 2}
	}})
	byHand := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)})
	const more = `INSERT INTO backup_run (at, name, bytes, encrypted, missing, failure, verified_at, damage) `
	const now = `1795186800000000` // 2026-11-20 12:00
	run := func(failure string) string {
		return more + `VALUES (` + now + `, '', 0, 0, 0, '` + failure + `', 0, 0);`
	}
	whole := more + `VALUES (` + now + `, '2026-11-20T150000Z', 9, 0, 0, '', ` + now + `, 0);`
	damaged := more + `VALUES (` + now + `, '2026-11-20T150000Z', 9, 0, 0, '', ` + now + `, 3);`
	for name, tt := range map[string]struct {
		runs       string
		want, lack []string
		rows       int
	}{
		"Damaged": {run("danificada"), []string{"Não há cópia em que confiar.", "O banco de dados da instalação está danificado."},
			[]string{"anterior", "A última inteira"}, 1},
		"NoSpace":  {run("sem_espaco"), []string{"Não há cópia em que confiar.", "Falta espaço"}, []string{"A última inteira"}, 1},
		"BadCopy":  {damaged, []string{"Não há cópia em que confiar.", "A cópia está danificada"}, []string{"A última inteira"}, 1},
		"Busy":     {run("ocupada"), []string{"Outra cópia está sendo feita."}, []string{"confiar", "estava"}, 1},
		"BusyLast": {whole + run("ocupada"), []string{"Última cópia: hoje, 12:00", "sem danos"}, []string{"não deu certo"}, 2},
		"DamagedSince": {whole + run("danificada"), []string{"não deu certo", "A última inteira é de hoje, 12:00", "guiche restore"},
			nil, 2},
		"Many": {whole + strings.Repeat(run("pasta"), 50), []string{"não deu certo", "A última inteira é de hoje, 12:00"},
			[]string{"confiar"}, 31},
	} {
		for kind, server := range map[string]*apptest.Server{"Planned": planned, "ByHand": byHand} {
			t.Run(name+kind, func(t *testing.T) {
				rui := server.LogIn(t, apptest.Administration)
				if kind == "Planned" {
					MustSay(t, rui, "sem danos.")
				}
				server.Exec(t, `PRAGMA busy_timeout = 10000; BEGIN IMMEDIATE; CREATE TABLE was AS SELECT * FROM backup_run;
					DELETE FROM backup_run; `+tt.runs+`COMMIT`)
				defer server.Exec(t, `BEGIN IMMEDIATE; DELETE FROM backup_run; INSERT INTO backup_run SELECT * FROM was; DROP TABLE was; COMMIT`)
				page := rui.Get("/copias")
				told := page.Text(noticeOfBackups)
				for _, want := range tt.want {
					if !strings.Contains(told, want) {
						t.Errorf("got %q, want %q", told, want)
					}
				}
				for _, lack := range tt.lack {
					if strings.Contains(told, lack) {
						t.Errorf("got %q, want nothing of %q", told, lack)
					}
				}
				if got := page.Count("#copias tbody tr"); got != tt.rows {
					t.Errorf("got %d rows, want %d", got, tt.rows)
				}
			})
		}
	}
}

// TestBackups_None says that nothing is copied, until somebody does it by hand.
func TestBackups_None(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Standalone: true})
	rui := server.LogIn(t, apptest.Administration)
	rui.Get("/copias").Check(t, apptest.Want{Text: map[string]string{noticeOfBackups: "Nenhuma cópia é feita."},
		Count: map[string]int{"form[action='/copias/fazer']": 0}})
	rui.Post("/copias/fazer", nil).Check(t, apptest.Want{Text: map[string]string{"main": "Nenhuma cópia"}})
	if _, err := app.MakeBackup(t.Context(), server.Config, app.Backups{Folder: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	rui.Get("/copias").Check(t, apptest.Want{
		Text: map[string]string{noticeOfBackups: "Ainda não foi conferida.", "#copias": "não conferida"}})
}
