package main

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"

	"github.com/PuerkitoBio/goquery"
)

var draftAddress = regexp.MustCompile(`/nova/[0-9a-f-]{36}`)

// request is what a receptionist types.
type request struct {
	name, card string
	more       values
	files      []string
}

// draft types a request and leaves it as a draft.
func (v *person) draft(r request) (address string, form url.Values) {
	p := v.see("/nova")
	address = draftAddress.FindString(must(p.Html()))
	form = p.form(address).with(values{
		"credencialId": aroeira, "numeroCarteira": r.card, "nomeBeneficiario": r.name, "nomeSolicitante": "Dr. Caio Leme",
		"crmSolicitante": "104552", "ufSolicitante": "SP", "profissionalExecutanteId": elisa, "especialidadeExecutanteId": "2",
		"unidadeId": centro, "pontoAtendimentoId": counter,
	})
	form = sent(form).with(joined(procedure(0, tsh, "Tireoestimulante, hormônio (TSH)", "1"), r.more))
	form.Set("acao", "rascunho")
	v.post(address, form)
	for _, name := range r.files {
		v.attach(address, url.Values{}, name)
	}
	return address, v.see(address).form(address).with(nil)
}

// procedure is a row of procedures as typed.
func procedure(row int, code, name, quantity string) values {
	prefix := fmt.Sprintf("procedimentos[%d].", row)
	return values{prefix + "codigoProcedimento": code, prefix + "nomeProcedimento": name, prefix + "quantidade": quantity}
}

// ask sends a request and returns the path of its case.
func (v *person) ask(r request) string {
	address, form := v.draft(r)
	return v.sendDraft(address, form)
}

func (v *person) sendDraft(address string, form url.Values) string {
	review := v.post(address+"/revisar", form)
	if review.Find("#revisao").Length() == 0 {
		panic("not reviewed: " + review.text("#erros, main"))
	}
	path := v.leave(address+"/enviar", url.Values{})
	if !strings.HasPrefix(path, "/casos/") {
		panic("not sent, but led to " + path)
	}
	return path
}

// full types every field.
var full = request{"Caso com todos os campos", "9999 1900 0010 0001", joined(values{
	"validadeCarteira": "31/12/2027", "planoBeneficiario": "Plano Ipê", "atendimentoRN": "S", "nomeRecemNascido": "Recém-nascido do caso",
	"dataNascimentoRecemNascido": "20/11/2026", "pacienteNoLocal": "S", "tipoAcidente": "2", "regimeAtendimento": "U",
	"tipoAtendimento": "04", "observacoes": "Observação com acento,\r\ne outra linha.", "indicacaoClinica": "Indicação da recepção",
	"retorno": "S", "nomeContato": "Contato do caso", "dddContato": "11", "telefoneContato": "40000000",
	"emailContato": "contato@exemplo.com.br", "procedimentos[0].quantidade": "3",
}, procedure(1, imageOf, "US - Abdome total", "1"), procedure(2, "00099999", "Procedimento digitado à mão", "999")),
	[]string{"pedido médico.pdf", "carteira.png", "laudo anterior.jpg"}}

// embeddedCases are what a receptionist sends to the service inside: one of each
// status, and what else the simulated operators answer.
func (w *world) embeddedCases() {
	v := w.logIn("ana")
	authorized := v.ask(full)
	for i, status := range []string{"A", "Z", "R", "N", "K", "C", "P", "E", "S", "M", "I", "Ç", "H", "T", "X", "V", "W", "-"} {
		card := fmt.Sprintf("9999%02d00020001", i+1)
		if status == "A" {
			card = "99992000020001" // with a warning
		}
		v.ask(request{"Situação " + status, card, values{"procedimentos[0].quantidade": "2"}, nil})
	}
	refused := v.ask(request{"Recusado pela operadora", "99992100020001", nil, []string{"recusado.pdf"}})
	v.correct(refused, values{"nomeBeneficiario": "Recusado, corrigido e negado", "numeroCarteira": "99990400020002"})
	v.correct(authorized, values{"nomeBeneficiario": "Cópia de um autorizado, negada", "numeroCarteira": "99990400020003"})
	w.drafts(v, refused)
	v.download(v.see(authorized).Find(`a[href*="/guias/"]`).First().AttrOr("href", ""))
	v.download(v.see(authorized).Find(`a[href*="/anexos/"]`).First().AttrOr("href", ""))
	v.post("/busca/credenciais", url.Values{"Busca": {"sil"}})
	there := values{"unidadeId": jardim, "pontoAtendimentoId": jardimPoint}
	w.logIn("bento").ask(request{"Caso do Jardim", "99990400020004", there, nil})
}

// correct copies a case, changes the copy and sends it.
func (v *person) correct(path string, typed values) string {
	p := v.press(path, path+"/copiar")
	return v.sendDraft(p.path, p.form(p.path).with(typed))
}

// drafts are left in every state.
func (w *world) drafts(v *person, refused string) {
	v.draft(request{"", "", values{"nomeBeneficiario": "Rascunho só com o nome"}, nil})
	v.draft(request{"Rascunho com todos os campos", "como foi digitado: 31-12", joined(full.more, values{
		"validadeCarteira": "31/13/27", "procedimentos[0].quantidade": "muitos"}), []string{"rascunho.pdf", "rascunho.png"}})
	v.press(refused, refused+"/copiar")
	discarded, form := v.draft(request{"Rascunho descartado", "1", nil, []string{"descartado.pdf"}})
	v.post(discarded+"/descartar", form)
	celia := w.logIn("celia")
	celia.draft(request{"Rascunho da supervisão", "2", nil, nil})
	celia.ask(request{"Caso da supervisão", "99990400020005", nil, nil})
}

// filters are kept by searching the history.
func (w *world) filters() {
	celia, ana := w.logIn("celia"), w.logIn("ana")
	keep := func(v *person, typed values) {
		name := fmt.Sprintf("%s %02d", v.login, len(w.known.Filters)+1)
		w.known.Filters[name] = v.fill("/historico", typed).path
	}
	for _, typed := range []values{{"texto": "situação"}, {"texto": "9999 1900"}, {"situacao": "A"}, {"operadora": aroeira},
		{"unidade": centro}, {"de": "01/11/2026", "ate": "31/12/2027"}} {
		keep(celia, typed)
	}
	keep(ana, values{"texto": "guias", "de": "01/11/2026", "unidade": centro})
	options := celia.see("/historico")
	for _, name := range []string{"situacao", "usuario"} {
		options.Find(`select[name=` + name + `] option`).Each(func(i int, o *goquery.Selection) {
			if value := o.AttrOr("value", ""); value != "" && i%6 == 1 {
				keep(celia, values{name: value})
			}
		})
	}
}

// otherCases are what another service answers: everything that the one inside does
// not say.
func (w *world) otherCases() {
	v := w.logIn("ana")
	for _, name := range otherAnswers() {
		v.ask(request{"Outro serviço: " + name, otherCard(name), nil, nil})
	}
}

// lateCases never leave, or leave without an end, before their short deadline and
// the short time for an answer.
func (w *world) lateCases(other *http.Server) {
	v := w.logIn("ana")
	var all []string
	late := func(name string) {
		all = append(all, v.ask(request{"Fora do prazo: " + name, otherCard(name), nil, nil}))
	}
	late("em processamento")
	late("nunca responde")
	check(other.Close())
	late("espera longa")
	for _, path := range all {
		eventually(path+" is over", func() bool { return v.see(path).Find("#caso[hx-get]").Length() == 0 })
	}
}

// waitingCases are in the queue when the program ends, but for the one that was
// taken out of it.
func (w *world) waitingCases() {
	v := w.logIn("ana")
	for _, name := range []string{"espera longa", "sem vaga", "em processamento"} {
		v.ask(request{"Na fila: " + name, otherCard(name), nil, nil})
	}
	held := v.ask(request{"Na fila: acesso recusado", otherCard("acesso recusado"), nil, nil})
	w.admin.press("/servico/conexao", "/servico/conexao") // gives it another chance
	eventually("it is held again", func() bool { return strings.Count(v.see(held).text("#tempo"), "Envio suspenso") == 2 })
	out := v.ask(request{"Retirado da fila", otherCard("espera longa"), nil, []string{"retirado.pdf"}})
	v.press(out, out+"/retirar")
	v.press(out, out+"/copiar")
	v.sendUnanswered("Sem resposta quando o programa parou")
}

// sendUnanswered sends what is still on the wire when it returns.
func (v *person) sendUnanswered(name string) {
	path := v.ask(request{name, otherCard("nunca responde"), nil, nil})
	eventually("it is on the wire", func() bool { return strings.Contains(v.see(path).text("#veredito"), "Enviando") })
}

// interruptedCases are on the wire, and at their operator, when the process is
// killed.
func (w *world) interruptedCases() {
	slow := map[string]any{"credencialId": w.credentialID("Operadora demorada")}
	for i := range 6 { // more than are asked at once
		guide := fmt.Sprintf("P-5%03d", i)
		c := &call{Path: toAccept, Access: "viva", Key: "chave-" + guide, Body: wrapped(body("99993800001", guide, slow))}
		if i == 0 || i == 5 {
			c.Name = "não decidida " + guide
		}
		w.send(c)
	}
	c := &call{Name: "interrompida", Access: "viva", Key: "chave-8", Body: body("99992300004", "P-6000", slow), Later: true}
	c.Path = toAuthorize
	w.requests = append(w.requests, c)
	var left sync.WaitGroup
	left.Go(func() {
		defer func() { _ = recover() }() // the process is killed
		w.send(&call{Path: c.Path, Access: c.Access, Key: c.Key, Body: c.Body})
	})
	eventually("the request is in the ledger", func() bool {
		return strings.Contains(w.admin.see("/servico/registro").text("main"), "P-6000")
	})
	w.logIn("ana").sendUnanswered("A caminho quando o programa parou")
}
