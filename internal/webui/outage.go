package webui

import (
	"context"
	"fmt"
	"strings"

	"guiche/internal/desk"
	"guiche/web/layout"
)

// outageAlerts tells everybody who does not answer, and since when.
func (s *deskHandlers) outageAlerts(ctx context.Context, all []layout.Alert) ([]layout.Alert, error) {
	outages, err := s.Desk.Outages(ctx)
	if err != nil || len(outages) == 0 {
		return all, err
	}
	first := outages[0]
	alert := layout.Alert{Text: "Pedidos novos ficam guardados na fila e saem sozinhos assim que houver resposta. " +
		"Não é preciso enviar de novo."}
	switch {
	case first.Credential == "": // the operators are behind it
		alert.Strong = "O serviço de autorização não responde desde " + s.moment(first.Since) + "."
	case len(outages) == 1:
		alert.Strong = operatorWords(first.Credential) + " não responde desde " + s.moment(first.Since) + "."
	default:
		alert.Strong = fmt.Sprintf("%d operadoras não respondem.", len(outages))
		alert.Text = s.silentWords(outages) + " " + alert.Text
	}
	return append(all, alert), nil
}

// shownOutages is how many operators are named that do not answer.
const shownOutages = 4

// silentWords name operators that do not answer, each with since when.
func (s *deskHandlers) silentWords(outages []desk.Outage) string {
	named := make([]string, 0, shownOutages)
	for _, o := range outages[:min(len(outages), shownOutages)] {
		named = append(named, o.Credential+" desde "+s.moment(o.Since))
	}
	words := strings.Join(named, ", ")
	if more := len(outages) - len(named); more > 0 {
		words += fmt.Sprintf(" e mais %d", more)
	}
	return words + "."
}

// operatorWords name an operator with its article, and the word only once.
func operatorWords(name string) string {
	if first, _, _ := strings.Cut(name, " "); strings.EqualFold(first, "operadora") {
		return "A " + name
	}
	return "A operadora " + name
}
