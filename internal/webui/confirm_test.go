package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"guiche/internal/apptest"
)

const confirmation = "confirmacao-da-senha"

// A sensitive act asks for the password when it was given over ten minutes ago, and
// loses nothing of what was typed.
func TestConfirm(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)})
	_, password := p.Login(apptest.Administration)
	admin := p.LogIn(t, apptest.Administration)
	person := url.Values{"nome": {"Zulmira <Braga>"}, "usuario": {"zulmira"}, "papeis": {"recepcao", "supervisao"}}
	p.Clock.Advance(10 * time.Minute)
	if got := admin.Post("/pessoas/nova", url.Values{"nome": {""}}); got.Has(".confirm-form") {
		t.Error("after ten minutes: got asked, want the form")
	}
	p.Clock.Advance(time.Second)
	asked := admin.Post("/pessoas/nova", person)
	if asked.Status != http.StatusUnprocessableEntity || !asked.Has(".confirm-form") {
		t.Fatalf("after that: got %d, want the question", asked.Status)
	}
	typed := asked.Form(".confirm-form")
	typed.Set(confirmation, "errada")
	wrong := admin.Post("/pessoas/nova", typed)
	if got := wrong.Text(".confirm-form .error"); wrong.Status != http.StatusUnprocessableEntity || !strings.Contains(got, "não confere") {
		t.Errorf("wrong password: got %d, %q", wrong.Status, got)
	}
	typed = wrong.Form(".confirm-form")
	typed.Del(confirmation)
	if typed.Encode() != person.Encode() {
		t.Errorf("carried %v, want %v", typed, person)
	}
	typed.Set(confirmation, password)
	if done := admin.Post("/pessoas/nova", typed); done.Status != http.StatusOK || done.Has(".confirm-form") {
		t.Errorf("right password: got %d at %s", done.Status, done.Path)
	}
	if got := admin.Get("/pessoas").Text("main"); !strings.Contains(got, "Zulmira <Braga>") {
		t.Error("the person is not there")
	}
	person.Set("usuario", "outra")
	if again := admin.Post("/pessoas/nova", person); again.Has(".confirm-form") {
		t.Error("right after: got asked again")
	}
}

// Guessing at that page is slowed down, for this session alone.
func TestConfirm_Throttled(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)})
	_, password := p.Login(apptest.Administration)
	admin := p.LogIn(t, apptest.Administration)
	p.Clock.Advance(11 * time.Minute)
	guess := url.Values{"nome": {"Zulmira"}, confirmation: {"errada"}}
	for range 10 {
		admin.Post("/pessoas/nova", guess)
	}
	guess.Set(confirmation, password)
	if got := admin.Post("/pessoas/nova", guess); got.Status != http.StatusTooManyRequests ||
		got.Form(".confirm-form").Get("nome") != "Zulmira" {
		t.Errorf("got %d, want to wait and keep what was typed", got.Status)
	}
	p.LogIn(t, apptest.Administration)
}
