package webui

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// addService adds to the view of a case what the authorization service takes and tells of it.
func (s *deskHandlers) addService(ctx context.Context, a permission.Actor, c desk.Case, view *page.CaseView) error {
	view.Service.Path = "/casos/" + c.UID.String()
	if err := s.addCollecting(ctx, c, view); err != nil {
		return err
	}
	s.addAttaching(c, view)
	s.addSessions(c, view)
	view.Service.Act, view.Service.UnderWay = s.actNotice(a, c), c.ActPending()
	if a.May(permission.CancelAuthorizations) && len(s.Desk.Cancellable(c)) > 0 && !c.ActInDoubt() {
		view.Aside = append(view.Aside, page.Action{Href: view.Service.Path + "/cancelar#cancelamento", Text: "Cancelar na operadora",
			Icon: "x-octagon"})
	}
	return nil
}

// actWords name an act: what is asked, what it is called in a sentence, and what does it again.
var actWords = map[desk.ActKind]struct{ asking, name, again, path string }{
	desk.ActCancel:      {"Pedindo o cancelamento à operadora…", "O cancelamento", "Pedir de novo", "/cancelar#cancelamento"},
	desk.ActAttachments: {"Enviando o anexo à operadora…", "O envio do anexo", "Enviar de novo", "#anexar"},
	desk.ActBiometrics:  {"Enviando a biometria à operadora…", "O envio da biometria", "Coletar de novo", "#biometria"},
}

// actNotice says what became of the latest act, nil where the case itself says it.
func (s *deskHandlers) actNotice(a permission.Actor, c desk.Case) *component.Notice {
	act, ok := c.LastAct()
	if !ok || act.State == desk.ActDone || act.Answered && act.State != desk.ActUnderWay {
		return nil
	}
	words := actWords[act.Kind]
	notice := component.Notice{Tone: component.ToneAttention, Icon: "exclamation-triangle"}
	if s.mayAsk(a, c, act) {
		notice.Action = component.Link{Href: "/casos/" + c.UID.String() + words.path, Text: words.again}
	}
	switch act.State {
	case desk.ActUnderWay:
		return &component.Notice{Tone: component.ToneWaiting, Icon: "hourglass-split", Strong: words.asking,
			Text: "Esta página se atualiza sozinha."}
	case desk.ActDoubtful:
		notice.Strong = words.name + " ficou em dúvida."
		notice.Text = joined(" ", act.Message, "Não se sabe se chegou à operadora.", s.againWords())
	case desk.ActRefused:
		notice.Tone, notice.Icon, notice.Strong = component.ToneError, "x-octagon", words.name+" não foi aceito."
		notice.Text = act.Message
	case desk.ActUnsent:
		notice.Strong, notice.Text = words.name+" não foi feito.", act.Message
	}
	return &notice
}

// againWords say what asking once more after a doubt does.
func (s *deskHandlers) againWords() string {
	if s.Desk.Offers().Repeatable {
		return "Pedir de novo não o faz duas vezes."
	}
	return "Confirme com ela antes de pedir de novo."
}

// mayAsk reports whether the person may ask again what was not done.
func (s *deskHandlers) mayAsk(a permission.Actor, c desk.Case, act desk.Act) bool {
	switch act.Kind {
	case desk.ActBiometrics:
		return slices.Contains(s.Desk.Collectable(c), act.Place)
	case desk.ActAttachments:
		return slices.Contains(s.Desk.Attachable(c), act.Place)
	}
	return a.May(permission.CancelAuthorizations) && slices.Contains(s.Desk.Cancellable(c), act.Place)
}

// actState serves GET /casos/{uid}/ato: a fresh page as soon as nothing is under way any more.
func (s *deskHandlers) actState(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	pending, err := s.Desk.ActPending(c.Request().Context(), s.actor(c), uid)
	if err != nil {
		return err
	}
	if !pending {
		c.Response().Header().Set("HX-Refresh", "true")
	}
	return c.NoContent(http.StatusNoContent)
}

// cancelPage serves GET /casos/{uid}/cancelar: the case with the form that confirms it; the case
// alone where it cannot be cancelled.
func (s *deskHandlers) cancelPage(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	f, err := s.takeWritten(c)
	if err != nil {
		return err
	}
	if f == nil {
		f = form.New(nil)
	}
	return s.showCancel(c, uid, f, http.StatusOK)
}

// cancel serves POST /casos/{uid}/cancelar.
func (s *deskHandlers) cancel(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	f, err := posted(c)
	if err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), s.actor(c)
	err = s.Desk.Cancel(ctx, actor, uid, f.Cancellation())
	if f.Add(problem.FieldsOf(err)...); f.Invalid() {
		return s.showCancel(c, uid, f, http.StatusUnprocessableEntity)
	}
	if problem.Is(err, problem.Conflict) {
		return s.tooLate(c, uid, err)
	}
	if err != nil {
		return err
	}
	return s.afterAct(c, uid)
}

// tooLate leads back to a case that stands otherwise by now.
func (s *deskHandlers) tooLate(c echo.Context, uid uuid.UUID, conflict error) error {
	refused, _ := asProblem(conflict)
	return s.redirectTelling(c, "/casos/"+uid.String()+"#veredito", refused.Message)
}

// afterAct waits a little for the answer to an act and leads to its case.
func (s *deskHandlers) afterAct(c echo.Context, uid uuid.UUID) error {
	ctx := c.Request().Context()
	if err := s.Desk.AwaitAct(ctx, s.actor(c), uid, answerPatience); err != nil && ctx.Err() == nil && !problem.Passing(err) {
		return err
	}
	return redirect(c, "/casos/"+uid.String()+"#veredito")
}

// showCancel shows a case with the form by which it is cancelled.
func (s *deskHandlers) showCancel(c echo.Context, uid uuid.UUID, f *form.Form, status int) error {
	found, err := s.Desk.Case(c.Request().Context(), s.actor(c), uid, 0)
	if err != nil {
		return err
	}
	places := s.Desk.Cancellable(found)
	if len(places) == 0 {
		return redirect(c, "/casos/"+uid.String()+"#veredito")
	}
	view, err := s.caseView(c, found, found.OnScreen(0))
	if err != nil {
		return err
	}
	view.Service.Cancel = cancelView(found, places)
	view.Service.Cancel.Fields = fieldsOf(f)
	return s.showView(c, status, view, found)
}

// cancelView is the form about the authorizations at some places.
func cancelView(c desk.Case, places []int) *page.CancelView {
	view := &page.CancelView{Operator: c.Names.Credential, Answers: strconv.Itoa(len(c.Answers)), Only: strconv.Itoa(places[0])}
	for _, place := range places {
		about := c.Answer.Authorizations[place]
		view.Which = append(view.Which, component.Choice{Value: strconv.Itoa(place),
			Label: authorizationTitle(about, place) + " (" + about.Status.Info().Label + ")"})
	}
	if act, ok := c.LastAct(); ok && act.Kind == desk.ActCancel && c.ActInDoubt() {
		view.Again, view.Before, view.Only, view.Which = true, act.Reason, strconv.Itoa(act.Place), nil
	}
	if len(places) == 1 {
		view.Senha = component.GroupDigits(c.Answer.Authorizations[places[0]].Senha)
	}
	return view
}
