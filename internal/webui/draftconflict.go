package webui

import (
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/component"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// draftUnsaved answers a save that was refused, and keeps what was typed here on the
// screen: another tab saved this draft, or sent or discarded it, or there is no room for
// more. Any other error stands.
func (s *deskHandlers) draftUnsaved(c echo.Context, uid uuid.UUID, in form.Request, stored desk.Draft, refusal error) error {
	shown := desk.Draft{UID: uid, Form: in.Form, Version: in.Version, Attachments: stored.Attachments,
		Previous: stored.Previous, Copy: stored.Copy}
	state, err := s.draftState(c, shown)
	if err != nil {
		return err
	}
	refused, _ := asProblem(refusal)
	switch problem.CodeOf(refusal) {
	case problem.Conflict:
		state.Conflict, state.Newer = s.conflictTold(c, uid, stored)
	case problem.TooLarge, problem.NoSpace, problem.Busy:
		state.Refused, state.Passing = refused.Message, problem.Passing(refusal)
	default:
		return refusal
	}
	if isAutosave(c, in) {
		return s.draftSaved(c, statusOf(refusal), state)
	}
	return s.showForm(c, statusOf(refusal), formState{draft: shown, state: &state})
}

// conflictTold says what became of a draft in another tab, and where to go on.
func (s *deskHandlers) conflictTold(c echo.Context, uid uuid.UUID, stored desk.Draft) (told string, newer component.Link) {
	newer = component.Link{Href: "/nova/" + uid.String(), Text: "Ver a versão mais nova"}
	if stored.UID != uuid.Nil {
		return "Outra aba salvou este rascunho depois", newer
	}
	if _, err := s.Desk.CaseOf(c.Request().Context(), s.actor(c), uid); problem.Is(err, problem.NotFound) {
		return "Este rascunho foi descartado", component.Link{Href: "/nova", Text: "Abrir outro em nova aba"}
	}
	newer.Text = "Ver o pedido"
	return "Este rascunho já foi enviado", newer
}
