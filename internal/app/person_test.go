package app_test

import (
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
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

// A mistyped folder or login is said, and does not become an installation.
func TestPerson_Unknown(t *testing.T) {
	t.Parallel()
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	p := apptest.Start(t, apptest.Options{Empty: true})
	for name, tc := range map[string]struct {
		folder string
		act    func(c app.Config) error
		says   string
	}{
		"DisableNowhere": {nowhere, func(c app.Config) error { return app.DisablePerson(t.Context(), c, "ana") }, "GUICHE_DATA: no installation"},
		"ResetNowhere": {nowhere, func(c app.Config) error {
			_, err := app.ResetPerson(t.Context(), c, "ana")
			return err
		}, "GUICHE_DATA: no installation"},
		"AddNowhere": {nowhere, func(c app.Config) error {
			_, err := app.AddPerson(t.Context(), c, app.NewPerson{Login: "ana", Name: "Ana", Roles: []string{apptest.Reception}})
			return err
		}, "-new begins one"},
		"DisableNobody": {p.DataDir, func(c app.Config) error { return app.DisablePerson(t.Context(), c, "ninguem") }, ""},
		"ResetNobody": {p.DataDir, func(c app.Config) error {
			path, err := app.ResetPerson(t.Context(), c, "ninguem")
			if path != "" {
				t.Errorf("got a link for nobody: %s", path)
			}
			return err
		}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			err := tc.act(app.Config{DataDir: tc.folder})
			if err == nil || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %v, want an error saying %q", err, tc.says)
			}
			if _, err := os.Stat(nowhere); err == nil {
				t.Error("the folder became an installation")
			}
		})
	}
}

// What is wrong with a new person is said in the words of the page, and nobody is added.
func TestAddPerson_Refused(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	for name, tc := range map[string]struct {
		person app.NewPerson
		says   string
	}{
		"Role": {app.NewPerson{Login: "x", Name: "X", Roles: []string{"chefia"}},
			`-role: "chefia" is none of recepcao, supervisao, decisao, administracao`},
		"Unit":    {app.NewPerson{Login: "x", Name: "X", Roles: []string{"recepcao"}, Units: []string{"Lua"}}, `-unit: there is no unit "Lua"`},
		"NoLogin": {app.NewPerson{Name: "X", Roles: []string{"recepcao"}}, "usuário"},
		"NoRole":  {app.NewPerson{Login: "x", Name: "X"}, "papel"},
	} {
		t.Run(name, func(t *testing.T) {
			path, err := app.AddPerson(t.Context(), app.Config{DataDir: p.DataDir}, tc.person)
			if err == nil || path != "" || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("got %q, %v, want an error saying %q", path, err, tc.says)
			}
		})
	}
	people := p.LogIn(t, apptest.Administration).Get("/pessoas")
	if got := people.Count("tbody tr"); got != 3 {
		t.Errorf("got %d people, want the three of the demo", got)
	}
	t.Run("UnitByName", func(t *testing.T) {
		path, err := app.AddPerson(t.Context(), app.Config{DataDir: p.DataDir},
			app.NewPerson{Login: "eva", Name: "Eva", Roles: []string{" recepcao ", "supervisao"}, Units: []string{" CENTRO"}})
		if err != nil {
			t.Fatal(err)
		}
		eva := p.Client(t)
		if got := eva.Activate(path); got.Status != http.StatusOK {
			t.Fatalf("activate: %d", got.Status)
		}
		if got := eva.Get("/conta").Text("main"); !strings.Contains(got, "Recepção, Supervisão") {
			t.Errorf("got %q", got)
		}
	})
}
