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
		add(page.Action{Href: replyPath(c), Text: "Registrar retorno", Icon: "pencil-square"}, step == desk.StepCheck)
	}
	if c.CanWithdraw() {
		add(page.Action{Path: path + "/retirar", Text: "Retirar da fila", Icon: "x-lg",
			Confirm: "Retirar este pedido da fila? Nada será enviado."}, false)
	}
	if c.CanCopy() {
		add(copyAction(c, path+"/copiar"), step.Copies())
	}
	return main, others
}

// printAction opens a guide, or leads to what is said about one that is not shown.
func printAction(path string, g *page.Guide) page.Action {
	a := page.Action{Href: path + "/guias/" + g.Index, NewTab: true, Text: stepWords[desk.StepPrint], Icon: "printer"}
	if g.Warning.Hidden {
		a.Href, a.NewTab, a.Text, a.Icon = "#guias", false, "Ver aviso da guia", "exclamation-triangle"
	}
	return a
}

// copyAction names what a copy is: the step that it is done by, a correction, or the same
// once more, which is asked about while the operator has not decided.
func copyAction(c desk.Case, path string) page.Action {
	step := c.NextStep()
	switch {
	case step.Copies():
		return page.Action{Path: path, Text: stepWords[step], Icon: "pencil"}
	case c.CopyKind() == desk.Correction:
		return page.Action{Path: path, Text: stepWords[desk.StepCorrect], Icon: "pencil"}
	}
	again := page.Action{Path: path, Text: "Repetir", Icon: "arrow-repeat"}
	if c.Group == authorization.Waiting {
		again.Confirm = "A operadora ainda não decidiu este pedido. Um segundo pedido pode gerar duas guias. Repetir mesmo assim?"
	}
	return again
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
