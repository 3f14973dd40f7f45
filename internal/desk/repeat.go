package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// repeatDays is how far back a repeated procedure is looked for.
const repeatDays = 7

// Repeat is one procedure of an earlier case with the same card.
type Repeat struct {
	Case       uuid.UUID
	Unit       uuid.UUID
	Credential uuid.UUID
	Code       string
	Quantity   int
	Procedures int // how many the case has in all
	SentAt     time.Time
	Senha      string
	CaseState
}

// RepeatQuery says which earlier cases count as asked for before.
type RepeatQuery struct {
	Card   string
	Codes  []string
	Since  time.Time // of sending
	Except uuid.UUID // a case that does not count: the one that is corrected
	Always uuid.UUID // a case that counts however old it is: the one that is repeated
}

// repeats warns of what was asked for with the same card lately: of the whole request
// once, or else of each of its procedures.
func (d *Desk) repeats(ctx context.Context, a permission.Actor, r Review) ([]Warning, error) {
	q := RepeatQuery{Card: r.Request.CardNumber, Since: d.now().AddDate(0, 0, -repeatDays)}
	for _, p := range r.Request.Procedures {
		q.Codes = append(q.Codes, p.Code)
	}
	if r.Copy == Repetition {
		q.Always = r.Previous
	} else {
		q.Except = r.Previous
	}
	found, err := d.config.Store.Repeats(ctx, q)
	if err != nil {
		return nil, err
	}
	if same := sameRequest(found, r.Request); same != nil {
		return []Warning{d.repeatWarning(a, *same, "Este mesmo pedido")}, nil
	}
	var warnings []Warning
	told := map[string]bool{}
	for _, repeat := range found {
		if !told[repeat.Code] {
			warnings = append(warnings, d.repeatWarning(a, repeat, repeat.Code))
		}
		told[repeat.Code] = true
	}
	return warnings, nil
}

// grantedMeanwhile warns where the case that is corrected was authorized since the draft was made:
// once the correction is sent, that case leaves the queue.
func (d *Desk) grantedMeanwhile(ctx context.Context, a permission.Actor, r Review) ([]Warning, error) {
	if r.Copy != Correction {
		return nil, nil
	}
	c, found, err := d.copied(ctx, a, r.Previous)
	if err != nil || !found || !c.authorized() {
		return nil, err
	}
	with := ""
	if c.Senha != "" {
		with = ", com a senha " + c.Senha
	}
	return []Warning{{Kind: WarnRepeated, Field: "procedimentos", Case: c.UID, Message: "O pedido que este corrige já foi autorizado" + with +
		". Enviar a correção tira aquele da fila e pode gerar uma segunda autorização."}}, nil
}

// sameRequest returns the earlier case that asked the same operator for exactly the same,
// one that was authorized before all others, then the latest; nil without one.
func sameRequest(found []Repeat, r authorization.Request) *Repeat {
	byCase := map[uuid.UUID][]Repeat{}
	for _, repeat := range found {
		byCase[repeat.Case] = append(byCase[repeat.Case], repeat)
	}
	var same *Repeat
	for i, repeat := range found {
		if repeat.Credential != r.CredentialID || !asksTheSame(byCase[repeat.Case], r.Procedures) {
			continue
		}
		if repeat.authorized() {
			return &found[i]
		}
		if same == nil {
			same = &found[i]
		}
	}
	return same
}

// asksTheSame reports whether the procedures of an earlier case are those of a request.
func asksTheSame(earlier []Repeat, asked []authorization.Procedure) bool {
	if earlier[0].Procedures != len(asked) || len(earlier) != len(asked) {
		return false
	}
	was, is := make([]string, len(asked)), make([]string, len(asked))
	for i := range asked {
		was[i] = fmt.Sprint(earlier[i].Code, " ", earlier[i].Quantity)
		is[i] = fmt.Sprint(asked[i].Code, " ", asked[i].Quantity)
	}
	slices.Sort(was)
	slices.Sort(is)
	return slices.Equal(was, is)
}

// authorized reports whether somebody may be attended with a case.
func (s CaseState) authorized() bool { return s.State == Answered && s.Group == authorization.Ready }

// repeatWarning says when it was asked for and what became of it. What belongs to a unit
// out of the person's reach stays there.
func (d *Desk) repeatWarning(a permission.Actor, r Repeat, what string) Warning {
	w := Warning{Kind: WarnRepeated, Field: "procedimentos"}
	verb := "pedido"
	if strings.HasPrefix(what, "Este") {
		verb = "enviado"
	}
	if r.authorized() {
		verb = "autorizado"
	}
	w.Message = fmt.Sprintf("%s já foi %s para esta carteira em %s", what, verb, r.SentAt.In(d.config.Zone).Format("02/01/2006, às 15:04"))
	if a.Reach().Covers(r.Unit) {
		w.Case = r.Case
		w.Message += r.result()
	}
	w.Message += "."
	return w
}

// result is what became of the earlier case: its senha, or else its situation.
func (r Repeat) result() string {
	switch {
	case r.State == Answered && r.Senha != "":
		return ", com a senha " + r.Senha
	case r.State == Answered:
		return " (" + r.Status.Info().Label + ")"
	case r.State == Unknown:
		return ", e não se sabe se chegou"
	}
	return ", e ainda espera resposta"
}
