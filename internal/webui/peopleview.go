package webui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"guiche/internal/account"
	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

func (s *server) peopleView(ctx context.Context, by permission.Actor, text string) (page.People, error) {
	all, err := s.Accounts.Users(ctx)
	if err != nil {
		return page.People{}, err
	}
	found, err := s.Accounts.FindUsers(ctx, by, text)
	if err != nil {
		return page.People{}, err
	}
	units, err := s.unitsOfDesk(ctx)
	if err != nil {
		return page.People{}, err
	}
	view := page.People{Search: text, Count: countPeople(len(found), len(all))}
	for _, u := range found {
		view.Rows = append(view.Rows, page.PersonRow{Href: "/pessoas/" + u.UID.String(), Name: u.Name, User: u.Login,
			Roles: roleNames(u.Roles), Units: unitWords(u, units), LastLogin: s.lastLogin(u), State: personState(u)})
	}
	return view, nil
}

func countPeople(found, all int) string {
	words := fmt.Sprintf("%d pessoas", all)
	if all == 1 {
		words = "1 pessoa"
	}
	if found < all {
		words = fmt.Sprintf("%d de %s", found, words)
	}
	return words
}

func roleNames(roles []permission.Role) string {
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = r.Label()
	}
	return strings.Join(names, ", ")
}

// unitWords names the units whose cases a person sees.
func unitWords(u account.User, units []directory.Unit) string {
	var names []string
	for _, unit := range units {
		if slices.Contains(u.Units, unit.UID) {
			names = append(names, unit.Name)
		}
	}
	switch {
	case u.May(permission.SeeAllUnits):
		return "todas"
	case len(names) == 0:
		return "nenhuma"
	}
	return strings.Join(names, ", ")
}

func (s *server) lastLogin(u account.User) string {
	if u.LastLogin.IsZero() {
		return "nunca"
	}
	return s.when(u.LastLogin)
}

// personState says how a person stands; the ordinary state has no colour.
func personState(u account.User) component.Situation {
	switch {
	case u.Disabled:
		return component.Situation{Tone: component.ToneNeutral, Icon: "dash-lg", Label: "Desativada"}
	case !u.Activated:
		return component.Situation{Tone: component.ToneWaiting, Icon: "clock", Label: "Convite aberto"}
	}
	return component.Situation{Label: "Ativa"}
}

// shownPerson is what an act adds to a person's page.
type shownPerson struct {
	token  string // of her one-time link, "" without one
	flash  string
	typed  *typedPerson // instead of what is kept, after a problem
	fields []problem.Field
}

// showPerson draws the page of a person.
func (s *server) showPerson(c echo.Context, status int, uid uuid.UUID, shown shownPerson) error {
	ctx := c.Request().Context()
	user, err := s.Accounts.User(ctx, uid)
	if err != nil {
		return err
	}
	view, err := s.personView(c, user, shown)
	if err != nil {
		return err
	}
	if view.Page, err = s.frame(c, user.Name, layout.PeopleTab); err != nil {
		return err
	}
	view.Failed = len(shown.fields) > 0
	if shown.flash != "" {
		view.Flash = shown.flash
	}
	return s.render(c, status, page.PersonPage(view))
}

func (s *server) personView(c echo.Context, user account.User, shown shownPerson) (page.Person, error) {
	sessions, err := s.Accounts.Sessions(c.Request().Context(), user.UID)
	if err != nil {
		return page.Person{}, err
	}
	typed := typedPerson{name: user.Name, roles: user.Roles, units: user.Units}
	if shown.typed != nil {
		typed = *shown.typed
	}
	typed.login = user.Login
	fields, err := s.personFields(c, typed, user, shown.fields)
	if err != nil {
		return page.Person{}, err
	}
	fields.Own = user.UID == s.current(c).UID
	view := page.Person{PersonFields: fields, UID: user.UID.String(), State: personState(user), Created: s.when(user.CreatedAt),
		LastLogin: s.lastLogin(user), Activated: user.Activated, Disabled: user.Disabled,
		Sessions: s.sessionRows(c, sessions, "/pessoas/"+user.UID.String())}
	if shown.token != "" {
		view.Link = s.absolute(c, "/ativar/"+shown.token)
	}
	return view, nil
}

// absolute returns the whole address of a path of ours, as the person came here.
func (s *server) absolute(c echo.Context, path string) string {
	if s.PublicURL != "" {
		return strings.TrimRight(s.PublicURL, "/") + path
	}
	scheme := "http"
	if s.TLS {
		scheme = "https"
	}
	return scheme + "://" + c.Request().Host + path
}

// sessionRows shows sessions; base is the page that lists them.
func (s *server) sessionRows(c echo.Context, sessions []account.Session, base string) []page.SessionRow {
	var rows []page.SessionRow
	for _, o := range sessions {
		rows = append(rows, page.SessionRow{Path: base + "/sessoes/" + o.UID.String() + "/encerrar", Device: o.Device, Address: o.Address,
			Since: s.when(o.CreatedAt), Active: s.ago(o.ActiveAt), Current: o.UID == s.sessionUID(c)})
	}
	return rows
}

// roleDetails say what each role lets a person do.
var roleDetails = map[permission.Role]string{
	permission.Reception:      "Abre e envia pedidos; vê os das suas unidades.",
	permission.Supervision:    "Vê todos os pedidos; decide os enviados sem resposta.",
	permission.Administration: "Pessoas, cadastros e auditoria; não vê pacientes.",
}

// aloneRoleDetails say it where there is no desk.
var aloneRoleDetails = map[permission.Role]string{
	permission.Reception:      "Vale só onde há balcão.",
	permission.Supervision:    "Vale só onde há balcão.",
	permission.Administration: "Console do serviço, pessoas e auditoria.",
}

// personFields shows what was typed; kept is the person as she stands, the zero
// one for somebody new.
func (s *server) personFields(c echo.Context, typed typedPerson, kept account.User, fields []problem.Field) (page.PersonFields, error) {
	view := page.PersonFields{Name: typed.name, User: typed.login, Roles: s.roleOptions(typed, kept), Alone: s.front == nil, Problems: problems(fields)}
	if s.front == nil {
		return view, nil
	}
	units, err := s.front.offeredUnits(c.Request().Context(), kept.Units)
	for _, u := range units {
		option := page.Option{Value: u.UID.String(), Label: u.Name, On: slices.Contains(typed.units, u.UID)}
		if !u.Active {
			option.Detail = "desativada"
		}
		view.Units = append(view.Units, option)
	}
	return view, err
}

// roleOptions offers every role; without a desk only the one that is of use, and
// those that the person has already.
func (s *server) roleOptions(typed typedPerson, kept account.User) []page.Option {
	details := roleDetails
	if s.front == nil {
		details = aloneRoleDetails
	}
	var options []page.Option
	for _, r := range permission.Roles() {
		if s.front == nil && r != permission.Administration && !kept.Has(r) {
			continue
		}
		options = append(options, page.Option{Value: string(r), Label: r.Label(), Detail: details[r], On: slices.Contains(typed.roles, r)})
	}
	return options
}

// offeredUnits are the active units and those to keep, which stay on offer after
// they were switched off.
func (s *front) offeredUnits(ctx context.Context, kept []uuid.UUID) ([]directory.Unit, error) {
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

// checkUnits refuses units that the directory does not know; where there is no
// desk, a person's units stay as they are.
func (s *server) checkUnits(ctx context.Context, typed *typedPerson, kept []uuid.UUID) error {
	if s.front == nil {
		typed.units = kept
		return nil
	}
	for _, uid := range typed.units {
		if _, err := s.front.Directory.Unit(ctx, uid); problem.Is(err, problem.NotFound) {
			return problem.InvalidFields([]problem.Field{{Path: "unidades", Code: "dominio", Message: "Escolha unidades da lista."}})
		} else if err != nil {
			return err
		}
	}
	return nil
}
