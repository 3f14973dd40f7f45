package conformance

import (
	"net/http"
	"slices"
	"strings"
)

// Decisions is the second layer: what Guichê's own service decided where the
// specification is silent, by rows. Where another service decided otherwise, that is
// reported. Those about the client alone (rows 21 and 27) have no checks.
func Decisions() []Chapter {
	return []Chapter{
		{"Row01_RequiredFields", row01()},
		{"Row02_Attachments", row02()},
		{"Row03_Domains", row03()},
		{"Row04_ErrorItems", row04()},
		{"Row05_AbsentNullEmpty", row05()},
		{"Row06_Data", row06()},
		{"Row07_ProviderGuide", row07()},
		{"Row08_Order", row08()},
		{"Row09_Statuses", row09()},
		{"Row10_Limits", row10()},
		{"Row11_Idempotency", row11()},
		{"Row12_StrictReading", row12()},
		{"Row13_Registers", row13()},
		{"Row14_Search", row14()},
		{"Row15_Eligibility", row15()},
		{"Row16_Submission", row16()},
		{"Row17_Features", row17()},
		{"Row18_Later", row18()},
		{"Row19_Life", row19()},
		{"Row20_Biometrics", row20()},
		{"Row22_Description", row22()},
		{"Row23_Sessions", row23()},
		{"Row24_OAuth", row24()},
		{"Row25_Scopes", row25()},
		{"Row26_Methods", row26()},
	}
}

// refused fails unless an answer is a refusal as rows 4, 5 and 9 want it: the
// status, the envelope with data null, and errosDetalhados beside erros. Each
// wanted detail is a codigo, a campo, or "campo codigo".
func (c *Case) refused(a answer, status int, details ...string) {
	if a.status != status {
		c.errorf("want %d: %s", status, a.told())
		return
	}
	data, there := a.doc["data"]
	if a.at("sucesso") != false || data != nil || !there {
		c.errorf("%s with sucesso %s and data %s, want false and null", a.what, quote(a.at("sucesso")), quote(data))
	}
	messages, _ := a.at("erros").([]any)
	found := a.objects("errosDetalhados")
	if len(messages) == 0 || len(messages) != len(found) {
		c.errorf("%s with %d erros and %d errosDetalhados, want as many of each", a.what, len(messages), len(found))
	}
	for _, want := range details {
		if !slices.ContainsFunc(found, func(o object) bool { return names(o, want) }) {
			c.errorf("%s: no detail %q among %s", a.what, want, quote(shown(found)))
		}
	}
}

// names reports whether an item of errosDetalhados is the wanted one.
func names(detail object, want string) bool {
	field, _ := detail["campo"].(string)
	word, _ := detail["codigo"].(string)
	return want == field || want == word || want == field+" "+word
}

// shown shows items as they are wanted.
func shown(found []object) (all []string) {
	for _, o := range found {
		field, _ := o["campo"].(string)
		word, _ := o["codigo"].(string)
		all = append(all, strings.TrimSpace(field+" "+word))
	}
	return all
}

// ok fails unless an answer is 200 with sucesso true.
func (c *Case) ok(a answer) answer {
	if a.status != http.StatusOK || !a.success() {
		c.fatalf("want 200 with sucesso true: %s", a.told())
	}
	return a
}

// cardOf answers a request for one of the cards of the simulated operators' rules.
func (c *Case) cardOf(card string) answer {
	c.ours("it needs a card of the simulated operators")
	return c.authorize(with(c.request(), "numeroCarteira", card))
}
