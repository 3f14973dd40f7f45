package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// TestAPI_Parameters is rows 9 and 12 for what follows the question mark: what
// cannot be read is refused, never passed over.
func TestAPI_Parameters(t *testing.T) {
	e := MustEnv(t, limits{})
	asks := map[string]string{
		"/api/v2/credenciais":   "Busca=vale",
		"/api/v2/autorizacoes":  "guiaPrestador=1",
		"/api/v1/elegibilidade": "credencialId=" + eligibilityID.String() + "&numeroCarteira=0310004512063345",
	}
	for path, query := range asks {
		if r := e.Get(path + "?" + query + "&desconhecido=1"); r.Status != http.StatusOK {
			t.Errorf("%s: got %d %s, want 200", path, r.Status, r.Text)
		}
		name, _, _ := strings.Cut(query, "=")
		for text, field := range map[string]string{
			query + "&" + name + "=x": name, query + "&x=%zz": "", query + "&%": "", query + ";x=1": "", query + "&x=%ff": "", query + "&%ff=x": "",
		} {
			r := e.Get(path + "?" + text)
			checkRefusal(t, r, http.StatusBadRequest)
			if got := r.Fields(); got[0] != field+" ilegivel" {
				t.Errorf("%s?%s: got %q, want %q", path, text, got, field+" ilegivel")
			}
		}
	}
}

// TestAPI_GuideIDIsAUUID: an authorization has one address, whose letters may be
// of either case.
func TestAPI_GuideIDIsAUUID(t *testing.T) {
	e := MustEnv(t, limits{})
	id := e.Post(body(nil), nil).Entry()["guiaId"].(string)
	for _, spelled := range []string{id, strings.ToUpper(id)} {
		if r := e.Get("/api/v2/autorizacoes/" + spelled); r.Status != http.StatusOK {
			t.Errorf("%s: got %d, want 200", spelled, r.Status)
		}
	}
	for _, spelled := range []string{"%7B" + id + "%7D", "urn:uuid:" + id, strings.ReplaceAll(id, "-", ""), "%20" + id} {
		checkRefusal(t, e.Get("/api/v2/autorizacoes/"+spelled), http.StatusNotFound)
		checkRefusal(t, e.Send(http.MethodPost, "/api/v2/autorizacoes/"+spelled+"/cancelamento", strings.NewReader(`{}`), nil),
			http.StatusNotFound)
	}
}
