package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Review is a draft read as a request, ready to be confirmed.
type Review struct {
	Draft       uuid.UUID
	Version     int
	Revision    int // of the draft: changes with its attachments, too
	Request     authorization.Request
	Names       Names
	Attachments []Attachment
	Size        int64 // bytes of all attachments
	Warnings    []Warning
	Previous    uuid.UUID // the case this was copied from, or zero
	Copy        CopyKind  // what it is to that case
}

// Warning is something to look at before sending; it does not hinder sending.
type Warning struct {
	Kind    WarningKind
	Field   string // path of the field it is about, "" when none
	Message string
	Case    uuid.UUID // the earlier case of WarnRepeated, when within the person's reach
}

// WarningKind says what a warning is about.
type WarningKind string

// The warnings.
const (
	WarnCardLetters    WarningKind = "carteira_com_letras"
	WarnCouncilLetters WarningKind = "conselho_com_letras"
	WarnCardExpired    WarningKind = "carteira_vencida"
	WarnRepeated       WarningKind = "pedido_repetido"
	WarnNoAttachment   WarningKind = "sem_anexo"
	WarnCardUnlike     WarningKind = "carteira_incomum"
	WarnQuantity       WarningKind = "quantidade_incomum"
	WarnOften          WarningKind = "costuma_voltar"
	WarnUnknownCode    WarningKind = "codigo_desconhecido"
)

// Review checks a draft with the rules of the specification, of the credential
// and of the directory. What is wrong comes back as problem.Invalid with all
// fields at once.
func (d *Desk) Review(ctx context.Context, a permission.Actor, uid uuid.UUID) (Review, error) {
	draft, err := d.Draft(ctx, a, uid)
	if err != nil {
		return Review{}, err
	}
	var review Review
	err = d.config.Store.ReadTogether(ctx, func(ctx context.Context) error {
		if review, err = d.reviewed(ctx, a, draft); err == nil {
			review.Warnings, err = d.warnings(ctx, a, review)
		}
		return err
	})
	return review, err
}

// Foresee returns the warnings that a draft would have as far as it is filled in, none before
// it has an operator, a card and a procedure.
func (d *Desk) Foresee(ctx context.Context, a permission.Actor, draft Draft) ([]Warning, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return nil, err
	}
	if draft.Form.Values["credencialId"] == "" {
		return nil, nil
	}
	rules, err := d.rules(ctx, draft.Form)
	if err != nil {
		return nil, err
	}
	request, _ := draft.Form.Request(d.now().In(d.config.Zone), rules) // what is wrong is told by Review
	if request.CredentialID == uuid.Nil || request.CardNumber == "" || len(request.Procedures) == 0 {
		return nil, nil
	}
	return d.warnings(ctx, a, Review{Request: request, Attachments: draft.Attachments, Previous: draft.Previous, Copy: draft.Copy})
}

// CheckForm says what is wrong with a form that is no draft, as Review does.
func (d *Desk) CheckForm(ctx context.Context, a permission.Actor, form Form) error {
	if err := a.Require(permission.SeePatients); err != nil {
		return err
	}
	_, err := d.review(ctx, a, Draft{Form: form})
	return err
}

// review reads a draft as a request and finds the names behind its identifiers.
func (d *Desk) review(ctx context.Context, a permission.Actor, draft Draft) (r Review, err error) {
	err = d.config.Store.ReadTogether(ctx, func(ctx context.Context) error {
		r, err = d.reviewed(ctx, a, draft)
		return err
	})
	return r, err
}

func (d *Desk) reviewed(ctx context.Context, a permission.Actor, draft Draft) (Review, error) {
	rules, err := d.rules(ctx, draft.Form)
	if err != nil {
		return Review{}, err
	}
	request, problems := draft.Form.Request(d.now().In(d.config.Zone), rules)
	if err := d.indicate(ctx, &request); err != nil {
		return Review{}, err
	}
	names, unknown, err := d.names(ctx, a, request)
	if err != nil {
		return Review{}, err
	}
	for _, f := range unknown {
		if !slices.ContainsFunc(problems, func(p problem.Field) bool { return p.Path == f.Path }) {
			problems = append(problems, f)
		}
	}
	sortProblems(problems)
	if err := problem.InvalidFields(problems); err != nil {
		return Review{}, err
	}
	r := Review{
		Draft: draft.UID, Version: draft.Version, Revision: draft.Revision, Request: request, Names: names,
		Attachments: draft.Attachments, Previous: draft.Previous, Copy: draft.Copy,
	}
	for _, attachment := range draft.Attachments {
		r.Request.Attachments = append(r.Request.Attachments, attachment.Attachment)
		r.Size += attachment.Size
	}
	return r, nil
}

// rules returns what the chosen credential asks for; without a proper one the
// form's own check has something to say.
func (d *Desk) rules(ctx context.Context, f Form) (rules authorization.Rules, err error) {
	if credential, malformed := uuid.Parse(strings.TrimSpace(f.Values["credencialId"])); malformed == nil {
		if rules, err = d.config.Directory.Rules(ctx, credential); err != nil {
			return rules, fmt.Errorf("desk: rules of the credential: %w", err)
		}
	}
	return rules, nil
}

// indicate fills an untouched indicacaoClinica from the desk's settings of the
// credential. Where they have none it stays absent, and the service takes its own
// (interface.md, row 5).
func (d *Desk) indicate(ctx context.Context, r *authorization.Request) error {
	if r.ClinicalIndication != nil {
		return nil
	}
	standard, err := d.config.Directory.Indication(ctx, r.CredentialID)
	if err != nil {
		return fmt.Errorf("desk: settings of the credential: %w", err)
	}
	if standard != "" {
		r.ClinicalIndication = &standard
	}
	return nil
}

// names finds the names behind the request's identifiers and says which of them
// the directory does not know, or lie outside the person's reach.
func (d *Desk) names(ctx context.Context, a permission.Actor, r authorization.Request) (n Names, unknown []problem.Field, err error) {
	find := func(path, message string, lookUp func() error) {
		if err != nil {
			return
		}
		if found := lookUp(); problem.Is(found, problem.NotFound) {
			unknown = append(unknown, problem.Field{Path: path, Code: authorization.CodeDomain, Message: message})
		} else if found != nil {
			err = fmt.Errorf("desk: names of a request: %w", found)
		}
	}
	find("credencialId", "Busque e escolha a operadora de novo.", func() (err error) {
		n.Credential, err = d.config.Directory.CredentialName(ctx, r.CredentialID)
		return err
	})
	find("unidadeId", "Escolha uma unidade em que você trabalha.", func() error {
		if r.UnitID != uuid.Nil && !a.Reach().Covers(r.UnitID) {
			return notFound()
		}
		return nil
	})
	find("pontoAtendimentoId", "Escolha um ponto de atendimento da unidade.", func() (err error) {
		n.Unit, n.CarePoint, err = d.config.Directory.UnitNames(ctx, r.UnitID, r.CarePointID)
		return err
	})
	find("especialidadeExecutanteId", "Escolha uma especialidade do executante.", func() (err error) {
		n.Professional, n.Specialty, err = d.config.Directory.ProfessionalNames(ctx, r.ProfessionalID, r.SpecialtyID)
		return err
	})
	return n, unknown, err
}

func (d *Desk) warnings(ctx context.Context, a permission.Actor, r Review) ([]Warning, error) {
	warnings, err := d.letterWarnings(ctx, r.Request)
	if err != nil {
		return nil, err
	}
	if until := r.Request.CardValidity; d.CardExpired(until) {
		warnings = append(warnings, Warning{
			Kind: WarnCardExpired, Field: "validadeCarteira", Message: "A carteira venceu em " + until.Date() + ".",
		})
	}
	cards, err := d.unlikeCards(ctx, r.Request)
	if err != nil {
		return nil, err
	}
	warnings = append(warnings, cards...)
	granted, err := d.grantedMeanwhile(ctx, a, r)
	if err != nil {
		return nil, err
	}
	warnings = append(warnings, granted...)
	repeats, err := d.repeats(ctx, a, r)
	if err != nil {
		return nil, err
	}
	warnings = append(warnings, repeats...)
	usual, err := d.usualWarnings(ctx, r)
	return append(warnings, usual...), err
}

// letterWarnings asks about letters where nearly always digits stand: some cards and
// councils do have them. A card that looks as the credential's settings say is not
// asked about.
func (d *Desk) letterWarnings(ctx context.Context, r authorization.Request) (warnings []Warning, err error) {
	rules, err := d.config.Directory.Rules(ctx, r.CredentialID)
	if err != nil {
		return nil, fmt.Errorf("desk: rules of the credential: %w", err)
	}
	if rules.CardPattern == nil && hasLetter(r.CardNumber) {
		warnings = append(warnings, Warning{Kind: WarnCardLetters, Field: "numeroCarteira",
			Message: "A carteira tem letras: " + r.CardNumber + ". Confira se está certa."})
	}
	if hasLetter(r.RequesterNumber) {
		warnings = append(warnings, Warning{Kind: WarnCouncilLetters, Field: "crmSolicitante",
			Message: "O número no conselho tem letras: " + r.RequesterNumber + ". Confira se está certo."})
	}
	return warnings, nil
}

func hasLetter(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }
