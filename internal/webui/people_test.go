package webui_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

func TestPeople_Add(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	unit := admin.Get("/pessoas/nova").Value("input[name=unidades]")
	form := url.Values{"nome": {"Lívia Prates"}, "usuario": {" Livia.Prates "}, "papeis": {"recepcao"}, "unidades": {unit}}
	made := admin.Post("/pessoas/nova", form)
	link := made.Invitation()
	if made.Status != http.StatusOK || made.Text("h1") != "Lívia Prates" || !strings.HasPrefix(link, "/ativar/") {
		t.Fatalf("got %d, heading %q, link %q", made.Status, made.Text("h1"), link)
	}
	path := admin.PersonPath("livia.prates")
	t.Run("LinkIsShownOnce", func(t *testing.T) {
		if again := admin.Get(path); again.Invitation() != "" || again.Text(".facts .status-badge") != "Convite aberto" {
			t.Errorf("the page shows link %q, state %q", again.Invitation(), again.Text(".facts .status-badge"))
		}
	})
	t.Run("LinkLetsIn", func(t *testing.T) {
		livia := p.Client(t)
		got := livia.Post(link, url.Values{"senha": {"capivara no quintal"}, "senha2": {"capivara no quintal"}})
		if got.Status != http.StatusOK || got.Path != "/fila" {
			t.Errorf("got %d at %s, want the queue", got.Status, got.Path)
		}
		if got := p.Client(t).Get(link); got.Status != http.StatusNotFound {
			t.Errorf("second use: %d, want 404", got.Status)
		}
		page := admin.Get(path)
		if got := page.Checked("unidades"); len(got) != 1 || got[0] != unit {
			t.Errorf("units are %v, want %s", got, unit)
		}
		if got := page.Text(".facts"); !strings.Contains(got, "Ativa") || !strings.Contains(got, "Entrouhoje") {
			t.Errorf("facts say %q", got)
		}
	})
	t.Run("LoginTaken", func(t *testing.T) {
		got := admin.Post("/pessoas/nova", form)
		if got.Status != http.StatusUnprocessableEntity || !strings.Contains(got.Text("#usuario-error"), "Já existe") {
			t.Errorf("got %d, %q beside the field", got.Status, got.Text("#usuario-error"))
		}
		if got.Value("#usuario") != " Livia.Prates " || got.Value("#nome") != "Lívia Prates" || len(got.Checked("papeis")) != 1 ||
			len(got.Checked("unidades")) != 1 {
			t.Errorf("not kept: %q %q %v %v", got.Value("#usuario"), got.Value("#nome"), got.Checked("papeis"), got.Checked("unidades"))
		}
	})
	t.Run("Nothing", func(t *testing.T) {
		got := admin.Post("/pessoas/nova", nil)
		if got.Status != http.StatusUnprocessableEntity || got.Count("#erros li") != 3 {
			t.Errorf("got %d, summary %q", got.Status, got.Text("#erros"))
		}
	})
	t.Run("NoUnit", func(t *testing.T) {
		const missing = "Falta escolher a unidade"
		person := url.Values{"nome": {"Zoé"}, "usuario": {"zoe"}, "papeis": {"recepcao"}}
		admin.Post("/pessoas/nova", person).Check(t, apptest.Want{Text: map[string]string{"main [role=status]": missing}})
		address := admin.PersonPath("zoe")
		person.Set("unidades", unit)
		admin.Post(address, person).Check(t, apptest.Want{Text: map[string]string{"main [role=status]": "Guardado"},
			Not: map[string]string{"main [role=status]": missing}})
		person.Del("unidades")
		admin.Post(address, person).Check(t, apptest.Want{Text: map[string]string{"main [role=status]": missing}})
		person["usuario"], person["papeis"] = []string{"zoe.nunes"}, []string{"supervisao"}
		admin.Post("/pessoas/nova", person).Check(t, apptest.Want{Not: map[string]string{"main [role=status]": missing}})
	})
	t.Run("UnknownUnit", func(t *testing.T) {
		form := url.Values{"nome": {"Zoé"}, "usuario": {"zoe"}, "papeis": {"recepcao"}, "unidades": {"01a1fd53-a165-77ef-a4fa-dae39f9cda2f"}}
		if got := admin.Post("/pessoas/nova", form); got.Status != http.StatusUnprocessableEntity || got.Text("#unidades-error") == "" {
			t.Errorf("got %d, %q", got.Status, got.Text("#unidades-error"))
		}
		form.Set("unidades", "x")
		if got := admin.Post("/pessoas/nova", form); got.Status != http.StatusBadRequest {
			t.Errorf("no identifier: got %d, want 400", got.Status)
		}
	})
}

func TestPeople_Search(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	for text, want := range map[string][]string{
		"CELIA": {"Célia Nunes"}, "nunes céli": {"Célia Nunes"}, "rui": {"Rui Barreto"}, " ": {"Ana Prado", "Célia Nunes", "Rui Barreto"},
		"an rado": {"Ana Prado"}, "zulmira-canario": {},
	} {
		got := admin.Post("/pessoas", url.Values{"texto": {text}})
		names := got.Find("a.item-name").Map(func(_ int, s *goquery.Selection) string { return s.Text() })
		if got.Status != http.StatusOK || strings.Join(names, "|") != strings.Join(want, "|") {
			t.Errorf("%q: got %d %v, want %v", text, got.Status, names, want)
		}
	}
	if p.Log.Contains("zulmira-canario") {
		t.Error("what was looked for stands in the log")
	}
}

// Nobody changes their own access, whatever is posted.
func TestPeople_Oneself(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	own := admin.PersonPath("rui")
	page := admin.Get(own)
	if n := page.Count("input[type=checkbox], form[action$='/desativar'], form[action$='/convite']"); n != 0 {
		t.Errorf("one's own page has %d controls of access", n)
	}
	for name, form := range map[string]url.Values{
		"MoreRoles": {"nome": {"Rui"}, "papeis": {"administracao", "supervisao"}, "unidades": {page.Value("[name=unidades]")}},
		"OtherUnit": {"nome": {"Rui"}, "papeis": {"administracao"}},
	} {
		if got := admin.Post(own, form); got.Status != http.StatusForbidden {
			t.Errorf("%s: got %d, want 403", name, got.Status)
		}
	}
	for _, act := range []string{"/desativar", "/convite"} {
		if got := admin.Post(own+act, nil); got.Status != http.StatusForbidden {
			t.Errorf("POST %s: got %d, want 403", act, got.Status)
		}
	}
	kept := url.Values{"nome": {"Rui B. Barreto"}, "papeis": {"administracao"}, "unidades": {page.Value("[name=unidades]")}}
	if got := admin.Post(own, kept); got.Status != http.StatusOK || got.Text("h1") != "Rui B. Barreto" {
		t.Errorf("one's own name: got %d, %q", got.Status, got.Text("h1"))
	}
}

// A change is in force for the very next request of whom it is about.
func TestPeople_AtOnce(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin, ana := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	path := admin.PersonPath("ana")
	for _, step := range []struct {
		role         string
		queue, admin int
	}{
		{"administracao", http.StatusForbidden, http.StatusOK}, {"supervisao", http.StatusOK, http.StatusForbidden},
		{"recepcao", http.StatusOK, http.StatusForbidden},
	} {
		if got := admin.Post(path, url.Values{"nome": {"Ana Prado"}, "papeis": {step.role}}); got.Status != http.StatusOK {
			t.Fatalf("%s: %d", step.role, got.Status)
		}
		if queue, people := ana.Get("/fila").Status, ana.Get("/pessoas").Status; queue != step.queue || people != step.admin {
			t.Errorf("%s: queue %d, people %d, want %d and %d", step.role, queue, people, step.queue, step.admin)
		}
	}
	t.Run("Reset", func(t *testing.T) {
		link := admin.Post(path+"/convite", nil).Invitation()
		if got := ana.Get("/fila"); got.Path != "/entrar" {
			t.Errorf("after the reset she is at %s", got.Path)
		}
		user, password := p.Login(apptest.Reception)
		if got := ana.Post("/entrar", url.Values{"usuario": {user}, "senha": {password}}); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("old password: %d, want 422", got.Status)
		}
		if got := ana.Get(link); got.Status != http.StatusOK {
			t.Errorf("new link: %d", got.Status)
		}
		admin.Post(path+"/desativar", nil)
		if got := ana.Get(link); got.Status != http.StatusNotFound {
			t.Errorf("link of a disabled person: %d, want 404", got.Status)
		}
		if got := admin.Post(path+"/convite", nil); got.Status != http.StatusConflict {
			t.Errorf("link for a disabled person: %d, want 409", got.Status)
		}
	})
}

// TestPeople_Changed: who saves a page from before somebody else's change gives no role back
// unseen.
func TestPeople_Changed(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	path := admin.PersonPath("celia")
	page := admin.Get(path)
	first, second := page.Form("form.sheet"), page.Form("form.sheet")
	first["papeis"] = []string{"recepcao"}
	second.Set("nome", "Célia Nova")
	admin.Post(path, first).Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"[role=status]": "Guardado"}})
	told := admin.Post(path, second)
	told.Check(t, apptest.Want{Status: http.StatusConflict, Text: map[string]string{"#erros": "mudou depois que você abriu"},
		Value: map[string]string{"#nome": "Célia Nova"}})
	if got := admin.Get(path).Checked("papeis"); !slices.Equal(got, []string{"recepcao"}) {
		t.Errorf("she has %v, want what the first saved", got)
	}
	admin.Post(path, told.Form("form.sheet")).Check(t, apptest.Want{Status: http.StatusOK})
	if got := admin.Get(path).Value("#nome"); got != "Célia Nova" {
		t.Errorf("got %q, want what was saved knowingly", got)
	}
}

func TestPeople_Unknown(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	const nobody = "/pessoas/01a1fd53-a165-77ef-a4fa-dae39f9cda2f"
	for _, path := range []string{nobody, "/pessoas/x"} {
		if got := admin.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("GET %s: %d, want 404", path, got.Status)
		}
		for _, act := range []string{"/convite", "/desativar", "/reativar", "/sessoes/encerrar",
			"/sessoes/01a1fd53-a165-77ef-a4fa-dae39f9cda2f/encerrar"} {
			if got := admin.Post(path+act, nil); got.Status != http.StatusNotFound {
				t.Errorf("POST %s: %d, want 404", path+act, got.Status)
			}
		}
	}
	if got := admin.Post(nobody, url.Values{"nome": {"A"}, "papeis": {"recepcao"}}); got.Status != http.StatusNotFound {
		t.Errorf("change: %d, want 404", got.Status)
	}
}

// TestPeople_NotThere: the page of what is not there says what may be wrong, and not its heading once more.
func TestPeople_NotThere(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	const unknown = "/01a1fd53-a165-77ef-a4fa-dae39f9cda2f"
	for _, path := range []string{"/pessoas" + unknown, "/cadastros/unidades" + unknown, "/cadastros/credenciais" + unknown} {
		if got := rui.Get(path); got.Status != http.StatusNotFound || !strings.Contains(got.Text("main"), "O endereço pode estar errado") {
			t.Errorf("%s: %d, %q", path, got.Status, got.Text("main"))
		}
	}
}
