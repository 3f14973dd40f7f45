package webui

import (
	"context"
	"net/http"
	"slices"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// receipt serves GET /casos/{uid}/comprovante: what became of a request, on half a sheet for
// the patient.
func (s *deskHandlers) receipt(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	found, err := s.Desk.Receipt(ctx, s.actor(c), uid)
	if err != nil {
		return err
	}
	view, err := s.receiptView(ctx, found)
	if err != nil {
		return err
	}
	if view.Page, err = s.frame(c, "Comprovante", layout.QueueTab); err != nil {
		return err
	}
	view.Simulated, view.By = found.Simulated, s.current(c).Name
	return s.render(c, http.StatusOK, page.ReceiptPage(view))
}

// receiptView shapes a case for its receipt.
func (s *deskHandlers) receiptView(ctx context.Context, c desk.Case) (page.ReceiptView, error) {
	view := page.ReceiptView{Case: "/casos/" + c.UID.String(), Unit: c.Names.Unit, Operator: c.Names.Credential,
		Situation: situation(c.CaseState), Words: patientWords(c), Printed: s.now().Format("02/01/2006, 15:04"),
		Denied: c.State == desk.Answered && c.Group == authorization.Refusal}
	var err error
	if view.UnitPhone, view.OperatorPhone, err = s.phones(ctx, c); err != nil {
		return view, err
	}
	f := facts{}
	f.add("Paciente", c.BeneficiaryName)
	f.add("Operadora", joined(" · ", c.Names.Credential, c.Request.BeneficiaryPlan))
	f.code("Carteira", component.GroupDigits(c.CardNumber))
	f.add("Pedido por", c.Request.RequesterName)
	f.add("Enviado em", c.CreatedAt.In(s.Zone).Format("02/01/2006, 15:04"))
	f.code("Guia do prestador", component.GroupDigits(c.ProviderGuide))
	view.Patient = f
	view.Reasons = slices.DeleteFunc(reasons(c), func(l page.ErrorLine) bool { return l.Own })
	view.Authorizations = s.receiptAuthorizations(c)
	return view, nil
}

// receiptAuthorizations are the authorizations of a case, or what was asked for.
func (s *deskHandlers) receiptAuthorizations(c desk.Case) []page.Authorization {
	switch {
	case c.Answer == nil || len(c.Answer.Authorizations) == 0:
		return []page.Authorization{{Procedures: results(c.Lines(), authorization.Authorization{})}}
	case len(c.Answer.Authorizations) > 1:
		return s.authorizations(c)
	}
	a := c.Answer.Authorizations[0]
	return []page.Authorization{{Facts: authorizationFacts(a), Validity: s.validity(a), Procedures: results(c.Lines(), a)}}
}

// phones are those of the unit and of the operator, as far as they are known today.
func (s *deskHandlers) phones(ctx context.Context, c desk.Case) (unit, operator string, err error) {
	u, err := s.Directory.Unit(ctx, c.UnitID)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return "", "", err
	}
	o, err := s.Directory.Credential(ctx, c.Request.CredentialID)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return "", "", err
	}
	return u.Phone, o.Phone, nil
}

// patientWords say what the state of a case means to its patient.
func patientWords(c desk.Case) string {
	if c.State != desk.Answered || c.Contradictory() {
		return "O pedido ainda não tem resposta clara da operadora. A unidade confere e avisa."
	}
	if words := patientStatuses[c.Status]; words != "" {
		return words
	}
	return patientGroups[c.Group]
}

var patientGroups = map[authorization.Group]string{
	authorization.YourTurn:     "A operadora pediu mais alguma coisa antes de decidir. A unidade cuida disso e avisa.",
	authorization.ToFix:        "A operadora não aceitou algum dado do pedido. A unidade corrige e envia de novo.",
	authorization.Refusal:      "A operadora não autorizou. O motivo que ela deu está abaixo.",
	authorization.Ready:        "A operadora autorizou. Traga este papel no dia do atendimento.",
	authorization.Waiting:      "A operadora ainda não decidiu. A unidade acompanha e avisa.",
	authorization.Closed:       "Não há mais nada a fazer com este pedido.",
	authorization.Unrecognized: "A unidade confere com a operadora o que esta situação quer dizer.",
}

var patientStatuses = map[authorization.Status]string{
	authorization.PartiallyAuthorized: "A operadora autorizou uma parte do que foi pedido. Veja abaixo o que foi autorizado.",
	authorization.Cancelled:           "A operadora informa que esta autorização foi cancelada.",
}
