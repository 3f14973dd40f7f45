package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/service/api"
)

// enveloped checks that an answer has one of the statuses and the envelope, and
// reports whether it is a success.
func enveloped(t *testing.T, res reply, statuses ...int) bool {
	t.Helper()
	success, ok := res.Body["sucesso"].(bool)
	if !ok || success != (res.Status < 400) || !slices.Contains(statuses, res.Status) {
		t.Fatalf("got %d: %.300s", res.Status, res.Text)
	}
	return success
}

// answered asks a handler without a network in between.
func answered(t *testing.T, handler http.Handler, r *http.Request) reply {
	t.Helper()
	w := httptest.NewRecorder()
	handler.ServeHTTP(w, r)
	res := reply{Status: w.Code, Header: w.Header(), Text: w.Body.String()}
	if err := json.Unmarshal(w.Body.Bytes(), &res.Body); err != nil {
		t.Fatalf("got %d: %v: %.300s", w.Code, err, res.Text)
	}
	return res
}

// carried returns a header that HTTP can carry, nil for any other.
func carried(name, value string) http.Header {
	if value == "" || strings.TrimSpace(value) != value || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil
	}
	return http.Header{name: {value}}
}

// FuzzService_Submission: whatever comes, the answer is an envelope, and what was
// accepted has its authorization in R.
func FuzzService_Submission(f *testing.F) {
	e := MustEnv(f, limits{API: api.Limits{MaxBody: 1 << 16}})
	for _, seed := range []string{"", "{}", `{"solicitacao":null}`, `{"solicitacao":[]}`, `{"solicitacao":{},"solicitacao":{}}`, body(nil),
		`{"solicitacao":` + body(nil) + `}`, `{"anexos":["JVBERi0xLjQK"],"solicitacao":` +
			body(map[string]any{"anexos": []any{"JVBERi0xLjQK", map[string]any{"base64": "QQ"}}}) + `}`,
		`{"solicitacao":` + body(map[string]any{"credencialId": strictID, "validadeCarteira": "2027-12-31"}) + `}`,
		`{"solicitacao":{"anexos":["?"],"procedimentos":[[]]}} x`} {
		f.Add(seed, "")
		f.Add(seed, "chave")
	}
	f.Fuzz(func(t *testing.T, text, idempotencyKey string) {
		e := *e
		e.Use(t)
		res := e.Send(http.MethodPost, "/api/v1/solicitacao", strings.NewReader(text), carried("Idempotency-Key", idempotencyKey))
		if enveloped(t, res, 202, 400, 409, 413, 422) {
			e.StandsAt(res.Data()["guiaId"].(string), "R")
		}
	})
}

// FuzzService_Acts: whatever is sent to an authorization, the answer is an
// envelope, and only an act that was taken moves it.
func FuzzService_Acts(f *testing.F) {
	kinds := []struct {
		kind, card string
		from       authorization.Status
	}{{"anexos", "999909", "S"}, {"biometria", "999930", "H"}, {"cancelamento", "1", "A"}}
	for _, seed := range []string{"", "{}", "null", someAttachment, someCapture, someReason,
		`{"anexos":["JVBERi0xLjQK","data:;base64,QQ",{"conteudo":""}]}`, `{"anexos":{}}`,
		`{"biometrias":[{"tipo":"facial","base64":"QQ=="},{"tipo":"?"},1]}`, `{"biometrias":[]}`, `{"motivo":1}`, `{"motivo":"` +
			strings.Repeat("ç", 501) + `"}`, `{"motivo":null}x`, "\xff"} {
		for i := range kinds {
			f.Add(uint8(i), seed)
		}
	}
	e := MustEnv(f, limits{API: api.Limits{MaxBody: 1 << 16}})
	ids := map[string]string{}
	f.Fuzz(func(t *testing.T, n uint8, text string) {
		e := *e
		e.Use(t)
		k := kinds[int(n)%len(kinds)]
		if ids[k.kind] == "" {
			ids[k.kind], _ = e.MustAuthorize(k.card)
		}
		before := e.Operator.Acted.Load()
		if enveloped(t, e.Act(ids[k.kind], k.kind, text, nil), 200, 400, 413, 422) {
			ids[k.kind] = ""
			return
		}
		e.StandsAt(ids[k.kind], k.from)
		if e.Operator.Acted.Load() != before {
			t.Fatal("a refused act reached the operator")
		}
	})
}

// FuzzService_Query: whatever stands behind the question mark, the answer is an
// envelope.
func FuzzService_Query(f *testing.F) {
	paths := []string{"/api/v2/credenciais", "/api/v1/elegibilidade", "/api/v2/autorizacoes", "/api/v2/unidades"}
	for _, seed := range []string{"", "Busca=sereno&Pagina=1&TamanhoPagina=2", "Busca=%C3%81GUA+clara%00", "Busca=%ff&Busca=",
		"Pagina=0", "Pagina=99999999999999999999&TamanhoPagina=-1", "%", "a;b=c",
		"credencialId=" + eligibilityID.String() + "&numeroCarteira=9999", "credencialId=" + eligibilityID.String() +
			"&numeroCarteira=1&validadeCarteira=2027-13-01", "guiaPrestador=%20", "guiaPrestador=" + strings.Repeat("9", 500)} {
		for i := range paths {
			f.Add(uint8(i), seed)
		}
	}
	e := MustEnv(f, limits{})
	f.Fuzz(func(t *testing.T, n uint8, query string) {
		r := httptest.NewRequest(http.MethodGet, paths[int(n)%len(paths)], nil)
		r.URL.RawQuery = query
		r.Header.Set("X-Api-Key", e.Key)
		enveloped(t, answered(t, e.API.Handler(), r), 200, 400, 409, 422)
	})
}

// FuzzService_Headers: no header but one with a good secret opens the door.
func FuzzService_Headers(f *testing.F) {
	unknown := strings.Repeat("A", 43) + "00000000"
	for _, seed := range [][2]string{{"", ""}, {"gch_" + unknown, ""}, {"gch_", "Bearer "}, {"", "Bearer gca_" + unknown},
		{"", "bearer\tgca_"}, {"", "Basic dTpw"}, {"x", "Bearer x"}, {"gch_\xff", "Bearer \xff, Bearer"}} {
		f.Add(seed[0], seed[1])
	}
	e := MustEnv(f, limits{})
	p := e.MustPartner(f)
	f.Fuzz(func(t *testing.T, key, authorization string) {
		if strings.Contains(key, p.Key) || strings.Contains(authorization, p.Access) {
			return
		}
		r := httptest.NewRequest(http.MethodGet, "/api/v2/recursos", nil)
		r.Header = http.Header{"X-Api-Key": {key}, "Authorization": {authorization}}
		enveloped(t, answered(t, e.API.Handler(), r), 401, 429)
	})
}
