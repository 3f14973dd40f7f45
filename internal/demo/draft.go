package demo

import (
	"bytes"
	"context"
	_ "embed" // the medical order
	"maps"
	"slices"
	"strconv"
	"time"

	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// medicalOrder is a PDF of one page that says that it is a sample.
//
//go:embed pedido-medico.pdf
var medicalOrder []byte

// draft opens the draft of a visit, or finds the one that an earlier start opened.
func (p *Past) draft(ctx context.Context, n int, v visit) (uuid.UUID, error) {
	uid := draftID(n)
	if v.has(again) {
		copied, err := p.copied(ctx, v)
		if err != nil {
			return uuid.Nil, err
		}
		uid = copied
	}
	kept, err := p.Desk.Draft(ctx, p.People[v.by], uid)
	if err != nil && !problem.Is(err, problem.NotFound) {
		return uid, err
	}
	if v.has(order) && len(kept.Attachments) == 0 {
		if _, err := p.Desk.Attach(ctx, p.People[v.by], uid, "pedido-medico.pdf", bytes.NewReader(medicalOrder)); err != nil {
			return uid, err
		}
	}
	form := p.form(v)
	if v.has(again) {
		form = corrected(kept.Form, patients[v.patient])
	}
	_, err = p.Desk.SaveDraft(ctx, p.People[v.by], uid, form, kept.Version)
	return uid, err
}

// copied returns a draft made from the patient's case before.
func (p *Past) copied(ctx context.Context, v visit) (uuid.UUID, error) {
	before := p.latest[v.patient]
	drafts, err := p.Desk.Drafts(ctx, p.People[v.by])
	if err != nil {
		return uuid.Nil, err
	}
	for _, d := range drafts {
		if d.Previous == before {
			return d.UID, nil
		}
	}
	draft, err := p.Desk.CopyToDraft(ctx, p.People[v.by], before)
	return draft.UID, err
}

// corrected is a form with the right card.
func corrected(f desk.Form, of patient) desk.Form {
	f.Values = maps.Clone(f.Values)
	if of.rightCard != "" {
		f.Values["numeroCarteira"] = of.rightCard
	}
	return f
}

// form is what is typed at a visit.
func (p *Past) form(v visit) desk.Form {
	of := patients[v.patient]
	values := of.values(p.at)
	if v.has(unsent) && v.codes == "" {
		return desk.Form{Values: values} // no further than the patient
	}
	maps.Copy(values, p.place(v.by))
	maps.Copy(values, p.executant(v.care))
	values["credencialId"] = find(p.Credentials, func(c directory.Credential) bool { return c.Name == of.operator }).UID.String()
	by := requesters[v.requester]
	values["nomeSolicitante"], values["crmSolicitante"] = by.name, by.number
	values["siglaConselhoSolicitante"], values["ufSolicitante"] = "CRM", by.state
	values["tipoAtendimento"], values["indicacaoClinica"] = v.care.careType, v.care.indication
	if v.has(counter) {
		values["pacienteNoLocal"] = "S"
	}
	return desk.Form{Values: values, Procedures: v.rows()}
}

// place is where a typist sits.
func (p *Past) place(login string) map[string]string {
	typist := find(Typists(), func(t Typist) bool { return t.Login == login })
	unit := find(p.Units, func(u directory.Unit) bool { return u.Name == typist.Unit })
	point := find(unit.CarePoints, func(c directory.CarePoint) bool { return c.Name == typist.CarePoint })
	return map[string]string{"unidadeId": unit.UID.String(), "pontoAtendimentoId": point.UID.String()}
}

// executant is who does a kind of care.
func (p *Past) executant(c care) map[string]string {
	professional := find(p.Professionals, func(q directory.Professional) bool { return q.Name == c.professional })
	return map[string]string{
		"profissionalExecutanteId": professional.UID.String(), "especialidadeExecutanteId": strconv.Itoa(c.specialty),
	}
}

// find returns the first of all that fits, the zero value without one: the desk then
// refuses the form.
func find[T any](all []T, fits func(T) bool) (found T) {
	if i := slices.IndexFunc(all, fits); i >= 0 {
		found = all[i]
	}
	return found
}

// values fills the fields that follow from the patient, at a time.
func (p patient) values(now time.Time) map[string]string {
	values := map[string]string{
		"nomeBeneficiario": p.name, "numeroCarteira": p.card, "planoBeneficiario": p.plan,
		"nomeContato": p.name, "dddContato": "11", "telefoneContato": "90000-00" + p.card[len(p.card)-2:],
	}
	if p.operator == boa { // which asks for it
		values["validadeCarteira"] = "31/12/" + strconv.Itoa(now.Year()+1)
	}
	if p.newborn != "" {
		values["atendimentoRN"], values["nomeRecemNascido"] = "S", p.newborn
		values["dataNascimentoRecemNascido"] = now.AddDate(0, 0, -newbornDays).Format("02/01/2006")
	}
	return values
}

// newbornDays is the age of a newborn.
const newbornDays = 9
