package console

import (
	"context"
	"net/http"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/version"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// Units and professionals are administered here where the service stands alone. With a
// desk they come from its directory and are only shown, but for those that it does not
// have: nobody could turn them off there.

// directoryRows is how many entries a page of a list shows.
const directoryRows = 50

// directorySaved is said after an entry was kept.
const directorySaved = "Guardado. Vale para o próximo pedido."

// readSearch reads what a list is asked for.
func (k *console) readSearch(c echo.Context) (form.Search, service.DirectoryQuery, error) {
	values, err := k.web.Posted(c)
	search := form.ReadSearch(values)
	return search, service.DirectoryQuery{Text: search.Text, Page: search.Page, Size: directoryRows, Disabled: true}, err
}

// showList shows a list of the directory; deskPath is where the desk keeps it.
func (k *console) showList(c echo.Context, view page.ConsoleListView, search form.Search, total int, deskPath string) (err error) {
	view.Search, view.Pages = search.Text, page.PagesOf(search.Page, directoryRows, total)
	if k.followsDesk() {
		notice := k.deskNotice(deskPath)
		view.Notice, view.New, view.EmptyText = &notice, component.Link{}, "O que for cadastrado para a recepção aparece aqui."
	}
	if view.Page, err = k.web.Frame(c, view.Title); err != nil {
		return err
	}
	return k.web.Render(c, http.StatusOK, page.ConsoleListPage(view))
}

// showReplica shows an entry that comes from the desk.
func (k *console) showReplica(c echo.Context, name string, view page.ReplicaEntryView) (err error) {
	if view.Page, err = k.web.Frame(c, name); err != nil {
		return err
	}
	return k.web.Render(c, http.StatusOK, page.ReplicaEntryPage(view))
}

// completeEntry adds to the form of an entry what all of them share; kept is the entry as it is.
func (k *console) completeEntry(c echo.Context, e page.DirectoryEntry, f *form.Form, kept any) (_ page.DirectoryEntry, err error) {
	if !e.New {
		e.Version = form.VersionToSend(f.Raw(form.VersionField), version.Of(kept), f.Problems())
	}
	e.Values, e.Problems, e.RowAdded = f.Values(), problems(f.Problems()), f.RowsChanged()
	e.Question = "Desativar? Sai das listas agora, e pedidos novos que o nomeiem são recusados."
	e.Switch = "Desativar tira das listas e recusa pedidos novos; os de antes ficam como estão."
	if e.Disabled {
		e.Switch = "Está fora: não aparece nas listas e recusa pedidos novos."
	}
	if k.followsDesk() {
		e.Detail = "só no serviço: não está nos cadastros da recepção e se altera aqui"
	}
	e.Page, err = k.web.Frame(c, e.Heading)
	e.Failed = f.Invalid()
	return e, err
}

// deskNotice says where entries that come from the desk are changed.
func (k *console) deskNotice(path string) component.Notice {
	return component.Notice{
		Tone: component.ToneNeutral, Icon: "info-circle", Strong: "Vem dos cadastros da recepção.",
		Text:   "O que muda lá vale aqui no próximo pedido.",
		Action: component.Link{Href: k.DirectoryPath + path, Text: "Alterar nos cadastros"},
	}
}

// fresh serves what adds entries: with a desk that is done on its pages at deskPath.
func fresh(deskPath string, serve handler) handler {
	return func(k *console, c echo.Context) error {
		switch {
		case !k.followsDesk():
			return serve(k, c)
		case c.Request().Method != http.MethodPost:
			return c.Redirect(http.StatusSeeOther, k.DirectoryPath+deskPath)
		}
		return errFromDesk()
	}
}

// ofDesk is what of one of its lists comes from the desk, nothing where there is none.
func (k *console) ofDesk(c echo.Context, ids func(DeskDirectory, context.Context) (map[uuid.UUID]bool, error)) (map[uuid.UUID]bool, error) {
	if !k.followsDesk() {
		return nil, nil
	}
	return ids(k.Desk, c.Request().Context())
}

// rowState is the state of an entry in a list, which with a desk tells what is not in its
// directory.
func (k *console) rowState(disabled bool, ofDesk map[uuid.UUID]bool, id uuid.UUID) component.Situation {
	if disabled || !k.followsDesk() || ofDesk[id] {
		return stateOf(disabled)
	}
	return component.Situation{Tone: component.ToneNeutral, Icon: "info-circle", Label: "Só no serviço"}
}

// errFromDesk refuses with 409 to change an entry that the desk keeps: the next
// synchronisation would overwrite the change.
func errFromDesk() error {
	return problem.New(problem.Conflict, "Isto vem dos cadastros da recepção e se altera lá.")
}
