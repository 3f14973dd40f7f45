package webui_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// TestPeople_List: everybody by name, with what they may do, where, since when and
// how they stand.
func TestPeople_List(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 17, 5, 0, 0, time.UTC)})
	rui := server.LogIn(t, apptest.Administration)
	server.Join(t, app.NewPerson{Login: "both", Name: "Ângela Both", Roles: []string{apptest.Reception, apptest.Supervision},
		Units: []string{"Centro", "Jardim das Acácias"}})
	server.Join(t, app.NewPerson{Login: "none", Name: "Zoé None", Roles: []string{apptest.Reception}})
	rui.Post("/pessoas/nova", url.Values{"nome": {"Bia Nova"}, "usuario": {"bia"}, "papeis": {"recepcao"}})
	rui.Post(rui.PersonPath("none")+"/desativar", nil)
	list := rui.Get("/pessoas")
	list.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Pessoas", "main .title": "6 pessoas"},
		Value: map[string]string{"#texto": ""}})
	want := []string{
		"Ana Prado | ana | Recepção | Unidades: Centro | entrou: nunca | Ativa",
		"Ângela Both | both | Recepção, Supervisão | Unidades: todas | entrou: hoje, 14:05 | Ativa",
		"Bia Nova | bia | Recepção | Unidades: nenhuma | entrou: nunca | Convite aberto",
		"Célia Nunes | celia | Supervisão | Unidades: todas | entrou: nunca | Ativa",
		"Rui Barreto | rui | Administração | Unidades: Centro | entrou: hoje, 14:05 | Ativa",
		"Zoé None | none | Recepção | Unidades: nenhuma | entrou: hoje, 14:05 | Desativada",
	}
	if got := list.Rows("main table"); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for text, count := range map[string]string{"bia": "1 de 6 pessoas", " a ": "6 pessoas", "": "6 pessoas", "nobody": "0 de 6 pessoas"} {
		if got := rui.Post("/pessoas", url.Values{"texto": {text}}); !strings.Contains(got.Text("main .title"), count) ||
			got.Value("#texto") != strings.TrimSpace(text) {
			t.Errorf("%q: got %q with %q kept, want %q", text, got.Text("main .title"), got.Value("#texto"), count)
		}
	}
	server.Clock.Advance(30 * time.Hour)
	rui.LogInAgain()
	if got := rui.Get("/pessoas").Rows("main table")[5]; !strings.Contains(got, "entrou: 20/11/2026, 14:05") {
		t.Errorf("on another day: %q", got)
	}
	alone := apptest.Start(t, apptest.Options{Fresh: true})
	first := alone.Client(t)
	first.Post(strings.TrimPrefix(alone.SetupLink(), alone.URL), url.Values{"nome": {"Dona Rosa"}, "usuario": {"rosa"},
		"senha": {apptest.Password}, "senha2": {apptest.Password}})
	if got := first.Get("/pessoas").Text("main .title"); !strings.Contains(got, "1 pessoa") || strings.Contains(got, "1 pessoas") {
		t.Errorf("of one person the list says %q", got)
	}
}

// TestPeople_Page: a person's page says how they stand and offers what can be done
// about it.
func TestPeople_Page(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 17, 5, 0, 0, time.UTC)})
	rui := server.LogIn(t, apptest.Administration)
	made := rui.Post("/pessoas/nova", url.Values{"nome": {"Bia Nova"}, "usuario": {"bia"}, "papeis": {"recepcao", "supervisao"}})
	path := rui.PersonPath("bia")
	link := made.Invitation()
	made.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"h1": "Bia Nova",
		"main [role=status]": "Pessoa criada.", "#convite": server.URL + link}})
	buttons := func(p *apptest.Page) []string { return p.Texts("[aria-labelledby=acesso-title] button") }
	invited := rui.Get(path)
	invited.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Bia Nova",
		"[aria-labelledby=acesso-title] dl": "Convite aberto", "[aria-labelledby=sessoes-title]": "Nenhuma agora."},
		Value: map[string]string{"#nome": "Bia Nova"}, Count: map[string]int{"#usuario": 0, "#convite": 0,
			"[aria-labelledby=sessoes-title] table": 0}})
	if got := invited.Checked("papeis"); !slices.Equal(got, []string{"recepcao", "supervisao"}) {
		t.Errorf("the roles are %q", got)
	}
	if got := buttons(invited); !slices.Equal(got, []string{"Gerar outro convite", "Desativar"}) {
		t.Errorf("one can %q", got)
	}
	if got := invited.Fact("[aria-labelledby=acesso-title] dl", "Criada"); got != "hoje, 14:05" {
		t.Errorf("made %q", got)
	}
	again := rui.Post(path+"/convite", nil)
	again.Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{"main [role=status]": "Convite gerado. A senha anterior não vale mais."}})
	if again.Invitation() == link || server.Client(t).Get(link).Status != http.StatusNotFound {
		t.Error("the first link still lets in")
	}
	bia := server.Client(t)
	bia.Activate(again.Invitation())
	active := rui.Get(path)
	if got := buttons(active); !slices.Equal(got, []string{"Redefinir a senha", "Desativar"}) {
		t.Errorf("one can %q", got)
	}
	active.Check(t, apptest.Want{Text: map[string]string{"[aria-labelledby=acesso-title] dl": "Ativa"},
		Count: map[string]int{"[aria-labelledby=sessoes-title] tbody tr": 1, "[aria-labelledby=sessoes-title] tbody form": 1}})
	rui.Post(path+"/desativar", nil).Check(t, apptest.Want{Path: path,
		Text: map[string]string{"main [role=status]": "Pessoa desativada. Ela já está fora."}})
	off := rui.Get(path)
	if got := buttons(off); !slices.Equal(got, []string{"Reativar"}) || bia.LoggedIn() {
		t.Errorf("one can %q, and she is in %t", got, bia.LoggedIn())
	}
	rui.Post(path+"/reativar", nil).Check(t, apptest.Want{Path: path, Text: map[string]string{"main [role=status]": "Pessoa reativada."}})
	rui.Post(path, url.Values{"nome": {"Bia Silva"}, "papeis": {"recepcao"}}).Check(t, apptest.Want{Path: path,
		Text: map[string]string{"main [role=status]": "Guardado. Já vale.", "h1": "Bia Silva"}})
	bia.LogIn("bia", apptest.Password)
	rui.Post(path+"/sessoes/encerrar", nil).Check(t, apptest.Want{Path: path,
		Text: map[string]string{"main [role=status]": "Sessões encerradas."}})
	if bia.LoggedIn() {
		t.Error("the session goes on")
	}
}

// TestPeople_Problems: what cannot be stands beside its field; what was typed, and
// every box, stays.
func TestPeople_Problems(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	form := rui.Get("/pessoas/nova")
	units := form.Attrs("[name=unidades]", "value")
	if got := form.Attrs("[name=papeis]", "value"); !slices.Equal(got, []string{"recepcao", "supervisao", "decisao", "administracao"}) ||
		len(form.Checked("papeis")) != 0 || len(units) != 2 {
		t.Fatalf("offered are the roles %q, ticked %q, and %d units", got, form.Checked("papeis"), len(units))
	}
	for _, role := range form.Texts("label[for^=papeis]") {
		if len(strings.Fields(role)) < 4 {
			t.Errorf("a role is offered without words: %q", role)
		}
	}
	ana := rui.PersonPath("ana")
	whole := url.Values{"nome": {"Bia Nova"}, "usuario": {"bia"}, "papeis": {"recepcao"}, "unidades": units}
	for name, tt := range map[string]struct {
		change  url.Values
		fields  []string // of a new person
		change2 []string // of a change: nobody's login changes
	}{
		"NoName":      {url.Values{"nome": {" "}}, []string{"nome"}, []string{"nome"}},
		"LongName":    {url.Values{"nome": {strings.Repeat("é", 201)}}, []string{"nome"}, []string{"nome"}},
		"NoUser":      {url.Values{"usuario": {""}}, []string{"usuario"}, nil},
		"Taken":       {url.Values{"usuario": {"ANA"}}, []string{"usuario"}, nil},
		"NoRole":      {url.Values{"papeis": nil}, []string{"papeis"}, []string{"papeis"}},
		"UnknownRole": {url.Values{"papeis": {"chefia"}}, []string{"papeis"}, []string{"papeis"}},
		"UnknownUnit": {url.Values{"unidades": {units[0], "01a1fd53-a165-77ef-a4fa-dae39f9cda2f"}}, []string{"unidades"}, []string{"unidades"}},
	} {
		t.Run(name, func(t *testing.T) {
			typed := apptest.Clone(whole)
			for k, v := range tt.change {
				typed[k] = v
			}
			for path, fields := range map[string][]string{"/pessoas/nova": tt.fields, ana: tt.change2} {
				if fields == nil {
					continue
				}
				got := rui.Post(path, typed)
				for _, field := range fields {
					if got.Status != http.StatusUnprocessableEntity || got.Text("#"+field+"-error") == "" || !got.Has("#erros a[href='#"+field+"']") {
						t.Errorf("%s: %d, %q beside %s, summary %q", path, got.Status, got.Text("#"+field+"-error"), field, got.Text("#erros"))
					}
				}
				if got.Count("#erros li") != len(fields) || !strings.HasPrefix(got.Text("title"), "Erro: ") ||
					got.Value("#nome") != typed.Get("nome") {
					t.Errorf("%s: %d lines, the title %q, kept %q", path, got.Count("#erros li"), got.Text("title"), got.Value("#nome"))
				}
				if kept := got.Checked("unidades"); name != "UnknownUnit" && !slices.Equal(kept, units) {
					t.Errorf("%s: the units kept are %q", path, kept)
				}
			}
		})
	}
	if got := rui.Post(ana, url.Values{"nome": {"Ana"}, "papeis": {"recepcao"}, "unidades": {"x"}}); got.Status != http.StatusBadRequest {
		t.Errorf("a unit that is no identifier: %d, want 400", got.Status)
	}
	if got := rui.Get(ana); got.Value("#nome") != "Ana Prado" {
		t.Errorf("kept %q", got.Value("#nome"))
	}
}

// TestPeople_UnitThatIsOff stays with the people who have it, marked, and is not
// offered to anybody else.
func TestPeople_UnitThatIsOff(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	rui := server.LogIn(t, apptest.Administration)
	unit := rui.Search("/cadastros/unidades", "centro")
	uid := strings.TrimPrefix(unit, "/cadastros/unidades/")
	rui.Post(unit+"/desativar", nil)
	if got := rui.Get("/pessoas/nova").Attrs("[name=unidades]", "value"); len(got) != 1 || got[0] == uid {
		t.Errorf("offered are %q", got)
	}
	ana := rui.PersonPath("ana")
	page := rui.Get(ana)
	if got := page.Checked("unidades"); !slices.Equal(got, []string{uid}) || page.Count("[name=unidades]") != 2 {
		t.Errorf("ticked are %q of %d", got, page.Count("[name=unidades]"))
	}
	if got := page.Text("label[for^=unidades]:has([value='" + uid + "'])"); got != "Centro desativada" {
		t.Errorf("the unit is shown as %q", got)
	}
	if got := rui.Post(ana, url.Values{"nome": {"Ana Prado"}, "papeis": {"recepcao"}, "unidades": {uid}}); got.Status != http.StatusOK {
		t.Errorf("kept with the unit: %d %s", got.Status, got.Text("#erros"))
	}
	rui.Post(unit+"/reativar", nil)
	if got := rui.Get(ana).Text("label[for^=unidades]:has([value='" + uid + "'])"); got != "Centro" {
		t.Errorf("on again the unit is shown as %q", got)
	}
}

// TestPeople_Links: the whole address of a one-time link is that by which people
// come.
func TestPeople_Links(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.PublicURL,
			c.TrustedProxies = "https://guiche.clinica/", apptest.Loopback
	}})
	rui := server.Client(t).StayOnRedirect()
	cookie, _, _ := strings.Cut(rui.LogIn(server.Login(apptest.Administration)).Header.Get("Set-Cookie"), ";")
	rui.Header.Set("Cookie", cookie) // a jar keeps no Secure cookie of plain http
	invited := rui.Post(rui.PersonPath("ana")+"/convite", nil)
	if got := invited.Text("#convite"); !strings.Contains(got, "https://guiche.clinica/ativar/") {
		t.Errorf("the link is %q", got)
	}
	plain := apptest.Start(t, apptest.Options{})
	admin := plain.LogIn(t, apptest.Administration)
	got := admin.Post(admin.PersonPath("ana")+"/convite", nil)
	if !strings.Contains(got.Text("#convite"), plain.URL+"/ativar/") {
		t.Errorf("the link is %q", got.Text("#convite"))
	}
}
