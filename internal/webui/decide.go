package webui

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// replyForm serves GET /casos/{uid}/retorno: the case with the form for what the operator
// told; without it where there is nothing to record.
func (s *deskHandlers) replyForm(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	typed, err := s.takeWritten(c)
	if err != nil {
		return err
	}
	if typed != nil {
		return s.showTyped(c, uid, typed, http.StatusOK)
	}
	found, err := s.Desk.Case(c.Request().Context(), s.actor(c), uid, 0)
	if err != nil {
		return err
	}
	if !found.CanRecord() {
		return redirect(c, "/casos/"+uid.String()+"#veredito")
	}
	view, err := s.caseView(c, found, found.OnScreen(0))
	if err != nil {
		return err
	}
	view.Decide = decideView(found, s.actor(c))
	view.Decide.Values = recordedValues(found)
	return s.showView(c, http.StatusOK, view, found)
}

// recordedValues fill the form with what a person recorded, for them to correct it.
func recordedValues(c desk.Case) map[string]string {
	if c.Answer == nil || len(c.Answer.Authorizations) != 1 || !c.Answer.Recorded() {
		return nil
	}
	a := c.Answer.Authorizations[0]
	return map[string]string{"situacao": string(a.Status), "senha": a.Senha, "validade": a.SenhaValidUntil.Date(), "guia": a.GuideNumber}
}

// recordReply serves POST /casos/{uid}/retorno: what the operator told about a request.
func (s *deskHandlers) recordReply(c echo.Context) error {
	return s.decide(c, func(ctx context.Context, uid uuid.UUID, f *form.Form) (uuid.UUID, string, error) {
		return uid, "Retorno registrado. Nada foi enviado de novo.", s.Desk.RecordReply(ctx, s.actor(c), uid, f.Reply(s.now()))
	})
}

// resend serves POST /casos/{uid}/reenviar: the operator says that the request never
// arrived, and it is sent again under another number.
func (s *deskHandlers) resend(c echo.Context) error {
	return s.decide(c, func(ctx context.Context, uid uuid.UUID, f *form.Form) (uuid.UUID, string, error) {
		inquiry := f.Resend()
		if f.Invalid() {
			return uid, "", nil
		}
		again, err := s.Desk.Resend(ctx, s.actor(c), uid, inquiry)
		return again, "Pedido enviado de novo, com outro número e ligado ao anterior.", err
	})
}

// decide does what a form about a doubt says, and shows the case that it leads to with
// some words; a form in which something is wrong is shown again as it was typed.
func (s *deskHandlers) decide(c echo.Context,
	do func(context.Context, uuid.UUID, *form.Form) (to uuid.UUID, words string, err error),
) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	f, err := posted(c)
	if err != nil {
		return err
	}
	to, words, err := do(c.Request().Context(), uid, f)
	f.Add(problem.FieldsOf(err)...)
	switch {
	case f.Invalid():
		return s.showTyped(c, uid, f, http.StatusUnprocessableEntity)
	case problem.Is(err, problem.Conflict):
		return s.showTyped(c, uid, f, http.StatusConflict)
	case err != nil:
		return err
	}
	return s.redirectTelling(c, "/casos/"+to.String()+"#veredito", words)
}

// resendRoute is where a request is sent again.
const resendRoute = "/casos/:uid/reenviar"

// showTyped shows the case with what was typed. When it has another answer by now, that is
// said; what still can be recorded waits in the form to be looked over.
func (s *deskHandlers) showTyped(c echo.Context, uid uuid.UUID, f *form.Form, status int) error {
	found, err := s.Desk.Case(c.Request().Context(), s.actor(c), uid, 0)
	if err != nil {
		return err
	}
	view, err := s.caseView(c, found, found.OnScreen(0))
	if err != nil {
		return err
	}
	view.Decide = decideView(found, s.actor(c))
	view.Decide.Fields = fieldsOf(f)
	view.Decide.Closed = !found.CanRecord() || !found.CanDecide() && c.Path() == resendRoute
	if !found.CanDecide() && (view.Decide.Closed || f.Answers() != len(found.Answers)) {
		status = http.StatusConflict
		view.Decide.Settled = settledNotice(view.Decide.Closed)
	}
	return s.showView(c, status, view, found)
}

// settledNotice says that somebody or something was quicker.
func settledNotice(closed bool) *component.Notice {
	notice := component.Notice{Tone: component.ToneAttention, Icon: "info-circle", Strong: "Este pedido já teve um desfecho.",
		Text: "Ele está acima. O que foi digitado aqui não foi gravado, e nada foi enviado."}
	if !closed {
		notice.Strong = "Enquanto isso este pedido teve outra resposta."
		notice.Text = "Ela está acima, e o que foi digitado ainda não foi gravado. Confira e, se ainda valer, registre de novo."
	}
	return &notice
}

// decideView is what a person may do about a case by the operator's word.
func decideView(c desk.Case, a permission.Actor) *page.DecideView {
	view := &page.DecideView{Path: "/casos/" + c.UID.String(), May: a.May(permission.DecideUnknown), Answered: !c.CanDecide(),
		Number: strings.ReplaceAll(component.GroupDigits(c.ProviderGuide), " ", "\u00a0"), Answers: strconv.Itoa(len(c.Answers))}
	for _, status := range desk.ReplyStatuses() {
		view.Statuses = append(view.Statuses, component.Choice{Value: string(status), Label: status.Info().Label})
	}
	if view.Answered && c.Answer != nil && len(c.Answer.Authorizations) > 1 {
		for i, one := range c.Answer.Authorizations {
			view.Which = append(view.Which, component.Choice{Value: strconv.Itoa(i),
				Label: authorizationTitle(one, i) + " (" + one.Status.Info().Label + ")"})
		}
	}
	return view
}

// sentWords say when and to whom the latest attempt of an unknown case left, and until
// when an answer was awaited.
func (s *deskHandlers) sentWords(c desk.Case) string {
	last := c.Attempts[len(c.Attempts)-1]
	once := ""
	if len(c.Attempts) == 1 {
		once = " Nada foi enviado de novo."
	}
	words := "Enviado à " + c.Names.Credential + " em " + last.StartedAt.In(s.Zone).Format("02/01/2006, às 15:04:05")
	if !last.EndedAt.IsZero() {
		words += "; esperamos a resposta até " + last.EndedAt.In(s.Zone).Format("15:04:05")
	}
	return words + "." + once
}
