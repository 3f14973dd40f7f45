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
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// peopleView lists the people found and says how many there are in all, so that a short
// list is not mistaken for everybody.
func (s *server) peopleView(ctx context.Context, by permission.Actor, text string) (page.PeopleView, error) {
	all, err := s.Accounts.Users(ctx)
	if err != nil {
		return page.PeopleView{}, err
	}
	found, err := s.Accounts.FindUsers(ctx, by, text)
	if err != nil {
		return page.PeopleView{}, err
	}
	units, err := s.product.workUnits(ctx)
	if err != nil {
		return page.PeopleView{}, err
	}
	view := page.PeopleView{Search: text, Count: countPeople(len(found), len(all))}
	if view.Attack, err = s.attackNotice(ctx, by, all); err != nil {
		return page.PeopleView{}, err
	}
	for _, u := range found {
		view.Rows = append(view.Rows, s.personRow(u, units))
	}
	return view, nil
}

func (s *server) personRow(u account.User, units []directory.Unit) page.PersonRow {
	href := "/pessoas/" + u.UID.String()
	if u.Damaged {
		return page.PersonRow{Href: href, Name: personName(u), State: component.DamagedCase}
	}
	return page.PersonRow{Href: href, Name: personName(u), User: u.Login, Roles: roleNames(u.Roles), Units: unitWords(u, units),
		LastLogin: s.lastLogin(u), State: personState(u)}
}

// personName is what lists call somebody, also where what was stored cannot be read.
func personName(u account.User) string {
	if u.Damaged {
		return "Pessoa danificada"
	}
	return u.Name
}

// countPeople says how many there are, and of how many when the search left some out.
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

// roleNames lists roles by their names on screen; it is empty for a person without any.
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

// lastLogin is when a person last logged in, "nunca" for one who never did.
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
	token  string // of the one-time link, "" without one
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

// personView shapes a person's page: what is stored or, after a refused form, what was
// typed. The login cannot be changed and is always the stored one. The one-time link
// appears only in the answer that made it.
func (s *server) personView(c echo.Context, user account.User, shown shownPerson) (page.PersonView, error) {
	sessions, err := s.Accounts.Sessions(c.Request().Context(), user.UID)
	if err != nil {
		return page.PersonView{}, err
	}
	typed := typedPerson{name: user.Name, roles: user.Roles, units: user.Units}
	if shown.typed != nil {
		typed = *shown.typed
	}
	typed.login = user.Login
	fields, err := s.personFields(c, typed, user, shown.fields)
	if err != nil {
		return page.PersonView{}, err
	}
	fields.Own = user.UID == s.current(c).UID
	fields.Version = form.VersionToSend(seenVersion(c), user.Version(), shown.fields)
	view := page.PersonView{PersonFields: fields, UID: user.UID.String(), State: personState(user), Created: s.when(user.CreatedAt),
		LastLogin: s.lastLogin(user), Activated: user.Activated, Disabled: user.Disabled,
		Sessions: s.sessionRows(c, sessions, "/pessoas/"+user.UID.String())}
	if shown.token != "" {
		view.Link = s.LinkAddress(c.Request()) + "/ativar/" + shown.token
	}
	return view, nil
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

// personFields shows what was typed; kept is the person as stored, the zero value for
// a new one.
func (s *server) personFields(c echo.Context, typed typedPerson, kept account.User, fields []problem.Field) (page.PersonFields, error) {
	view := page.PersonFields{Name: typed.name, User: typed.login, Fields: page.Fields{Problems: problems(fields)}}
	for _, o := range s.product.roleOffers(kept) {
		view.Roles = append(view.Roles, page.Option{
			Value: string(o.role), Label: o.role.Label(), Detail: o.detail, On: slices.Contains(typed.roles, o.role),
		})
	}
	err := s.product.unitFields(c.Request().Context(), &view, typed, kept.Units)
	return view, err
}
