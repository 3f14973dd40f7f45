package webui

import (
	"errors"
	"fmt"
	"net/http"

	"guiche/internal/audit"
	"guiche/internal/directory"
	"guiche/internal/problem"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

const synchronisePath = "/cadastros/sincronizar"

// comparison serves GET /cadastros/sincronizar: it asks the service and changes
// nothing.
func (s *deskHandlers) comparison(c echo.Context) error {
	return s.showComparison(c, http.StatusOK, nil)
}

// synchronise serves POST /cadastros/sincronizar: what was shown is done, or shown
// anew where it would be something else by now.
func (s *deskHandlers) synchronise(c echo.Context) error {
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	done, err := s.Directory.Synchronise(c.Request().Context(), s.actor(c), s.Lister(), values.Get("conferido"))
	var trouble *problem.Error
	switch {
	case err == nil:
		return s.afterwards(c, nil, synchronised(done), "/cadastros")
	case problem.Is(err, problem.Conflict):
		return s.showComparison(c, http.StatusConflict, &component.Notice{Tone: component.ToneAttention,
			Icon: "exclamation-triangle", Strong: "Nada foi mudado.",
			Text: "Os cadastros ou a lista do serviço mudaram depois que você olhou. Confira de novo."})
	case errors.As(err, &trouble) && trouble.Message != "":
		return s.renderComparison(c, http.StatusOK, page.SynchroniseView{Notice: cannotAsk(trouble)})
	}
	return err
}

// synchronised says what was done.
func synchronised(done directory.Comparison) string {
	n := len(done.Units.Changes) + len(done.Professionals.Changes)
	if n == 0 {
		return "Sincronizado: nada precisou mudar."
	}
	return "Sincronizado: " + count(n, "mudança nos cadastros.", "mudanças nos cadastros.")
}

// cannotAsk says why the service gave no lists. A service that has none is a fact to
// configure around, shown neutrally; anything else is an error worth another try.
func cannotAsk(trouble *problem.Error) *component.Notice {
	if trouble.Code == problem.NotFound {
		return &component.Notice{Tone: component.ToneNeutral, Icon: "info-circle", Strong: "O serviço não lista unidades nem executantes.",
			Text:   "Se ele tem essas listas, diga os caminhos na página Conexão. Se não tem, cadastre aqui.",
			Action: component.Link{Href: connectionPath, Text: "Abrir Conexão"}}
	}
	return &component.Notice{Tone: component.ToneError, Icon: "x-octagon",
		Strong: "Não deu para perguntar ao serviço; nada foi mudado.", Text: trouble.Message,
		Action: component.Link{Href: synchronisePath, Text: "Tentar de novo"}}
}

// showComparison asks the service and shows what would change, with the notice if any. A
// service that cannot be asked is answered with 200 and a notice: the page itself works.
func (s *deskHandlers) showComparison(c echo.Context, status int, notice *component.Notice) error {
	found, err := s.Directory.Compare(c.Request().Context(), s.Lister())
	var trouble *problem.Error
	if errors.As(err, &trouble) && trouble.Message != "" {
		return s.renderComparison(c, http.StatusOK, page.SynchroniseView{Notice: cannotAsk(trouble)})
	}
	if err != nil {
		return err
	}
	view, err := comparisonView(found)
	if err != nil {
		return err
	}
	view.Notice = notice
	return s.renderComparison(c, status, view)
}

// renderComparison renders GET and POST /cadastros/sincronizar, with or without lists.
func (s *deskHandlers) renderComparison(c echo.Context, status int, view page.SynchroniseView) (err error) {
	if view.Page, err = s.frame(c, "Sincronizar do serviço", layout.DirectoryTab); err != nil {
		return err
	}
	return s.render(c, status, page.SynchronisePage(view))
}

// comparisonView shapes a comparison for the page.
func comparisonView(found directory.Comparison) (page.SynchroniseView, error) {
	seen, err := found.Fingerprint()
	view := page.SynchroniseView{Fingerprint: seen, Lists: []page.SyncList{
		syncList("unidades", "Unidades", found.Units, "unidade", "unidades"),
		syncList("executantes", "Executantes", found.Professionals, "executante", "executantes"),
	}}
	for _, l := range found.Skipped {
		name := l.Name
		if name == "" {
			name = "Sem nome"
		}
		view.Skipped = append(view.Skipped, page.SyncSkipped{Name: name, Reason: l.Reason})
	}
	n := len(found.Units.Changes) + len(found.Professionals.Changes)
	switch {
	case found.Empty():
		view.Message = "Os cadastros já estão como no serviço."
	case n == 0:
		view.Button = "Guardar que estes são do serviço"
	default:
		view.Button = "Fazer " + count(n, "mudança", "mudanças")
	}
	return view, err
}

// syncList shows one list of the comparison. A list that the service does not offer, or
// offers empty, changes nothing: a fault there must not disable the whole directory.
func syncList(id, title string, l directory.ListComparison, one, many string) page.SyncList {
	view := page.SyncList{ID: id, Title: title, Local: l.Local, Count: "o serviço lista " + count(l.Listed, one, many),
		Unchanged: "Nada muda."}
	switch {
	case !l.Offered:
		view.Count, view.Unchanged = "", "O serviço não tem esta lista: este cadastro fica como está."
	case l.Listed == 0:
		view.Count, view.Unchanged = "", "A lista do serviço está vazia. Por segurança, isso não desativa nada."
	}
	for _, c := range l.Changes {
		view.Changes = append(view.Changes, syncChange(c))
	}
	return view
}

// syncChange says what becomes of one entry.
func syncChange(c directory.Change) page.SyncChange {
	shown := map[audit.Event]page.SyncChange{
		audit.DirectoryAdded:    {Word: "entra", Icon: "plus-lg", Tone: component.ToneSuccess},
		audit.DirectoryChanged:  {Word: "muda", Icon: "pencil", Tone: component.ToneWaiting},
		audit.DirectoryEnabled:  {Word: "volta ao formulário", Icon: "check-lg", Tone: component.ToneSuccess},
		audit.DirectoryDisabled: {Word: "sai do formulário; o serviço não lista mais", Icon: "dash-lg", Tone: component.ToneError},
	}[c.Event]
	shown.Name = c.Name
	for _, d := range c.Differences {
		switch {
		case c.Event == audit.DirectoryAdded && d.Field == directory.FieldName:
		case d.Before == "":
			shown.Lines = append(shown.Lines, fmt.Sprintf("%s: entra %s", d.Field.Label(), d.After))
		case d.After == "":
			shown.Lines = append(shown.Lines, fmt.Sprintf("%s: sai %s", d.Field.Label(), d.Before))
		default:
			shown.Lines = append(shown.Lines, fmt.Sprintf("%s: %s → %s", d.Field.Label(), d.Before, d.After))
		}
	}
	return shown
}
