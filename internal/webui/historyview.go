package webui

import (
	"strconv"
	"sync"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/report"
	"guiche/web/component"
	"guiche/web/page"
)

// historyView is the page's filter, with what there is to choose from.
func historyView(form report.Form, choices report.Choices) page.HistoryView {
	return page.HistoryView{
		Fields: page.Fields{Values: map[string]string{
			report.FieldFrom: form.From, report.FieldUntil: form.Until, report.FieldSituation: form.Situation, report.FieldText: form.Text,
			report.FieldCredential: number(form.Credential, choices.Credentials), report.FieldUnit: number(form.Unit, choices.Units),
			report.FieldSender: number(form.Sender, choices.Senders),
		}},
		Situations: situationChoices(), Operators: historyChoices(choices.Credentials),
		Units: historyChoices(choices.Units), Senders: historyChoices(choices.Senders),
	}
}

// historyChoices offers what occurs in the stored cases. An entry whose name was not
// kept can still be chosen, as "sem nome".
func historyChoices(choices []report.Choice) []component.Choice {
	options := make([]component.Choice, len(choices))
	for i, c := range choices {
		options[i] = component.Choice{Value: strconv.FormatInt(c.Number, 10), Label: c.Name}
		if c.Name == "" {
			options[i].Label = "sem nome"
		}
	}
	return options
}

// number is the word of a choice on the page, by its identifier: identifiers are random, and each of them
// would take as many bytes of a compressed page as a name. What is not offered stays as it is.
func number(identifier string, choices []report.Choice) string {
	for _, c := range choices {
		if identifier != "" && identifier == c.UID.String() {
			return strconv.FormatInt(c.Number, 10)
		}
	}
	return identifier
}

// identifier is the inverse of number.
func identifier(number string, choices []report.Choice) string {
	for _, c := range choices {
		if number == strconv.FormatInt(c.Number, 10) {
			return c.UID.String()
		}
	}
	return number
}

// situationChoices are the groups as the queue has them, and the codes.
var situationChoices = sync.OnceValue(func() []component.Choice {
	var options []component.Choice
	for _, s := range report.Situations() {
		label := s.Group.Info().Label
		if s.Unknown {
			label = component.Unknown.Label
		}
		options = append(options, component.Choice{Value: s.Word(), Label: label, Group: "O que fazer"})
	}
	for _, status := range authorization.Statuses() {
		code := string(status.Code)
		options = append(options, component.Choice{Value: code, Label: code + " · " + status.Label, Group: "Código da operadora"})
	}
	return options
})

// historyRow shows a case of the history with a short card number, enough to tell two
// people apart, and the guide to download where there is one.
func (s *deskHandlers) historyRow(c *report.Row) page.HistoryRow {
	if c.Damaged {
		return page.HistoryRow{Href: casePath(c.UID), Name: "Caso danificado", Situation: component.DamagedCase}
	}
	row := page.HistoryRow{Href: casePath(c.UID), Sent: written(c.CreatedAt.In(s.Zone)), Name: c.BeneficiaryName,
		Card: shortCard(c.CardNumber), Operator: c.Credential, Codes: c.FirstProcedure, Senha: c.Senha, Sender: c.Sender,
		Situation: situation(desk.CaseState{State: desk.State(c.State), Status: c.Status, Group: c.Group,
			Alert: desk.Alert(c.Alert), Reason: c.Reason, UnknownOutcome: c.UnknownOutcome})}
	if c.Procedures > 1 {
		row.Codes += " e mais\u00a0" + strconv.Itoa(c.Procedures-1)
	}
	if c.HasGuide {
		row.Guide = row.Href + "/guias/0?baixar"
	}
	return row
}
