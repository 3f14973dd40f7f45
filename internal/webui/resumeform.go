package webui

import (
	"net/http"
	"slices"
	"strings"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// typedForms are the forms of administração in which people write, by the route that takes each. After a session that
// ended meanwhile they are sent on once the person has logged in, as they were typed.
var typedForms = map[string]bool{
	"/pessoas/nova": true, "/pessoas/:uid": true, "/servico/conexao": true, "/servico/conexao/testar": true,
	"/cadastros/unidades/nova": true, "/cadastros/unidades/:uid": true,
	"/cadastros/executantes/novo": true, "/cadastros/executantes/:uid": true,
	"/cadastros/procedimentos/novo": true, "/cadastros/procedimentos/:codigo": true, "/cadastros/credenciais/:uid": true,
	"/servico/credenciais/nova": true, "/servico/credenciais/:uid": true,
	"/servico/unidades/nova": true, "/servico/unidades/:uid": true,
	"/servico/profissionais/novo": true, "/servico/profissionais/:uid": true,
	"/servico/parceiros/novo": true, "/servico/parceiros/:uid": true, "/servico/parceiros/:uid/chaves": true,
	"/servico/parceiros/:uid/clientes": true, "/servico/parceiros/:uid/usuarios": true,
}

// carriedForm is the field of the entry page with the address that a carried form was posted to.
const carriedForm = "formulario"

// askToLogIn sends to the entry page; what was typed into a form comes along, and a page whose script asks stays.
func (s *server) askToLogIn(c echo.Context, r route) error {
	switch {
	case r.method != http.MethodPost || !typedForms[r.path]:
		return s.product.askToLogIn(c)
	case isHTMX(c):
		return s.render(c, http.StatusUnauthorized, page.FailureNotice(page.FailureView{Heading: "Sua sessão terminou",
			Text: "O que você digitou continua nesta página. Salve para entrar de novo sem perder nada."}))
	}
	typed, err := postedValues(c)
	if err != nil {
		return err
	}
	typed.Del(confirmationField)
	if len(typed) == 0 {
		return s.product.askToLogIn(c)
	}
	view := page.LoginView{Return: pageOf(c), Carried: []page.Carried{{Name: carriedForm, Value: c.Request().URL.Path}}}
	return s.showCarried(c, view, typed)
}

// offerTyped answers a login that brought such a form along with a page that sends it on: nothing is recorded before
// the person says so, who may be another one. It is false for any other login.
func (s *server) offerTyped(c echo.Context, user account.User, view page.LoginView) (offered bool, err error) {
	i := slices.IndexFunc(view.Carried, func(f page.Carried) bool { return f.Name == carriedForm })
	if i < 0 {
		return false, nil
	}
	again := &page.Again{Path: localPath(view.Carried[i].Value), Text: "Continuar com o que foi digitado"}
	access, known := s.takesTyped(c, again.Path)
	if !known {
		return false, nil
	}
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return true, err
	}
	session.Values[userKey{}] = user
	if !user.May(access) {
		return true, s.afterwards(c, nil,
			"O formulário que estava aberto não está ao seu alcance, e o que foi digitado nele não foi gravado.", s.product.landing(user))
	}
	for _, f := range view.Carried {
		if name, isField := strings.CutPrefix(f.Name, carriedPrefix); isField {
			again.Carried = append(again.Carried, page.Carried{Name: name, Value: f.Value})
		}
	}
	return true, s.showTypedBefore(c, again, localPath(view.Return))
}

// showTypedBefore renders the page that sends a form on, or leads back without it.
func (s *server) showTypedBefore(c echo.Context, again *page.Again, back string) error {
	noCompression(c) // what was typed may be a secret
	frame, err := s.frame(c, "Sua sessão tinha terminado", layout.NoTab)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, page.FailurePage(page.FailureView{Page: frame, Heading: frame.Title, Again: again,
		Text: "O que você digitou antes de entrar de novo está guardado nesta página e ainda não foi gravado.",
		Next: component.Link{Href: back, Text: "Voltar sem gravar"}}))
}

// takesTyped says whom the form at an address admits; false where there is none.
func (s *server) takesTyped(c echo.Context, path string) (permission.Permission, bool) {
	probe := c.Echo().NewContext(nil, nil)
	c.Echo().Router().Find(http.MethodPost, path, probe)
	for _, r := range s.routes() {
		if r.method == http.MethodPost && r.path == probe.Path() && typedForms[r.path] {
			return r.access, true
		}
	}
	return "", false
}
