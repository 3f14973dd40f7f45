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
		if got := c.Get("/conta").Text(".banner"); !strings.Contains(got, "A operadora Operadora de Fora não responde desde 14:05.") {
			t.Errorf("got %q, want who does not answer, and since when", got)
		}
	}
}
