package apptest_test

import (
	"net/http"
	"testing"
	"time"

	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

func TestStart(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]apptest.Options{
		"Demo": {}, "Standalone": {Standalone: true}, "Faults": {Faults: &faultservice.Config{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, options)
			for _, role := range []string{apptest.Reception, apptest.Supervision, apptest.Administration} {
				if !server.LogIn(t, role).LoggedIn() {
					t.Errorf("%s is not logged in", role)
				}
			}
			if got := server.SetupLink(); got != "" {
				t.Errorf("got the link %q for an installation with people", got)
			}
		})
	}
	t.Run("Fresh", func(t *testing.T) {
		t.Parallel()
		server := apptest.Start(t, apptest.Options{Fresh: true})
		if server.SetupLink() == "" {
			t.Error("nobody is there, and no link lets the first administrator in")
		}
	})
}

func TestClient_Submit(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]apptest.Options{"Demo": {}, "Faults": {Faults: &faultservice.Config{}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ana := apptest.Start(t, options).LogIn(t, apptest.Reception)
			ana.Submit(ana.NewDraft()).Check(t, apptest.Want{
				Status: http.StatusOK,
				Text:   map[string]string{"#veredito .verdict": "Autorizado"},
			})
		})
	}
}

func TestServer_Restart(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana, key := server.LogIn(t, apptest.Reception), server.APIKey()
	page := ana.Submit(ana.NewDraft())
	server.Restart(nil)
	ana.Get(page.Path).Check(t, apptest.Want{Status: http.StatusOK, Path: page.Path})
	if server.APIKey() == key {
		t.Error("the program has not started again")
	}
	server.Clock.Advance(time.Hour)
	if ana.LoggedIn() {
		t.Error("an hour later the session goes on")
	}
}

func TestServer_APIKey(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]apptest.Options{"Demo": {}, "Standalone": {Standalone: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := apptest.Start(t, options)
			if got := server.Partner(t, server.APIKey()).Authorize(); got != http.StatusOK {
				t.Errorf("got %d, want 200", got)
			}
		})
	}
}
