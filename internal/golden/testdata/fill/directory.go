package main

// directory changes every list of the page Cadastros: entries are added with and
// without an identifier, changed, taken out of the form and put back.
func (w *world) directory() {
	a := w.admin
	a.fill("/cadastros/unidades/nova", values{"nome": "Unidade das Palmeiras",
		"pontosAtendimento[0].nome": "Térreo", "pontosAtendimento[0].id": "01970000-0000-7000-8000-00000000a001",
		"id": "01970000-0000-7000-8000-00000000a000"})
	a.fill("/cadastros/unidades/nova", values{"nome": "Unidade fechada", "pontosAtendimento[0].nome": "Único"})
	unit := w.entry("/cadastros/unidades", "Jardim das Acácias")
	a.fill(unit, values{"nome": "Jardim das Acácias (novo prédio)", "pontosAtendimento[1].nome": "Balcão fechado"})
	a.fill(unit, values{"pontosAtendimento[0].ativo": nil}) // they are in the order of their names
	w.turnOff("/cadastros/unidades", "Unidade fechada")

	a.fill("/cadastros/executantes/novo", values{"nome": "Executante sem conselho",
		"especialidades[0].nome": "Enfermagem", "especialidades[0].id": "9", "id": "01970000-0000-7000-8000-00000000b000"})
	a.fill("/cadastros/executantes/novo", values{"nome": "Executante que saiu", "siglaConselho": "CRM", "numeroConselho": "10200",
		"uf": "RJ", "especialidades[0].nome": "Pediatria", "especialidades[0].id": "11", "especialidades[0].cbo": "225124"})
	executant := w.entry("/cadastros/executantes", "Lena Brandão")
	a.fill(executant, values{"especialidades[1].nome": "Reabilitação", "especialidades[1].id": "6"})
	w.turnOff("/cadastros/executantes", "Executante que saiu")

	a.fill("/cadastros/procedimentos/novo", values{"codigo": "99000001", "nome": "Procedimento da casa",
		"sinonimos": "apelido\noutro apelido"})
	a.fill("/cadastros/procedimentos/novo", values{"codigo": "99000002", "nome": "Procedimento fora do formulário"})
	a.fill("/cadastros/procedimentos/99000001", values{"nome": "Procedimento da casa, com outro nome"})
	a.press("/cadastros/procedimentos/99000002", "/cadastros/procedimentos/99000002/desativar")
	a.press("/cadastros/procedimentos/99000001", "/cadastros/procedimentos/99000001/desativar")
	a.press("/cadastros/procedimentos/99000001", "/cadastros/procedimentos/99000001/reativar")

	a.press("/cadastros/credenciais", "/cadastros/credenciais/atualizar")
	credential := w.entry("/cadastros/credenciais", "Silverado Assistência")
	a.fill(credential, values{"validadeObrigatoria": "S", "padraoCarteira": `\d{8,17}`, "biometria": "S",
		"indicacaoClinica": "Rotina"})
	w.turnOff("/cadastros/credenciais", "Boa Guarida")
}

// entry is the page of an entry of a list.
func (w *world) entry(list, name string) string {
	return w.admin.see(list).link(name)
}

func (w *world) turnOff(list, name string) {
	entry := w.entry(list, name)
	w.admin.press(entry, entry+"/desativar")
}
