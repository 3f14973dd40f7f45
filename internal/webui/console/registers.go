package console

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// registerRows is how many entries a page shows.
const registerRows = 50

// register is one of the service's registers: what the pages of units and of
// professionals have in common. T is a service.Unit or a service.Professional.
type register[T any] struct {
	*console
	path, fresh string // "/servico/unidades", "/servico/unidades/nova"
	origin      string // where the desk keeps the same entries, below Config.DirectoryPath: "/unidades"
	heading     string // of a new one
	object      string // as the trail names it
	added       audit.Event
	changed     audit.Event
	saved       string
	list        page.ConsoleListView // its words

	search func(context.Context, service.DirectoryQuery) (service.Listing[T], error)
	get    func(context.Context, uuid.UUID) (T, error)
	check  func(T) error
	put    func(context.Context, T) error

	entry    func(T) entry
	with     func(T, uuid.UUID) T // as a new one
	sheet    func(T) sheet        // its form as kept
	read     func(sent url.Values, kept T) (T, sheet)
	draw     func(e page.DirectoryEntry, s sheet, kept T) templ.Component
	followed func(T) page.ReplicaEntryView
}

// entry is what the pages of all registers show of an entry.
type entry struct {
	id       uuid.UUID
	name     string
	disabled bool
	cells    []string // of the list, after the name
}

// sheet is a form as it is drawn.
type sheet struct {
	texts map[string]string // by wire name
	rows  int               // of care points or specialties
	only  bool              // sent to get other rows, not to be kept
}

// routes is the surface of the register, its switches aside.
func (r register[T]) routes() []Route {
	const get, post = http.MethodGet, http.MethodPost
	return []Route{
		{get, r.path, r.all}, {post, r.path, r.all},
		{get, r.fresh, r.editable(r.new)}, {post, r.fresh, r.editable(r.add)},
		{get, r.path + "/:uid", r.one}, {post, r.path + "/:uid", r.editable(r.change)},
	}
}

// editable leads whoever would change what comes from the desk's registers there.
func (r register[T]) editable(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		switch {
		case !r.followsDesk():
			return next(c)
		case c.Request().Method != http.MethodPost:
			return c.Redirect(http.StatusSeeOther, r.DirectoryPath+r.origin)
		}
		return errFollowed()
	}
}

func errFollowed() error {
	return problem.New(problem.Conflict, "Isto vem dos cadastros da recepção e se altera lá.")
}

// followedNotice says where entries that come from the desk are changed.
func (r register[T]) followedNotice() component.Notice {
	return component.Notice{Tone: component.ToneNeutral, Icon: "info-circle", Strong: "Vem dos cadastros da recepção.", Text: "O que muda lá vale aqui no próximo pedido.",
		Action: component.Link{Href: r.DirectoryPath + r.origin, Text: "Alterar nos cadastros"}}
}

// all serves GET and POST of the list.
func (r register[T]) all(c echo.Context) error {
	values, err := r.web.Posted(c)
	if err != nil {
		return err
	}
	search := form.ReadSearch(values)
	found, err := r.search(c.Request().Context(), service.DirectoryQuery{Text: search.Text, Page: search.Page, Size: registerRows, Disabled: true})
	if err != nil {
		return err
	}
	view := r.list
	view.Path, view.Search, view.Pages = r.path, search.Text, page.PagesOf(search.Page, registerRows, found.Total)
	if r.followsDesk() {
		notice := r.followedNotice()
		view.Notice, view.New, view.Nothing = &notice, component.Link{}, "O que for cadastrado para a recepção aparece aqui."
	}
	for _, item := range found.Items {
		e := r.entry(item)
		view.Rows = append(view.Rows, page.ConsoleRow{Href: r.path + "/" + e.id.String(), Name: e.name, Cells: e.cells, State: stateOf(e.disabled)})
	}
	if view.Page, err = r.web.Frame(c, view.Title); err != nil {
		return err
	}
	return r.web.Render(c, http.StatusOK, page.ConsoleListPage(view))
}

// of is the entry that the address names.
func (r register[T]) of(c echo.Context) (T, error) {
	uid, err := param(c, "uid")
	if err != nil {
		var none T
		return none, err
	}
	return r.get(c.Request().Context(), uid)
}

// one serves GET of an entry.
func (r register[T]) one(c echo.Context) error {
	kept, err := r.of(c)
	switch {
	case err != nil:
		return err
	case r.followsDesk():
		return r.showFollowed(c, kept)
	}
	return r.show(c, kept, r.sheet(kept), nil)
}

func (r register[T]) showFollowed(c echo.Context, kept T) (err error) {
	e, view := r.entry(kept), r.followed(kept)
	view.List, view.Notice, view.State = component.Link{Href: r.path, Text: r.list.Title}, r.followedNotice(), stateOf(e.disabled)
	view.Notice.Action.Href += "/" + e.id.String()
	if view.Page, err = r.web.Frame(c, e.name); err != nil {
		return err
	}
	return r.web.Render(c, http.StatusOK, page.ReplicaEntryPage(view))
}

// new serves GET of the form for a new entry.
func (r register[T]) new(c echo.Context) error {
	var none T
	return r.show(c, none, r.sheet(none), nil)
}

// add serves POST of the form for a new entry.
func (r register[T]) add(c echo.Context) error {
	var none T
	return r.keep(c, none, r.with(none, uuid.Must(uuid.NewV7())), r.added)
}

// change serves POST of an entry.
func (r register[T]) change(c echo.Context) error {
	kept, err := r.of(c)
	if err != nil {
		return err
	}
	return r.keep(c, kept, kept, r.changed)
}

// keep reads a form over what it starts from, checks it, notes the intent and
// keeps it; shown is what the page shows while something is wrong.
func (r register[T]) keep(c echo.Context, shown, from T, event audit.Event) error {
	values, err := r.web.Posted(c)
	if err != nil {
		return err
	}
	item, sent := r.read(values, from)
	if sent.only {
		return r.show(c, shown, sent, nil)
	}
	err = r.check(item)
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return r.show(c, shown, sent, fields)
	}
	if err != nil {
		return err
	}
	e := r.entry(item)
	intent := audit.Entry{Event: event, Object: r.object, ObjectID: e.id}
	if err := r.act(c, intent, func(ctx context.Context) error { return r.put(ctx, item) }); err != nil {
		return err
	}
	return r.web.Afterwards(c, r.saved, r.path+"/"+e.id.String())
}

// show draws the form of an entry.
func (r register[T]) show(c echo.Context, kept T, s sheet, fields []problem.Field) (err error) {
	e := r.entry(kept)
	view := page.DirectoryEntry{Path: r.fresh, List: component.Link{Href: r.path, Text: r.list.Title}, Heading: r.heading, Detail: r.list.Purpose,
		Fields: page.Fields{Values: s.texts, Problems: problems(fields)}, New: e.id == uuid.Nil, Off: e.disabled,
		Question: "Desativar? Sai das listas agora, e pedidos novos que o nomeiem são recusados."}
	if !view.New {
		view.Path, view.Heading, view.ID = r.path+"/"+e.id.String(), e.name, e.id.String()
	}
	view.Switch = "Desativar tira das listas e recusa pedidos novos; os de antes ficam como estão."
	if view.Off {
		view.Switch = "Está fora: não aparece nas listas e recusa pedidos novos."
	}
	if view.Page, err = r.web.Frame(c, view.Heading); err != nil {
		return err
	}
	view.Failed = len(fields) > 0
	return r.web.Render(c, statusOf(fields), r.draw(view, s, kept))
}

// switchable is the entry that the address names.
func (r register[T]) switchable(turned func(T, bool) T) func(echo.Context) (switchable, error) {
	return func(c echo.Context) (switchable, error) {
		if r.followsDesk() {
			return switchable{}, errFollowed()
		}
		kept, err := r.of(c)
		id := r.entry(kept).id
		return switchable{id: id, page: r.path + "/" + id.String(),
			turn: func(ctx context.Context, disabled bool) error { return r.put(ctx, turned(kept, disabled)) }}, err
	}
}

// tidy returns a text of one line with single spaces.
func tidy(text string) string { return strings.Join(strings.Fields(text), " ") }
