package webui_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/desk"
)

// TestFrame_Outage: every page says at its top since when an operator does not answer, to
// everybody who is logged in, and that nothing has to be sent again.
func TestFrame_Outage(t *testing.T) {
	t.Parallel()
	server, clerk := startAt(t, 2099, 11, 20, 14, 5)
	admin := server.LogIn(t, apptest.Administration)
	silent := apptest.StartOtherService(t, func(o *apptest.OtherService) {
		o.Tokens = map[string]http.HandlerFunc{"/api/v2/autorizar/sp-sadt": func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(http.StatusGatewayTimeout)
		}}
	})
	admin.ConnectTo(t, silent, nil)
	for i := range desk.OutageAfter {
		if got := strings.Contains(clerk.Get("/fila").Text("body"), "não responde"); got {
			t.Errorf("after %d failures: got the notice", i)
		}
		clerk.SubmitWith(map[string]string{"numeroCarteira": "031000451206334" + strconv.Itoa(i), "validadeCarteira": "31/12/2100"})
	}
	for _, c := range []*apptest.Client{clerk, admin} {
		if got := c.Get("/conta").Text(".banner"); !strings.Contains(got, "A Operadora de Fora não responde desde 14:05.") {
			t.Errorf("got %q, want who does not answer, and since when", got)
		}
	}
}

// TestFrame_Outages: operators that do not answer at the same time are named in one
// notice, the first ones at least; the service itself covers them all.
func TestFrame_Outages(t *testing.T) {
	t.Parallel()
	server, clerk := startAt(t, 2099, 11, 20, 14, 5)
	for _, name := range []string{"aroeira", "boa guarida", "jequitib", "silverado", "vale sereno"} {
		clerk.SubmitWith(map[string]string{"credencialId": clerk.Credential(name), "validadeCarteira": "31/12/2100"})
	}
	silent := func(which string) string {
		t.Helper()
		server.Exec(t, `PRAGMA busy_timeout = 10000; INSERT INTO outage (credential_uid, since, failed_at, failures, retry_at) `+which)
		if got := clerk.Get("/conta").Count(".banner:not([aria-label^=SIMUL])"); got != 1 {
			t.Errorf("got %d notices, want one", got)
		}
		return clerk.Get("/conta").Text(".banner")
	}
	const of = `SELECT credential_uid, created_at, created_at, 4, created_at FROM submission WHERE id `
	for _, tt := range []struct {
		which string
		want  []string
	}{
		{of + `<= 2`, []string{"2 operadoras não respondem. Aroeira Planos desde 14:05, Boa Guarida desde 14:05. Pedidos"}},
		{of + `> 2`, []string{"5 operadoras não respondem.", "Silverado Assistência desde 14:05 e mais 1."}},
		{`SELECT zeroblob(16), created_at, created_at, 4, created_at FROM submission WHERE id = 1`,
			[]string{"O serviço de autorização não responde desde 14:05."}},
	} {
		got := silent(tt.which)
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: got %q, want %q", tt.which, got, want)
			}
		}
	}
}
