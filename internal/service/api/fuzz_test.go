package api_test

import (
	"net/http"
	"testing"

	"guiche/internal/service/api"
)

// FuzzService_Authorize: whatever comes, the answer is an envelope, and only a
// request that was taken reaches the operator.
func FuzzService_Authorize(f *testing.F) {
	e := MustEnv(f, limits{API: api.Limits{MaxBody: 1 << 16}})
	for _, seed := range []string{
		"", "{}", "[]",
		`{"anexos":["JVBERi0xLjQK",{"base64":"JVBERi0xLjQK"},{}]}`, `{"procedimentos":[{"quantidade":1e3},null,[]]}`, `{"credencialId":null}`,
		body(nil), body(map[string]any{"anexos": []any{"x"}}), body(map[string]any{"procedimentos": nil}), `{"a":1,"a":2}`, "\xff",
		body(map[string]any{"guiaPrestador": "\u0000"}), body(map[string]any{"validadeCarteira": "9999-99-99"}),
	} {
		f.Add(seed)
	}
	statuses := map[int]bool{200: true, 400: true, 409: true, 413: true, 422: true}
	f.Fuzz(func(t *testing.T, text string) {
		e := *e
		e.Use(t)
		before := e.Operator.Authorized.Load()
		res := e.Post(text, nil)
		if !statuses[res.Status] {
			t.Fatalf("got %d: %s", res.Status, res.Text)
		}
		if _, ok := res.Body["sucesso"].(bool); !ok {
			t.Fatalf("no envelope: %s", res.Text)
		}
		if res.Status != http.StatusOK && e.Operator.Authorized.Load() != before {
			t.Fatal("a refused request reached the operator")
		}
	})
}
