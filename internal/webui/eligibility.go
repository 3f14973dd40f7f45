package webui

import (
	"context"
	"maps"
	"net/http"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/component"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// askEligibility serves POST /busca/elegibilidade: what the operator says of the card of a form.
func (s *deskHandlers) askEligibility(c echo.Context) error {
	in, err := readForm(c)
	if err != nil {
		return err
	}
	return s.render(c, http.StatusOK, page.EligibilityAnswer(s.eligibility(c, in.Form)))
}

// eligibilityInForm is the question of a form's button, which works without a script: what the
// operator says goes into the fields that are empty.
func (s *deskHandlers) eligibilityInForm(c echo.Context, in *form.Request) *page.Eligibility {
	if in.Button != form.ButtonAsk {
		return nil
	}
	answer := s.eligibility(c, in.Form)
	for name, value := range answer.Fill {
		if in.Form.Values[name] == "" {
			in.Form.Values[name] = value
		}
	}
	return &answer
}

// eligibility asks the operator. What hinders that is said in place of an answer, and hinders
// nothing else.
func (s *deskHandlers) eligibility(c echo.Context, f desk.Form) page.Eligibility {
	ctx := c.Request().Context()
	found, err := s.Desk.Eligibility(ctx, s.actor(c), f)
	shown := eligibilityAnswer(found)
	if err != nil {
		shown = s.notAsked(ctx, err)
	}
	shown.Card, shown.Of = f.Values["numeroCarteira"], f.Values["credencialId"]
	return shown
}

// eligibilityAnswer puts what the operator said into words.
func eligibilityAnswer(e authorization.Eligibility) page.Eligibility {
	shown := page.Eligibility{Tone: component.ToneSuccess, Icon: "check-lg", Strong: "Elegível.", Words: e.Messages,
		Fill: map[string]string{"nomeBeneficiario": e.Name, "planoBeneficiario": e.Plan, "validadeCarteira": e.CardValidity.Date()}}
	switch {
	case !e.Told:
		shown.Tone, shown.Icon, shown.Strong = component.ToneUnknown, "question-lg", "A operadora não disse se a carteira está elegível."
	case !e.Eligible:
		shown.Tone, shown.Icon, shown.Strong = component.ToneError, "x-octagon", "Não elegível."
	}
	maps.DeleteFunc(shown.Fill, func(_, value string) bool { return value == "" })
	shown.Text = joined(" · ", e.Situation, e.Name, e.Plan, labelled("válida até ", e.CardValidity.Date()))
	return shown
}

// notAsked says why there is no answer.
func (s *deskHandlers) notAsked(ctx context.Context, err error) page.Eligibility {
	shown := page.Eligibility{Tone: component.ToneAttention, Icon: "exclamation-triangle", Strong: "Sem resposta sobre a elegibilidade."}
	for _, wrong := range problem.FieldsOf(err) {
		shown.Words = append(shown.Words, wrong.Message)
	}
	p, ok := asProblem(err)
	switch {
	case len(shown.Words) > 0:
		shown.Strong = "Para consultar a elegibilidade:"
	case ok && p.Message != "":
		shown.Text = p.Message
	case ctx.Err() == nil:
		s.logger.ErrorContext(ctx, "eligibility", "error", err)
	}
	if len(shown.Words) == 0 {
		shown.Text = joined(" ", shown.Text, "O pedido pode seguir sem ela.")
	}
	return shown
}
