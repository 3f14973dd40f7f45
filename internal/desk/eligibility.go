package desk

import (
	"context"
	"fmt"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Eligibility asks the operator whether the card of a form is valid, where the service offers
// that. Nothing of it is kept but that somebody asked. What is missing in the form, and what the
// service does not accept, is problem.Invalid.
func (d *Desk) Eligibility(ctx context.Context, a permission.Actor, form Form) (authorization.Eligibility, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return authorization.Eligibility{}, err
	}
	if !d.Offers().Eligibility {
		return authorization.Eligibility{}, problem.New(problem.Unavailable, "O serviço de autorização não informa elegibilidade.")
	}
	credential, question, err := d.eligibilityQuestion(ctx, form)
	if err != nil {
		return authorization.Eligibility{}, err
	}
	entry := d.entry(a, audit.EligibilityAsked, audit.ObjectCredential, credential)
	if err := d.config.Store.AppendAudit(ctx, entry); err != nil {
		return authorization.Eligibility{}, err
	}
	return d.config.Service.Eligibility(ctx, question)
}

// eligibilityQuestion reads the card and its operator from a form.
func (d *Desk) eligibilityQuestion(ctx context.Context, form Form) (credential uuid.UUID, q authorization.EligibilityQuestion, err error) {
	q.CardNumber = authorization.CleanCard(form.Values["numeroCarteira"])
	credential, malformed := uuid.Parse(strings.TrimSpace(form.Values["credencialId"]))
	var missing []problem.Field
	if malformed != nil {
		missing = append(missing, problem.Field{Path: "credencialId", Code: authorization.CodeRequired, Message: "Escolha a operadora."})
	}
	if q.CardNumber == "" {
		missing = append(missing, problem.Field{Path: "numeroCarteira", Code: authorization.CodeRequired,
			Message: "Informe o número da carteira."})
	}
	if err := problem.InvalidFields(missing); err != nil {
		return credential, q, err
	}
	if until, err := authorization.ParseTypedDate(form.Values["validadeCarteira"], d.now().In(d.config.Zone)); err == nil {
		q.CardValidity = until
	}
	id, err := d.config.Directory.EligibilityID(ctx, credential)
	if err != nil {
		return credential, q, fmt.Errorf("desk: credential of an eligibility question: %w", err)
	}
	if id == uuid.Nil {
		return credential, q, problem.New(problem.Unavailable, "Esta operadora não tem consulta de elegibilidade no serviço.")
	}
	q.EligibilityID = id.String()
	return credential, q, nil
}
