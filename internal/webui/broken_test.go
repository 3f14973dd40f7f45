package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestServer_BrokenData: where a table cannot be read, what needs it fails with
// the page of a failure, an id that stands in the log, and none of the database's
// words; what does not need it goes on.
func TestServer_BrokenData(t *testing.T) {
	t.Parallel()
	const reception, administration = apptest.Reception, apptest.Administration
	for _, tt := range []struct {
		table, role string
		fail, stand []string // of GET, or of POST after a "!"
	}{
		{"care_unit", reception, []string{"/nova", "/fila", "/ajuda", "/historico", "/conta"}, []string{"/healthz"}},
		{"care_unit", administration, []string{"/cadastros/unidades", "/cadastros", "/pessoas", "/pessoas/nova", "!/pessoas/nova",
			"/cadastros/sincronizar"}, []string{"/healthz"}},
		{"professional", administration, []string{"/cadastros/executantes", "/cadastros"}, []string{"/pessoas", "/cadastros/unidades"}},
		{"procedure", administration, []string{"/cadastros/procedimentos", "/cadastros", "!/cadastros/procedimentos"},
			[]string{"/pessoas", "/cadastros/unidades"}},
		{"credential", administration, []string{"/cadastros/credenciais", "/cadastros", "!/cadastros/credenciais/atualizar"},
			[]string{"/pessoas"}},
		{"draft", reception, []string{"/fila", "!/nova/01a1fd53-a165-77ef-a4fa-dae39f9cda2f",
			"/nova/01a1fd53-a165-77ef-a4fa-dae39f9cda2f"}, []string{"/nova", "/historico"}},
		{"submission", reception, []string{"/casos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f"}, []string{"/ajuda", "/fila", "/historico"}},
		{"case_summary", reception, []string{"/historico"}, []string{"/ajuda", "/fila"}},
		{"queue_case", reception, []string{"/fila"}, []string{"/ajuda", "/historico"}},
		{"audit_entry", administration, []string{"/auditoria", "!/auditoria/conferir"}, []string{"/pessoas"}},
		{"connection", administration, []string{"/servico/conexao"}, []string{"/pessoas"}},
		{"person", reception, []string{"/fila", "/entrar"}, nil},
		{"session", reception, []string{"/fila", "/conta"}, nil},
		{"outage", reception, []string{"/fila"}, []string{"/healthz"}},
	} {
		t.Run(tt.table+"/"+tt.role, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, apptest.Options{})
			client, admin := server.LogIn(t, tt.role), server.LogIn(t, administration)
			server.Exec(t, `PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON; ALTER TABLE `+tt.table+` RENAME TO out_of_reach`)
			admin.Post("/cadastros/unidades/nova", map[string][]string{"nome": {"Sede"}}) // so that what is kept is read again
			ask := func(path string) *apptest.Page {
				if post, ok := strings.CutPrefix(path, "!"); ok {
					return client.Post(post, map[string][]string{"versao": {"0"}, "nomeBeneficiario": {"Helena"},
						"unidades": {"01a1fd53-a165-77ef-a4fa-dae39f9cda2f"}})
				}
				return client.Get(path)
			}
			for _, path := range tt.fail {
				got := ask(path)
				if got.Status != http.StatusInternalServerError && got.Status != http.StatusServiceUnavailable {
					t.Errorf("%s: got %d, want a failure", path, got.Status)
					continue
				}
				id := got.Text("main .code")
				if id == "" || id != got.Header.Get("X-Request-Id") || !server.Log.Contains(id) || got.Text("h1") == "" {
					t.Errorf("%s: the page %q shows the id %q", path, got.Text("h1"), id)
				}
				if body := string(got.Body); strings.Contains(body, tt.table) || strings.Contains(body, "SQL") || strings.Contains(body, "sqlite") {
					t.Errorf("%s: the page quotes the database", path)
				}
			}
			for _, path := range tt.stand {
				if got := ask(path); got.Status != http.StatusOK {
					t.Errorf("%s: got %d, want it to go on", path, got.Status)
				}
			}
		})
	}
}
