package webui

import (
	"net/http"
	"net/url"

	"guiche/internal/problem"
	"guiche/internal/report"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// history serves GET /historico: all cases within reach, newest first.
func (s *deskHandlers) history(c echo.Context) error {
	after, err := cursor(c)
	if err != nil {
		return err
	}
	var found report.Page
	frame, err := s.around(c, "Histórico", layout.HistoryTab, func() error {
		found, err = s.History.Cases(c.Request().Context(), s.actor(c), report.Filter{}, after)
		return err
	})
	if err != nil {
		return err
	}
	return s.showHistory(c, frame, "/historico", report.Filter{}, found)
}

// filteredHistory serves GET /historico/{uid}: the cases of a filter that the
// person made.
func (s *deskHandlers) filteredHistory(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	after, err := cursor(c)
	if err != nil {
		return err
	}
	var frame layout.Page
	filter, found, err := s.History.Search(c.Request().Context(), s.actor(c), uid, after,
		s.framing(c, &frame, "Histórico", layout.HistoryTab))
	if err != nil {
		return err
	}
	return s.showHistory(c, frame, "/historico/"+uid.String(), filter, found)
}

// searchHistory serves POST /historico: what was typed goes into a stored
// filter, and the browser to its address.
func (s *deskHandlers) searchHistory(c echo.Context) error {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, maxFormBytes)
	if err := r.ParseForm(); err != nil {
		return unreadable(err, "Não deu para ler o filtro.")
	}
	form, err := s.filterForm(c)
	if err != nil {
		return err
	}
	filter, err := s.History.Parse(form)
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showWrongFilter(c, form, fields)
	}
	if err != nil {
		return err
	}
	if filter == (report.Filter{}) {
		return redirect(c, "/historico")
	}
	uid, err := s.History.Keep(r.Context(), s.actor(c), filter)
	if err != nil {
		return err
	}
	return redirect(c, "/historico/"+uid.String())
}

// filterForm is a filter as it was sent: what was chosen by its identifier.
func (s *deskHandlers) filterForm(c echo.Context) (report.Form, error) {
	r := c.Request()
	form := report.Form{From: r.PostForm.Get(report.FieldFrom), Until: r.PostForm.Get(report.FieldUntil),
		Situation: r.PostForm.Get(report.FieldSituation), Credential: r.PostForm.Get(report.FieldCredential),
		Unit: r.PostForm.Get(report.FieldUnit), Sender: r.PostForm.Get(report.FieldSender), Text: r.PostForm.Get(report.FieldText)}
	if form.Credential+form.Unit+form.Sender == "" {
		return form, nil
	}
	choices, err := s.History.Choices(r.Context(), s.actor(c))
	form.Credential = identifier(form.Credential, choices.Credentials)
	form.Unit, form.Sender = identifier(form.Unit, choices.Units), identifier(form.Sender, choices.Senders)
	return form, err
}

// showWrongFilter shows what was typed and what is wrong with it.
func (s *deskHandlers) showWrongFilter(c echo.Context, form report.Form, fields []problem.Field) error {
	frame, err := s.frame(c, "Histórico", layout.HistoryTab)
	if err != nil {
		return err
	}
	frame.Failed = true
	choices, err := s.History.Choices(c.Request().Context(), s.actor(c))
	if err != nil {
		return err
	}
	view := historyView(form, choices)
	view.Page, view.Problems = frame, problems(fields)
	return s.render(c, http.StatusUnprocessableEntity, page.HistoryPage(view))
}

// showHistory shows a page of cases.
func (s *deskHandlers) showHistory(c echo.Context, frame layout.Page, path string, filter report.Filter, found report.Page) error {
	if err := s.tellOnce(c, &frame); err != nil {
		return err
	}
	view := historyView(filter.Form(), found.Choices)
	view.Cases = make([]page.HistoryRow, 0, len(found.Cases))
	for i := range found.Cases {
		view.Cases = append(view.Cases, s.historyRow(&found.Cases[i]))
		frame.Simulated = frame.Simulated || found.Cases[i].Simulated
	}
	view.Page, view.Filtered, view.Unitless = frame, filter != report.Filter{}, unitless(s.current(c))
	if c.QueryParam("antes") != "" {
		view.First = path
	}
	if found.Next != uuid.Nil {
		view.Older = path + "?" + url.Values{"antes": {found.Next.String()}}.Encode()
	}
	return s.render(c, http.StatusOK, page.HistoryPage(view))
}

// cursor reads ?antes=, the last case of the page before.
func cursor(c echo.Context) (uuid.UUID, error) {
	word := c.QueryParam("antes")
	if word == "" {
		return uuid.Nil, nil
	}
	uid, err := uuid.Parse(word)
	if err != nil {
		return uuid.Nil, problem.New(problem.NotFound, "")
	}
	return uid, nil
}
