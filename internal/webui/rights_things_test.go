package webui_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// reaches are the things that addresses name.
var reaches = []reach{
	{"/casos/:uid", []role{ownUnit, supervisor}, (*fixture).newCase},
	{"/nova/:uid", []role{ownUnit}, (*fixture).newDraft},
	{"/historico/:uid", []role{ownUnit}, (*fixture).newFilter},
	{"/conta/sessoes/:sessao", []role{ownUnit}, (*fixture).newSession},
	{"/ativar/:token", []role{nobody, ownUnit, otherUnit, supervisor, administrator}, (*fixture).newInvitation},
	{"/pessoas/:uid", []role{administrator}, (*fixture).newPerson},
	{"/pessoas/:uid/sessoes/:sessao", []role{administrator}, (*fixture).newPersonsSession},
	{"/cadastros/unidades/:uid", []role{administrator}, lastOf("/cadastros/unidades")},
	{"/cadastros/executantes/:uid", []role{administrator}, lastOf("/cadastros/executantes")},
	{"/cadastros/procedimentos/:codigo", []role{administrator}, lastOf("/cadastros/procedimentos")},
	{"/cadastros/credenciais/:uid", []role{administrator}, lastOf("/cadastros/credenciais")},
	{"/servico/parceiros/:uid", []role{administrator}, (*fixture).newPartner},
	{"/servico/parceiros/:uid/chaves/:chave", []role{administrator}, (*fixture).newKey},
	{"/servico/parceiros/:uid/clientes/:cliente", []role{administrator}, (*fixture).newClient},
	{"/servico/parceiros/:uid/usuarios/:usuario", []role{administrator}, (*fixture).newServiceUser},
	{"/servico/parceiros/:uid/sessoes/:sessao", []role{administrator}, (*fixture).newServiceSession},
	{"/servico/unidades/:uid", []role{administrator}, lastOf("/servico/unidades")},
	{"/servico/profissionais/:uid", []role{administrator}, lastOf("/servico/profissionais")},
	{"/servico/credenciais/:uid", []role{administrator}, lastOf("/servico/credenciais")},
	{"/servico/registro/:uid", []role{administrator}, (*fixture).newLedgerEntry},
}

// fixture is a running program with people of every role, and what they own.
type fixture struct {
	t          testing.TB
	server     *apptest.Server
	standalone bool            // without a desk
	ana        *apptest.Client // makes the things of ownUnit
	admin      *apptest.Client // makes people
	askers     [roles]*apptest.Client
	people     int // made so far
}

// startDesk starts the program and lets people of every role in: Ana of the
// unit Centro, another receptionist of Jardim das Acácias, a supervisor and an
// administrator.
func startDesk(t testing.TB) *fixture {
	t.Helper()
	f := startFixture(t, apptest.Options{})
	f.askers[otherUnit] = f.server.Join(t, app.NewPerson{Login: "bento", Name: "Pessoa bento",
		Roles: []string{apptest.Reception}, Units: []string{"Jardim das Acácias"}})
	f.askers[otherUnit].StayOnRedirect()
	return f
}

// startStandalone starts the service alone and lets people of every role in.
func startStandalone(t testing.TB) *fixture {
	t.Helper()
	return startFixture(t, apptest.Options{Standalone: true})
}

func startFixture(t testing.TB, o apptest.Options) *fixture {
	t.Helper()
	p := apptest.Start(t, o)
	return &fixture{t: t, server: p, standalone: o.Standalone, ana: p.LogIn(t, apptest.Reception), admin: p.LogIn(t, apptest.Administration),
		askers: [roles]*apptest.Client{
			nobody:        p.Client(t).StayOnRedirect(),
			ownUnit:       p.LogIn(t, apptest.Reception).StayOnRedirect(),
			supervisor:    p.LogIn(t, apptest.Supervision).StayOnRedirect(),
			administrator: p.LogIn(t, apptest.Administration).StayOnRedirect(),
		}}
}

// stayIn logs those in again whose session a route ended.
func (f *fixture) stayIn() {
	f.t.Helper()
	for _, v := range append([]*apptest.Client{f.ana, f.admin}, f.askers[ownUnit:]...) {
		if v == nil {
			continue // without a desk units tell nobody apart
		}
		if got := v.Get("/ajuda"); got.Status == http.StatusOK && got.Path == "/ajuda" {
			continue
		}
		v.Forget()
		if got := v.LogInAgain(); got.Status >= http.StatusBadRequest {
			f.t.Fatalf("log in again: %d", got.Status)
		}
	}
}

// verdict is what a role got.
type verdict struct {
	right    right
	status   int
	location string
}

func (v verdict) String() string { return fmt.Sprintf("%s (%d %s)", v.right, v.status, v.location) }

// ask sends a request with nothing in it, to an address of files one with a file:
// who is let through may be told that something is missing, by 409 or 422.
func (f *fixture) ask(who role, method, address string) verdict {
	f.t.Helper()
	var got *apptest.Page
	switch v := f.askers[who]; {
	case method != http.MethodPost:
		got = v.Send(method, address, "", nil, nil)
	case strings.HasSuffix(address, "/anexos"), strings.HasSuffix(address, "/biometria"):
		got = v.Upload(address, nil, map[string][]byte{"pedido.pdf": apptest.PDF(1000)})
	default:
		got = v.Post(address, nil)
	}
	v := verdict{status: got.Status, location: got.Header.Get("Location")}
	switch {
	case got.Status == http.StatusSeeOther && strings.HasPrefix(v.location, "/entrar?volta="):
		v.right = entry
	case got.Status == http.StatusForbidden:
		v.right = forbidden
	case got.Status == http.StatusNotFound:
		v.right = missing
	case got.Status < http.StatusBadRequest:
		v.right = through
	case method == http.MethodPost && (got.Status == http.StatusConflict || got.Status == http.StatusUnprocessableEntity):
		v.right = through
	default:
		v.right = "neither"
	}
	return v
}

var attachmentID = regexp.MustCompile(`/anexos/([0-9a-f-]{36})`)

// fill makes a thing and returns the address that the pattern means with it.
func (f *fixture) fill(pattern string, of reach) string {
	f.t.Helper()
	thing := of.thing(f)
	address := strings.Replace(thing+strings.TrimPrefix(pattern, of.prefix), ":indice", "0", 1)
	if strings.Contains(address, ":anexo") {
		found := attachmentID.FindSubmatch(f.ana.Get(thing).Body)
		if found == nil {
			f.t.Fatalf("%s shows no attachment", of.prefix)
		}
		address = strings.Replace(address, ":anexo", string(found[1]), 1)
	}
	if strings.Contains(address, ":") {
		f.t.Fatalf("%s: say in fill what its placeholders mean", pattern)
	}
	return address
}

func (f *fixture) newDraft() string {
	f.t.Helper()
	address, _ := f.filledDraft()
	return address
}

func (f *fixture) filledDraft() (address string, form url.Values) {
	f.t.Helper()
	address, form = f.ana.NewDraft()
	if got := f.ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(1000)}); got.Status != http.StatusOK {
		f.t.Fatalf("attach: %d", got.Status)
	}
	form.Set("versao", "1")
	return address, form
}

func (f *fixture) newCase() string {
	f.t.Helper()
	return f.ana.Submit(f.filledDraft()).Path
}

func (f *fixture) newFilter() string {
	f.t.Helper()
	return search(f.ana, url.Values{"texto": {"guia"}}).Path
}

// newSession is another one of Ana's.
func (f *fixture) newSession() string {
	f.t.Helper()
	f.server.LogIn(f.t, apptest.Reception)
	return f.first(f.ana, "/conta", `/conta/sessoes/[0-9a-f-]{36}`)
}

func (f *fixture) newPersonsSession() string {
	f.t.Helper()
	link, path := f.addPerson()
	if got := f.server.Client(f.t).Activate(link); got.Status != http.StatusOK {
		f.t.Fatalf("activate: %d", got.Status)
	}
	return f.first(f.admin, path, path+`/sessoes/[0-9a-f-]{36}`)
}

func (f *fixture) first(v *apptest.Client, page, address string) string {
	f.t.Helper()
	found := regexp.MustCompile(address).FindString(string(v.Get(page).Body))
	if found == "" {
		f.t.Fatalf("%s leads to no %s", page, address)
	}
	return found
}

func (f *fixture) newInvitation() string {
	f.t.Helper()
	link, _ := f.addPerson()
	return link
}

func (f *fixture) newPerson() string {
	f.t.Helper()
	_, path := f.addPerson()
	return path
}

func (f *fixture) addPerson() (link, path string) {
	f.t.Helper()
	f.people++
	user := fmt.Sprintf("pessoa.%d", f.people)
	made := f.admin.Post("/pessoas/nova", url.Values{"usuario": {user}, "nome": {"Pessoa de Teste"}, "papeis": {"recepcao"}})
	if link = made.Invitation(); link == "" {
		f.t.Fatalf("add a person: %d %s", made.Status, made.Text("#erros"))
	}
	return link, f.admin.PersonPath(user)
}

// lastOf is the last entry of the directory, which nothing else here needs.
func lastOf(list string) func(f *fixture) string {
	return func(f *fixture) string {
		f.t.Helper()
		address, ok := f.admin.Get(list).Find("td.cell-name a").Last().Attr("href")
		if !ok {
			f.t.Fatalf("%s is empty", list)
		}
		return address
	}
}

// newPartner is another one each time.
func (f *fixture) newPartner() string {
	f.t.Helper()
	f.people++
	return f.admin.AddPartner(fmt.Sprintf("Parceiro %d", f.people))
}

func (f *fixture) newAccess(slug string, form url.Values, shown int) string {
	f.t.Helper()
	partner := f.newPartner()
	f.admin.Mint(f.t, partner+"/"+slug, form, shown)
	return f.first(f.admin, partner, partner+"/"+slug+"/[0-9a-f-]{36}")
}

func (f *fixture) newKey() string {
	f.t.Helper()
	return f.newAccess("chaves", nil, 1)
}

func (f *fixture) newClient() string {
	f.t.Helper()
	return f.newAccess("clientes", url.Values{"cliente": {"Faturamento"}}, 2)
}

func (f *fixture) newServiceUser() string {
	f.t.Helper()
	return f.newAccess("usuarios", url.Values{"usuario": {fmt.Sprintf("sistema.%d", f.people)}}, 2)
}

// newServiceSession is a login of a user of a new partner.
func (f *fixture) newServiceSession() string {
	f.t.Helper()
	partner := f.newPartner()
	made := f.admin.Mint(f.t, partner+"/usuarios", url.Values{"usuario": {fmt.Sprintf("sistema.%d", f.people)}}, 2)
	f.admin.Server.Partner(f.t, "").LogIn(made[0], made[1])
	return f.first(f.admin, partner+"/sessoes", partner+"/sessoes/[0-9a-f-]{36}")
}

func (f *fixture) newLedgerEntry() string {
	f.t.Helper()
	if f.standalone {
		f.requestByKey()
	} else {
		f.newCase()
	}
	return f.first(f.admin, "/servico/registro", "/servico/registro/[0-9a-f-]{36}")
}
