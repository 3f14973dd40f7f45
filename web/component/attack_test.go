package component_test

import (
	"strings"
	"testing"

	"guiche/web/component"
)

func TestAttackNotice(t *testing.T) {
	if got := component.AttackNotice([]component.FailedLogins{{Name: "Clara", Day: 19, Week: 5000}}, component.Link{}); got != nil {
		t.Errorf("what people mistype: got %+v, want nothing", got)
	}
	var failed []component.FailedLogins
	for _, name := range []string{"Ana", "Bia", "Caio", "Davi", "Eva", "Fabio", "Gil"} {
		failed = append(failed, component.FailedLogins{Name: name, Day: 20, Week: 1234567})
	}
	got := component.AttackNotice(failed, component.Link{Href: "/auditoria"})
	if got == nil || !strings.Contains(got.Text, ": Ana: 20 (1.234.567 em 7 dias); Bia: 20 (") || strings.Contains(got.Text, "Fabio") ||
		!strings.Contains(got.Text, "; e mais 2. ") || got.Link.Href != "/auditoria" {
		t.Errorf("got %+v", got)
	}
}
