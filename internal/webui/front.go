package webui

import (
	"context"

	"guiche/internal/account"
	"guiche/internal/connection"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/internal/report"
	"guiche/web/layout"

	"github.com/labstack/echo/v4"
)

// Front is what the pages of a desk need.
type Front struct {
	Desk       *desk.Desk
	History    *report.History
	Directory  *directory.Directory
	Connection *connection.Manager
	Lister     func() directory.Lister // the service in use, for its units and professionals
	NoService  func() bool             // nothing is configured that could authorize: every page says so
}

// front serves the pages of a desk. What every installation has is server's, which
// cannot reach a desk but through its front.
type front struct {
	*server
	Front
}

// actor is the person as the desk knows people.
func (s *front) actor(c echo.Context) permission.Actor {
	u := s.current(c)
	return u.Actor()
}

// alerts tells administração about submissions that wait for it: numbers, no
// patients.
func (s *front) alerts(ctx context.Context) ([]layout.Alert, error) {
	found, err := s.Desk.Alerts(ctx)
	if err != nil {
		return nil, err
	}
	var all []layout.Alert
	if found.Held > 0 {
		all = append(all, layout.Alert{Strong: count(found.Held, "pedido com envio suspenso.", "pedidos com envio suspenso."),
			Text: "O serviço de autorização não aceita o nosso acesso. Confira a página Conexão; salvo o acesso certo, os pedidos saem em seguida."})
	}
	if found.Conflicts > 0 {
		all = append(all, layout.Alert{Strong: count(found.Conflicts, "número já conhecido do serviço com outro pedido.", "números já conhecidos do serviço com outros pedidos."),
			Text: "Dois Guichês podem estar usando a mesma numeração. Confira antes de reenviar."})
	}
	return all, nil
}

// unitsOfDesk are those that people can work in: where there is no desk, none.
func (s *server) unitsOfDesk(ctx context.Context) ([]directory.Unit, error) {
	if s.front == nil {
		return nil, nil
	}
	return s.front.Directory.Units(ctx)
}

// landing is where a person starts.
func (s *server) landing(user account.User) string {
	switch {
	case s.front != nil && user.May(permission.SeePatients):
		return "/fila"
	case s.front != nil && user.May(permission.ManagePeople):
		return "/pessoas"
	case s.front != nil:
		return "/ajuda"
	case user.May(permission.ManagePeople):
		return "/servico"
	}
	return "/"
}
