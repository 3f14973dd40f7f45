package webui

import (
	"maps"
	"net/http"
	"net/url"
	"slices"

	"guiche/internal/account"
	"guiche/internal/problem"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// sensitiveRoutes are the acts that ask for the password again when it was last given
// a while ago: whoever finds an open screen must not make themselves a way in.
var sensitiveRoutes = map[string]bool{
	"/pessoas/nova":           true,
	"/pessoas/:uid":           true,
	"/pessoas/:uid/convite":   true,
	"/pessoas/:uid/reativar":  true,
	"/auditoria/alarme":       true,
	resendRoute:               true,
	"/servico/conexao":        true,
	"/servico/parceiros/novo": true,
	"/servico/parceiros/:uid": true,

	"/servico/parceiros/:uid/reativar":                   true,
	"/servico/parceiros/:uid/chaves":                     true,
	"/servico/parceiros/:uid/clientes":                   true,
	"/servico/parceiros/:uid/usuarios":                   true,
	"/servico/parceiros/:uid/usuarios/:usuario/senha":    true,
	"/servico/parceiros/:uid/usuarios/:usuario/reativar": true,
}

// isSensitive reports whether a route asks for the password again.
func (r route) isSensitive() bool { return r.method == http.MethodPost && sensitiveRoutes[r.path] }

// confirmationField carries the password that was asked for again.
const confirmationField = "confirmacao-da-senha"

// confirmed lets a sensitive act through, or asks for the password and keeps what was
// posted; it is then posted once more with the password.
func (s *server) confirmed(c echo.Context, user account.User) (through bool, err error) {
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return false, err
	}
	values, err := postedValues(c)
	if err != nil {
		return false, err
	}
	typed, asked := values.Get(confirmationField), values.Has(confirmationField)
	values.Del(confirmationField)
	if fresh, _ := session.Values[confirmedKey{}].(bool); fresh {
		return true, nil
	}
	if !asked {
		return false, s.askToConfirm(c, http.StatusUnprocessableEntity, values, "")
	}
	err = s.Accounts.Confirm(c.Request().Context(), user.UID, s.sessionUID(c), typed)
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return false, s.askToConfirm(c, http.StatusUnprocessableEntity, values, fields[0].Message)
	}
	if p, ok := asProblem(err); ok && p.Code == problem.Throttled {
		return false, s.askToConfirm(c, http.StatusTooManyRequests, values, p.Message)
	}
	return err == nil, err
}

// askToConfirm renders the page that asks for the password, with all that was posted.
func (s *server) askToConfirm(c echo.Context, status int, values url.Values, wrong string) error {
	noCompression(c) // what was typed may be a secret
	view := page.ConfirmView{Path: c.Request().URL.Path, Back: returnPath(c), Problem: wrong}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		for _, value := range values[name] {
			view.Carried = append(view.Carried, page.Carried{Name: name, Value: value})
		}
	}
	var err error
	if view.Page, err = s.frame(c, "Confirme a sua senha", layout.NoTab); err != nil {
		return err
	}
	view.Failed = wrong != ""
	return s.render(c, status, page.ConfirmPage(view))
}
