package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// tokenByClient gets a token as a partner's program does by client credentials.
func (d demoJSON) tokenByClient(t *testing.T) string {
	t.Helper()
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {d.OAuth.ID}, "client_secret": {d.OAuth.Secret}}
	res, err := http.PostForm(d.URL+"/oauth/token", form)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var answer struct {
		Token string `json:"access_token"`
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || answer.Token == "" {
		t.Fatalf("token: status %d, %v", res.StatusCode, err)
	}
	return answer.Token
}

// tokenByUser gets a token as a partner's program does by login.
func (d demoJSON) tokenByUser(t *testing.T) string {
	t.Helper()
	body := fmt.Sprintf(`{"usuario":%q,"senha":%q}`, d.ServiceUser.User, d.ServiceUser.Password)
	res, err := http.Post(d.URL+"/api/v1/auth/login", "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var answer struct {
		Data struct {
			Token string `json:"access_token"`
		} `json:"data"`
	}
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil || answer.Data.Token == "" {
		t.Fatalf("login: status %d, %v", res.StatusCode, err)
	}
	return answer.Data.Token
}

// opens returns the status of a search with a token.
func (d demoJSON) opens(t *testing.T, token string) int {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, d.URL+"/api/v2/credenciais", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	return res.StatusCode
}
