package webui

import (
	"context"
	"strings"

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
	d.Correct.Primary = true
	if reply := replyAction(c); may && c.CanRecord() {
		d.Reply = &reply
	}
	if e, ok := c.Reviewed(); ok {
		d.Reviewed = "Reanálise pedida por " + e.Actor.Name + ", " + s.when(e.At) + "."
	}
	return d, nil
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
