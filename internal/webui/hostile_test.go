package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// hostile are texts that break what does not expect them: quotes, markup, control
// and invisible characters, and bytes that are no text.
var hostile = []string{
	`'; DROP TABLE draft; --`, `"><script>alert(1)</script>`, "</textarea><b>", "\u202e\u2066\u200b\ufeff",
	"👩🏽\u200d⚕️🇧🇷e\u0301\U0010ffff",
	"\x00\x1b[31m\x7f", "\r\n\t\u2028", "%00%s%n{{.}}${7*7}", "../../etc/passwd", "NEAR( a AND * ^ -\"", strings.Repeat("Ma", 9000),
	"-1", "99999999999999999999", "NaN", "31/13/0000", "\xed\xa0\x80", "\xff\xc0\xaf",
}

// TestServer_Hostile fills every field of every form with each of them: none is
// answered with 5xx, none comes back as markup, and the log tells no panic.
func TestServer_Hostile(t *testing.T) {
	t.Parallel()
	for role, forms := range map[string]map[string]string{ // page → the form on it
		"": {"/entrar": "form"},
		apptest.Reception: {
			"/nova": "#pedido", "/historico": "#filtro", "/conta": "main form", "/fila": "form[role=search]",
		},
		apptest.Administration: {
			"/pessoas": "main form", "/pessoas/nova": "main form", "/auditoria": "#filtro", "/servico/conexao": "#conexao",
			"/cadastros/unidades": "form[role=search]", "/cadastros/unidades/nova": "#cadastro", "/cadastros/executantes/novo": "#cadastro",
			"/cadastros/procedimentos": "form[role=search]", "/cadastros/procedimentos/novo": "#cadastro",
			"/cadastros/credenciais": "form[role=search]", "/servico/parceiros/novo": "#parceiro", "/servico/credenciais/nova": "main form",
			"/servico/unidades": "form[role=search]", "/servico/registro": "#filtro", "/servico/descricao": "form[role=search]",
		},
	} {
		t.Run(role, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, apptest.Options{})
			client := server.Client(t)
			if role != "" {
				client = server.LogIn(t, role)
			}
			client.FailOnServerError()
			for path, css := range forms {
				page := client.Get(path)
				action := page.Attr(css, "action")
				fields := page.Form(css)
				if action == "" || len(fields) == 0 {
					t.Fatalf("%s has no form %s with fields", path, css)
				}
				for _, text := range hostile {
					typed := url.Values{}
					for name := range fields {
						typed.Set(name, text)
					}
					got := client.Post(action, typed)
					if got.Status == http.StatusNotFound || strings.Contains(string(got.Body), "<script>alert") || got.Has("textarea + b") {
						t.Errorf("%s with %.20q: %d", path, text, got.Status)
					}
				}
			}
			if log := server.Log.String(); strings.Contains(log, `"msg":"panic"`) || strings.Contains(log, `"level":"ERROR"`) {
				t.Error("the log tells a panic or an error")
			}
		})
	}
}
