package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
)

// personPath returns the page of the person who logs in so.
func (v *visitor) personPath(login string) string {
	v.t.Helper()
	row := v.get("/pessoas").doc().Find("tbody tr").FilterFunction(func(_ int, s *selection) bool {
		return s.Find("td:nth-child(2)").Text() == login
	})
	path, ok := row.Find("a.item-name").Attr("href")
	if !ok {
		v.t.Fatalf("no row of %s among the people", login)
	}
	return path
}

// boxes returns the values of the ticked boxes of a name.
func (a answer) boxes(name string) []string {
	a.t.Helper()
	return a.doc().Find(`input[name=` + name + `][checked]`).Map(func(_ int, s *selection) string { return s.AttrOr("value", "") })
}

// invitation returns the path of the one-time link on the page, "" without one.
func (a answer) invitation() string {
	a.t.Helper()
	_, secret, found := strings.Cut(a.text("#convite"), "/ativar/")
	if !found {
		return ""
	}
	return "/ativar/" + secret
}

func TestPeople_Add(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	unit := admin.get("/pessoas/nova").value("input[name=unidades]")
	form := url.Values{"nome": {"Lívia Prates"}, "usuario": {" Livia.Prates "}, "papeis": {"recepcao"}, "unidades": {unit}}
	made := admin.post("/pessoas/nova", form)
	link := made.invitation()
	if made.status != http.StatusOK || made.text("h1") != "Lívia Prates" || !strings.HasPrefix(link, "/ativar/") {
		t.Fatalf("got %d, heading %q, link %q", made.status, made.text("h1"), link)
	}
	path := admin.personPath("livia.prates")
	t.Run("LinkIsShownOnce", func(t *testing.T) {
		if again := admin.get(path); again.invitation() != "" || again.text(".facts .status-badge") != "Convite aberto" {
			t.Errorf("the page shows link %q, state %q", again.invitation(), again.text(".facts .status-badge"))
		}
	})
	t.Run("LinkLetsIn", func(t *testing.T) {
		livia := MustVisit(t, p, "")
		got := livia.post(link, url.Values{"senha": {"capivara no quintal"}, "senha2": {"capivara no quintal"}})
		if got.status != http.StatusOK || got.path != "/fila" {
			t.Errorf("got %d at %s, want the queue", got.status, got.path)
		}
		if got := MustVisit(t, p, "").get(link); got.status != http.StatusNotFound {
			t.Errorf("second use: %d, want 404", got.status)
		}
		page := admin.get(path)
		if got := page.boxes("unidades"); len(got) != 1 || got[0] != unit {
			t.Errorf("units are %v, want %s", got, unit)
		}
		if got := page.text(".facts"); !strings.Contains(got, "Ativa") || !strings.Contains(got, "Entrouhoje") {
			t.Errorf("facts say %q", got)
		}
	})
	t.Run("LoginTaken", func(t *testing.T) {
		got := admin.post("/pessoas/nova", form)
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text("#usuario-e"), "Já existe") {
			t.Errorf("got %d, %q beside the field", got.status, got.text("#usuario-e"))
		}
		if got.value("#usuario") != " Livia.Prates " || got.value("#nome") != "Lívia Prates" || len(got.boxes("papeis")) != 1 || len(got.boxes("unidades")) != 1 {
			t.Errorf("not kept: %q %q %v %v", got.value("#usuario"), got.value("#nome"), got.boxes("papeis"), got.boxes("unidades"))
		}
	})
	t.Run("Nothing", func(t *testing.T) {
		got := admin.post("/pessoas/nova", nil)
		if got.status != http.StatusUnprocessableEntity || got.doc().Find("#erros li").Length() != 3 {
			t.Errorf("got %d, summary %q", got.status, got.text("#erros"))
		}
	})
	t.Run("UnknownUnit", func(t *testing.T) {
		form := url.Values{"nome": {"Zoé"}, "usuario": {"zoe"}, "papeis": {"recepcao"}, "unidades": {"01a1fd53-a165-77ef-a4fa-dae39f9cda2f"}}
		if got := admin.post("/pessoas/nova", form); got.status != http.StatusUnprocessableEntity || got.text("#unidades-e") == "" {
			t.Errorf("got %d, %q", got.status, got.text("#unidades-e"))
		}
		form.Set("unidades", "x")
		if got := admin.post("/pessoas/nova", form); got.status != http.StatusBadRequest {
			t.Errorf("no identifier: got %d, want 400", got.status)
		}
	})
}

func TestPeople_Search(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	for text, want := range map[string][]string{
		"CELIA": {"Célia Nunes"}, "nunes céli": {"Célia Nunes"}, "rui": {"Rui Barreto"}, " ": {"Ana Prado", "Célia Nunes", "Rui Barreto"},
		"an rado": {"Ana Prado"}, "zulmira-canario": {},
	} {
		got := admin.post("/pessoas", url.Values{"texto": {text}})
		names := got.doc().Find("a.item-name").Map(func(_ int, s *selection) string { return s.Text() })
		if got.status != http.StatusOK || strings.Join(names, "|") != strings.Join(want, "|") {
			t.Errorf("%q: got %d %v, want %v", text, got.status, names, want)
		}
	}
	if strings.Contains(p.logs.String(), "zulmira-canario") {
		t.Error("what was looked for stands in the log")
	}
}

// Nobody changes their own access, whatever is posted.
func TestPeople_Oneself(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	own := admin.personPath("rui")
	page := admin.get(own)
	if n := page.doc().Find("input[type=checkbox], form[action$='/desativar'], form[action$='/convite']").Length(); n != 0 {
		t.Errorf("one's own page has %d controls of access", n)
	}
	for name, form := range map[string]url.Values{
		"MoreRoles": {"nome": {"Rui"}, "papeis": {"administracao", "supervisao"}, "unidades": {page.value("[name=unidades]")}},
		"OtherUnit": {"nome": {"Rui"}, "papeis": {"administracao"}},
	} {
		if got := admin.post(own, form); got.status != http.StatusForbidden {
			t.Errorf("%s: got %d, want 403", name, got.status)
		}
	}
	for _, act := range []string{"/desativar", "/convite"} {
		if got := admin.post(own+act, nil); got.status != http.StatusForbidden {
			t.Errorf("POST %s: got %d, want 403", act, got.status)
		}
	}
	kept := url.Values{"nome": {"Rui B. Barreto"}, "papeis": {"administracao"}, "unidades": {page.value("[name=unidades]")}}
	if got := admin.post(own, kept); got.status != http.StatusOK || got.text("h1") != "Rui B. Barreto" {
		t.Errorf("one's own name: got %d, %q", got.status, got.text("h1"))
	}
}

// A change is in force for the very next request of whom it is about.
func TestPeople_AtOnce(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin, ana := MustVisit(t, p, "administracao"), MustVisit(t, p, "recepcao")
	path := admin.personPath("ana")
	for _, step := range []struct {
		role         string
		queue, admin int
	}{
		{"administracao", http.StatusForbidden, http.StatusOK}, {"supervisao", http.StatusOK, http.StatusForbidden}, {"recepcao", http.StatusOK, http.StatusForbidden},
	} {
		if got := admin.post(path, url.Values{"nome": {"Ana Prado"}, "papeis": {step.role}}); got.status != http.StatusOK {
			t.Fatalf("%s: %d", step.role, got.status)
		}
		if queue, people := ana.get("/fila").status, ana.get("/pessoas").status; queue != step.queue || people != step.admin {
			t.Errorf("%s: queue %d, people %d, want %d and %d", step.role, queue, people, step.queue, step.admin)
		}
	}
	t.Run("Reset", func(t *testing.T) {
		link := admin.post(path+"/convite", nil).invitation()
		if got := ana.get("/fila"); got.path != "/entrar" {
			t.Errorf("after the reset she is at %s", got.path)
		}
		user, password := p.login(t, "recepcao")
		if got := ana.post("/entrar", url.Values{"usuario": {user}, "senha": {password}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("old password: %d, want 422", got.status)
		}
		if got := ana.get(link); got.status != http.StatusOK {
			t.Errorf("new link: %d", got.status)
		}
		admin.post(path+"/desativar", nil)
		if got := ana.get(link); got.status != http.StatusNotFound {
			t.Errorf("link of a disabled person: %d, want 404", got.status)
		}
		if got := admin.post(path+"/convite", nil); got.status != http.StatusConflict {
			t.Errorf("link for a disabled person: %d, want 409", got.status)
		}
	})
}

func TestPeople_Unknown(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	admin := MustVisit(t, p, "administracao")
	const nobody = "/pessoas/01a1fd53-a165-77ef-a4fa-dae39f9cda2f"
	for _, path := range []string{nobody, "/pessoas/x"} {
		if got := admin.get(path); got.status != http.StatusNotFound {
			t.Errorf("GET %s: %d, want 404", path, got.status)
		}
		for _, act := range []string{"/convite", "/desativar", "/reativar", "/sessoes/encerrar", "/sessoes/01a1fd53-a165-77ef-a4fa-dae39f9cda2f/encerrar"} {
			if got := admin.post(path+act, nil); got.status != http.StatusNotFound {
				t.Errorf("POST %s: %d, want 404", path+act, got.status)
			}
		}
	}
	if got := admin.post(nobody, url.Values{"nome": {"A"}, "papeis": {"recepcao"}}); got.status != http.StatusNotFound {
		t.Errorf("change: %d, want 404", got.status)
	}
}

// lookAtPeople pictures the pages of administração and of one's own account.
func (b *browser) lookAtPeople() {
	b.t.Helper()
	MustVisitWith(b.t, b.p, "recepcao", androidChrome)
	b.open("/conta")
	b.look("conta")
	b.fill("#senha", "curta")
	b.press("\r")
	b.see("#erros")
	b.look("conta-erros")
	b.click(".user-menu > summary")
	b.click(".menu form button")
	b.waitFor("out", "location.pathname === '/entrar'")
	b.logIn("administracao")
	b.look("pessoas")
	b.click(".user-menu > summary")
	b.look("pessoas-menu")
	b.fill("#texto", "zulmira")
	b.press("\r")
	b.see(".empty-state")
	b.look("pessoas-nada")
	b.open("/pessoas/nova")
	b.look("pessoa-nova")
	b.click("main form .btn-primary")
	b.see("#erros")
	b.look("pessoa-nova-erros")
	b.fill("#nome", "Lívia Prates de Albuquerque")
	b.fill("#usuario", "livia")
	b.click("#papeis")
	b.click("#unidades")
	b.click("main form .btn-primary")
	b.see("#convite")
	b.look("pessoa-convite")
	v := MustVisit(b.t, b.p, "administracao")
	v.post(v.personPath("livia")+"/desativar", nil)
	for name, login := range map[string]string{"pessoa": "ana", "pessoa-propria": "rui", "pessoa-desativada": "livia"} {
		b.open(v.personPath(login))
		b.look(name)
	}
	b.open("/pessoas")
	b.look("pessoas-estados")
}
