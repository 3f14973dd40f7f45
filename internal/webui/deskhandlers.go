package webui

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"guiche/internal/account"
	"guiche/internal/connection"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/report"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// DeskConfig is what the pages of a desk need.
type DeskConfig struct {
	Desk       *desk.Desk
	History    *report.History
	Directory  *directory.Directory
	Connection *connection.Manager
	Lister     func() directory.Lister // the service in use, for its units and professionals
	NoService  func() bool             // no configured service could authorize anything: every page says so
}

// deskHandlers serves the pages of a desk. Handlers of server serve what every
// installation has.
type deskHandlers struct {
	*server
	DeskConfig
}

var _ product = (*deskHandlers)(nil)

// together has what a page reads be of one moment, with one transaction. Nothing slow and
// nothing that writes belongs into it.
func (s *deskHandlers) together(c echo.Context, read func() error) error {
	r := c.Request()
	defer c.SetRequest(r)
	return s.Desk.ReadTogether(r.Context(), func(ctx context.Context) error {
		c.SetRequest(r.WithContext(ctx))
		return read()
	})
}

// readInOne are the routes of pages that read nothing they have written before.
var readInOne = map[string]bool{"/fila": true, "/historico": true, "/nova": true, "/casos/:uid": true, "/historico/:uid": true}

// inOne has these pages read together with the session of who asks for them.
func (s *server) inOne(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		if c.Request().Method == http.MethodGet && readInOne[c.Path()] {
			defer s.product.readOn(c)()
		}
		return next(c)
	}
}

// readOn implements product. Pages that go on from a case are rarely read again.
func (s *deskHandlers) readOn(c echo.Context) (end func()) {
	r, name := c.Request(), ""
	if c.QueryParam("antes") == "" {
		name = s.sessions.token(r) + " " + r.RequestURI
	}
	on, end := s.Desk.ReadOn(r.Context(), name)
	c.SetRequest(r.WithContext(on))
	return end
}

// around is what stands around a page, read of the same moment as what the page shows.
func (s *deskHandlers) around(c echo.Context, title string, tab layout.Tab, read func() error) (p layout.Page, err error) {
	user := s.current(c)
	err = s.together(c, func() error {
		if !user.May(permission.SeeAllUnits) {
			if err := s.Directory.UnitsAhead(c.Request().Context()); err != nil {
				return err
			}
		}
		if err := read(); err != nil {
			return err
		}
		p, err = s.surroundings(c, title, tab)
		return err
	})
	return p, err
}

// framing runs what reads a page's content in around, for what is done once that was read.
func (s *deskHandlers) framing(c echo.Context, p *layout.Page, title string, tab layout.Tab) func(func(context.Context) error) error {
	return func(read func(context.Context) error) (err error) {
		*p, err = s.around(c, title, tab, func() error { return read(c.Request().Context()) })
		return err
	}
}

// landing is the queue for those who see patients and the list of people for pure
// administrators, who have no permission to open the queue.
func (s *deskHandlers) landing(user account.User) string {
	switch {
	case user.May(permission.SeePatients):
		return "/fila"
	case user.May(permission.ManagePeople):
		return "/pessoas"
	}
	return "/ajuda"
}

// completeFrame adds to every page the person's units and, for administrators only, the
// alerts about sending. Outside a session it says only whether a service is configured.
func (s *deskHandlers) completeFrame(ctx context.Context, p *layout.Page, user *account.User) (err error) {
	p.NoService = s.NoService()
	if user == nil {
		return nil
	}
	p.Person.Desk = user.May(permission.SeePatients)
	if p.Person.Units, err = s.unitNames(ctx, *user); err != nil {
		return err
	}
	if p.Alerts, err = s.outageAlerts(ctx, p.Alerts); err != nil {
		return err
	}
	if user.May(permission.ManagePeople) {
		alerts, err := s.submissionAlerts(ctx)
		p.Alerts = append(p.Alerts, alerts...)
		return err
	}
	return nil
}

// unitNames names a person's units for the header.
func (s *deskHandlers) unitNames(ctx context.Context, user account.User) (string, error) {
	if user.May(permission.SeeAllUnits) {
		return "todas as unidades", nil
	}
	units, err := s.workUnits(ctx)
	if err != nil {
		return "", err
	}
	var names []string
	for _, u := range units {
		if slices.Contains(user.Units, u.UID) {
			names = append(names, u.Name)
		}
	}
	return strings.Join(names, ", "), nil
}

// submissionAlerts tells administrators about submissions that need them: numbers, no
// patients.
func (s *deskHandlers) submissionAlerts(ctx context.Context) ([]layout.Alert, error) {
	found, err := s.Desk.Alerts(ctx)
	if err != nil {
		return nil, err
	}
	var all []layout.Alert
	if found.Held > 0 {
		all = append(all, layout.Alert{Strong: count(found.Held, "pedido com envio suspenso.", "pedidos com envio suspenso."),
			Text: "O serviço de autorização não aceita o nosso acesso. Confira a página Conexão; salvo o acesso certo, os " +
				"pedidos saem em seguida."})
	}
	if found.Conflicts > 0 {
		all = append(all, layout.Alert{Strong: count(found.Conflicts, "número já conhecido do serviço com outro pedido.",
			"números já conhecidos do serviço com outros pedidos."),
			Text: "Dois Guichês podem estar usando a mesma numeração. Confira antes de reenviar."})
	}
	return all, nil
}

// afterLogin continues with the form that the login page carried, where there is one.
func (s *deskHandlers) afterLogin(c echo.Context, user account.User, view page.LoginView) error {
	if len(view.Carried) > 0 {
		return s.resume(c, user, view)
	}
	return redirect(c, returnAfterLogin(view, s.landing(user)))
}

// shortageText speaks of what the reception makes.
func (s *deskHandlers) shortageText() string {
	return "Nada novo pode ser guardado por enquanto: nem rascunhos, nem pedidos, nem arquivos. " +
		"Consultar funciona, e o que já foi enviado segue normalmente."
}

// notFoundPage keeps the usual text, which says that a request may belong to another
// unit: for a clerk that is the likeliest reason.
func (s *deskHandlers) notFoundPage(view page.FailureView) page.FailureView { return view }

// roleOffers offers every role to everybody; administration is described as not
// seeing patients, because people assume the opposite.
func (s *deskHandlers) roleOffers(account.User) []roleOffer {
	return []roleOffer{
		{permission.Reception, "Abre e envia pedidos; vê os das suas unidades."},
		{permission.Supervision, "Vê todos os pedidos; decide os enviados sem resposta."},
		{permission.Decision, "Confirma com a operadora os enviados sem resposta das suas unidades."},
		{permission.Administration, "Pessoas, cadastros e auditoria; não vê pacientes."},
	}
}

// newRoles ticks none: at a desk each role opens different data, so somebody must
// choose.
func (s *deskHandlers) newRoles() []permission.Role { return nil }

// workUnits are the active units of the directory.
func (s *deskHandlers) workUnits(ctx context.Context) ([]directory.Unit, error) {
	return s.Directory.Units(ctx)
}

// unitFields adds a box for each unit on offer; one that was switched off is marked and
// stays, so that saving the form does not take it away unseen.
func (s *deskHandlers) unitFields(ctx context.Context, view *page.PersonFields, typed typedPerson, kept []uuid.UUID) error {
	units, err := s.offeredUnits(ctx, kept)
	for _, u := range units {
		option := page.Option{Value: u.UID.String(), Label: u.Name, On: slices.Contains(typed.units, u.UID)}
		if !u.Active {
			option.Detail = "desativada"
		}
		view.Units = append(view.Units, option)
	}
	return err
}

// offeredUnits are the active units and those that the person has already, which
// stay on offer after they were switched off.
func (s *deskHandlers) offeredUnits(ctx context.Context, kept []uuid.UUID) ([]directory.Unit, error) {
	units, err := s.Directory.Units(ctx)
	if err != nil {
		return nil, err
	}
	for _, uid := range kept {
		if slices.ContainsFunc(units, func(u directory.Unit) bool { return u.UID == uid }) {
			continue
		}
		unit, err := s.Directory.Unit(ctx, uid)
		if problem.Is(err, problem.NotFound) {
			unit, err = directory.Unit{UID: uid, Name: "Unidade fora do cadastro"}, nil
		}
		if err != nil {
			return nil, err
		}
		units = append(units, unit)
	}
	return units, nil
}

// checkUnits refuses units that the directory does not know.
func (s *deskHandlers) checkUnits(ctx context.Context, typed *typedPerson, _ []uuid.UUID) error {
	for _, uid := range typed.units {
		_, err := s.Directory.Unit(ctx, uid)
		if problem.Is(err, problem.NotFound) {
			return problem.InvalidFields([]problem.Field{{Path: "unidades", Code: "dominio", Message: "Escolha unidades da lista."}})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
