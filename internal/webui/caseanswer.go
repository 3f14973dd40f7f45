package webui

import (
	"strconv"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/web/component"
	"guiche/web/page"
)

// tally says how several authorizations stand, "" when there are not several.
func tally(c desk.Case) string {
	if c.Answer == nil {
		return ""
	}
	if words := c.Answer.Tally(); words != "" {
		return words + "."
	}
	return ""
}

// authorizationFacts are the numbers that a clerk copies into other systems. They are
// shown in groups of digits to be read aloud and copied without the spaces.
func authorizationFacts(a authorization.Authorization) []component.Copyable {
	return []component.Copyable{
		{Label: "Senha", Shown: component.GroupDigits(a.Senha), Value: a.Senha},
		{Label: "Guia", Shown: component.GroupDigits(a.GuideNumber), Value: a.GuideNumber},
		{Label: "Protocolo", Shown: component.GroupDigits(a.Protocol), Value: a.Protocol},
	}
}

// moreFacts are the other numbers and the date of an authorization, those that there are;
// the service's guiaPrestador only where it is not the one that we gave.
func moreFacts(a authorization.Authorization, providerGuide string) []component.Copyable {
	var all []component.Copyable
	add := func(label, shown, value string) {
		if value != "" {
			all = append(all, component.Copyable{Label: label, Shown: shown, Value: value})
		}
	}
	when := "Data informada"
	if a.Group() == authorization.Ready || a.Status == authorization.PartiallyAuthorized {
		when = "Autorizado em"
	}
	add(when, a.AuthorizedAt.DateTime(), a.AuthorizedAt.DateTime())
	add("Nº da solicitação", component.GroupDigits(a.RequestNumber), a.RequestNumber)
	add("Guia do parceiro", component.GroupDigits(a.PartnerGuide), a.PartnerGuide)
	if a.ProviderGuide != providerGuide {
		add("Guia do prestador no serviço", component.GroupDigits(a.ProviderGuide), a.ProviderGuide)
	}
	return all
}

// validity says until when the senha is valid and how far off that is; it is empty when
// the operator gave no date.
func (s *deskHandlers) validity(a authorization.Authorization) page.Validity {
	if a.SenhaValidUntil.IsZero() {
		return page.Validity{}
	}
	v := page.Validity{Date: a.SenhaValidUntil.Date()}
	v.Distance, v.Soon = s.distance(a.SenhaValidUntil)
	return v
}

// authorizations shows each authorization of the answer on its own.
func (s *deskHandlers) authorizations(c desk.Case) []page.Authorization {
	var all []page.Authorization
	for i, a := range c.Answer.Authorizations {
		one := page.Authorization{Title: authorizationTitle(a, i), Situation: answeredSituation(a.Status, a.Group()),
			Facts: authorizationFacts(a), MoreFacts: moreFacts(a, c.ProviderGuide), Validity: s.validity(a)}
		if a.Recorded {
			one.Origin = desk.OriginPerson.Label()
		}
		for _, p := range a.Procedures {
			one.Procedures = append(one.Procedures, result(desk.ProcedureLine{Code: p.Code, Name: p.Name, Asked: p.Quantity,
				Authorized: p.Authorized,
				Executed:   p.Executed, Known: true, Justification: p.Justification, Senha: p.Senha, Protocol: p.Protocol, Mnemonic: p.Mnemonic}, a))
		}
		all = append(all, one)
	}
	return all
}

// authorizationTitle numbers an authorization; operators may leave the number out: it is
// then the place in the answer.
func authorizationTitle(a authorization.Authorization, place int) string {
	number := a.Number
	if number == 0 {
		number = place + 1
	}
	return "Autorização " + strconv.Itoa(number)
}

// results shows the procedures of a case in their order, without repeating the senha and
// protocol of the authorization that stands above them.
func results(lines []desk.ProcedureLine, of authorization.Authorization) []page.ProcedureResult {
	rows := make([]page.ProcedureResult, len(lines))
	for i, l := range lines {
		rows[i] = result(l, of)
	}
	return rows
}

// result shows a procedure; senha and protocol only where they are not those of its
// authorization, quantities only where the operator has decided.
func result(l desk.ProcedureLine, of authorization.Authorization) page.ProcedureResult {
	if l.Senha == of.Senha {
		l.Senha = ""
	}
	if l.Protocol == of.Protocol {
		l.Protocol = ""
	}
	if reasonsAbove(of) {
		l.Justification = ""
	}
	row := page.ProcedureResult{Code: l.Code, Name: l.Name, Asked: strconv.Itoa(l.Asked), Justification: l.Justification,
		Extra: joined(" · ", labelled("senha ", l.Senha), labelled("protocolo ", l.Protocol), l.Mnemonic)}
	switch {
	case l.Known && (of.Status.Settled() || l.Authorized > 0):
		row.Authorized, row.Executed = strconv.Itoa(l.Authorized), strconv.Itoa(l.Executed)
		row.Reduced = l.Authorized < l.Asked && of.Status != authorization.Cancelled
	case l.Known && of.Status == authorization.UnderAnalysis:
		row.Authorized = "em análise"
	}
	return row
}
