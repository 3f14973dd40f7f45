package service_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/service"
)

// TestService_Parameters is rows 9 and 12 for what follows the question mark: what
// cannot be read is refused, never passed over.
func TestService_Parameters(t *testing.T) {
	e := MustEnv(t, service.Limits{})
	asks := map[string]string{
		"/api/v2/credenciais":   "Busca=vale",
		"/api/v2/autorizacoes":  "guiaPrestador=1",
		"/api/v1/elegibilidade": "credencialId=" + eligibilityID.String() + "&numeroCarteira=0310004512063345",
	}
	for path, query := range asks {
		if r := e.get(path + "?" + query + "&desconhecido=1"); r.status != http.StatusOK {
			t.Errorf("%s: got %d %s, want 200", path, r.status, r.text)
		}
		name, _, _ := strings.Cut(query, "=")
		for text, field := range map[string]string{
			query + "&" + name + "=x": name, query + "&x=%zz": "", query + "&%": "", query + ";x=1": "", query + "&x=%ff": "", query + "&%ff=x": "",
		} {
			r := e.get(path + "?" + text)
			checkRefusal(t, r, http.StatusBadRequest)
			if got := r.fields(); got[0] != field+" ilegivel" {
				t.Errorf("%s?%s: got %q, want %q", path, text, got, field+" ilegivel")
			}
		}
	}
}
