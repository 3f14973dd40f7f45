package main

import "fmt"

// serviceAlone is what happens in the console of a service without a desk, and at
// operators that fail by now.
func (w *world) serviceAlone() {
	a := w.admin
	a.fill("/servico/unidades/nova", values{"nome": "Unidade do serviço", "pontosAtendimento[0].nome": "Ponto do serviço",
		"pontosAtendimento[1].nome": "Ponto desligado"})
	unit := w.entry("/servico/unidades", "Unidade do serviço")
	a.fill(unit, values{"nome": "Unidade do serviço, renomeada", "pontosAtendimento[1].ativo": nil})
	a.press(unit, unit+"/desativar")
	a.press(unit, unit+"/reativar")
	w.turnOff("/servico/unidades", "Unidade das Palmeiras")

	a.fill("/servico/profissionais/novo", values{"nome": "Profissional do serviço", "siglaConselho": "CRM", "numeroConselho": "5",
		"uf": "MG", "especialidades[0].nome": "Dermatologia", "especialidades[0].id": "21",
		"especialidades[1].nome": "Alergia", "especialidades[1].id": "22"})
	professional := w.entry("/servico/profissionais", "Profissional do serviço")
	a.fill(professional, values{"especialidades[1].ativo": nil})
	a.press(professional, professional+"/desativar")
	a.press(professional, professional+"/reativar")
	w.turnOff("/servico/profissionais", "Executante sem conselho")

	for i := range 2 {
		first := w.find(fmt.Sprintf("P-2%03d", i))[0].(map[string]any)
		w.send(&call{Name: fmt.Sprintf("ato que falhou %d", i), Path: "/api/v2/autorizacoes/" + text(first, "guiaId") + "/anexos",
			Access: "viva", Key: fmt.Sprintf("ato-falho-%d", i), Later: true,
			Body: map[string]any{"anexos": []any{inBase64("falho.pdf")}}})
	}
	w.checkTrail()
}

// checkTrail has the audit trail read and checked.
func (w *world) checkTrail() {
	w.admin.press("/auditoria", "/auditoria/conferir")
	w.admin.fill("/auditoria", values{"evento": "entrada.feita"})
	w.admin.see(w.admin.see("/servico/registro").Find("tbody a").First().AttrOr("href", ""))
}
