package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

func TestAccount_Password(t *testing.T) {
	t.Parallel()
	const chosen = "capivara no quintal"
	p := apptest.Start(t, apptest.Options{})
	ana, other := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Reception)
	user, current := p.Login(apptest.Reception)
	for name, tt := range map[string]struct {
		form  url.Values
		field string
	}{
		"WrongCurrent": {url.Values{"atual": {"outra senha qualquer"}, "senha": {chosen}, "senha2": {chosen}}, "#atual-error"},
		"NoCurrent":    {url.Values{"senha": {chosen}, "senha2": {chosen}}, "#atual-error"},
		"Differ":       {url.Values{"atual": {current}, "senha": {chosen}, "senha2": {chosen + "!"}}, "#senha2-error"},
		"Short":        {url.Values{"atual": {current}, "senha": {"curta"}, "senha2": {"curta"}}, "#senha-error"},
		"Common":       {url.Values{"atual": {current}, "senha": {"123456123456"}, "senha2": {"123456123456"}}, "#senha-error"},
	} {
		got := ana.Post("/conta/senha", tt.form)
		if got.Status != http.StatusUnprocessableEntity || got.Text(tt.field) == "" || got.Count("#erros li") == 0 {
			t.Errorf("%s: got %d, %q beside the field", name, got.Status, got.Text(tt.field))
		}
	}
	if !ana.LoggedIn() || !other.LoggedIn() {
		t.Fatal("a refused change ended a session")
	}
	before := ana.Twin()
	got := ana.Post("/conta/senha", url.Values{"atual": {current}, "senha": {chosen}, "senha2": {chosen}})
	if got.Status != http.StatusOK || got.Path != "/conta" || !strings.Contains(got.Text("main [role=status]"), "Senha trocada") {
		t.Fatalf("got %d at %s, %q", got.Status, got.Path, got.Text("main [role=status]"))
	}
	if !ana.LoggedIn() || other.LoggedIn() || before.LoggedIn() {
		t.Error("this browser stays in with a new session; the other and the old cookie are out")
	}
	for password, want := range map[string]int{current: http.StatusUnprocessableEntity, chosen: http.StatusOK} {
		if got := p.Client(t).Post("/entrar", url.Values{"usuario": {user}, "senha": {password}}); got.Status != want {
			t.Errorf("logging in: got %d, want %d", got.Status, want)
		}
	}
	if log := p.Log.String(); strings.Contains(log, chosen) || strings.Contains(log, current) {
		t.Error("a password stands in the log")
	}
}

func TestAccount_Preferences(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	for _, tt := range []struct{ theme, keys, wantTheme, wantKeys string }{
		{"escuro", "", "dark", "off"}, {"claro", "S", "light", ""}, {"sistema", "S", "", ""},
	} {
		got := ana.Post("/conta/preferencias", url.Values{"tema": {tt.theme}, "teclas": {tt.keys}})
		if got.Status != http.StatusOK || got.Value("#tema") != tt.theme {
			t.Fatalf("%s: got %d, %q chosen", tt.theme, got.Status, got.Value("#tema"))
		}
		for _, v := range []*apptest.Client{ana, p.LogIn(t, apptest.Reception)} { // in any browser
			page := v.Get("/fila")
			if theme, keys := page.Find("html").AttrOr("data-bs-theme", ""),
				page.Find("body").AttrOr("data-shortcuts", ""); theme != tt.wantTheme || keys != tt.wantKeys {
				t.Errorf("%+v: got theme %q, keys %q", tt, theme, keys)
			}
		}
	}
	if got := ana.Post("/conta/preferencias", url.Values{"tema": {"roxo"}}); got.Status != http.StatusUnprocessableEntity ||
		got.Text("#tema-error") == "" {
		t.Errorf("unknown theme: got %d, %q", got.Status, got.Text("#tema-error"))
	}
}

func TestAccount_Sessions(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	desk, phone := p.LogInFrom(t, apptest.Reception, apptest.WindowsChrome), p.LogInFrom(t, apptest.Reception, apptest.AndroidChrome)
	admin := p.LogIn(t, apptest.Administration)
	page := desk.Get("/conta")
	devices := page.Find("tbody .cell-name b").Map(func(_ int, s *goquery.Selection) string { return s.Text() })
	if want := "Chrome no Android|Chrome no Windows"; strings.Join(devices, "|") != want {
		t.Errorf("got %v, want %s", devices, want)
	}
	if got := page.Text("tbody .cell-name .small"); got != "127.0.0.1" {
		t.Errorf("address is %q", got)
	}
	end, _ := page.Find("td form").Attr("action")
	t.Run("OfSomebodyElse", func(t *testing.T) {
		if got := admin.Post(end, nil); got.Status != http.StatusNotFound || !phone.LoggedIn() {
			t.Errorf("got %d, want 404 and the session open", got.Status)
		}
	})
	t.Run("Own", func(t *testing.T) {
		if got := desk.Post(end, nil); got.Status != http.StatusOK || phone.LoggedIn() || !desk.LoggedIn() {
			t.Errorf("got %d, phone in %t, desk in %t", got.Status, phone.LoggedIn(), desk.LoggedIn())
		}
	})
	t.Run("Others", func(t *testing.T) {
		second := p.LogInFrom(t, apptest.Reception, apptest.AndroidChrome)
		desk.Post("/conta/sessoes/encerrar", nil)
		if second.LoggedIn() || !desk.LoggedIn() {
			t.Error("want the other out and this one in")
		}
	})
	t.Run("ByAdministration", func(t *testing.T) {
		path, second := admin.PersonPath("ana"), p.LogInFrom(t, apptest.Reception, apptest.AndroidChrome)
		one, _ := admin.Get(path).Find("td form").Attr("action")
		if got := admin.Post(one, nil); got.Status != http.StatusOK || second.LoggedIn() || !desk.LoggedIn() {
			t.Errorf("one: got %d, want only the newest out", got.Status)
		}
		if got := admin.Post(path+"/sessoes/encerrar", nil); got.Status != http.StatusOK || desk.LoggedIn() ||
			!strings.Contains(got.Text("main"), "Nenhuma agora") {
			t.Errorf("all: got %d, desk in %t", got.Status, desk.LoggedIn())
		}
	})
}
