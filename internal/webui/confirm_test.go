package webui_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
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

// sensitive are the acts that ask for the password again: what is posted, and the event
// of the trail that says that it was done.
var sensitive = map[string]struct {
	prepare func(f *confirmFixture) (path string, form url.Values)
	event   string
}{
	"/pessoas/nova": {func(*confirmFixture) (string, url.Values) {
		return "/pessoas/nova", url.Values{"nome": {"Zilda"}, "usuario": {"zilda"}, "papeis": {"recepcao"}}
	}, "pessoa.criada"},
	"/pessoas/:uid": {func(f *confirmFixture) (string, url.Values) {
		return f.person(), url.Values{"nome": {"Ana Prado"}, "usuario": {"ana"}, "papeis": {"recepcao", "administracao"}}
	}, "pessoa.alterada"},
	"/pessoas/:uid/convite": {func(f *confirmFixture) (string, url.Values) {
		return f.person() + "/convite", url.Values{}
	}, "convite.emitido"},
	"/pessoas/:uid/reativar": {func(f *confirmFixture) (string, url.Values) {
		f.admin.Post(f.person()+"/desativar", nil)
		return f.person() + "/reativar", url.Values{}
	}, "pessoa.reativada"},
	"/servico/conexao": {func(f *confirmFixture) (string, url.Values) {
		return "/servico/conexao", apptest.ConnectionForm(f.other.URL)
	}, "conexao.alterada"},
	"/servico/parceiros/novo": {func(*confirmFixture) (string, url.Values) {
		return "/servico/parceiros/novo", apptest.PartnerForm("Outro parceiro")
	}, "parceiro.criado"},
	"/servico/parceiros/:uid": {func(f *confirmFixture) (string, url.Values) {
		return f.partner, apptest.PartnerForm("Com outro nome")
	}, "parceiro.alterado"},
	"/servico/parceiros/:uid/reativar": {func(f *confirmFixture) (string, url.Values) {
		f.admin.Post(f.partner+"/desativar", nil)
		return f.partner + "/reativar", url.Values{}
	}, "parceiro.reativado"},
	"/servico/parceiros/:uid/chaves": {func(f *confirmFixture) (string, url.Values) {
		return f.partner + "/chaves", url.Values{}
	}, "servico.chave_criada"},
	"/servico/parceiros/:uid/clientes": {func(f *confirmFixture) (string, url.Values) {
		return f.partner + "/clientes", url.Values{"cliente": {"Faturamento"}}
	}, "servico.cliente_criado"},
	"/servico/parceiros/:uid/usuarios": {func(f *confirmFixture) (string, url.Values) {
		return f.partner + "/usuarios", url.Values{"usuario": {"sistema.1"}}
	}, "servico.usuario_criado"},
	"/servico/parceiros/:uid/usuarios/:usuario/senha": {func(f *confirmFixture) (string, url.Values) {
		return f.serviceUser() + "/senha", url.Values{}
	}, "servico.usuario_senha"},
	"/servico/parceiros/:uid/usuarios/:usuario/reativar": {func(f *confirmFixture) (string, url.Values) {
		user := f.serviceUser()
		f.admin.Post(user+"/desativar", nil)
		return user + "/reativar", url.Values{}
	}, "servico.usuario_reativado"},
	"/casos/:uid/reenviar": {func(f *confirmFixture) (string, url.Values) {
		ana := f.server.LogIn(f.t, apptest.Reception)
		path := ana.Submit(ana.NewDraft()).Path
		f.admin.ConnectTo(f.t, f.other, nil) // which cannot tell what became of it
		setState(f.t, ana, "unknown", 0, "")
		return path + "/reenviar", url.Values{"reenvio-contato": {"Marta <portal>"}, "reenvio-confirmo": {"S"}}
	}, "pedido.reenviado"},
	"/auditoria/alarme": {func(f *confirmFixture) (string, url.Values) {
		tamper(f.t, f.server, `UPDATE audit_entry SET at = at + 1 WHERE id = 7`)
		form := f.admin.Post("/auditoria/conferir", nil).Form("#alarme")
		form.Set("motivo", "investigado")
		return "/auditoria/alarme", form
	}, "auditoria.alarme_encerrado"},
}

// askedOf are the roles of those who do sensitive acts that administração does not.
var askedOf = map[string]string{"/casos/:uid/reenviar": apptest.Supervision}

// confirmFixture is a program with what the sensitive acts are about.
type confirmFixture struct {
	t       *testing.T
	server  *apptest.Server
	admin   *apptest.Client
	other   *apptest.OtherService
	partner string // path
}

func (f *confirmFixture) person() string { return f.admin.PersonPath("ana") }

var serviceUserPath = regexp.MustCompile(`/servico/parceiros/[^/"]+/usuarios/[^/"]+`)

// serviceUser adds a user to the partner and returns the path of what is done with it.
func (f *confirmFixture) serviceUser() string {
	f.admin.Mint(f.t, f.partner+"/usuarios", url.Values{"usuario": {"sistema.2"}}, 2)
	return serviceUserPath.FindString(string(f.admin.Get(f.partner).Body))
}

// done counts the entries of an event.
func (f *confirmFixture) done(event string) (n int) {
	for _, e := range f.server.Trail(f.t) {
		if e.Name == event {
			n++
		}
	}
	return n
}

// TestConfirm_Acts: each act that asks for the password is not done before it was given
// and done after it, with all that was posted.
func TestConfirm_Acts(t *testing.T) {
	t.Parallel()
	listed := regexp.MustCompile("(?m)^\\| `POST ([^`]+)` .* \\| password \\|$")
	rights, err := os.ReadFile(filepath.Join("..", "..", ".github", "rights.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range listed.FindAllStringSubmatch(string(rights), -1) {
		if _, ok := sensitive[match[1]]; !ok {
			t.Errorf("%s asks for the password and is not tried here", match[1])
		}
	}
	for route, act := range sensitive {
		t.Run(strings.ReplaceAll(strings.TrimPrefix(route, "/"), "/", "-"), func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)})
			f := &confirmFixture{t: t, server: p, admin: p.LogIn(t, apptest.Administration), other: apptest.StartOtherService(t, nil)}
			f.partner = f.admin.AddPartner("Parceiro")
			path, form := act.prepare(f)
			who, login := f.admin, apptest.Administration
			if role := askedOf[route]; role != "" {
				who, login = p.LogIn(t, role), role
			}
			before := f.done(act.event)
			p.Clock.Advance(10*time.Minute + time.Second)
			asked := who.Post(path, form)
			if asked.Status != http.StatusUnprocessableEntity || !asked.Has(".confirm-form") || f.done(act.event) != before {
				t.Fatalf("got %d at %s, %d times done, want the question and nothing done", asked.Status, asked.Path, f.done(act.event)-before)
			}
			_, password := p.Login(login)
			typed := asked.Form(".confirm-form")
			typed.Set(confirmation, password)
			if got := who.Post(path, typed); got.Status != http.StatusOK || got.Has(".confirm-form") || f.done(act.event) != before+1 {
				t.Errorf("got %d at %s, %d times done: %s", got.Status, got.Path, f.done(act.event)-before, got.Text("#erros"))
			}
		})
	}
}

// Guessing at that page is slowed down, for this session alone.
func TestConfirm_Throttled(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)})
	_, password := p.Login(apptest.Administration)
	admin := p.LogIn(t, apptest.Administration)
	p.Clock.Advance(11 * time.Minute)
	guess := url.Values{"nome": {"Zulmira"}, "usuario": {"zulmira"}, "papeis": {"recepcao"}, confirmation: {"errada"}}
	for range 10 {
		admin.Post("/pessoas/nova", guess)
	}
	guess.Set(confirmation, password)
	if got := admin.Post("/pessoas/nova", guess); got.Status != http.StatusTooManyRequests ||
		got.Form(".confirm-form").Get("nome") != "Zulmira" {
		t.Errorf("got %d, want to wait and keep what was typed", got.Status)
	}
	if got := p.LogIn(t, apptest.Administration).Get("/pessoas").Text("main"); strings.Contains(got, "Zulmira") {
		t.Error("the person was added all the same")
	}
}
