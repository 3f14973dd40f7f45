package e2e_test

import (
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"guiche/internal/app"
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
	config app.Config
	alone  bool       // without a desk
	ana    *traveller // makes the things of ownUnit
	admin  *traveller // makes people
	askers [roles]*traveller
	people int // made so far
}

// traveller is a visitor who can come back after her session ended.
type traveller struct {
	*visitor
	user, password string
}

const travelPassword = "outra frase bem comprida"

// MustMakeWorld starts the program and lets people of every role in: Ana of the
// unit Centro, another receptionist of Jardim das Acácias, a supervisor and an
// administrator.
func MustMakeWorld(t testing.TB) *world {
	t.Helper()
	var config app.Config
	p := MustRun(t, func(c *app.Config) { config = *c })
	w := &world{t: t, config: config}
	w.ana, w.admin = MustTravel(t, p, "recepcao"), MustTravel(t, p, "administracao")
	w.askers = [roles]*traveller{
		nobody:  {visitor: MustVisit(t, p, "")},
		ownUnit: MustTravel(t, p, "recepcao"), supervisor: MustTravel(t, p, "supervisao"), administrator: MustTravel(t, p, "administracao"),
		otherUnit: MustJoin(t, p, config, "bento", "Jardim das Acácias"),
	}
	w.followNothing()
	return w
}

// MustMakeAloneWorld starts the service alone and lets people of every role in.
func MustMakeAloneWorld(t testing.TB) *world {
	t.Helper()
	var config app.Config
	p := MustRunAlone(t, func(c *app.Config) { config = *c })
	w := &world{t: t, config: config, alone: true}
	w.ana, w.admin = MustTravel(t, p, "recepcao"), MustTravel(t, p, "administracao")
	w.askers = [roles]*traveller{
		nobody:  {visitor: MustVisit(t, p, "")},
		ownUnit: MustTravel(t, p, "recepcao"), supervisor: MustTravel(t, p, "supervisao"), administrator: MustTravel(t, p, "administracao"),
	}
	w.followNothing()
	return w
}

// followNothing lets askers see where they are sent.
func (w *world) followNothing() {
	for _, asker := range w.askers {
		if asker != nil {
			asker.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		}
	}
}

// MustTravel logs a role of the demo in.
func MustTravel(t testing.TB, p *program, role string) *traveller {
	t.Helper()
	user, password := p.login(t, role)
	return &traveller{MustVisit(t, p, role), user, password}
}

// MustJoin adds a receptionist of a unit and lets her in by her one-time link.
func MustJoin(t testing.TB, p *program, c app.Config, user, unit string) *traveller {
	t.Helper()
	link, err := app.AddPerson(t.Context(), c, app.NewPerson{Login: user, Name: "Pessoa " + user, Roles: []string{"recepcao"}, Units: []string{unit}})
	if err != nil {
		t.Fatal(err)
	}
	v := &traveller{MustVisit(t, p, ""), user, travelPassword}
	if got := v.post(link, url.Values{"senha": {v.password}, "senha2": {v.password}}); got.status != http.StatusOK {
		t.Fatalf("activate %s: %d", user, got.status)
	}
	return v
}

// stayIn logs those in again whose session a route ended.
func (w *world) stayIn() {
	w.t.Helper()
	for _, v := range append([]*traveller{w.ana, w.admin}, w.askers[ownUnit:]...) {
		if v == nil {
			continue // without a desk units tell nobody apart
		}
		if got := v.get("/ajuda"); got.status == http.StatusOK && got.path == "/ajuda" {
			continue
		}
		v.client.Jar, _ = cookiejar.New(nil)
		if got := v.post("/entrar", url.Values{"usuario": {v.user}, "senha": {v.password}}); got.status >= http.StatusBadRequest {
			w.t.Fatalf("log in again: %d", got.status)
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
	var got answer
	switch v := w.askers[who]; {
	case method != http.MethodPost:
		got = v.send(method, address, "", nil, nil)
	case strings.HasSuffix(address, "/anexos"):
		got = v.upload(address, nil, map[string][]byte{"pedido.pdf": pdfBytes(1000)})
	default:
		got = v.post(address, nil)
	}
	v := verdict{status: got.status, location: got.header.Get("Location")}
	switch {
	case got.status == http.StatusSeeOther && strings.HasPrefix(v.location, "/entrar?volta="):
		v.right = entry
	case got.status == http.StatusForbidden:
		v.right = forbidden
	case got.status == http.StatusNotFound:
		v.right = missing
	case got.status < http.StatusBadRequest:
		v.right = through
	case method == http.MethodPost && (got.status == http.StatusConflict || got.status == http.StatusUnprocessableEntity):
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
		found := attachmentID.FindSubmatch(w.ana.get(thing).body)
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
	address, form = w.ana.newDraft()
	if got := w.ana.upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": pdfBytes(1000)}); got.status != http.StatusOK {
		w.t.Fatalf("attach: %d", got.status)
	}
	form.Set("versao", "1")
	return address, form
}

func (w *world) newCase() string {
	w.t.Helper()
	return w.ana.submit(w.filledDraft()).path
}

func (w *world) newFilter() string {
	w.t.Helper()
	return w.ana.search(url.Values{"texto": {"guia"}}).path
}

// newSession is another one of Ana's.
func (w *world) newSession() string {
	w.t.Helper()
	MustTravel(w.t, w.ana.p, "recepcao")
	return w.first(w.ana, "/conta", `/conta/sessoes/[0-9a-f-]{36}`)
}

func (w *world) newPersonsSession() string {
	w.t.Helper()
	link, path := w.addPerson()
	if got := MustVisit(w.t, w.admin.p, "").post(link, url.Values{"senha": {travelPassword}, "senha2": {travelPassword}}); got.status != http.StatusOK {
		w.t.Fatalf("activate: %d", got.status)
	}
	return w.first(w.admin, path, path+`/sessoes/[0-9a-f-]{36}`)
}

func (w *world) first(v *traveller, page, address string) string {
	w.t.Helper()
	found := regexp.MustCompile(address).FindString(string(v.get(page).body))
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
	made := w.admin.post("/pessoas/nova", url.Values{"usuario": {user}, "nome": {"Pessoa de Teste"}, "papeis": {"recepcao"}})
	if link = made.invitation(); link == "" {
		w.t.Fatalf("add a person: %d %s", made.status, made.text("#erros"))
	}
	return link, w.admin.personPath(user)
}

// lastOf is the last entry of the directory, which nothing else here needs.
func lastOf(list string) func(w *world) string {
	return func(w *world) string {
		w.t.Helper()
		address, ok := w.admin.get(list).doc().Find("td.cell-name a").Last().Attr("href")
		if !ok {
			w.t.Fatalf("%s is empty", list)
		}
		return address
	}
}
