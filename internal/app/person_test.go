package app_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"
)

// MustEnter returns a browser in which the person of a login of the demo is in.
func MustEnter(t *testing.T, a *app.App, user string) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Jar: jar}
	for _, l := range a.Logins() {
		if l.User != user {
			continue
		}
		res, err := client.PostForm(a.URL()+"/entrar", url.Values{"usuario": {l.User}, "senha": {l.Password}})
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
	}
	if !isIn(t, a, client) {
		t.Fatalf("%s is not in", user)
	}
	return client
}

func isIn(t *testing.T, a *app.App, client *http.Client) bool {
	t.Helper()
	res, err := client.Get(a.URL() + "/conta")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	return res.Request.URL.Path == "/conta"
}

// The commands act on a running server's people at once.
func TestDisablePerson(t *testing.T) {
	folder := t.TempDir()
	a, _ := start(t, app.Config{Demo: true, Simulated: true, DataDir: folder})
	ana, rui := MustEnter(t, a, "ana"), MustEnter(t, a, "rui")
	if err := app.DisablePerson(t.Context(), app.Config{DataDir: folder}, "ANA"); err != nil {
		t.Fatal(err)
	}
	if isIn(t, a, ana) {
		t.Error("a disabled person is still in")
	}
	err := app.DisablePerson(t.Context(), app.Config{DataDir: folder}, "rui")
	if err == nil || !strings.Contains(err.Error(), "última pessoa") || !isIn(t, a, rui) {
		t.Errorf("the last administrator: got %v, want a refusal", err)
	}
}

// Whoever has the machine in hand lets the last administrator in again.
func TestResetPerson(t *testing.T) {
	folder := t.TempDir()
	a, _ := start(t, app.Config{Demo: true, Simulated: true, DataDir: folder})
	rui := MustEnter(t, a, "rui")
	path, err := app.ResetPerson(t.Context(), app.Config{DataDir: folder}, "rui")
	if err != nil {
		t.Fatal(err)
	}
	if isIn(t, a, rui) {
		t.Error("sessions outlive the password")
	}
	res, err := rui.PostForm(a.URL()+path, url.Values{"senha": {"capivara no quintal"}, "senha2": {"capivara no quintal"}})
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK || res.Request.URL.Path != "/pessoas" {
		t.Errorf("the link leads to %d at %s", res.StatusCode, res.Request.URL.Path)
	}
}
