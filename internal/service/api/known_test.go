package api_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/service/access"
)

// TestAPI_Refused_Connection: the connection of whoever is not known ends with the refusal of a
// body that was not read; that of a partner who may not do it goes on.
func TestAPI_Refused_Connection(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	p.Profile.Scopes = []access.Scope{access.ReadCredentials}
	e.Must(e.Admin.PutProfile(t.Context(), p.Profile))
	token := p.MustToken(t)
	for name, tt := range map[string]struct {
		name, value string
		status      int
		closed      bool
	}{
		"no access":     {"X-Other", "x", http.StatusUnauthorized, true},
		"unknown key":   {"X-Api-Key", "gck_" + strings.Repeat("x", 43), http.StatusUnauthorized, true},
		"unknown token": {"Authorization", "Bearer gca_" + strings.Repeat("x", 43), http.StatusUnauthorized, true},
		"no right":      {"Authorization", "Bearer " + token, http.StatusForbidden, false},
		"wrong body":    {"X-Api-Key", e.Key, http.StatusUnprocessableEntity, false},
	} {
		t.Run(name, func(t *testing.T) {
			text := `{"observacoes":"` + strings.Repeat("x", 100_000) + `"}`
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, e.Server.URL+authorizePath, strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set(tt.name, tt.value)
			res, err := e.Server.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != tt.status || res.Close != tt.closed {
				t.Errorf("got %d, the connection ends: %t; want %d, %t", res.StatusCode, res.Close, tt.status, tt.closed)
			}
		})
	}
}
