package desk

import (
	"context"
	"slices"
	"strings"
	"time"
	"unicode"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
	"golang.org/x/text/unicode/norm"
)

// Beneficiary is somebody for whom a request was sent, as the latest one within the
// person's reach tells of them.
type Beneficiary struct {
	Last    CaseSummary
	Request authorization.Request // without procedures, attachments and newborn
	Names   Names
}

// Requester is who asked in a request that was sent, as the latest one tells of them.
type Requester struct{ Name, Council, Number, State string }

// KnownStore finds whom the requests that were sent tell of.
type KnownStore interface {
	// Beneficiaries finds beneficiaries of cases within the reach by the beginnings of words of
	// their names, in any order, and of their cards; the latest first.
	Beneficiaries(ctx context.Context, reach permission.Reach, text string, limit int) ([]Beneficiary, error)
	// Requesters finds requesters by name and number in their council, the latest first.
	Requesters(ctx context.Context, text string, limit int) ([]Requester, error)
	// LatestWith is the latest request within the reach to a credential; problem.NotFound
	// without one among the last of all.
	LatestWith(ctx context.Context, reach permission.Reach, credential uuid.UUID) (authorization.Request, error)
	// LatestBy is the latest request that somebody sent; problem.NotFound without one.
	LatestBy(ctx context.Context, sender uuid.UUID) (authorization.Request, error)
	// LatestOf lists the latest cases within the reach with a card of a credential.
	LatestOf(ctx context.Context, reach permission.Reach, credential uuid.UUID, card string, limit int) ([]CaseSummary, error)
}

// FindBeneficiaries finds beneficiaries for somebody who fills the form. The audit trail
// says that they saw some, not whom they looked for.
func (d *Desk) FindBeneficiaries(ctx context.Context, a permission.Actor, text string, limit int) ([]Beneficiary, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return nil, err
	}
	found, err := d.config.Store.Beneficiaries(ctx, a.Reach(), text, limit)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	return found, d.config.Store.AppendAudit(ctx, d.entry(a, audit.BeneficiarySearched, "", uuid.Nil))
}

// KnownBeneficiary is the beneficiary of a case within the person's reach; problem.NotFound
// otherwise.
func (d *Desk) KnownBeneficiary(ctx context.Context, a permission.Actor, caseID uuid.UUID) (Beneficiary, error) {
	c, err := d.reachable(ctx, a, caseID)
	if err != nil {
		return Beneficiary{}, err
	}
	return Beneficiary{Request: c.Request, Names: c.Names},
		d.config.Store.AppendAudit(ctx, d.entry(a, audit.BeneficiarySearched, audit.ObjectCase, caseID))
}

// FindRequesters finds requesters for somebody who fills the form.
func (d *Desk) FindRequesters(ctx context.Context, a permission.Actor, text string, limit int) ([]Requester, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return nil, err
	}
	return d.config.Store.Requesters(ctx, text, limit)
}

// LastForm is what the person sent last, an empty form before the first request.
func (d *Desk) LastForm(ctx context.Context, a permission.Actor) (Form, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return Form{}, err
	}
	r, err := d.config.Store.LatestBy(ctx, a.User)
	if problem.Is(err, problem.NotFound) {
		return Form{}, nil
	}
	if err != nil {
		return Form{}, err
	}
	return FormOf(r), nil
}

// UsualParties are who attended where in the latest request of the person's units to an
// operator, by the fields of a form; nil before the first one.
func (d *Desk) UsualParties(ctx context.Context, a permission.Actor, credential uuid.UUID) (map[string]string, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return nil, err
	}
	r, err := d.config.Store.LatestWith(ctx, a.Reach(), credential)
	if problem.Is(err, problem.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	form, values := FormOf(r), map[string]string{}
	for _, name := range partyFields {
		values[name] = form.Values[name]
	}
	return values, nil
}

// FillParties puts who attends where into a form, where nothing is chosen.
func FillParties(f Form, usual map[string]string) {
	for name, value := range usual {
		if f.Values[name] == "" {
			f.Values[name] = value
		}
	}
}

// CardExpired reports whether a card that is valid until a day is so no more; one without a
// validity never expires.
func (d *Desk) CardExpired(until authorization.LocalTime) bool {
	return !until.IsZero() && until.Before(d.today())
}

// latestShown is how many of a beneficiary's cases stand beside the form.
const latestShown = 3

// oneDraftLook is how long the same look at the latest cases of a draft's card is told once.
const oneDraftLook = time.Hour

// LatestOf lists the latest cases with the credential and the card that stand in a draft,
// none while one of them does not. The audit trail tells of the look.
func (d *Desk) LatestOf(ctx context.Context, a permission.Actor, draft Draft) ([]CaseSummary, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return nil, err
	}
	card := authorization.CleanCard(draft.Form.Values["numeroCarteira"])
	typed := draft.Form.Values["credencialId"]
	if uuid.Validate(typed) != nil || card == "" {
		return nil, nil //nolint:nilerr // no operator is chosen yet
	}
	found, err := d.config.Store.LatestOf(ctx, a.Reach(), uuid.MustParse(typed), card, latestShown)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	entry := d.entry(a, audit.BeneficiarySearched, audit.ObjectDraft, draft.UID)
	return found, d.config.Store.AppendAuditOnce(ctx, entry, entry.At.Add(-oneDraftLook))
}

// Facts are the fields of a new request that the beneficiary fills.
func (b Beneficiary) Facts() map[string]string {
	form, values := FormOf(b.Request), map[string]string{}
	for _, name := range slices.Concat(beneficiaryFields, partyFields) {
		values[name] = strings.TrimSpace(form.Values[name])
	}
	return values
}

// Fill puts what is known of the beneficiary into a form: who attends where only where
// nothing is chosen.
func (b Beneficiary) Fill(f Form) {
	for name, value := range b.Facts() {
		if f.Values[name] == "" || !slices.Contains(partyFields, name) {
			f.Values[name] = value
		}
	}
}

// beneficiaryFields are the fields that stay the same from one request to the next.
var beneficiaryFields = []string{
	"credencialId", "numeroCarteira", "validadeCarteira", "nomeBeneficiario", "planoBeneficiario",
	"nomeSolicitante", "siglaConselhoSolicitante", "crmSolicitante", "ufSolicitante",
	"nomeContato", "dddContato", "telefoneContato", "emailContato",
}

// partyFields are who attends where: taken of the last request where nothing else is chosen.
var partyFields = []string{"profissionalExecutanteId", "especialidadeExecutanteId", "unidadeId", "pontoAtendimentoId"}

// SameName reports whether two names are the same but for case, accents and spaces.
func SameName(a, b string) bool { return slices.Equal(nameWords(a), nameWords(b)) }

func nameWords(name string) []string {
	folded := strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return unicode.ToLower(r)
	}, norm.NFD.String(name))
	return strings.Fields(folded)
}
