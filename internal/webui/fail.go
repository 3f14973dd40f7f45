package webui

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"
)

// fail is the one place where an error becomes a status and a page. What is
// internal is logged with the request's id, and the person sees the id only.
func (s *server) fail(err error, c echo.Context) {
	if errors.Is(err, problem.ErrUnknown) {
		err = unknown(c, err)
	}
	status := statusOf(err)
	if hungUp(c) {
		status = statusClientGone
	}
	s.logFailure(c, status, err)
	s.tellDenied(c, err)
	if c.Response().Committed {
		return
	}
	if status == statusClientGone {
		_ = c.NoContent(statusClientGone)
		return
	}
	if err := s.render(c, status, failureView(c, status, s.failure(c, status, err))); err != nil {
		s.logger.ErrorContext(c.Request().Context(), "error page", "id", idOf(c), "error", err)
		_ = c.String(http.StatusInternalServerError, "Algo falhou do nosso lado. Número: "+idOf(c))
	}
}

// unknown is the error of what may have been kept or not. Of a page that is only looked at that is the entry about the
// look: it may be asked for again.
func unknown(c echo.Context, err error) error {
	if asks(c) {
		return problem.NewBusy(err)
	}
	return problem.NewUnsure(err)
}

// asks reports whether a request changes nothing that a person would know of.
func asks(c echo.Context) bool {
	return c.Request().Method == http.MethodGet || c.Request().Method == http.MethodHead
}

// logFailure logs a failed request by the pattern of its route, which holds no
// identifier. A service that cannot be reached and what passes by itself are warnings, not
// errors of ours; a browser that left is not logged, nor is one that found no place:
// anybody can make thousands of those.
func (s *server) logFailure(c echo.Context, status int, err error) {
	log := s.logger.WarnContext
	if status >= http.StatusInternalServerError && !problem.Is(err, problem.Unavailable) && !problem.Passing(err) {
		log = s.logger.ErrorContext
	}
	if status != statusClientGone && !errors.Is(err, errFull) {
		log(c.Request().Context(), "failed", "id", idOf(c), "route", c.Path(), "status", status, "err", err)
	}
}

// failureView is the page of a failure or, where a piece of a page was asked for, a notice
// in its place. A script that posted a form shows the page of a full disk whole.
func failureView(c echo.Context, status int, view page.FailureView) templ.Component {
	if isHTMX(c) && status >= http.StatusInternalServerError && status != http.StatusInsufficientStorage {
		return page.FailureNotice(view)
	}
	return page.FailurePage(view)
}

// failure is the page of a status; an application error brings its own sentence.
func (s *server) failure(c echo.Context, status int, err error) page.FailureView {
	view := page.FailureOf(status)
	if status == http.StatusNotFound {
		view = s.product.notFoundPage(view)
	}
	if p, ok := asProblem(err); ok && !slices.Contains([]string{"", "Não encontrado.", view.Heading + "."}, p.Message) {
		view.Text = p.Message
		view.Heading = cmp.Or(headings[p.Code], view.Heading)
	}
	damaged, unsure := problem.Is(err, problem.Damaged), problem.Is(err, problem.Unsure)
	listed := damaged && !errors.Is(err, problem.ErrUnread) // Integridade knows of files, and of rows with checksums
	if status >= http.StatusInternalServerError && !problem.Passing(err) && !damaged && !unsure {
		view.ID = idOf(c)
	}
	frame, frameErr := s.frame(c, view.Heading, layout.NoTab)
	if frameErr != nil { // the error page must come even when the database is the trouble
		frame = layout.Page{Title: view.Heading, InsecureHTTP: s.Insecure}
	}
	view.Page, view.Again = frame, s.again(c, err)
	user, err := s.authenticate(c)
	switch {
	case unsure && pageOf(c) != "":
		view.Next = component.Link{Href: pageOf(c), Text: "Conferir"}
	case problem.Passing(err): // nobody knows who it is
		view.Next = component.Link{Href: "/", Text: "Ir para o início"}
	case err != nil || user == nil:
		view.Next = component.Link{Href: "/entrar", Text: "Ir para a entrada"}
	case listed && user.May(permission.ManageBackups):
		view.Text = "O que o Guichê guardou disto não está como foi escrito, e por isso não é mostrado nem enviado. " +
			"Em Integridade está o que restaurar."
		view.Next = component.Link{Href: integrityPath, Text: "Ver em Integridade"}
	case s.product.landing(*user) != view.Next.Href:
		view.Next = component.Link{Href: s.product.landing(*user), Text: "Ir para o início"}
	}
	return view
}

// pageOf is the address of the page on which is seen what a form did: that of what its address names, or else of the
// list above it; "" where there is none.
func pageOf(c echo.Context) string {
	pattern, address := strings.Split(c.Path(), "/"), strings.Split(c.Request().URL.Path, "/")
	n := slices.IndexFunc(pattern, func(part string) bool { return strings.HasPrefix(part, ":") }) + 1
	if n == 0 {
		n = max(len(pattern)-1, 2)
	}
	page := strings.Join(pattern[:n], "/")
	isPage := func(r *echo.Route) bool { return r.Method == http.MethodGet && r.Path == page }
	if n > len(address) || !slices.ContainsFunc(c.Echo().Routes(), isPage) {
		return ""
	}
	return strings.Join(address[:n], "/")
}

// headings are those of errors that say more than their status.
var headings = map[problem.Code]string{
	problem.Damaged: "O que estava guardado está danificado", problem.Busy: "O Guichê não consegue responder agora",
	problem.Unsure: "Não sabemos se isto foi gravado",
}
