package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"
)

// otherAddress is where the other service listens while the folder is filled. It
// stands in the folder; nobody listens there when a test restores it.
const otherAddress = "127.0.0.1:18419"

// scripts are the answers of the other service, by a word of the card.
var scripts = []struct {
	name string
	how  func(w http.ResponseWriter, guide string)
}{
	{"lista de respostas", func(w http.ResponseWriter, guide string) {
		reply(w, http.StatusOK, fmt.Sprintf(`{"sucesso":"true","erros":[{"descricao":"Aviso do outro serviço","code":"77","field":"observacoes"}],"data":[
			{"pdfRecibo":"%s","autorizacoes":[{"numeroAutorizacao":"1","sucesso":true,"situacao":"A","numeroGuia":880001,"senha":"REAL0001","validadeSenha":"2026-12-31",
			"protocolo":"PR1","guiaPrestador":"%s","guiaParceiro":"GP1","numeroSolicitacao":"NS1","guiaId":"guia-sem-uuid","dataAutorizacao":"21/11/2026 10:00",
			"procedimentos":[{"nomeProcedimento":"TSH","codigoProcedimento":"40316521","quantidade":"1","quantidadeAutorizada":1,"quantidadeExecutada":0,
			"senhaAutorizacao":"ITEM1","protocoloAtendimento":"PA1","justificativa":"Uma justificativa","mnemonico":"TSH"}],"erros":["Aviso desta autorização"],"pdfGuiaAutorizacao":"%s"}]},
			{"pdfGuia":"%s","autorizacoes":[{"numeroAutorizacao":2,"sucesso":false,"statusAutorizacao":"N","procedimentos":[]}]}]}`,
			pdfText("recibo.pdf"), guide, pdfText("guia-1.pdf"), pdfText("guia-2.pdf")))
	}},
	{"situação nova", func(w http.ResponseWriter, guide string) {
		reply(w, http.StatusOK, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"Q","numeroGuia":"880002","senha":"REAL0002",
			"validadeSenha":"ontem","guiaPrestador":"`+guide+`","pdfGuiaAutorizacao":"bm90IGEgUERG","erros":{"motivo":"Um objeto só"}}]}}`)
	}},
	{"campos recusados", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusUnprocessableEntity, `{"sucesso":false,"erros":[{"codigo":"formato","campo":"numeroCarteira","mensagem":"Carteira de outra operadora."},
			{"codigo":"limite","campo":"procedimentos[0].quantidade","mensagem":"Quantidade demais."},"Um erro sem campo"],"data":null}`)
	}},
	{"recusado com 200", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusOK, `{"sucesso":false,"erros":[{"qualquer":"coisa","numero":7}],"data":null}`)
	}},
	{"não lê o pedido", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusBadRequest, `{"sucesso":false,"erros":["Corpo ilegível."]}`)
	}},
	{"outro corpo", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusConflict, `{"sucesso":false,"erros":["Já existe."],"errosDetalhados":[{"codigo":"corpo_diferente","mensagem":"Já existe."}]}`)
	}},
	{"erro interno", func(w http.ResponseWriter, _ string) { reply(w, http.StatusInternalServerError, `{"sucesso":false}`) }},
	{"página em vez de JSON", func(w http.ResponseWriter, _ string) { reply(w, http.StatusOK, `<html>manutenção</html>`) }},
	{"sem autorização", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusOK, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[]}}`)
	}},
	{"sim e não", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusUnprocessableEntity, `{"sucesso":true,"data":null}`)
	}},
	{"corte", func(w http.ResponseWriter, _ string) {
		w.Header().Set("Content-Length", "500")
		reply(w, http.StatusOK, `{"sucesso":true,`)
		panic(http.ErrAbortHandler)
	}},
	{"sem vaga", func(w http.ResponseWriter, _ string) {
		w.Header().Set("Retry-After", "1200")
		reply(w, http.StatusServiceUnavailable, `{"sucesso":false}`)
	}},
	{"espera longa", func(w http.ResponseWriter, _ string) {
		w.Header().Set("Retry-After", "1200")
		reply(w, http.StatusTooManyRequests, `{"sucesso":false}`)
	}},
	{"em processamento", func(w http.ResponseWriter, _ string) {
		w.Header().Set("Retry-After", "1200")
		reply(w, http.StatusConflict, `{"sucesso":false,"errosDetalhados":[{"codigo":"em_processamento"}]}`)
	}},
	{"acesso recusado", func(w http.ResponseWriter, _ string) { reply(w, http.StatusForbidden, `{"sucesso":false}`) }},
	{"nunca responde", func(http.ResponseWriter, string) { time.Sleep(time.Minute) }},
}

// waits are the scripts after which a case is still on its way.
var waits = []string{"sem vaga", "espera longa", "em processamento", "acesso recusado", "nunca responde"}

// otherAnswers are the scripts after which a case is settled.
func otherAnswers() (names []string) {
	for _, s := range scripts {
		if !slices.Contains(waits, s.name) {
			names = append(names, s.name)
		}
	}
	return names
}

// otherCard is the card that makes the other service answer by a script.
func otherCard(name string) string {
	for i, s := range scripts {
		if s.name == name {
			return fmt.Sprintf("7000%02d00000001", i)
		}
	}
	panic(name)
}

func pdfText(name string) string { return base64.StdEncoding.EncodeToString(sample(name)) }

func reply(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}

// serveOther starts the other service: paths, fields and lists of its own.
func serveOther() *http.Server {
	mux := http.NewServeMux()
	list := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, text) })
	}
	list("/entrada", `{"accessToken":"token-de-outro-servico","expiresIn":3600,"refreshToken":"renovacao-de-outro-servico"}`)
	list("/credenciais/token", `{"access_token":"token-de-cliente","token_type":"Bearer","expires_in":3600}`)
	list("/api/v2/recursos", `{"sucesso":true,"data":{"recursos":["cadastros"]}}`)
	list("/api/v2/credenciais", `{"sucesso":true,"erros":[],"data":{"items":[{"id":"`+aroeira+`","nome":"Aroeira Planos","codigoPrestador":"550012"},
		{"id":"01970000-0000-7000-8000-0000000000e1","nome":"Operadora do outro serviço","codigoPrestador":"900","exigeBiometria":true}]}}`)
	mux.HandleFunc("/cadastro/unidades", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, lists.without(otherUnits)) })
	mux.HandleFunc("/cadastro/medicos", func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, lists.without(otherExecutants)) })
	mux.HandleFunc("/api/v2/autorizar/sp-sadt", func(w http.ResponseWriter, r *http.Request) {
		var in struct{ NumeroCarteira, GuiaPrestador string }
		check(json.NewDecoder(r.Body).Decode(&in))
		for _, s := range scripts {
			if strings.HasPrefix(in.NumeroCarteira, otherCard(s.name)[:6]) {
				s.how(w, in.GuiaPrestador)
			}
		}
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	listener := must(net.Listen("tcp", otherAddress))
	go func() { _ = server.Serve(listener) }()
	return server
}

// Lists of the other service: they know the unit and the executant of the requests,
// add one each, and lack the rest. What stands between the bars is on them at first
// and later no longer.
const (
	otherUnits = `{"sucesso":true,"data":[{"unidade_id":"` + centro + `","nome":"Centro","pontos_atendimento":[{"ponto_atendimento_id":"` + counter + `","nome":"Balcão 1 do serviço"}|,
			{"ponto_atendimento_id":"01970000-0000-7000-8000-0000000000c4","nome":"Ponto que saiu da lista"}|]},
		{"unidade_id":"01970000-0000-7000-8000-0000000000c1","nome":"Unidade do outro serviço","pontos_atendimento":[{"ponto_atendimento_id":"01970000-0000-7000-8000-0000000000c2","nome":"Guichê Sul"}]},|
		{"unidade_id":"01970000-0000-7000-8000-0000000000c3","nome":"Unidade que saiu da lista","pontos_atendimento":[{"ponto_atendimento_id":"01970000-0000-7000-8000-0000000000c5","nome":"Único"}]},|
		{"unidade_id":"17","nome":"Sem identificador"}]}`
	otherExecutants = `{"sucesso":true,"data":{"items":[{"id":"` + elisa + `","nome":"Dra. Elisa Monteverde","siglaConselho":"CRM","numeroConselho":"88213","uf":"SP",
		"especialidades":[{"id":2,"nome":"Patologia clínica","cbo":"225335"}]},{"id":"01970000-0000-7000-8000-0000000000d1","nome":"Executante do outro serviço",
		"siglaConselho":"CRM","numeroConselho":"77123","uf":"SP","especialidades":[{"id":41,"nome":"Ultrassonografia","cbo":null}]}|,
		{"id":"01970000-0000-7000-8000-0000000000d2","nome":"Executante que saiu da lista","siglaConselho":"CRM","numeroConselho":"77124","uf":"SP",
		"especialidades":[{"id":42,"nome":"Radiologia"}]}|]}}`
)

// lists are the lists as they are now.
var lists otherLists

type otherLists struct{ left atomic.Bool }

func (l *otherLists) without(text string) string {
	parts := strings.Split(text, "|")
	for i := range parts {
		if i%2 == 1 && l.left.Load() {
			parts[i] = ""
		}
	}
	return strings.Join(parts, "")
}

// otherService connects the desk to it, by each method in turn, and takes its
// lists.
func (w *world) otherService() {
	a := w.admin
	common := values{"servico": "outro", "endereco": "http://" + otherAddress, "enderecoInterno": "S", "caminhoUnidades": "/cadastro/unidades",
		"caminhoExecutantes": "/cadastro/medicos", "usoElegibilidade": "nunca"}
	key := joined(common, values{"metodo": "chave", "chaveApi": "chave-do-outro-servico", "formatoAnexos": "string", "origemRecursos": "manual",
		"recursos.cadastros": "S", "recursos.situacao": "S"})
	a.post("/servico/conexao/testar", a.see("/servico/conexao").form("/servico/conexao").with(key))
	a.submit("/servico/conexao", "/servico/conexao", key)
	a.submit("/servico/conexao", "/servico/conexao", joined(common, values{"metodo": "oauth", "clienteId": "cliente-do-outro-servico",
		"segredoCliente": "segredo-do-outro-servico", "caminhoToken": "/credenciais/token", "escopo": "autorizacoes:criar", "envioCliente": "basic"}))
	a.submit("/servico/conexao", "/servico/conexao", joined(common, values{"metodo": "senha", "usuarioServico": "usuario-do-outro-servico",
		"senhaServico": "senha-do-outro-servico", "caminhoLogin": "/entrada", "campoUsuario": "email", "campoSenha": "password", "caminhoRenovacao": "",
		"origemRecursos": "manual", "recursos.cadastros": "S", "maximoArquivos": "9", "maximoArquivo": "14", "maximoAnexos": "50",
		"tempoConexao": "4", "tempoConsulta": "9", "tempoResposta": "50", "prazo": "31"}))
	for _, left := range []bool{false, true} { // what it lists no longer is kept and marked
		lists.left.Store(left)
		seen := a.see("/cadastros/sincronizar")
		a.post("/cadastros/sincronizar", seen.form("/cadastros/sincronizar").with(nil))
	}
	a.press("/cadastros/credenciais", "/cadastros/credenciais/atualizar")
}

// serviceAlone is what happens in the console of a service without a desk, and at
// operators that fail by now.
func (w *world) serviceAlone() {
	a := w.admin
	a.submit("/servico/unidades/nova", "/servico/unidades/nova", values{"nome": "Unidade do serviço", "pontosAtendimento[0].nome": "Ponto do serviço",
		"pontosAtendimento[1].nome": "Ponto desligado"})
	unit := w.entry("/servico/unidades", "Unidade do serviço")
	a.submit(unit, unit, values{"nome": "Unidade do serviço, renomeada", "pontosAtendimento[1].ativo": nil})
	a.press(unit, unit+"/desativar")
	a.press(unit, unit+"/reativar")
	w.turnOff("/servico/unidades", "Unidade das Palmeiras")
	a.submit("/servico/profissionais/novo", "/servico/profissionais/novo", values{"nome": "Profissional do serviço", "siglaConselho": "CRM", "numeroConselho": "5",
		"uf": "MG", "especialidades[0].nome": "Dermatologia", "especialidades[0].id": "21", "especialidades[1].nome": "Alergia", "especialidades[1].id": "22"})
	professional := w.entry("/servico/profissionais", "Profissional do serviço")
	a.submit(professional, professional, values{"especialidades[1].ativo": nil})
	a.press(professional, professional+"/desativar")
	a.press(professional, professional+"/reativar")
	w.turnOff("/servico/profissionais", "Executante sem conselho")
	for i, kind := range []string{"anexos", "anexos"} {
		items := w.find(fmt.Sprintf("P-2%03d", i))
		w.send(&call{Name: fmt.Sprintf("ato que falhou %d", i), Path: "/api/v2/autorizacoes/" + text(items[0].(map[string]any), "guiaId") + "/" + kind, Access: "viva",
			Key: fmt.Sprintf("ato-falho-%d", i), Body: map[string]any{"anexos": []any{pdfText("falho.pdf")}}, Later: true})
	}
	w.checkTrail()
}

// checkTrail has the audit trail read and checked.
func (w *world) checkTrail() {
	w.admin.press("/auditoria", "/auditoria/conferir")
	w.admin.submit("/auditoria", "/auditoria", values{"evento": "entrada.feita"})
	row := w.admin.see("/servico/registro").Find("tbody a").First().AttrOr("href", "")
	w.admin.see(row)
}
