package webui

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// paramUID reads an identifier of the path; one that is none is not found.
func paramUID(c echo.Context, name string) (uuid.UUID, error) {
	uid, err := uuid.Parse(c.Param(name))
	if err != nil || len(c.Param(name)) != 36 {
		return uuid.Nil, problem.New(problem.NotFound, "")
	}
	return uid, nil
}

// named finds what the address names, a problem.NotFound error for an identifier that cannot be
// read or is not known.
func named[T any](c echo.Context, find func(context.Context, uuid.UUID) (T, error)) (found T, err error) {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return found, err
	}
	return find(c.Request().Context(), uid)
}

// newForm serves GET /nova: an empty form with the identifier that its draft
// will have. Nothing is stored yet.
func (s *deskHandlers) newForm(c echo.Context) error {
	uid, err := uuid.NewV7()
	if err != nil {
		return err
	}
	var f formState
	var view page.FormView
	frame, err := s.around(c, formTitle, layout.NewTab, func() error {
		if f, err = s.emptyState(c, uid); err == nil {
			view, err = s.formContent(c, f)
		}
		return err
	})
	if err != nil {
		return err
	}
	if err := s.tellOnce(c, &frame); err != nil {
		return err
	}
	return s.renderForm(c, http.StatusOK, f, frame, view)
}

// emptyState is the form of a request that begins: nobody's earlier requests are looked at.
func (s *deskHandlers) emptyState(c echo.Context, uid uuid.UUID) (f formState, err error) {
	choices, err := s.choices(c.Request().Context(), s.actor(c))
	if err != nil {
		return f, err
	}
	f.choices, f.draft.UID = &choices, uid
	if f.draft.Form, err = s.emptyForm(c, choices); err != nil {
		return f, err
	}
	state := s.savedState(f.draft)
	f.state = &state
	return f, s.compareDraft(c, f.draft, &state)
}

// draftForm serves GET /nova/{uid}: a draft where it was left, a fresh copy of a
// refused case with what was wrong with that, or the case that it became.
func (s *deskHandlers) draftForm(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	draft, err := s.Desk.Draft(c.Request().Context(), s.actor(c), uid)
	if problem.Is(err, problem.NotFound) {
		return s.becameCase(c, uid, err)
	}
	if err != nil {
		return err
	}
	refusals, err := s.Desk.Refusals(c.Request().Context(), s.actor(c), draft)
	if err != nil {
		return err
	}
	return s.showForm(c, http.StatusOK, formState{draft: draft, problems: refusals, objected: true})
}

// becameCase leads to the case of a draft that was sent; without one the error
// stands.
func (s *deskHandlers) becameCase(c echo.Context, draft uuid.UUID, otherwise error) error {
	uid, err := s.Desk.CaseOf(c.Request().Context(), s.actor(c), draft)
	if problem.Is(err, problem.NotFound) {
		return problem.Wrap(problem.NotFound, "Este rascunho foi descartado, ou é de outra pessoa.", otherwise)
	}
	if err != nil {
		return err
	}
	return redirect(c, "/casos/"+uid.String())
}

// saveDraft serves POST /nova/{uid}: what is typed is kept as the page goes, by
// "Salvar rascunho", and by the buttons that work without a script.
func (s *deskHandlers) saveDraft(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	in, err := readForm(c)
	if err != nil {
		return err
	}
	in.Form = in.WithoutRemoved()
	if in.Form, err = s.filled(c, in); err != nil {
		return err
	}
	eligibility := s.eligibilityInForm(c, &in)
	if untouched, err := s.untouched(c, uid, in); err != nil || untouched {
		return s.leaveUntouched(c, uid, in, err)
	}
	draft, err := s.Desk.SaveDraft(c.Request().Context(), s.actor(c), uid, in.Form, in.Version)
	if err != nil {
		return s.draftUnsaved(c, uid, in, draft, err)
	}
	switch {
	case in.Button == form.ButtonLater:
		return s.draftLeft(c)
	case isHTMX(c):
		state, err := s.draftState(c, draft)
		if err != nil {
			return err
		}
		return s.draftSaved(c, http.StatusOK, state)
	}
	shown := shownSearches(in)
	shown.draft, shown.newRow, shown.eligibility = draft, in.Button == form.ButtonRow, eligibility
	return s.showForm(c, http.StatusOK, shown)
}

// untouched reports whether a form without a draft holds only what it showed when it
// was opened. What a script saves was touched.
func (s *deskHandlers) untouched(c echo.Context, uid uuid.UUID, in form.Request) (bool, error) {
	if in.Version != 0 || isAutosave(c, in) {
		return false, nil
	}
	ctx, actor := c.Request().Context(), s.actor(c)
	choices, err := s.choices(ctx, actor)
	if err != nil {
		return false, err
	}
	empty, err := s.emptyForm(c, choices)
	if err != nil || !in.Form.Untouched(empty) {
		return false, err
	}
	opened, err := s.Desk.DraftOpened(ctx, actor, uid) // by a file, or by somebody else
	return !opened, err
}

func isAutosave(c echo.Context, in form.Request) bool {
	return isHTMX(c) && in.Button == "" && c.Path() == "/nova/:uid"
}

// leaveUntouched answers the buttons of a form that holds nothing, without a draft.
func (s *deskHandlers) leaveUntouched(c echo.Context, uid uuid.UUID, in form.Request, err error) error {
	if err != nil {
		return err
	}
	if in.Button != form.ButtonLater {
		shownUntouched := shownSearches(in)
		shownUntouched.draft = desk.Draft{UID: uid, Form: in.Form}
		return s.showForm(c, http.StatusOK, shownUntouched)
	}
	return s.redirectTelling(c, "/fila", "Nada foi digitado, e nenhum rascunho foi guardado.")
}

// searches reports whether a credential is searched for without a script: by its
// button, or by Enter while none is chosen.
func searches(in form.Request) bool {
	return in.Button == form.ButtonSearch ||
		in.Button == "" && in.Form.Values["credencialId"] == "" && strings.TrimSpace(in.Search) != ""
}

// draftSaved answers autosave. What the page says of the disk may have changed since it was
// opened.
func (s *deskHandlers) draftSaved(c echo.Context, status int, state page.DraftState) error {
	return s.render(c, status, page.DraftSaved(state, s.shortage(s.current(c))))
}

// shownSearches is what a form shows of the searches that were asked for without a script.
func shownSearches(in form.Request) formState {
	shown := formState{who: in.Who, asking: asksWho(in), search: in.Search}
	shown.searching = !shown.asking && searches(in)
	shown.finding = in.Button == form.ButtonFind || in.Button == "" && !shown.asking && !shown.searching
	return shown
}

// draftLeft ends work on a draft for now.
func (s *deskHandlers) draftLeft(c echo.Context) error {
	return s.redirectTelling(c, "/fila", "Rascunho salvo. Ele espera por você em Meus rascunhos.")
}

// discardDraft serves POST /nova/{uid}/descartar. A draft that was never saved
// is gone by leaving its page.
func (s *deskHandlers) discardDraft(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	if err := ignoringMissing(s.Desk.DiscardDraft(c.Request().Context(), s.actor(c), uid)); err != nil {
		return err
	}
	return s.redirectTelling(c, "/fila", "Rascunho descartado.")
}

// review serves POST /nova/{uid}/revisar: the panel, or what is wrong.
func (s *deskHandlers) review(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	in, err := readForm(c)
	if err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), s.actor(c)
	if untouched, err := s.untouched(c, uid, in); err != nil {
		return err
	} else if untouched {
		return s.showReview(c, desk.Draft{UID: uid, Form: in.Form}, desk.Review{}, s.Desk.CheckForm(ctx, actor, in.Form))
	}
	draft, err := s.Desk.SaveDraft(ctx, actor, uid, in.Form, in.Version)
	if problem.Is(err, problem.Conflict) {
		if _, sent := s.Desk.CaseOf(ctx, actor, uid); sent == nil {
			return s.becameCase(c, uid, err)
		}
	}
	if err != nil {
		return s.draftUnsaved(c, uid, in, draft, err)
	}
	review, err := s.Desk.Review(ctx, actor, uid)
	return s.showReview(c, draft, review, err)
}

// showReview answers POST /nova/{uid}/revisar: with the review to confirm, or with the
// form, 422 and the fields to correct.
func (s *deskHandlers) showReview(c echo.Context, draft desk.Draft, review desk.Review, err error) error {
	if fields := problem.FieldsOf(err); len(fields) > 0 {
		return s.showForm(c, http.StatusUnprocessableEntity, formState{draft: draft, problems: fields})
	}
	if err != nil {
		return err
	}
	s.rememberWorkstation(c, draft.Form)
	return s.showForm(c, http.StatusOK, formState{draft: draft, review: &review})
}

// submit serves POST /nova/{uid}/enviar. However often it is pressed, there is
// one submission, and each press leads to its case.
func (s *deskHandlers) submit(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), s.actor(c)
	reviewed, err := seen(c)
	if err != nil {
		return err
	}
	sent, err := s.Desk.SubmitSeen(ctx, actor, uid, reviewed)
	if errors.Is(err, desk.ErrOtherVersion) || errors.Is(err, desk.ErrOtherFiles) {
		return s.changedSinceReview(c, uid, err)
	}
	if problem.Is(err, problem.Invalid) || problem.Passing(err) {
		return s.unsent(c, uid, err)
	}
	if err != nil {
		return err
	}
	// A page that shows the answer at once is better than one that says "wait".
	if err := s.Desk.WaitSent(ctx, actor, sent, answerPatience); err != nil && !errors.Is(err, context.Canceled) && !problem.Passing(err) {
		return err
	}
	return redirect(c, "/casos/"+sent.String()+"#veredito")
}

// unsent shows a draft that cannot be sent as it is, or not now.
func (s *deskHandlers) unsent(c echo.Context, uid uuid.UUID, refusal error) error {
	ctx := c.Request().Context()
	draft, err := s.Desk.Draft(ctx, s.actor(c), uid)
	if err != nil {
		return err
	}
	refused, _ := asProblem(refusal)
	if !problem.Passing(refusal) {
		return s.showReview(c, draft, desk.Review{}, refusal)
	}
	state, err := s.draftState(c, draft)
	if err != nil {
		return err
	}
	state.Refused, state.Passing, state.Unsent = refused.Message, true, true
	return s.showForm(c, statusOf(refusal), formState{draft: draft, state: &state})
}

// seen is the draft that the review showed: only what was seen is sent.
func seen(c echo.Context) (desk.Seen, error) {
	values, err := postedValues(c)
	if err != nil || values.Get("versao") == "" {
		return desk.SeenAny, err
	}
	return desk.Seen{Version: seenNumber(values.Get("versao")), Revision: seenNumber(values.Get("revisao"))}, nil
}

// seenNumber reads a number of a draft; no draft has that of a text which is none.
func seenNumber(text string) int {
	if text == "" {
		return desk.AnyVersion
	}
	if n, err := strconv.ParseUint(text, 10, 31); err == nil {
		return int(n)
	}
	return desk.AnyVersion - 1
}

// changedSinceReview leads back to the form when another tab saved the draft after it was
// reviewed here, or a phone sent a file.
func (s *deskHandlers) changedSinceReview(c echo.Context, uid uuid.UUID, changed error) error {
	told := "Outra aba mudou este pedido depois da revisão. Confira e envie de novo."
	if errors.Is(changed, desk.ErrOtherFiles) {
		told = "Os anexos mudaram depois da revisão. Confira e envie de novo."
	}
	return s.redirectTelling(c, "/nova/"+uid.String(), told)
}

// ignoringPassing returns err unless it passes by itself.
func ignoringPassing(err error) error {
	if problem.Passing(err) {
		return nil
	}
	return err
}

// ignoringMissing returns err unless it says that something is not there.
func ignoringMissing(err error) error {
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	return err
}
