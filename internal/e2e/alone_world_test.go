package e2e_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
)

// MustRunAlone starts the service alone, with simulated operators and a person of
// each role.
func MustRunAlone(t testing.TB, change ...func(*app.Config)) *program {
	t.Helper()
	var config app.Config
	p := MustOpenAlone(t, append(change, func(c *app.Config) { config = *c })...)
	if config.PublicURL != "" {
		p.url = "http://" + p.address() // the public address is a proxy's
	}
	for _, l := range []app.Login{{Role: "recepcao", User: "ana"}, {Role: "supervisao", User: "celia"}, {Role: "administracao", User: "rui"}} {
		l.Password = travelPassword
		p.join(t, config, l)
	}
	return p
}

// MustOpenAlone starts the service alone, with whom the folder knows.
func MustOpenAlone(t testing.TB, change ...func(*app.Config)) *program {
	t.Helper()
	return MustStart(t, app.Config{Simulated: true}, change, func(ctx context.Context, c app.Config) (installation, []app.Login, error) {
		a, err := app.NewStandalone(ctx, c)
		return a, nil, err
	})
}

// join adds a person with a role and lets her in.
func (p *program) join(t testing.TB, c app.Config, l app.Login) {
	t.Helper()
	p.logins = append(p.logins, l)
	link, err := app.AddPerson(t.Context(), c, app.NewPerson{Login: l.User, Name: "Pessoa " + l.User, Roles: []string{l.Role}})
	if err != nil {
		t.Fatal(err)
	}
	if got := MustVisit(t, p, "").post(link, url.Values{"senha": {l.Password}, "senha2": {l.Password}}); got.status != http.StatusOK {
		t.Fatalf("activate %s: %d", l.User, got.status)
	}
}

// MustReadKey returns the key in service.json, which is there once the program
// answers.
func MustReadKey(t testing.TB, folder string) string {
	t.Helper()
	var file struct {
		Key string `json:"api_key"`
	}
	content, err := os.ReadFile(filepath.Join(folder, "service.json"))
	if err != nil || json.Unmarshal(content, &file) != nil || file.Key == "" {
		t.Fatalf("service.json: %v", err)
	}
	return file.Key
}

// requestByKey authorizes something, so that the ledger has an entry.
func (w *world) requestByKey() {
	w.t.Helper()
	if got := MustCall(w.t, w.admin.p, "x-api-key", MustReadKey(w.t, w.config.DataDir)).authorize(); got != http.StatusOK {
		w.t.Fatalf("authorize: %d", got)
	}
}

// authorize asks for a procedure with what the service's directory hold, and
// returns the status.
func (c partner) authorize() int {
	c.t.Helper()
	return c.ask(c.request())
}

// ask sends a request for an authorization and returns the status.
func (c partner) ask(request map[string]any) int {
	c.t.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		c.t.Fatal(err)
	}
	status, _ := c.send(http.MethodPost, "/api/v2/autorizar/sp-sadt", "application/json", string(body))
	return status
}

// request is one that names the first of everything that the directory hold.
func (c partner) request() map[string]any {
	c.t.Helper()
	first := func(path string) map[string]any {
		status, body := c.send(http.MethodGet, path, "", "")
		data, _ := body["data"].(map[string]any)
		items, _ := data["items"].([]any)
		if status != http.StatusOK || len(items) == 0 {
			c.t.Fatalf("GET %s: %d", path, status)
		}
		return items[0].(map[string]any)
	}
	credential, unit, professional := first("/api/v2/credenciais"), first("/api/v2/unidades"), first("/api/v2/profissionais-executantes")
	return map[string]any{
		"credencialId": credential["id"], "numeroCarteira": "0310004512063345", "nomeBeneficiario": "Helena Duarte",
		"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"unidadeId": unit["id"], "pontoAtendimentoId": unit["pontosAtendimento"].([]any)[0].(map[string]any)["id"],
		"profissionalExecutanteId":  professional["id"],
		"especialidadeExecutanteId": professional["especialidades"].([]any)[0].(map[string]any)["id"],
		"procedimentos":             []any{map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1}},
	}
}

// tabs are the addresses of the lintel, in their order.
func (a answer) tabs() string {
	a.t.Helper()
	return strings.Join(a.doc().Find(".tabs a").Map(func(_ int, s *selection) string { return s.AttrOr("href", "") }), " ")
}

// menu are the addresses of the person's menu, in their order.
func (a answer) menu() string {
	a.t.Helper()
	return strings.Join(a.doc().Find(".menu a").Map(func(_ int, s *selection) string { return s.AttrOr("href", "") }), " ")
}
