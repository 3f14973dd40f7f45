package webui

import (
	"context"
	"net/http"
	"strconv"

	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// showCase serves GET /casos/{uid}; ?guia=N chooses the PDF on the screen.
func (s *deskHandlers) showCase(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	guide, err := strconv.Atoi(c.QueryParam("guia"))
	if err != nil {
		guide = 0
	}
	var frame layout.Page
	found, err := s.Desk.CaseBeside(c.Request().Context(), s.actor(c), uid, guide, s.framing(c, &frame, "", layout.QueueTab))
	if err != nil {
		return err
	}
	view, err := s.caseView(c, found, found.OnScreen(guide))
	if err != nil {
		return err
	}
	if found.CanDecide() {
		view.Decide = decideView(found, s.actor(c))
	}
	return s.showFramed(c, http.StatusOK, frame, view, found)
}

// showView shows the page of a case.
func (s *deskHandlers) showView(c echo.Context, status int, view page.CaseView, found desk.Case) error {
	frame, err := s.surroundings(c, "", layout.QueueTab)
	if err != nil {
		return err
	}
	return s.showFramed(c, status, frame, view, found)
}

// showFramed is showView with what stands around the page.
func (s *deskHandlers) showFramed(c echo.Context, status int, frame layout.Page, view page.CaseView, found desk.Case) error {
	if err := s.tellOnce(c, &frame); err != nil {
		return err
	}
	frame.Title = view.Situation.Label + ": " + view.Name
	frame.Simulated, frame.Failed = found.Simulated, status != http.StatusOK
	view.Page = frame
	if view.Service.TakesPictures() {
		allowCamera(c.Response().Header())
	}
	return s.render(c, status, page.CasePage(view))
}

// caseState serves GET /casos/{uid}/estado?de=STATE: nothing while the case
// stands where the page says it does, and a fresh page as soon as it has moved,
// so that title, banners and guide follow the answer. With &aviso=1, of a page on which
// somebody may be typing, it says so instead.
func (s *deskHandlers) caseState(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	state, err := s.Desk.CaseState(c.Request().Context(), s.actor(c), uid)
	if err != nil {
		return err
	}
	moved := stateWord(state) != c.QueryParam("de")
	if moved && c.QueryParam("aviso") == "1" {
		return s.render(c, http.StatusOK, page.CaseMoved("/casos/"+uid.String()))
	}
	if moved {
		c.Response().Header().Set("HX-Refresh", "true")
	}
	return c.NoContent(http.StatusNoContent)
}

// withdraw serves POST /casos/{uid}/retirar.
func (s *deskHandlers) withdraw(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	if err := s.Desk.Withdraw(c.Request().Context(), s.actor(c), uid); err != nil {
		return err
	}
	return s.redirectTelling(c, "/casos/"+uid.String()+"#veredito", "Pedido retirado da fila. Nada foi enviado.")
}

// copyCase serves POST /casos/{uid}/copiar: a new draft with what was asked, to correct it
// where the patient got nothing or not all, else to repeat it.
func (s *deskHandlers) copyCase(c echo.Context) error { return s.copyWith(c, s.Desk.CopyToDraft) }

// repeatCase serves POST /casos/{uid}/repetir: a new draft to repeat also what
// could be corrected.
func (s *deskHandlers) repeatCase(c echo.Context) error { return s.copyWith(c, s.Desk.RepeatToDraft) }

// copyWith leads to a copy of a case. It takes the place of the draft that it was asked for
// beside, if any.
func (s *deskHandlers) copyWith(c echo.Context,
	toDraft func(context.Context, permission.Actor, uuid.UUID) (desk.Draft, error)) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), s.actor(c)
	draft, err := toDraft(ctx, actor, uid)
	if err != nil {
		return err
	}
	if beside, malformed := uuid.Parse(values.Get("rascunho")); malformed == nil {
		if err := s.Desk.LeaveDraft(ctx, actor, beside); err != nil {
			return err
		}
	}
	return redirect(c, "/nova/"+draft.UID.String())
}
