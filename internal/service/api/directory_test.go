package api_test

import (
	"net/http"
	"net/url"
	"reflect"
	"testing"

	"guiche/internal/service"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// TestAPI_SearchCredentials is 4.1, 2.2 and rows 14 and 20.
func TestAPI_SearchCredentials(t *testing.T) {
	e := MustEnv(t, limits{})
	res := e.Send(http.MethodGet, "/api/v2/credenciais?Busca=vale", nil, http.Header{"Accept": {"text/plain"}})
	want := map[string]any{"items": []any{map[string]any{"id": credentialID.String(), "nome": "Vale Sereno Saúde",
		"codigoPrestador":         "004417",
		"credencialElegibilityId": eligibilityID.String(), "exigeBiometria": true}}, "total": 1.0, "pagina": 1.0, "tamanhoPagina": 50.0}
	if res.Status != http.StatusOK || !reflect.DeepEqual(res.Body["data"], any(want)) || res.Body["sucesso"] != true {
		t.Errorf("got %d %s", res.Status, res.Text)
	}
	names := func(query string) (all []string) {
		for _, item := range e.Get("/api/v2/credenciais?" + query).Entries("items") {
			all = append(all, item["nome"].(string))
		}
		return all
	}
	for busca, want := range map[string][]string{
		"":               {"Água Clara", "Sem Ligação", "Vale Sereno Saúde"},
		"AGUA":           {"Água Clara"},
		"água":           {"Água Clara"},
		"saude sereno":   {"Vale Sereno Saúde"},
		"a-77":           {"Água Clara"},
		"ligac\u0327a":   {"Sem Ligação"},
		"004417 vale":    {"Vale Sereno Saúde"},
		"inexistente":    nil,
		"%":              nil,
		"' OR 1=1 --":    nil,
		"\x00":           nil,
		"  clara  água ": {"Água Clara"},
	} {
		if got := names("Busca=" + url.QueryEscape(busca)); !reflect.DeepEqual(got, want) {
			t.Errorf("Busca %q: got %q, want %q", busca, got, want)
		}
	}
	if got := names("Pagina=2&TamanhoPagina=2"); !reflect.DeepEqual(got, []string{"Vale Sereno Saúde"}) {
		t.Errorf("page 2: got %q", got)
	}
	if got := e.Get("/api/v2/credenciais?Pagina=9"); got.Data()["total"] != 3.0 || len(got.Entries("items")) != 0 ||
		got.Data()["items"] == nil {
		t.Errorf("page 9: got %s", got.Text)
	}
	for _, query := range []string{"Pagina=0", "Pagina=x", "TamanhoPagina=201", "TamanhoPagina=-1", "Pagina=99999999999999999999"} {
		checkRefusal(t, e.Get("/api/v2/credenciais?"+query), http.StatusUnprocessableEntity)
	}
	if got := e.Get("/api/v2/credenciais?TamanhoPagina=200"); got.Data()["tamanhoPagina"] != 200.0 {
		t.Errorf("size 200: got %s", got.Text)
	}
}

func TestAPI_DisabledThingsAreGone(t *testing.T) {
	e := MustEnv(t, limits{})
	admin := e.Admin
	off := servicetest.Credentials()[0]
	off.Disabled = true
	e.Must(admin.PutCredential(t.Context(), off))
	e.Must(admin.PutUnit(t.Context(), service.Unit{ID: unitID, Name: "Unidade Centro"}))
	e.Must(admin.PutProfessional(t.Context(), service.Professional{ID: professionalID, Name: "Ana", Disabled: true}))
	if got := e.Get("/api/v2/credenciais?Busca=vale").Data()["total"]; got != 0.0 {
		t.Errorf("credentials: got %v, want none", got)
	}
	res := e.Post(body(nil), nil)
	checkRefusal(t, res, http.StatusUnprocessableEntity)
	want := []string{"credencialId dominio", "pontoAtendimentoId dominio", "profissionalExecutanteId dominio",
		"especialidadeExecutanteId dominio"}
	if got := res.Fields(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestAPI_Directory is row 13, TestAPI_Features row 17.
func TestAPI_Directory(t *testing.T) {
	e := MustEnv(t, limits{})
	e.Must(e.Admin.PutUnit(t.Context(), service.Unit{ID: uuid.New(), Name: "Água Verde"}))
	units := e.Get("/api/v2/unidades").Entries("items")
	want := map[string]any{"id": unitID.String(), "nome": "Unidade Centro",
		"pontosAtendimento": []any{map[string]any{"id": pointID.String(), "nome": "Recepção"}}}
	if len(units) != 2 || units[0]["nome"] != "Água Verde" || len(units[0]["pontosAtendimento"].([]any)) != 0 ||
		!reflect.DeepEqual(units[1], want) {
		t.Errorf("units: got %v", units)
	}
	professionals := e.Get("/api/v2/profissionais-executantes").Entries("items")
	want = map[string]any{"id": professionalID.String(), "nome": "Ana Beatriz Moura", "siglaConselho": "CRM",
		"numeroConselho": "88123", "uf": "SP",
		"especialidades": []any{map[string]any{"id": float64(specialtyID), "nome": "Cardiologia", "cbo": "225120"}}}
	if len(professionals) != 1 || !reflect.DeepEqual(professionals[0], want) {
		t.Errorf("professionals: got %v", professionals)
	}
}

func TestAPI_Features(t *testing.T) {
	got := MustEnv(t, limits{}).Get("/api/v2/recursos")
	want := []any{"idempotencia", "situacao", "consulta-por-guia", "anexos", "biometria", "cancelamento", "elegibilidade", "cadastros"}
	if !reflect.DeepEqual(got.Data()["recursos"], any(want)) {
		t.Errorf("got %s, want %v", got.Text, want)
	}
	t.Run("OperatorsThatOnlyDecide", func(t *testing.T) {
		e := MustEnv(t, limits{})
		e.Plain = true
		e.Restart()
		want := []any{"idempotencia", "situacao", "consulta-por-guia", "cadastros"}
		if got := e.Get("/api/v2/recursos"); !reflect.DeepEqual(got.Data()["recursos"], any(want)) {
			t.Errorf("got %s, want %v", got.Text, want)
		}
	})
}
