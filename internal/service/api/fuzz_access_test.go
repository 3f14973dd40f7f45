package api_test

import (
	"net/http"
	"strings"
	"testing"
)

// FuzzService_Login: whatever comes, the answer is an envelope, and nobody gets in.
func FuzzService_Login(f *testing.F) {
	for _, seed := range []string{"", "{}", "[]", `{"usuario":"a","senha":"b"}`, `{"usuario":"\u0000","senha":"\ud800"}`,
		`{"usuario":1,"senha":[]}`,
		`{"refresh_token":"gcr_"}`, `{"refresh_token":null,"usuario":"a","usuario":"b"}`, "\xff", `{"senha":"` +
			strings.Repeat("x", 600) + `"}`} {
		f.Add(seed)
	}
	e := MustEnv(f, limits{})
	e.MustPartner(f)
	statuses := map[int]bool{400: true, 401: true, 413: true, 422: true, 429: true}
	f.Fuzz(func(t *testing.T, body string) {
		e := *e
		e.Use(t)
		for _, path := range []string{"/api/v1/auth/login", "/api/v1/auth/refresh"} {
			res := e.Send(http.MethodPost, path, strings.NewReader(body), nil)
			if !statuses[res.Status] || res.Body["sucesso"] != false {
				t.Errorf("%s: got %d: %s", path, res.Status, res.Text)
			}
		}
	})
}

// FuzzService_Token: whatever comes, the refusal is one of RFC 6749's with an
// envelope, and nobody gets in.
func FuzzService_Token(f *testing.F) {
	for _, seed := range [][2]string{
		{"", ""}, {"grant_type=client_credentials", "Basic dTpw"}, {"grant_type=client_credentials&client_id=a&client_secret=b", ""},
		{"grant_type=password&grant_type=x", "Basic"}, {"%", "Basic JTpw"}, {"a;b=c&\xff=%ff", "basic Og=="}, {"scope=%00", "Bearer x"},
	} {
		f.Add(seed[0], seed[1])
	}
	e := MustEnv(f, limits{})
	e.MustPartner(f)
	statuses := map[int]bool{400: true, 401: true, 413: true, 429: true}
	f.Fuzz(func(t *testing.T, body, authorization string) {
		if strings.ContainsFunc(authorization, func(r rune) bool { return r < ' ' || r == 0x7f }) {
			return // no header takes this
		}
		e := *e
		e.Use(t)
		res := e.Send(http.MethodPost, "/oauth/token", strings.NewReader(body),
			http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "Authorization": {authorization}})
		if word, _ := res.Body["error"].(string); !statuses[res.Status] || word == "" || res.Body["sucesso"] != false {
			t.Errorf("got %d: %s", res.Status, res.Text)
		}
	})
}
