package webui

import (
	"fmt"
	"slices"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/web/component"
	"guiche/web/page"
)

// Whose words an error is.
const (
	sourceOperator = "Nas palavras da operadora"
	sourceService  = "Nas palavras do serviço de autorização"
	sourceDesk     = "Observação do Guichê"
)

// reasons are what stands below the headline: why the case is where it is, each reason
// once, and what the desk itself found in the answer.
func reasons(c desk.Case) []page.ErrorLine {
	var lines reasonList
	for _, f := range c.Fields {
		lines.add(page.ErrorLine{Field: fieldLabel(f.Path), Message: f.Message})
	}
	if c.Answer == nil {
		return lines
	}
	for _, e := range c.Answer.Errors {
		line := errorLine(e, c.State)
		if e.Code == authorization.CodePlain {
			line.Source = plainSource(c)
		}
		lines.add(line)
	}
	several := len(c.Answer.Authorizations) > 1
	for i, a := range c.Answer.Authorizations {
		for _, line := range authorizationReasons(a) {
			if several {
				line.Field = joined(", ", authorizationTitle(a, i), line.Field)
			}
			lines.add(line)
		}
	}
	if who := refuser(c); who != "" && !slices.ContainsFunc(lines, page.ErrorLine.Foreign) {
		lines.add(page.ErrorLine{Message: who + " não informou o motivo.", Own: true})
	}
	return lines
}

// refuser is who said no and owes a reason, "" where nobody did.
func refuser(c desk.Case) string {
	switch {
	case c.State == desk.Answered && c.Group == authorization.Refusal:
		return "A operadora"
	case c.State == desk.Refused && refusedSituation(c.Reason) == component.Refused:
		return "O serviço de autorização"
	}
	return ""
}

// plainSource says that a text is what came in place of an answer.
func plainSource(c desk.Case) string {
	words := "Texto da resposta, que não veio no formato combinado"
	if n := len(c.Attempts); n > 0 && c.Attempts[n-1].HTTPStatus != 0 {
		words += fmt.Sprintf(" (HTTP %d)", c.Attempts[n-1].HTTPStatus)
	}
	return words
}

// reasonList holds each message once.
type reasonList []page.ErrorLine

func (l *reasonList) add(line page.ErrorLine) {
	if !slices.ContainsFunc(*l, func(known page.ErrorLine) bool {
		return known.Message == line.Message && (known.Field == line.Field || line.Field == "")
	}) {
		*l = append(*l, line)
	}
}

// authorizationReasons are the errors of an authorization and, where something is to be
// done about it, the justifications of its procedures.
func authorizationReasons(a authorization.Authorization) []page.ErrorLine {
	var lines reasonList
	for _, e := range a.Errors {
		lines.add(errorLine(e, desk.Answered))
	}
	if !reasonsAbove(a) {
		return lines
	}
	forAll := oneJustification(a)
	for _, p := range a.Procedures {
		if p.Justification == "" {
			continue
		}
		line := page.ErrorLine{Message: p.Justification, Source: sourceOperator}
		if !forAll {
			line.Field = p.Name
		}
		lines.add(line)
	}
	return lines
}

// reasonsAbove reports whether the justifications of an authorization stand below the
// headline, in place of the table of its procedures: where nothing is authorized and
// something is to be done.
func reasonsAbove(a authorization.Authorization) bool {
	switch a.Status.Group() {
	case authorization.Ready, authorization.Waiting, authorization.Closed:
		return false
	}
	return a.Status != authorization.PartiallyAuthorized
}

// oneJustification reports whether all procedures have the same one.
func oneJustification(a authorization.Authorization) bool {
	return !slices.ContainsFunc(a.Procedures, func(p authorization.ProcedureResult) bool {
		return p.Justification != a.Procedures[0].Justification
	})
}

// errorLine shows an error of an answer with the labels of our form, and says whose words
// it is; the code is what the operator's support asks for.
func errorLine(e authorization.AnswerError, state desk.State) page.ErrorLine {
	line := page.ErrorLine{Field: fieldLabel(e.Field), Message: e.Message}
	switch {
	case e.Finding():
		line.Own, line.Source = true, sourceDesk
	case state != desk.Answered:
		line.Source = sourceService
	case e.Code != "":
		line.Source = "Motivo " + e.Code + ", nas palavras da operadora"
	default:
		line.Source = sourceOperator
	}
	return line
}
