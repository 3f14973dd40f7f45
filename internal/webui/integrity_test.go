package webui_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// MustHarm changes one byte of the desk's files that one asked for has in it, and returns
// the file and its content from before.
func MustHarm(t *testing.T, server *apptest.Server, holds string) (path string, whole []byte) {
	t.Helper()
	found, _ := filepath.Glob(filepath.Join(server.DataDir, "desk", "blobs", "??", "*"))
	for _, path := range found {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(string(whole), holds) {
			harmed := append([]byte(nil), whole...)
			harmed[len(harmed)/2]++
			if err := os.WriteFile(path, harmed, 0o600); err != nil {
				t.Fatal(err)
			}
			return path, whole
		}
	}
	t.Fatalf("no file of %d begins with %q", len(found), holds)
	return "", nil
}

// TestIntegrity_Guide: a damaged guide is shown to nobody, its case says so, and
// administração is told once, with the copy that can take its place.
func TestIntegrity_Guide(t *testing.T) {
	t.Parallel()
	backups := t.TempDir()
	server := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC), Configure: func(c *app.Config) {
		c.Backups = app.Backups{Folder: backups, Keep: 2}
	}})
	ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	answered := ana.Submit(ana.NewDraft())
	MustSay(t, rui, "sem danos.") // the first backup is made
	rui.Get("/integridade").Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"#estado": "Nenhum dano é conhecido."},
		Count: map[string]int{"#danos": 0}})
	MustSay(t, rui, "sem danos.") // that of the start; only one is made at a time
	if _, err := app.MakeBackup(t.Context(), server.Config, app.Backups{Folder: backups}); err != nil {
		t.Fatal(err)
	}
	path, whole := MustHarm(t, server, "%PDF")

	for range 2 {
		guide := ana.Get(answered.Path + "/guias/0?baixar")
		guide.Check(t, apptest.Want{Status: http.StatusInternalServerError,
			Text: map[string]string{"main": "não está no Guichê como foi guardado"}})
		if strings.Contains(string(guide.Body), "%PDF") {
			t.Error("bytes of a damaged guide were served")
		}
	}
	ana.Get(answered.Path).Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{"#guias .file-warning": "danificado", "#veredito": "A guia em PDF está danificada",
			"#caso .btn-primary": "Ver aviso da guia"},
		Count: map[string]int{"#guias iframe": 0, "#guias a[download]": 0, "#caso .btn-primary[autofocus][href='#guias']": 1,
			"#caso .btn:contains('Imprimir')": 0}})
	page := rui.Get("/integridade")
	page.Check(t, apptest.Want{Status: http.StatusOK,
		Text:  map[string]string{"#estado": "1 item guardado está danificado.", "#danos": "Copie-a para onde o arquivo estava"},
		Count: map[string]int{"#danos tbody tr": 1, ".banner:contains('danificado')": 0}})
	rui.Get("/pessoas").Check(t, apptest.Want{Text: map[string]string{".banner": "danificado"},
		Count: map[string]int{".banner a[href='/integridade']": 1}})
	name := filepath.Base(path)
	if copied := filepath.Join(backups, "blobs", name[:2], name); !strings.Contains(page.Text("#danos"), copied) ||
		!strings.Contains(page.Text("#danos"), path) {
		t.Errorf("got %q, want the copy %s and the place %s", page.Text("#danos"), copied, path)
	}
	if n := count(server.Trail(t), "dano.encontrado caso"); n != 1 {
		t.Errorf("the trail tells of it %d times, want once", n)
	}

	rui.Post("/integridade/conferir", nil).Check(t, apptest.Want{Count: map[string]int{"#danos tbody tr": 1}})
	if err := os.WriteFile(path, whole, 0o600); err != nil {
		t.Fatal(err)
	}
	rui.Post("/integridade/conferir", nil).Check(t, apptest.Want{Count: map[string]int{"#danos": 0, ".banner a[href='/integridade']": 0}})
	ana.Get(answered.Path+"/guias/0").Check(t, apptest.Want{Status: http.StatusOK})
	if n := count(server.Trail(t), "dano.sanado"); n != 1 {
		t.Errorf("the trail tells %d times that it is mended, want once", n)
	}
}

// TestIntegrity_Case: a case whose row was changed past the program is shown to nobody, the
// lists go on without it, and administração is told which row of which case it is.
func TestIntegrity_Case(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	bad, good := ana.Submit(ana.NewDraft()), ana.Submit(ana.NewDraft())
	server.Exec(t, `DROP TRIGGER submission_no_update`)
	server.Exec(t, `UPDATE submission SET card_number = '1' || card_number WHERE id = 1`)

	ana.Get(bad.Path).Check(t, apptest.Want{Status: http.StatusInternalServerError,
		Text: map[string]string{"main": "Fale com a administração"}, Count: map[string]int{"main a.btn-primary[href='/fila']": 1}})
	ana.Get(good.Path).Check(t, apptest.Want{Status: http.StatusOK})
	ana.Get("/fila").Check(t, apptest.Want{Count: map[string]int{
		"main tbody tr:contains('danificado') td:nth-child(2) p:not([hidden])": 0}})
	apptest.Eventually(t, "administração is told", func() bool {
		return strings.Contains(rui.Get("/integridade").Text("#danos"), "submission 1")
	})
	for _, list := range []string{"/fila", "/historico"} {
		page := ana.Get(list)
		page.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"main tbody tr:contains('danificado')": 1}})
		if !page.Has("main a[href='"+bad.Path+"']") || !page.Has("main a[href='"+good.Path+"']") {
			t.Errorf("%s: got %q, want both cases", list, page.Text("main"))
		}
	}
	if told := rui.Get("/integridade").Text("#danos"); !strings.Contains(told, filepath.Base(bad.Path)) {
		t.Errorf("got %q, want the case", told)
	}
	if n := count(server.Trail(t), "dano.encontrado caso"); n != 1 {
		t.Errorf("the trail tells of it %d times, want once", n)
	}
}

// TestIntegrity_Start: damage that nobody has read yet is found from a start on, in rows and
// in files, and guiche verify finds it, too.
func TestIntegrity_Start(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	ana.Submit(ana.NewDraft())
	apptest.Eventually(t, "all was checked", func() bool {
		return strings.Contains(server.LogIn(t, apptest.Administration).Get("/integridade").Text("main"), "conferido por inteiro")
	})
	server.Stop()
	server.Exec(t, `DROP TRIGGER authorization_no_update`)
	server.Exec(t, `UPDATE authorization SET password = password || '1'`)
	path, _ := MustHarm(t, server, "%PDF")
	report, err := app.Verify(t.Context(), app.Config{}, server.DataDir, "")
	if err != nil {
		t.Fatal(err)
	}
	if told := strings.Join(report.Damage, "\n"); !strings.Contains(told, "desk/guiche.db: authorization 1") ||
		!strings.Contains(told, filepath.Base(path)) {
		t.Errorf("verify: got %q, want the row and the file", told)
	}
	server.Restart(nil)
	rui := server.LogIn(t, apptest.Administration)
	apptest.Eventually(t, "both are found", func() bool {
		told := rui.Get("/integridade").Text("#danos")
		return strings.Contains(told, "authorization 1") && strings.Contains(told, filepath.Base(path))
	})
}

// TestIntegrity_Words: an index of words that is damaged is made anew as soon as somebody needs it, for
// a search or for a request of somebody new; who came too early may do the same again.
func TestIntegrity_Words(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	sent := ana.Submit(ana.NewDraft())
	address, form := ana.NewDraft()
	ana.Post(address+"/revisar", apptest.With(form, map[string]string{"nomeBeneficiario": "Outra Pessoa", "numeroCarteira": "99990100002"}))
	for table, act := range map[string]func() *apptest.Page{
		"history_text": func() *apptest.Page { return ana.Post("/historico", url.Values{"texto": {"Beneficiária"}}) },
		"known_text":   func() *apptest.Page { return ana.Post(address+"/enviar", nil) },
	} {
		server.Exec(t, `UPDATE `+table+`_data SET block = X'ffffffffffffffffffffffff' WHERE id > 0`)
		apptest.Eventually(t, "it is made anew", func() bool {
			page := act()
			if page.Status == http.StatusServiceUnavailable {
				page.Check(t, apptest.Want{Text: map[string]string{"main": "Tente de novo"}})
			}
			return page.Status == http.StatusOK
		})
		if !server.Log.Contains(`"table":"` + table + `"`) {
			t.Errorf("the log does not tell of %s", table)
		}
	}
	found := ana.Post("/historico", url.Values{"texto": {"Beneficiária"}})
	if !found.Has("main a[href='" + sent.Path + "']") {
		t.Errorf("got %q, want the case", found.Text("main"))
	}
}

// TestIntegrity_LostCase: a case of which the lists alone are left is told with its address, and no longer once it is back.
func TestIntegrity_LostCase(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	lost := ana.Submit(ana.NewDraft())
	server.Stop()
	for _, statement := range []string{`DROP TRIGGER submission_state_no_delete`, `DROP TRIGGER submission_state_begins`,
		`CREATE TABLE gone AS SELECT * FROM submission_state`, `DELETE FROM submission_state`} {
		server.Exec(t, statement)
	}
	server.Restart(nil)
	ana, rui := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Administration)
	apptest.Eventually(t, "administração is told", func() bool {
		told := rui.Get("/integridade").Text("#danos")
		return strings.Contains(told, "case 1") && strings.Contains(told, filepath.Base(lost.Path))
	})
	ana.Get("/historico").Check(t, apptest.Want{Count: map[string]int{"main tbody tr:contains('danificado')": 1}})
	ana.Get(lost.Path).Check(t, apptest.Want{Status: http.StatusInternalServerError,
		Text: map[string]string{"main": "Fale com a administração"}})
	server.Exec(t, `INSERT INTO submission_state SELECT * FROM gone`)
	rui.Post("/integridade/conferir", nil).Check(t, apptest.Want{Count: map[string]int{"#danos": 0}})
	ana.Get(lost.Path).Check(t, apptest.Want{Status: http.StatusOK})
}
