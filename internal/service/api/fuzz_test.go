package api_test

import (
	"net/http"
	"testing"

	"guiche/internal/service/api"
)

// FuzzService_Authorize: whatever comes, the answer is an envelope, and only a
// request that was taken reaches the operator.
func FuzzService_Authorize(f *testing.F) {
	e := MustEnv(f, limits{api: api.Limits{MaxBody: 1 << 16}})
	for _, seed := range []string{
		"", "{}", "[]", `{"anexos":["QUJD",{"base64":"QUJD"},{}]}`, `{"procedimentos":[{"quantidade":1e3},null,[]]}`, `{"credencialId":null}`,
		body(nil), body(map[string]any{"anexos": []any{"x"}}), body(map[string]any{"procedimentos": nil}), `{"a":1,"a":2}`, "\xff",
		body(map[string]any{"guiaPrestador": "\u0000"}), body(map[string]any{"validadeCarteira": "9999-99-99"}),
	} {
		f.Add(seed)
	}
	statuses := map[int]bool{200: true, 400: true, 409: true, 413: true, 422: true}
	f.Fuzz(func(t *testing.T, text string) {
		e := *e
		e.tb = t
		before := e.operator.authorize.Load()
		res := e.post(text, nil)
		if !statuses[res.status] {
			t.Fatalf("got %d: %s", res.status, res.text)
		}
		if _, ok := res.body["sucesso"].(bool); !ok {
			t.Fatalf("no envelope: %s", res.text)
		}
		if res.status != http.StatusOK && e.operator.authorize.Load() != before {
			t.Fatal("a refused request reached the operator")
		}
	})
}
