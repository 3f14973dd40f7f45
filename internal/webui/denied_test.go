package webui_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// denials are the entries about refused acts, as event, kind of object and detail.
func denials(trail []apptest.Event) (all []string) {
	for _, e := range trail {
		for _, event := range []string{"acesso.negado", "busca.barrada", "formulario.alheio", "entrada.recusada", "entrada.barrada"} {
			if e.Name == event {
				all = append(all, strings.Join(strings.Fields(e.Name+" "+e.Object+" "+e.Detail), " "))
			}
		}
	}
	return all
}

// TestDenied: what somebody may not do, and tries, stands in the trail, with who it was.
func TestDenied(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		try  func(t *testing.T, p *apptest.Server) *apptest.Page
		code int
		want string
	}{
		"Role": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			return p.LogIn(t, apptest.Reception).Get("/pessoas")
		}, http.StatusForbidden, "acesso.negado rota=/pessoas"},
		"RoleOfTheConsole": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			return p.LogIn(t, apptest.Supervision).Post("/servico/parceiros/novo", url.Values{"nome": {"segredo"}})
		}, http.StatusForbidden, "acesso.negado rota=/servico/parceiros/novo"},
		"Unit": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			ana := p.LogIn(t, apptest.Reception)
			path := ana.Submit(ana.NewDraft()).Path
			return eva(t, p).Get(path)
		}, http.StatusNotFound, "acesso.negado caso alcance=unidade"},
		"UnitOfAGuide": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			ana := p.LogIn(t, apptest.Reception)
			path := ana.Submit(ana.NewDraft()).Path
			return eva(t, p).Get(path + "/guias/0")
		}, http.StatusNotFound, "acesso.negado caso alcance=unidade"},
		"UnitOfAnAct": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			ana := p.LogIn(t, apptest.Reception)
			path := ana.Submit(ana.NewDraft()).Path
			return eva(t, p).Post(path+"/copiar", nil)
		}, http.StatusNotFound, "acesso.negado caso alcance=unidade"},
		"Draft": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			ana := p.LogIn(t, apptest.Reception)
			address, form := ana.NewDraft()
			ana.Post(address, form)
			return p.LogIn(t, apptest.Supervision).Post(address+"/descartar", nil)
		}, http.StatusOK, "acesso.negado rascunho alcance=pessoa"},
		"OneTimeLink": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			return p.Client(t).Get("/ativar/segredo")
		}, http.StatusNotFound, "acesso.negado convite link=desconhecido"},
		"OneTimeLinkPosted": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			return p.Client(t).Post("/ativar/segredo", url.Values{"senha": {"segredo"}, "senha2": {"segredo"}})
		}, http.StatusNotFound, "acesso.negado convite link=desconhecido"},
		"OneTimeLinkUsed": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			link := inviteEva(t, p)
			p.Client(t).Activate(link)
			return p.Client(t).Get(link)
		}, http.StatusNotFound, "acesso.negado convite link=desconhecido"},
		"OneTimeLinkTooLate": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			link := inviteEva(t, p)
			p.Clock.Advance(25 * time.Hour)
			return p.Client(t).Get(link)
		}, http.StatusNotFound, "acesso.negado pessoa link=vencido"},
		"Filter": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			found := p.LogIn(t, apptest.Reception).Post("/historico", url.Values{"texto": {"segredo"}})
			return p.LogIn(t, apptest.Supervision).Get(found.Path)
		}, http.StatusNotFound, "acesso.negado filtro alcance=pessoa"},
		"UnitOfAPlaceInTheHistory": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			ana := p.LogIn(t, apptest.Reception)
			path := ana.Submit(ana.NewDraft()).Path
			return eva(t, p).Get("/historico?antes=" + strings.TrimPrefix(path, "/casos/"))
		}, http.StatusNotFound, "acesso.negado caso alcance=unidade"},
		"UnitOfAPlaceInTheQueue": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			ana := p.LogIn(t, apptest.Reception)
			path := ana.Submit(ana.NewDraft()).Path
			return eva(t, p).Get("/fila?antes=" + strings.TrimPrefix(path, "/casos/"))
		}, http.StatusOK, "acesso.negado caso alcance=unidade"},
		"Session": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			p.LogIn(t, apptest.Supervision)
			celias := p.LogIn(t, apptest.Supervision).Get("/conta").Attr("td form[action^='/conta/sessoes/']", "action")
			return p.LogIn(t, apptest.Reception).Post(celias, nil)
		}, http.StatusNotFound, "acesso.negado sessao alcance=pessoa"},
		"AttachmentOfADraft": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			file, celia := anasFile(t, p), p.LogIn(t, apptest.Supervision)
			return celia.Get(savedDraft(celia) + file)
		}, http.StatusNotFound, "acesso.negado rascunho alcance=pessoa"},
		"AttachmentToRemove": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			file, celia := anasFile(t, p), p.LogIn(t, apptest.Supervision)
			return celia.PostHTMX(savedDraft(celia)+file+"/remover", nil)
		}, http.StatusOK, "acesso.negado rascunho alcance=pessoa"},
		"AttachmentOfACase": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			ana := p.LogIn(t, apptest.Reception)
			address, form := ana.NewDraft()
			ana.UploadHTMX(address+"/anexos", "pedido.pdf", bytes.NewReader(apptest.PDF(2000)))
			form.Set("versao", ana.Get(address).Value("#versao"))
			file := ana.Submit(address, form).AttachmentPath()
			eva := eva(t, p)
			return eva.Get(eva.Submit(eva.NewDraft()).Path + file)
		}, http.StatusNotFound, "acesso.negado caso alcance=unidade"},
		"Password": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			return p.Client(t).Post("/entrar", url.Values{"usuario": {"ana"}, "senha": {"segredo"}})
		}, http.StatusUnprocessableEntity, "entrada.recusada pessoa"},
		"Throttled": {func(t *testing.T, p *apptest.Server) (last *apptest.Page) {
			c := p.Client(t)
			for range 11 {
				last = c.Post("/entrar", url.Values{"usuario": {"ana"}, "senha": {"segredo"}})
			}
			return last
		}, http.StatusTooManyRequests, "entrada.barrada pessoa"},
		"ThrottledAtOnesOwn": {func(t *testing.T, p *apptest.Server) (last *apptest.Page) {
			ana := p.LogIn(t, apptest.Reception)
			for range 11 {
				last = ana.Post("/conta/senha", url.Values{"atual": {"segredo"}, "senha": {"uma bem nova e longa"}, "senha2": {"uma bem nova e longa"}})
			}
			return last
		}, http.StatusTooManyRequests, "entrada.barrada pessoa senha=atual"},
		"Searches": {func(t *testing.T, p *apptest.Server) (last *apptest.Page) {
			ana := p.LogIn(t, apptest.Reception)
			for range 301 {
				last = ana.Post("/busca/procedimentos", url.Values{"termo": {"segredo"}})
			}
			return last
		}, http.StatusTooManyRequests, "busca.barrada"},
		"AnotherSite": {func(t *testing.T, p *apptest.Server) *apptest.Page {
			c := p.Client(t)
			c.Header.Set("Origin", "https://segredo.example")
			return c.Post("/entrar", url.Values{"usuario": {"ana"}})
		}, http.StatusForbidden, "formulario.alheio"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := apptest.Start(t, apptest.Options{Now: time.Date(2026, time.November, 20, 12, 0, 0, 0, time.UTC)})
			if got := tt.try(t, p); got.Status != tt.code {
				t.Errorf("got %d, want %d", got.Status, tt.code)
			}
			all := denials(p.Trail(t))
			if len(all) == 0 || all[len(all)-1] != tt.want {
				t.Errorf("got %q, want %q at the end", all, tt.want)
			}
			for _, event := range []string{"acesso.negado", "busca.barrada", "formulario.alheio", "entrada.recusada", "entrada.barrada"} {
				for _, address := range addressesOf(p.Trail(t), event) {
					if address != "127.0.0.1" {
						t.Errorf("%s: got the address %q", event, address)
					}
				}
			}
			if strings.Contains(strings.Join(all, " "), "segredo") {
				t.Errorf("the trail holds what was typed: %q", all)
			}
		})
	}
}

// eva returns somebody of the reception who works in no unit with cases.
func eva(t *testing.T, p *apptest.Server) *apptest.Client {
	t.Helper()
	return p.Join(t, app.NewPerson{Login: "eva", Name: "Eva Nunes", Roles: []string{apptest.Reception},
		Units: []string{"Jardim das Acácias"}})
}

// inviteEva returns a one-time link of somebody new.
func inviteEva(t *testing.T, p *apptest.Server) string {
	t.Helper()
	link, err := app.AddPerson(t.Context(), p.Config, app.NewPerson{Login: "eva", Name: "Eva Nunes", Roles: []string{apptest.Reception}})
	if err != nil {
		t.Fatal(err)
	}
	return link
}

// savedDraft is a draft of the person's own.
func savedDraft(c *apptest.Client) (address string) {
	address, form := c.NewDraft()
	c.Post(address, form)
	return address
}

// anasFile is the end of the address of a file in a draft of Ana's.
func anasFile(t *testing.T, p *apptest.Server) string {
	t.Helper()
	ana := p.LogIn(t, apptest.Reception)
	return ana.UploadHTMX(ana.DraftPath()+"/anexos", "pedido.pdf", bytes.NewReader(apptest.PDF(2000))).AttachmentPath()
}

// TestDenied_Ordinary: what is not there, and what is lawfully done, is no refused act.
func TestDenied_Ordinary(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	page := ana.Submit(ana.NewDraft())
	p.LogIn(t, apptest.Supervision).Get(page.Path)
	before := p.Trail(t)
	for _, path := range []string{"/casos/01a1fd53-a165-77ef-a4fa-dae39f9cda2f", "/nova/01a1fd53-a165-77ef-a4fa-dae39f9cda2f", "/nada"} {
		ana.Get(path)
	}
	p.Client(t).Get("/pessoas") // asks to log in
	if got := p.Trail(t)[len(before):]; len(got) != 0 {
		t.Errorf("got %q in the trail, want nothing", got)
	}
	if got := denials(p.Trail(t)); len(got) != 0 {
		t.Errorf("got %q, want none", got)
	}
}

// TestDenied_Flood: somebody who tries without end writes two lines, not thousands.
func TestDenied_Flood(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	for range 500 {
		ana.Get("/pessoas")
	}
	if got := denials(p.Trail(t)); len(got) > 2 {
		t.Errorf("got %d lines", len(got))
	}
	p.Stop()
	all := denials(p.Trail(t))
	if last := all[len(all)-1]; last != "acesso.negado rota=/pessoas vezes=499" {
		t.Errorf("got %q, want the others counted when the program ends", all)
	}
}
