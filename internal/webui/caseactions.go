package webui

import (
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/web/page"

	"github.com/google/uuid"
)

// actions are what can be done with a case where it stands: the one thing to do next,
// nil where there is none to press, and the others.
func actions(c desk.Case, guides []page.Guide, may bool) (main *page.Action, others []page.Action) {
	step := c.NextStep()
	add := func(a page.Action, isNext bool) {
		if a.Primary = isNext; isNext {
			main = &a
		} else {
			others = append(others, a)
		}
	}
	path := "/casos/" + c.UID.String()
	if n := len(c.Corrections); c.Corrected && n > 0 {
		add(page.Action{Href: "/casos/" + c.Corrections[n-1].String(), Text: "Ver o pedido corrigido", Icon: "chevron-right"}, true)
	}
	if d, ok := c.LastDecision(); ok && d.Resent != uuid.Nil {
		add(page.Action{Href: "/casos/" + d.Resent.String(), Text: "Ver o pedido reenviado", Icon: "chevron-right"}, true)
	}
	if step == desk.StepCheckItems {
		add(page.Action{Href: "#itens", Text: stepWords[step], Icon: "list-ul"}, true)
	}
	if g := currentGuide(guides); g != nil {
		add(printAction(path, g), step == desk.StepPrint)
	}
	if may && c.State == desk.Answered && c.CanRecord() {
		add(replyAction(c), step == desk.StepCheck)
	}
	if c.CanWithdraw() {
		add(page.Action{Path: path + "/retirar", Text: "Retirar da fila", Icon: "x-lg",
			Confirm: "Retirar este pedido da fila? Nada será enviado."}, false)
	}
	for i, a := range copyActions(c.CaseSummary, path) {
		add(a, i == 0 && step.Copies())
	}
	if c.CanConclude() {
		add(concludeAction(c), step == desk.StepAttend)
	}
	if c.CanReopen() {
		add(page.Action{Path: path + "/reabrir", Text: "Desfazer conclusão", Icon: "arrow-counterclockwise"}, false)
	}
	return main, others
}

// concludeAction takes a case out of the queue.
func concludeAction(c desk.Case) page.Action {
	a := page.Action{Path: "/casos/" + c.UID.String() + "/concluir", Text: "Concluir", Icon: "check-lg", Key: "F8", Seen: c.Standing()}
	if c.Group == authorization.Ready {
		a.Text = stepWords[desk.StepAttend]
	}
	return a
}

// replyAction leads to recording what the operator told.
func replyAction(c desk.Case) page.Action {
	return page.Action{Href: replyPath(c), Text: "Registrar retorno", Icon: "pencil-square"}
}

// guideWarningWords lead to what is said about a guide that cannot be printed.
const guideWarningWords = "Ver aviso da guia"

// printAction opens a guide, or leads to what is said about one that is not shown.
func printAction(path string, g *page.Guide) page.Action {
	a := page.Action{Href: path + "/guias/" + g.Index, NewTab: true, Text: stepWords[desk.StepPrint], Icon: "printer"}
	if g.Warning.Hidden {
		a.Href, a.NewTab, a.Text, a.Icon = "#guias", false, guideWarningWords, "exclamation-triangle"
	}
	return a
}

// copyActions are the copies that can be made of a case, what it needs first: the step that is
// done by one or a correction, and the same once more, which is asked about while the operator
// has not decided.
func copyActions(c desk.CaseSummary, path string) (all []page.Action) {
	if !c.CanCopy() {
		return nil
	}
	if step := c.NextStep(); step.Copies() {
		all = append(all, page.Action{Path: path + "/copiar", Text: stepWords[step], Icon: "pencil"})
	} else if c.CopyKind() == desk.Correction {
		all = append(all, page.Action{Path: path + "/copiar", Text: stepWords[desk.StepCorrect], Icon: "pencil"})
	}
	if !c.CanRepeat() {
		return all
	}
	again := page.Action{Path: path + "/copiar", Text: "Repetir", Icon: "arrow-repeat"}
	if len(all) > 0 {
		again.Path = path + "/repetir"
	}
	if c.Group == authorization.Waiting {
		again.Confirm = "A operadora ainda não decidiu este pedido. Um segundo pedido pode gerar duas guias. Repetir mesmo assim?"
	}
	return append(all, again)
}

// currentGuide is the PDF on the screen, nil without one.
func currentGuide(guides []page.Guide) *page.Guide {
	for i := range guides {
		if guides[i].Current {
			return &guides[i]
		}
	}
	return nil
}
