package page_test

import (
	"guiche/internal/authorization"
	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/a-h/templ"
)

// view is a page in one state.
type view struct {
	name string
	page templ.Component
}

const uid = "01939f2e-77c2-7d10-a10f-6d2041b8c0aa"

// views lists every page in every state that looks different.
func views() []view {
	all := []view{
		{"entrar", page.LoginPage(page.LoginView{Page: layout.Page{Title: "Entrar"}, Return: "/casos/" + uid, Demo: demoLogins()})},
		{"entrar-errada", page.LoginPage(page.LoginView{Page: layout.Page{Title: "Entrar", Failed: true}, User: "ana",
			Problem: "Usuário ou senha não conferem."})},
		{"ativar-primeira", page.ActivatePage(firstAdministrator())},
		{"ativar", page.ActivatePage(page.ActivateView{Page: layout.Page{Title: "Escolher a senha"}, Token: "abc",
			Name: "Célia Moura", MinLen: 10})},
		{"fila", page.QueuePage(queue())},
		{"comprovante", page.ReceiptPage(receipt())},
		{"fila-vazia", page.QueuePage(emptyQueue(""))},
		{"fila-filtro-vazio", page.QueuePage(emptyQueue("Negado"))},
		{"nova", page.FormPage(emptyForm())},
		{"nova-cheia", page.FormPage(filledForm())},
		{"nova-busca", page.FormPage(searchedForm())},
		{"nova-busca-falhou", page.FormPage(failedSearchForm())},
		{"nova-erros", page.FormPage(wrongForm())},
		{"nova-conflito", page.FormPage(conflictForm())},
		{"nova-revisao", page.FormPage(reviewedForm())},
		{"nova-celular", page.FormPage(formWithPhone(page.PhoneView{Code: page.QRCode{Size: 21, Path: "M0 0h7v1h-7z"}, Focused: true,
			Address: "https://guiche.example/celular#x", Seconds: 600, Until: "14:12"}))},
		{"nova-com-celular", page.FormPage(formWithPhone(page.PhoneView{Offered: true}))},
		{"nova-celular-conectado", page.FormPage(formWithPhone(page.PhoneView{Opened: true, Files: 2, Seconds: 59}))},
		{"celular", page.PhonePage(page.PhonePageView{Page: layout.Page{Title: "Enviar arquivos"}})},
		{"celular-fim", page.PhonePage(page.PhonePageView{Page: layout.Page{Title: "Enviar arquivos"}, Ended: "O envio terminou."})},
		{"celular-aberto", page.PhonePage(page.PhonePageView{Page: layout.Page{Title: "Enviar arquivos"}, Open: true, Unit: "Centro",
			Limits: "PDF, JPG ou PNG, até 15 MB cada, 10 ao todo", Seconds: 599})},
		{"ajuda", page.HelpPage(page.HelpView{Page: desk("Ajuda", layout.NoTab)})},
		{"ajuda-demo", page.HelpPage(demoHelp())},
	}
	for _, status := range []int{400, 403, 404, 405, 409, 413, 415, 429, 500, 503} {
		all = append(all, view{"falha-" + string(rune('0'+status/100)) + string(rune('0'+status/10%10)) +
			string(rune('0'+status%10)), page.FailurePage(failure(status))})
	}
	all = append(all, peopleViews()...)
	all = append(all, historyViews()...)
	all = append(all, auditViews()...)
	for _, views := range [][]view{directoryViews(), consoleViews(), partnerViews(), ledgerViews(), descriptionViews(),
		synchroniseViews(), connectionViews()} {
		all = append(all, views...)
	}
	for _, c := range cases() {
		all = append(all, view{"caso-" + c.name, page.CasePage(c.model)})
	}
	return all
}

func person() *layout.Person {
	return &layout.Person{Name: "Ana Prado", Initials: "AP", Units: "Centro, Jardim das Acácias", Desk: true}
}

func desk(title string, tab layout.Tab) layout.Page {
	return layout.Page{Title: title, Tab: tab, Person: person()}
}

func demoLogins() []page.DemoLogin {
	return []page.DemoLogin{{"Recepção", "ana", "balcao-demo"}, {"Supervisão", "celia", "painel-demo"},
		{"Administração", "rui", "cadastro-demo"}}
}

func firstAdministrator() page.ActivateView {
	return page.ActivateView{
		Page: layout.Page{Title: "Primeira conta", Failed: true, InsecureHTTP: true}, Token: "abc", First: true, Name: "Rui Sá", MinLen: 10,
		Fields: page.Fields{Problems: []component.Problem{{Name: "usuario", Message: "Informe um usuário."},
			{Name: "senha2", Message: "As duas senhas diferem."}}},
	}
}

func counters(counts ...int) []page.Counter {
	var all []page.Counter
	for i, group := range authorization.Groups() {
		info := group.Info()
		c := page.Counter{Slug: info.Slug, Tone: component.GroupTone(group), Icon: info.Icon, Label: info.Label,
			Href: "/fila?grupo=" + info.Slug, Detail: "nenhum"}
		if i < len(counts) {
			c.Count, c.Detail = counts[i], "mais antigo há 38 min"
		}
		all = append(all, c)
	}
	return all
}

func emptyQueue(group string) page.QueueView {
	return page.QueueView{Page: desk("Fila", layout.QueueTab), Address: "/fila", Day: "sexta-feira, 20 de novembro",
		Updated: "07:02", Counters: counters(), Group: group, Newest: true}
}

func queue() page.QueueView {
	q := emptyQueue("")
	q.Updated, q.Counters, q.Older = "14:02", counters(3, 2, 1, 3, 2, 14), "/fila?antes=b2xk"
	q.Counters[1].Current = true
	q.Flash = "Rascunho descartado."
	q.Unknowns = &component.Notice{Tone: component.ToneAttention, Icon: "question-diamond",
		Strong: "1 pedido enviado sem resposta.",
		Text:   "Júlio César Amorim, Jequitibá Saúde, às 13:31. Confira com a operadora antes de reenviar.",
		Action: component.Link{Href: "/casos/" + uid, Text: "Conferir agora"}}
	names := []string{"Maria Aparecida Silveira", "Rosângela Teixeira de Albuquerque", "Tomás Vilela"}
	for i, status := range authorization.Statuses() {
		row := caseRow(names[i%len(names)], component.StatusSituation(status.Code))
		if status.Group == authorization.Ready {
			row.Until, row.UntilDetail, row.UntilSoon = "23/11/2026", "vence em 3 dias", true
		}
		q.Cases = append(q.Cases, row)
	}
	for _, local := range append(component.LocalSituations()[1:], component.StatusSituation("X9"), component.StatusSituation("")) {
		q.Cases = append(q.Cases, caseRow("Otávio Lacerda", local))
	}
	q.Drafts = []page.DraftRow{
		{ID: "rascunho-1", Href: "/nova/" + uid, Name: "Maria Aparecida Silveira", When: "13:58", Detail: "Vale Sereno · 1 procedimento",
			Discard: "Descartar o rascunho de Maria Aparecida Silveira"},
		{ID: "rascunho-2", Href: "/nova/" + uid, Name: "Sem nome ainda", When: "11:20", Detail: "carteira 0042 …7741",
			Discard: "Descartar o rascunho sem nome"},
	}
	return q
}

func caseRow(name string, s component.Situation) page.CaseRow {
	return page.CaseRow{
		Href: "/casos/" + uid, Arrived: "13:24", Where: "no balcão", AtDesk: true, Name: name, Operator: "Vale Sereno", Card: "0310 …4821",
		Procedure: "RM de coluna lombar", Codes: "41101227 · mais 2", Situation: s, Origin: "operadora, há 38 min",
		Step: "Ver caso", StepUrgent: s.Tone == component.ToneAttention,
	}
}

func emptyForm() page.FormView {
	return page.FormView{
		Page: desk("Nova autorização",
			layout.NewTab), UID: uid, Fields: page.Fields{Values: map[string]string{"pacienteNoLocal": "S"}}, MaxFile: 15 << 20,
		Limits: "PDF, JPG ou PNG, até 15 MB cada, 10 ao todo",
		State: page.DraftState{Checks: []page.CheckItem{
			{Title: "Escolha a operadora"}, {Title: "Pelo menos um procedimento"}, {Title: "Pedido médico", Detail: "Muitas operadoras pedem."},
		}},
		Units: []component.Choice{{Value: "u1", Label: "Centro"}, {Value: "u2", Label: "Jardim das Acácias"}},
		CarePoints: []component.Choice{{Value: "p1", Label: "Balcão 1", Parent: "u1", Group: "Centro"},
			{Value: "p2", Label: "Balcão 2", Parent: "u1", Group: "Centro"}, {Value: "p3", Label: "Recepção", Parent: "u2",
				Group: "Jardim das Acácias"}},
		Professionals: []component.Choice{{Value: "e1", Label: "Dra. Elisa Monteverde"}, {Value: "e2", Label: "Dr. Ivo Sampaio"}},
		Specialties: []component.Choice{{Value: "1", Label: "Radiologia e diagnóstico por imagem", Parent: "e1",
			Group: "Dra. Elisa Monteverde"}, {Value: "2", Label: "Cardiologia", Parent: "e2", Group: "Dr. Ivo Sampaio"}},
	}
}

// formWithPhone is a form that only offers a phone, or shows its panel.
func formWithPhone(p page.PhoneView) page.FormView {
	m := filledForm()
	p.UID, p.Shown, p.Offered = m.UID, !p.Offered, true
	m.Phone = p
	return m
}

func filledForm() page.FormView {
	m := emptyForm()
	m.Values = map[string]string{
		"credencialId": "c1", "nomeBeneficiario": "Maria Aparecida Silveira", "numeroCarteira": "0310 0045 7782 4821",
		"validadeCarteira":  "31/12/2027",
		"planoBeneficiario": "Essencial Enfermaria", "pacienteNoLocal": "S", "atendimentoRN": "S",
		"nomeRecemNascido": "RN de Maria Aparecida Silveira", "dataNascimentoRecemNascido": "12/11/2026",
		"nomeSolicitante": "Dr. Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"unidadeId": "u1", "pontoAtendimentoId": "p2", "profissionalExecutanteId": "e1", "especialidadeExecutanteId": "1",
		"dddContato": "11", "telefoneContato": "90000-0000",
	}
	m.Credential = page.Credential{Name: "Vale Sereno", ProviderCode: "004417", Biometrics: true}
	m.Origin = component.Link{Href: "/casos/" + uid, Text: "pedido de 17/11"}
	m.Procedures = []page.ProcedureRow{
		{Code: "40901203", Name: "US - Órgãos superficiais (tireóide ou escroto ou pênis ou crânio)", Quantity: "1", Known: true},
		{Code: "40901122", Name: "US - Abdome total (abdome superior, rins, bexiga, aorta, veia cava inferior e adrenais)",
			Quantity: "1", Known: true},
	}
	m.Attachments = []page.Attachment{{ID: "a1", Name: "pedido-medico.jpg", Size: "412 KB", Image: true},
		{ID: "a2", Name: "laudo-anterior.pdf", Size: "4,8 MB"}}
	m.State = page.DraftState{Version: 7, Saved: "14:02", Summary: "Vale Sereno · 2 procedimentos · 2 anexos", Checks: []page.CheckItem{
		{Tone: component.ToneAttention, Title: "Mesmo procedimento há 3 dias",
			Detail: "40901122 enviado em 17/11, autorizado.", Link: component.Link{Href: "/casos/" + uid, Text: "Ver pedido"}},
		{Tone: component.ToneSuccess, Title: "Carteira válida até 31/12/2027"}, {Tone: component.ToneSuccess, Title: "2 anexos"},
	}}
	return m
}

func searchedForm() page.FormView {
	m := filledForm()
	m.Credential.Search = "sere"
	m.Credential.Found = &page.CredentialList{Search: "sere", Items: []page.CredentialOption{{ID: "c1",
		Name: "Vale Sereno", ProviderCode: "004417"}, {ID: "c2", Name: "Serena Saúde", ProviderCode: "118822"}}}
	return m
}

func failedSearchForm() page.FormView {
	m := emptyForm()
	m.Credential = page.Credential{Search: "sere", Found: &page.CredentialList{Search: "sere",
		Problem: "O serviço não respondeu. Tente de novo."}}
	return m
}

func wrongForm() page.FormView {
	m := filledForm()
	m.Failed = true
	m.Values["validadeCarteira"], m.Values["dataNascimentoRecemNascido"], m.Values["crmSolicitante"] = "31/13/2027", "", ""
	m.Procedures[1].Quantity = "mil"
	m.Attachments = append(m.Attachments, page.Attachment{Name: "exame.tiff", Problem: "exame.tiff é TIFF; envie PDF, JPG ou PNG."})
	m.Problems = []component.Problem{
		{Name: "credencialId", Message: "Escolha a operadora."},
		{Name: "validadeCarteira", Message: "Informe a validade da carteira como DD/MM/AAAA"},
		{Name: "dataNascimentoRecemNascido", Message: "Informe o nascimento do recém-nascido"},
		{Name: "crmSolicitante", Message: "Informe o número do conselho do solicitante"},
		{Name: "especialidadeExecutanteId", Message: "Escolha a especialidade do executante."},
		{Name: "procedimentos", Message: "Informe ao menos um procedimento."},
		{Name: "procedimentos[1].quantidade", Message: "A quantidade vai de 1 a 999."},
		{Name: "tipoAcidente", Message: "Escolha um tipo de acidente da lista."},
		{Name: "atendimentoRN", Message: "Diga se é recém-nascido."},
	}
	return m
}

func conflictForm() page.FormView {
	m := filledForm()
	m.State.Conflict = "Outra aba salvou este rascunho depois"
	m.State.Newer = component.Link{Href: "/nova/" + uid, Text: "Abrir a versão mais nova"}
	return m
}

func reviewedForm() page.FormView {
	m := filledForm()
	m.Review = &page.ReviewView{
		Operator: "Vale Sereno",
		Warnings: []component.Notice{{Tone: component.ToneAttention, Icon: "exclamation-triangle",
			Strong: "Mesmo procedimento há 3 dias.", Text: "40901122 foi autorizado em 17/11.", Link: component.Link{Href: "/casos/" + uid,
				Text: "Ver pedido"}}},
		Beneficiary: []page.Fact{
			{Term: "Nome", Value: "Maria Aparecida Silveira", Strong: true}, {Term: "Carteira", Value: "0310 0045 7782 4821",
				Strong: true, Code: true},
			{Term: "Validade", Value: "31/12/2027"}, {Term: "Recém-nascido",
				Value: "RN de Maria Aparecida Silveira, 12/11/2026"}, {Term: "No balcão", Value: "Sim"},
		},
		Parties: []page.Fact{
			{Term: "Solicitante", Value: "Dr. Caio Leme, CRM 104552 SP"}, {Term: "Executante", Value: "Dra. Elisa Monteverde"},
			{Term: "Especialidade", Value: "Radiologia"}, {Term: "Unidade", Value: "Centro · Balcão 2"},
		},
		Others:     []page.Fact{{Term: "Contato", Value: "(11) 90000-0000"}},
		Procedures: m.Procedures, Attachments: "pedido-medico.jpg, laudo-anterior.pdf", TotalSize: "5,2 MB ao todo",
	}
	return m
}

func demoHelp() page.HelpView {
	return page.HelpView{Page: desk("Ajuda", layout.NoTab), DemoCards: []page.DemoCard{{Card: "999904",
		Happens: "Negado, com justificativa."}}}
}

func failure(status int) page.FailureView {
	f := page.FailureOf(status)
	f.Person, f.NoService = person(), true
	if status == 500 {
		f.ID = "7f3c-91aa"
	}
	return f
}

type namedCase struct {
	name  string
	model page.CaseView
}

// cases lists the result page in every state: all codes, an unknown one, and the
// desk's own.
func cases() []namedCase {
	var all []namedCase
	for _, status := range authorization.Statuses() {
		name := status.Group.Info().Slug + "-" + status.Label
		if status.Code == authorization.InconsistencyCedilla {
			name += "-2"
		}
		all = append(all, namedCase{name, answeredCase(status.Code)})
	}
	return append(all,
		namedCase{"nova-situacao", answeredCase("X9")},
		namedCase{"na-fila", pendingCase(component.Queued)},
		namedCase{"suspenso", pendingCase(component.Held)},
		namedCase{"enviando", pendingCase(component.Sending)},
		namedCase{"sem-resposta", unknownCase()},
		namedCase{"nao-aceito", refusedCase()},
		namedCase{"retirado", localCase(component.Withdrawn)},
		namedCase{"reenviado", localCase(component.Resent)},
		namedCase{"varias", severalCase()},
		namedCase{"negado-saidas", deniedCase()},
		namedCase{"concluido", concludedCase()},
	)
}

// deniedCase is a denial with what can be done about it, one form open.
func deniedCase() page.CaseView {
	c := answeredCase(authorization.Denied)
	c.Actions = nil
	reply := page.Action{Href: "/casos/" + uid + "/retorno#retorno", Text: "Registrar retorno", Icon: "pencil-square"}
	c.Denied = &page.DeniedView{
		Correct:  page.Action{Path: "/casos/" + uid + "/copiar", Text: "Corrigir e reenviar", Icon: "pencil", Primary: true},
		Conclude: page.Action{Path: "/casos/" + uid + "/concluir", Text: "Concluir", Icon: "check-lg", Key: "F8"},
		Receipt:  page.Action{Href: "/casos/" + uid + "/comprovante", Text: "Comprovante", Icon: "file-earmark-text"},
		Phone:    "0800 000 0404",
		Reanalysis: page.ReanalysisView{First: true, Title: "Acompanhar reanálise", Text: "Pedida por Ana Prado, hoje, 14:20.", Reply: &reply,
			Ask: page.Action{Href: "/casos/" + uid + "/reanalise#reanalise", Text: "Anotar novo contato"}},
		Call: []page.Fact{{Term: "Protocolo", Value: "770 922 41", Code: true}}}
	c.Notes.Open = page.ReviewForm
	c.Record = &page.RecordView{Code: "40808041", Requests: "20 últimos pedidos", Parts: []page.RecordPart{
		{Width: 450, Tone: component.ToneSuccess, Words: "15 autorizados"}, {At: 450, Width: 150, Tone: component.ToneError, Words: "5 negados"}},
		Reason: "não atende a diretriz de utilização (DUT)", ReasonTimes: "3 vezes", Median: "Metade teve resposta em até 6 s."}
	return c
}

// receipt is that of a denial, which has every part of one but a senha.
func receipt() page.ReceiptView {
	c := answeredCase(authorization.Denied)
	one := page.Authorization{Facts: c.Facts, Validity: c.Validity, Procedures: c.Procedures}
	return page.ReceiptView{Page: desk("Comprovante", layout.QueueTab), Case: "/casos/" + uid, Unit: "Centro", UnitPhone: "(11) 4000-0101",
		Patient: c.Request, Situation: c.Situation, Words: "A operadora não autorizou.", Reasons: c.Errors,
		Authorizations: []page.Authorization{one}, Operator: "Vale Sereno", OperatorPhone: "0800 000 0404", Denied: true,
		Printed: "20/11/2026, 14:05", By: "Ana Prado"}
}

// concludedCase is one that somebody took out of the queue, with a note.
func concludedCase() page.CaseView {
	c := answeredCase(authorization.Authorized)
	c.Actions = []page.Action{{Path: "/casos/" + uid + "/reabrir", Text: "Desfazer conclusão", Icon: "arrow-counterclockwise"}}
	c.Timeline[0].Note = "Avisada por telefone.\nVolta às 15h."
	c.Notes.Open = page.NoteForm
	return c
}

func localCase(s component.Situation) page.CaseView {
	return page.CaseView{
		Page: desk("Helena Duarte",
			layout.QueueTab), UID: uid, Name: "Helena Duarte", Subtitle: "Vale Sereno · Essencial Enfermaria · hoje, 14:00", Situation: s,
		Origin: "Guichê, às 14:00, há 2 min.", RequestTitle: "O pedido", SentAt: "20/11/2026, 14:00",
		Procedures: []page.ProcedureResult{{Code: "40316521", Name: "Tireoestimulante, hormônio (TSH)", Asked: "1"}},
		Request: []page.Fact{
			{Term: "Carteira", Value: "0310 0045 1206 3345", Code: true,
				Detail: "válida até 31/12/2027"}, {Term: "Solicitante", Value: "Dr. Caio Leme, CRM 104552 SP"},
			{Term: "Executante", Value: "Dra. Elisa Monteverde, Patologia clínica"}, {Term: "Unidade", Value: "Centro · Balcão 2, por Ana Prado"},
		},
		Files: []page.FileLink{{Href: "/casos/" + uid + "/anexos/a1", Name: "pedido-medico.jpg", Size: "412 KB"}},
		Timeline: []page.Event{
			{Time: "14:00", Tone: s.Tone, Strong: s.Label, Detail: "resposta em 3,1 s"}, {Time: "14:00",
				Text: "Enviado à Vale Sereno", Detail: "guia do prestador 26112014000012300036"},
			{Time: "13:59", Text: "Revisado e confirmado por Ana Prado"},
		},
	}
}

func pendingCase(s component.Situation) page.CaseView {
	c := localCase(s)
	c.Refresh, c.State = "1s", "queued"
	c.Actions = []page.Action{{Path: "/casos/" + uid + "/retirar", Text: "Retirar da fila", Icon: "x-lg",
		Confirm: "Retirar este pedido da fila? Nada será enviado."}}
	return c
}

func answeredCase(status authorization.Status) page.CaseView {
	c := localCase(component.StatusSituation(status))
	c.Simulated = true
	c.Origin = "Resposta da operadora às 14:00, há 2 min. Pode ter mudado depois disso."
	c.Facts = facts("SIM482017739")
	c.Validity = page.Validity{Date: "20/12/2026", Distance: "em 30 dias"}
	c.Procedures = []page.ProcedureResult{
		{Code: "40316521", Name: "Tireoestimulante, hormônio (TSH)", Asked: "1", Authorized: "1", Executed: "0", Extra: "mnemônico TSH"},
		{Code: "40808041", Name: "Mamografia digital bilateral", Asked: "1", Authorized: "0", Executed: "0", Reduced: true,
			Justification: "1438 · não atende a diretriz de utilização (DUT)"},
	}
	c.Actions = []page.Action{{Path: "/casos/" + uid + "/copiar", Text: "Repetir", Icon: "arrow-repeat"},
		{Path: "/casos/" + uid + "/copiar", Text: "Reenviar com correção", Icon: "pencil", Primary: status == authorization.Denied}}
	switch status.Group() {
	case authorization.Ready:
		c.Guides = []page.Guide{{Index: "1", Label: "Guia", Title: "Guia SP/SADT em PDF", Detail: "1 página · 92 KB", Current: true}}
	case authorization.Refusal:
		c.Errors = []page.ErrorLine{{Source: "Motivo 1438, nas palavras da operadora",
			Message: "Procedimento solicitado não autorizado por não atender a diretriz de utilização (DUT) do rol da ANS."}}
	}
	return c
}

func facts(password string) []component.Copyable {
	return []component.Copyable{
		{Label: "Senha", Value: password, Shown: component.GroupDigits(password)}, {Label: "Guia", Value: "90011455602",
			Shown: component.GroupDigits("90011455602")},
		{Label: "Protocolo", Value: "77401392", Shown: component.GroupDigits("77401392")}, {Label: "Nº da solicitação"},
	}
}

func unknownCase() page.CaseView {
	c := localCase(component.Unknown)
	c.Origin = "Enviado às 13:31:08; a conexão caiu às 13:31:38. Nada foi repetido."
	c.RequestTitle = "O que foi enviado"
	c.Quote = component.Copyable{Label: "Guia do prestador", Value: "26112013310812300031", Shown: "2611 2013 3108 1230 0031"}
	c.QuoteAdvice = "Por que não reenviar logo? Um segundo envio pode gerar duas guias e uma glosa por duplicidade."
	return c
}

func refusedCase() page.CaseView {
	c := localCase(component.Refused)
	c.Errors = []page.ErrorLine{{Field: "Número da carteira",
		Message: "A carteira não confere com o padrão da operadora."}, {Message: "Credencial sem contrato para este procedimento."}}
	c.Main = &page.Action{Path: "/casos/" + uid + "/copiar", Text: "Corrigir e reenviar", Icon: "pencil", Primary: true}
	return c
}

func severalCase() page.CaseView {
	c := answeredCase(authorization.PartiallyAuthorized)
	procedures := c.Procedures
	c.Facts, c.Validity, c.Procedures = nil, page.Validity{}, nil
	for i, status := range []authorization.Status{authorization.Authorized, authorization.Denied} {
		c.Authorizations = append(c.Authorizations, page.Authorization{
			Title: "Autorização " + string(rune('1'+i)), Situation: component.StatusSituation(status), Facts: facts("SIM48201774" +
				string(rune('0'+i))),
			Validity: page.Validity{Date: "22/11/2026", Distance: "vence em 2 dias", Soon: true}, Procedures: procedures[i : i+1],
		})
	}
	c.Errors = []page.ErrorLine{{Field: "Autorização 2", Message: "Não atende a DUT.", Source: "Motivo 1438, nas palavras da operadora"}}
	c.Tally = "1 de 2 autorizados; 1 negado."
	c.Guides = []page.Guide{
		{Index: "0", Label: "Todas (2)", Title: "Todas as guias em PDF", Detail: "2 páginas · 184 KB", Current: true},
		{Index: "1", Label: "Guia 02", Title: "Guia 02 em PDF"}, {Index: "2", Label: "Guia 03", Title: "Guia 03 em PDF"},
	}
	return c
}
