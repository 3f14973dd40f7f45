package webui

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/web/component"
	"guiche/web/page"
)

// refreshed is how often the page of a case asks whether it still stands as shown, "" for
// never: often while an answer is under way, seldom once only its execution is to come.
func refreshed(c desk.Case) string {
	switch {
	case c.State.Pending():
		return "1s"
	case c.State == desk.Unknown:
		return "5s"
	case c.State != desk.Answered || c.FollowAt.IsZero():
		return ""
	case c.Answer.Awaited():
		return "5s"
	case c.FollowedAt.IsZero(): // nobody knows yet whether the service tells
		return ""
	}
	return "30s"
}

// followWords say when the service told last how the case stands, "" before it did.
func (s *deskHandlers) followWords(c desk.Case) string {
	if c.State != desk.Answered || c.FollowedAt.IsZero() {
		return ""
	}
	words := "Última consulta: " + s.when(c.FollowedAt) + "."
	if !c.FollowAt.IsZero() {
		words += " O Guichê consulta de novo sozinho."
	}
	return words
}

// replyHint leads to recording what the operator told where the advice speaks of it, or
// says who records it.
func replyHint(c desk.Case, may bool) page.Hint {
	switch {
	case c.State != desk.Answered || !c.CanRecord() || c.NextStep() != desk.StepFollow && c.NextStep() != desk.StepCheck:
		return page.Hint{}
	case may:
		return page.Hint{Link: component.Link{Href: replyPath(c), Text: "Registrar retorno"}}
	}
	return page.Hint{Text: whoRecords}
}

// doneAdvice says of a case that was attended, concluded or corrected that nothing is left to
// do about it, "" of any other.
func doneAdvice(c desk.Case) string {
	switch {
	case c.Corrected && len(c.Corrections) > 0:
		return "Já foi corrigido e enviado de novo. O que vale é o pedido corrigido."
	case !c.CanReopen():
		return ""
	case c.Group == authorization.Ready:
		return "Atendido e fora da fila. Nada mais a fazer."
	}
	return "Concluído e fora da fila. Nada mais a fazer."
}

// whoRecords tells whoever may not record a reply who does.
const whoRecords = "Quem registra o retorno é a supervisão ou quem tem o papel Decisão."

// askedOfAnother is advice to record a reply, in words for whoever may not: the same where it
// speaks of something else.
func askedOfAnother(advice string) string {
	return strings.Replace(advice, "registre o retorno", "avise a supervisão ou quem tem o papel Decisão, que registra o retorno", 1)
}

// replyPath is where a reply about a case is recorded.
func replyPath(c desk.Case) string { return "/casos/" + c.UID.String() + "/retorno#retorno" }

// pastAnswers are the answers that are no longer in force, the latest first, each with its
// PDFs.
func (s *deskHandlers) pastAnswers(ctx context.Context, c desk.Case, damaged []blob.Ref) []page.PastAnswer {
	var all []page.PastAnswer
	for i, a := range c.Answers[:max(len(c.Answers)-1, 0)] {
		if len(a.Authorizations) == 0 {
			continue
		}
		past := page.PastAnswer{Situation: answeredSituation(a.Standing()), At: s.when(a.At), Origin: desk.OriginOperator.Label()}
		if a.Recorded() {
			past.Origin = desk.OriginPerson.Label()
		}
		for _, one := range a.Authorizations {
			if numbers := pastNumbers(one); numbers != "" {
				past.Numbers = append(past.Numbers, numbers)
			}
		}
		guides := a.Guides()
		for place, g := range guides {
			past.Guides = append(past.Guides, page.FileLink{Name: guideLabel(g, guides),
				Href:    "/casos/" + c.UID.String() + "/guias/" + strconv.Itoa(i+1) + "." + strconv.Itoa(place),
				Warning: unlessDamaged(g.Blob, damaged, func() page.FileWarning { return pdfWarning(s.Desk.Inspect(ctx, g.Blob)) })})
		}
		all = append(all, past)
	}
	slices.Reverse(all)
	return all
}

// pastNumbers are the numbers of an authorization that there are, in one line.
func pastNumbers(a authorization.Authorization) string {
	return joined(" · ", labelled("Senha ", component.GroupDigits(a.Senha)), labelled("Guia ", component.GroupDigits(a.GuideNumber)),
		labelled("Protocolo ", component.GroupDigits(a.Protocol)))
}
