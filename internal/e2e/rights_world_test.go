package e2e_test

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
	{"/casos/:uid", []role{ownUnit, supervisor}, (*world).newCase},
	{"/nova/:uid", []role{ownUnit}, (*world).newDraft},
	{"/historico/:uid", []role{ownUnit}, (*world).newFilter},
	{"/conta/sessoes/:sessao", []role{ownUnit}, (*world).newSession},
	{"/ativar/:token", []role{nobody, ownUnit, otherUnit, supervisor, administrator}, (*world).newInvitation},
	{"/pessoas/:uid", []role{administrator}, (*world).newPerson},
	{"/pessoas/:uid/sessoes/:sessao", []role{administrator}, (*world).newPersonsSession},
	{"/cadastros/unidades/:uid", []role{administrator}, lastOf("/cadastros/unidades")},
	{"/cadastros/executantes/:uid", []role{administrator}, lastOf("/cadastros/executantes")},
	{"/cadastros/procedimentos/:codigo", []role{administrator}, lastOf("/cadastros/procedimentos")},
	{"/cadastros/credenciais/:uid", []role{administrator}, lastOf("/cadastros/credenciais")},
	{"/servico/parceiros/:uid", []role{administrator}, (*world).newPartner},
	{"/servico/parceiros/:uid/chaves/:chave", []role{administrator}, (*world).newKey},
	{"/servico/parceiros/:uid/clientes/:cliente", []role{administrator}, (*world).newClient},
	{"/servico/parceiros/:uid/usuarios/:usuario", []role{administrator}, (*world).newServiceUser},
	{"/servico/parceiros/:uid/sessoes/:sessao", []role{administrator}, (*world).newServiceSession},
	{"/servico/unidades/:uid", []role{administrator}, lastOf("/servico/unidades")},
	{"/servico/profissionais/:uid", []role{administrator}, lastOf("/servico/profissionais")},
	{"/servico/credenciais/:uid", []role{administrator}, lastOf("/servico/credenciais")},
	{"/servico/registro/:uid", []role{administrator}, (*world).newLedgerEntry},
}

// world is a running program with people of every role, and what they own.
type world struct {
	t      testing.TB
	server *apptest.Server
	alone  bool            // without a desk
	ana    *apptest.Client // makes the things of ownUnit
	admin  *apptest.Client // makes people
	askers [roles]*apptest.Client
	people int // made so far
}

// MustMakeWorld starts the program and lets people of every role in: Ana of the
// unit Centro, another receptionist of Jardim das Acácias, a supervisor and an
// administrator.
func MustMakeWorld(t testing.TB) *world {
	t.Helper()
	w := makeWorld(t, apptest.Options{})
	w.askers[otherUnit] = w.server.Join(t, app.NewPerson{Login: "bento", Name: "Pessoa bento", Roles: []string{apptest.Reception}, Units: []string{"Jardim das Acácias"}})
	w.askers[otherUnit].StayOnRedirect()
	return w
}

// MustMakeAloneWorld starts the service alone and lets people of every role in.
func MustMakeAloneWorld(t testing.TB) *world {
	t.Helper()
	return makeWorld(t, apptest.Options{Standalone: true})
}

func makeWorld(t testing.TB, o apptest.Options) *world {
	t.Helper()
	p := apptest.Start(t, o)
	return &world{t: t, server: p, alone: o.Standalone, ana: p.LogIn(t, apptest.Reception), admin: p.LogIn(t, apptest.Administration),
		askers: [roles]*apptest.Client{
			nobody:        p.Client(t).StayOnRedirect(),
			ownUnit:       p.LogIn(t, apptest.Reception).StayOnRedirect(),
			supervisor:    p.LogIn(t, apptest.Supervision).StayOnRedirect(),
			administrator: p.LogIn(t, apptest.Administration).StayOnRedirect(),
		}}
}

// stayIn logs those in again whose session a route ended.
func (w *world) stayIn() {
	w.t.Helper()
	for _, v := range append([]*apptest.Client{w.ana, w.admin}, w.askers[ownUnit:]...) {
		if v == nil {
			continue // without a desk units tell nobody apart
		}
		if got := v.Get("/ajuda"); got.Status == http.StatusOK && got.Path == "/ajuda" {
			continue
		}
		v.Forget()
		if got := v.LogInAgain(); got.Status >= http.StatusBadRequest {
			w.t.Fatalf("log in again: %d", got.Status)
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
func (w *world) ask(who role, method, address string) verdict {
	w.t.Helper()
	var got *apptest.Page
	switch v := w.askers[who]; {
	case method != http.MethodPost:
		got = v.Send(method, address, "", nil, nil)
	case strings.HasSuffix(address, "/anexos"):
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
func (w *world) fill(pattern string, of reach) string {
	w.t.Helper()
	thing := of.thing(w)
	address := strings.Replace(thing+strings.TrimPrefix(pattern, of.prefix), ":indice", "0", 1)
	if strings.Contains(address, ":anexo") {
		found := attachmentID.FindSubmatch(w.ana.Get(thing).Body)
		if found == nil {
			w.t.Fatalf("%s shows no attachment", of.prefix)
		}
		address = strings.Replace(address, ":anexo", string(found[1]), 1)
	}
	if strings.Contains(address, ":") {
		w.t.Fatalf("%s: say in fill what its placeholders mean", pattern)
	}
	return address
}

func (w *world) newDraft() string {
	w.t.Helper()
	address, _ := w.filledDraft()
	return address
}

func (w *world) filledDraft() (address string, form url.Values) {
	w.t.Helper()
	address, form = w.ana.NewDraft()
	if got := w.ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(1000)}); got.Status != http.StatusOK {
		w.t.Fatalf("attach: %d", got.Status)
	}
	form.Set("versao", "1")
	return address, form
}

func (w *world) newCase() string {
	w.t.Helper()
	return w.ana.Submit(w.filledDraft()).Path
}

func (w *world) newFilter() string {
	w.t.Helper()
	return search(w.ana, url.Values{"texto": {"guia"}}).Path
}

// newSession is another one of Ana's.
func (w *world) newSession() string {
	w.t.Helper()
	w.server.LogIn(w.t, apptest.Reception)
	return w.first(w.ana, "/conta", `/conta/sessoes/[0-9a-f-]{36}`)
}

func (w *world) newPersonsSession() string {
	w.t.Helper()
	link, path := w.addPerson()
	if got := w.server.Client(w.t).Activate(link); got.Status != http.StatusOK {
		w.t.Fatalf("activate: %d", got.Status)
	}
	return w.first(w.admin, path, path+`/sessoes/[0-9a-f-]{36}`)
}

func (w *world) first(v *apptest.Client, page, address string) string {
	w.t.Helper()
	found := regexp.MustCompile(address).FindString(string(v.Get(page).Body))
	if found == "" {
		w.t.Fatalf("%s leads to no %s", page, address)
	}
	return found
}

func (w *world) newInvitation() string {
	w.t.Helper()
	link, _ := w.addPerson()
	return link
}

func (w *world) newPerson() string {
	w.t.Helper()
	_, path := w.addPerson()
	return path
}

func (w *world) addPerson() (link, path string) {
	w.t.Helper()
	w.people++
	user := fmt.Sprintf("pessoa.%d", w.people)
	made := w.admin.Post("/pessoas/nova", url.Values{"usuario": {user}, "nome": {"Pessoa de Teste"}, "papeis": {"recepcao"}})
	if link = made.Invitation(); link == "" {
		w.t.Fatalf("add a person: %d %s", made.Status, made.Text("#erros"))
	}
	return link, w.admin.PersonPath(user)
}

// lastOf is the last entry of the directory, which nothing else here needs.
func lastOf(list string) func(w *world) string {
	return func(w *world) string {
		w.t.Helper()
		address, ok := w.admin.Get(list).Find("td.cell-name a").Last().Attr("href")
		if !ok {
			w.t.Fatalf("%s is empty", list)
		}
		return address
	}
}
