package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// PastUse is one answered request to an operator for a procedure.
type PastUse struct {
	Quantity int
	Attached bool                   // a file went with it
	Statuses []authorization.Status // that it ever had
}

// UsualStore tells what the latest requests to an operator were like, whoever's they are.
type UsualStore interface {
	// LatestUses lists the latest answered requests to a credential for a procedure.
	LatestUses(ctx context.Context, credential uuid.UUID, code string, limit int) ([]PastUse, error)
	// LatestCards lists the cards of the latest requests to a credential, without those that
	// the operator called invalid.
	LatestCards(ctx context.Context, credential uuid.UUID, limit int) ([]string, error)
}

const (
	usualLimit  = 20 // latest requests that are compared with
	usualEnough = 5  // fewer tell nothing
)

// usualWarnings compare a request with the latest ones to the same operator: warnings of what
// sets it apart, and whether a missing attachment is one.
func (d *Desk) usualWarnings(ctx context.Context, r Review) (warnings []Warning, err error) {
	order, orderNeedless := "", len(r.Request.Procedures) > 0
	told := map[string]bool{}
	for i, p := range r.Request.Procedures {
		if told[p.Code] {
			continue
		}
		told[p.Code] = true
		uses, err := d.config.Store.LatestUses(ctx, r.Request.CredentialID, p.Code, usualLimit)
		if err != nil {
			return nil, err
		}
		if len(uses) == 0 {
			unknown, err := d.unknownCode(ctx, p.Code, i)
			if err != nil {
				return nil, err
			}
			warnings = append(warnings, unknown...)
		}
		usual := usualProcedure{code: p.Code, field: fmt.Sprintf("procedimentos[%d]", i), uses: uses}
		warnings = append(warnings, usual.often(len(r.Attachments) > 0)...)
		warnings = append(warnings, usual.quantity(p.Quantity)...)
		if order == "" {
			order = usual.order()
		}
		orderNeedless = orderNeedless && usual.needsNoOrder()
	}
	if len(r.Attachments) == 0 && !orderNeedless {
		warnings = append(warnings, Warning{Kind: WarnNoAttachment, Field: "anexos",
			Message: "Nenhum anexo. " + orElse(order, "Confira se falta o pedido médico.")})
	}
	return warnings, nil
}

// unknownCode warns of a code, that of the row i, that the register of procedures does not have.
func (d *Desk) unknownCode(ctx context.Context, code string, i int) ([]Warning, error) {
	_, err := d.config.Directory.ProcedureName(ctx, code)
	if problem.Is(err, problem.NotFound) {
		return []Warning{{Kind: WarnUnknownCode, Field: fmt.Sprintf("procedimentos[%d].codigoProcedimento", i),
			Message: "O código " + code + " não está no cadastro de procedimentos. Confira se está certo."}}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("desk: name of a procedure: %w", err)
	}
	return nil, nil
}

func orElse(text, standard string) string {
	if text == "" {
		return standard
	}
	return text
}

// usualProcedure is what the latest requests for a procedure were like.
type usualProcedure struct {
	code, field string
	uses        []PastUse
}

// latest is "últimos 20 pedidos de 40901122 nesta operadora".
func (u usualProcedure) latest(n int) string {
	return fmt.Sprintf("últimos %d pedidos de %s nesta operadora", n, u.code)
}

// objectedTo are the statuses of what came back to the reception.
var objectedTo = []authorization.Status{authorization.AwaitingAttachment, authorization.Denied, authorization.InvalidBeneficiary,
	authorization.Inconsistency, authorization.InconsistencyCedilla, authorization.NotProcessed}

// often warns of the status that at least a third of the latest requests came back with. What
// asks for an attachment is counted among those that had one, if this one has.
func (u usualProcedure) often(attached bool) []Warning {
	var status authorization.Status
	most, of := 0, 0
	for _, s := range objectedTo {
		n, all := 0, 0
		for _, use := range u.uses {
			if s == authorization.AwaitingAttachment && attached && !use.Attached {
				continue
			}
			all++
			if slices.Contains(use.Statuses, s) {
				n++
			}
		}
		if all >= usualEnough && n*3 >= all && n > most {
			status, most, of = s, n, all
		}
	}
	if most == 0 {
		return nil
	}
	with, hint := "", ""
	if status == authorization.AwaitingAttachment && attached {
		with, hint = " com anexo", " Confira se é o documento que a operadora pede."
	}
	return []Warning{{Kind: WarnOften, Field: u.field,
		Message: fmt.Sprintf("Dos %s%s, %d voltaram com %s.%s", u.latest(of), with, most, status.Info().Label, hint)}}
}

// quantity warns of more than twice what was ever asked for lately.
func (u usualProcedure) quantity(asked int) []Warning {
	most := 0
	for _, use := range u.uses {
		most = max(most, use.Quantity)
	}
	if len(u.uses) < usualEnough || asked <= 2*most {
		return nil
	}
	return []Warning{{Kind: WarnQuantity, Field: u.field + ".quantidade",
		Message: fmt.Sprintf("Quantidade %d: nos %s foi no máximo %d.", asked, u.latest(len(u.uses)), most)}}
}

func (u usualProcedure) attached() (n int) {
	for _, use := range u.uses {
		if use.Attached {
			n++
		}
	}
	return n
}

// order says how many of the latest requests had an attachment, "" where not most of them.
func (u usualProcedure) order() string {
	n := u.attached()
	if len(u.uses) < usualEnough || n*3 < len(u.uses)*2 {
		return ""
	}
	return fmt.Sprintf("Dos %s, %d levaram anexo.", u.latest(len(u.uses)), n)
}

// needsNoOrder reports whether hardly any of the latest requests had an attachment, and none
// came back for want of one.
func (u usualProcedure) needsNoOrder() bool {
	wanted := slices.ContainsFunc(u.uses, func(use PastUse) bool { return slices.Contains(use.Statuses, authorization.AwaitingAttachment) })
	return len(u.uses) >= usualEnough && u.attached()*10 <= len(u.uses) && !wanted
}

// unlikeCards warns of a card of another length than all of the operator's latest ones.
func (d *Desk) unlikeCards(ctx context.Context, r authorization.Request) ([]Warning, error) {
	rules, err := d.config.Directory.Rules(ctx, r.CredentialID)
	if err != nil {
		return nil, fmt.Errorf("desk: rules of the credential: %w", err)
	}
	if rules.CardPattern != nil {
		return nil, nil // the check says more
	}
	cards, err := d.config.Store.LatestCards(ctx, r.CredentialID, usualLimit)
	if err != nil {
		return nil, err
	}
	length := usualLength(cards)
	if length == 0 || length == len(r.CardNumber) {
		return nil, nil
	}
	return []Warning{{Kind: WarnCardUnlike, Field: "numeroCarteira",
		Message: fmt.Sprintf("A carteira tem %d caracteres; as dos últimos %d pedidos a esta operadora têm %d.",
			len(r.CardNumber), len(cards), length)}}, nil
}

// usualLength is the length that cards of several beneficiaries have all, 0 without one.
func usualLength(cards []string) int {
	distinct := slices.Compact(slices.Sorted(slices.Values(cards)))
	if len(distinct) < usualEnough {
		return 0
	}
	length := len(distinct[0])
	if slices.ContainsFunc(distinct, func(c string) bool { return len(strings.TrimSpace(c)) != length }) {
		return 0
	}
	return length
}
