package webui

import (
	"context"
	"fmt"
	"strings"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/web/component"
	"guiche/web/page"
)

// deniedView is what can be done about a denial.
func (s *deskHandlers) deniedView(ctx context.Context, c desk.Case, may bool) (*page.DeniedView, error) {
	path := "/casos/" + c.UID.String()
	_, phone, err := s.phones(ctx, c)
	if err != nil {
		return nil, err
	}
	d := &page.DeniedView{Call: callFacts(c), Phone: phone, Conclude: concludeAction(c),
		Receipt: page.Action{Href: path + "/comprovante", Text: "Comprovante", Icon: "file-earmark-text"}}
	if copies := copyActions(c.CaseSummary, path); len(copies) > 0 {
		d.Correct = copies[0]
	}
	d.Reanalysis = s.reanalysisView(c, may)
	d.Correct.Primary = !d.Reanalysis.First
	return d, nil
}

// reviewDays is how long an operator has for a review, in days.
const reviewDays = int(authorization.ReviewTime / (24 * time.Hour))

// reanalysisView is what can be done about having the operator look at a denial again: it is what
// comes next once somebody asked for it.
func (s *deskHandlers) reanalysisView(c desk.Case, may bool) page.ReanalysisView {
	view := page.ReanalysisView{Title: "Reanálise na operadora", Ask: page.Action{Text: "Anotar pedido"},
		Text: "Peça no portal ou por telefone. Anote aqui que pediu, e depois o que responderam."}
	view.Ask.Href = "/casos/" + c.UID.String() + "/" + page.ReviewForm + "#" + page.ReviewForm
	e, asked := c.Reviewed()
	if !asked {
		return view
	}
	view.First, view.Title = true, stepWords[c.NextStep()]
	by := "Pedida por " + e.Actor.Name + ", " + s.when(e.At)
	view.Text = fmt.Sprintf("%s. A operadora tem %d dias: sem resposta até %s, o caso volta para Negado.", by, reviewDays,
		s.day(e.At.Add(authorization.ReviewTime)))
	view.Ask.Text = "Anotar novo contato"
	if c.ReviewOverdue {
		view.Text = fmt.Sprintf("%s, e sem resposta há mais de %d dias. Ligue de novo e anote.", by, reviewDays)
		view.Ask.Text, view.Ask.Primary = "Anotar cobrança", true
	}
	if !may {
		view.Hint = whoRecords
		return view
	}
	reply := replyAction(c)
	reply.Primary = !c.ReviewOverdue
	view.Reply = &reply
	return view
}

// deniedFacts are the numbers of a denial, that by which the operator finds it first.
func deniedFacts(a authorization.Authorization) []component.Copyable {
	f := authorizationFacts(a)
	return []component.Copyable{f[2], f[1], f[0]}
}

// callFacts are what the operator asks for on the phone to find a denial, and why it was one.
func callFacts(c desk.Case) []page.Fact {
	var f facts
	if c.Answer != nil && len(c.Answer.Authorizations) == 1 {
		f.code("Protocolo", component.GroupDigits(c.Answer.Authorizations[0].Protocol))
	}
	f.code("Guia do prestador", component.GroupDigits(c.ProviderGuide))
	f.code("Carteira", component.GroupDigits(c.CardNumber))
	var asked []string
	for _, p := range c.Request.Procedures {
		asked = append(asked, p.Code+" "+p.Name)
	}
	f.add("Procedimento", strings.Join(asked, "; "))
	return f
}

// deniedActions are what can be done with a denial beside that: its guide can be printed,
// where it has one.
func deniedActions(c desk.Case, guides []page.Guide) (all []page.Action) {
	if g := currentGuide(guides); g != nil {
		all = append(all, printAction("/casos/"+c.UID.String(), g))
	}
	return all
}
