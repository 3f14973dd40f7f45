package main

import (
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
		reply(w, http.StatusOK, fmt.Sprintf(`{"sucesso":"true",
			"erros":[{"descricao":"Aviso do outro serviço","code":"77","field":"observacoes"}],
			"data":[{"pdfRecibo":"%s","autorizacoes":[{"numeroAutorizacao":"1","sucesso":true,"situacao":"A","numeroGuia":880001,
				"senha":"REAL0001","validadeSenha":"2026-12-31","protocolo":"PR1","guiaPrestador":"%s","guiaParceiro":"GP1",
				"numeroSolicitacao":"NS1","guiaId":"guia-sem-uuid","dataAutorizacao":"21/11/2026 10:00","pdfGuiaAutorizacao":"%s",
				"procedimentos":[{"nomeProcedimento":"TSH","codigoProcedimento":"40316521","quantidade":"1","quantidadeAutorizada":1,
					"quantidadeExecutada":0,"senhaAutorizacao":"ITEM1","protocoloAtendimento":"PA1",
					"justificativa":"Uma justificativa","mnemonico":"TSH"}],"erros":["Aviso desta autorização"]}]},
			{"pdfGuia":"%s","autorizacoes":[{"numeroAutorizacao":2,"sucesso":false,"statusAutorizacao":"N","procedimentos":[]}]}]}`,
			inBase64("recibo.pdf"), guide, inBase64("guia-1.pdf"), inBase64("guia-2.pdf")))
	}},
	{"situação nova", func(w http.ResponseWriter, guide string) {
		reply(w, http.StatusOK, `{"sucesso":true,"erros":[],"data":{"autorizacoes":[{"numeroAutorizacao":1,"sucesso":true,
			"situacaoAutorizacao":"Q","numeroGuia":"880002","senha":"REAL0002","validadeSenha":"ontem","guiaPrestador":"`+guide+`",
			"pdfGuiaAutorizacao":"bm90IGEgUERG","erros":{"motivo":"Um objeto só"}}]}}`)
	}},
	{"campos recusados", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusUnprocessableEntity, `{"sucesso":false,"data":null,"erros":[
			{"codigo":"formato","campo":"numeroCarteira","mensagem":"Carteira de outra operadora."},
			{"codigo":"limite","campo":"procedimentos[0].quantidade","mensagem":"Quantidade demais."},"Um erro sem campo"]}`)
	}},
	{"recusado com 200", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusOK, `{"sucesso":false,"erros":[{"qualquer":"coisa","numero":7}],"data":null}`)
	}},
	{"não lê o pedido", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusBadRequest, `{"sucesso":false,"erros":["Corpo ilegível."]}`)
	}},
	{"outro corpo", func(w http.ResponseWriter, _ string) {
		reply(w, http.StatusConflict, `{"sucesso":false,"errosDetalhados":[{"codigo":"corpo_diferente","mensagem":"Já existe."}]}`)
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

func reply(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text))
}

// serveOther starts the other service: paths, fields and lists of its own.
func serveOther() *http.Server {
	mux := http.NewServeMux()
	list := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { reply(w, http.StatusOK, lists.without(text)) })
	}
	list("/entrada", `{"accessToken":"token-de-outro-servico","expiresIn":3600,"refreshToken":"renovacao-de-outro-servico"}`)
	list("/credenciais/token", `{"access_token":"token-de-cliente","token_type":"Bearer","expires_in":3600}`)
	list("/api/v2/recursos", `{"sucesso":true,"data":{"recursos":["cadastros"]}}`)
	list("/api/v2/credenciais", `{"sucesso":true,"erros":[],"data":{"items":[
		{"id":"`+aroeira+`","nome":"Aroeira Planos","codigoPrestador":"550012"},
		{"id":"01970000-0000-7000-8000-0000000000e1","nome":"Operadora do outro serviço","codigoPrestador":"900","exigeBiometria":true}]}}`)
	list("/cadastro/unidades", otherUnits)
	list("/cadastro/medicos", otherExecutants)
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
	otherUnits = `{"sucesso":true,"data":[
		{"unidade_id":"` + centro + `","nome":"Centro","pontos_atendimento":[
			{"ponto_atendimento_id":"` + counter + `","nome":"Balcão 1 do serviço"}|,
			{"ponto_atendimento_id":"01970000-0000-7000-8000-0000000000c4","nome":"Ponto que saiu da lista"}|]},
		{"unidade_id":"01970000-0000-7000-8000-0000000000c1","nome":"Unidade do outro serviço","pontos_atendimento":[
			{"ponto_atendimento_id":"01970000-0000-7000-8000-0000000000c2","nome":"Guichê Sul"}]},|
		{"unidade_id":"01970000-0000-7000-8000-0000000000c3","nome":"Unidade que saiu da lista","pontos_atendimento":[
			{"ponto_atendimento_id":"01970000-0000-7000-8000-0000000000c5","nome":"Único"}]},|
		{"unidade_id":"17","nome":"Sem identificador"}]}`
	otherExecutants = `{"sucesso":true,"data":{"items":[
		{"id":"` + elisa + `","nome":"Dra. Elisa Monteverde","siglaConselho":"CRM","numeroConselho":"88213","uf":"SP",
			"especialidades":[{"id":2,"nome":"Patologia clínica","cbo":"225335"}]},
		{"id":"01970000-0000-7000-8000-0000000000d1","nome":"Executante do outro serviço","siglaConselho":"CRM","numeroConselho":"77123",
			"uf":"SP","especialidades":[{"id":41,"nome":"Ultrassonografia","cbo":null}]}|,
		{"id":"01970000-0000-7000-8000-0000000000d2","nome":"Executante que saiu da lista","siglaConselho":"CRM",
			"numeroConselho":"77124","uf":"SP","especialidades":[{"id":42,"nome":"Radiologia"}]}|]}}`
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
	a, path := w.admin, "/servico/conexao"
	common := values{"servico": "outro", "endereco": "http://" + otherAddress, "enderecoInterno": "S",
		"caminhoUnidades": "/cadastro/unidades", "caminhoExecutantes": "/cadastro/medicos", "usoElegibilidade": "nunca"}
	key := joined(common, values{"metodo": "chave", "chaveApi": "chave-do-outro-servico", "formatoAnexos": "string",
		"origemRecursos": "manual", "recursos.cadastros": "S", "recursos.situacao": "S"})
	a.post(path+"/testar", a.see(path).form(path).with(key))
	a.fill(path, key)
	a.fill(path, joined(common, values{"metodo": "oauth", "clienteId": "cliente-do-outro-servico", "envioCliente": "basic",
		"segredoCliente": "segredo-do-outro-servico", "caminhoToken": "/credenciais/token", "escopo": "autorizacoes:criar"}))
	a.fill(path, joined(common, values{"metodo": "senha", "usuarioServico": "usuario-do-outro-servico",
		"senhaServico": "senha-do-outro-servico", "caminhoLogin": "/entrada", "campoUsuario": "email", "campoSenha": "password",
		"caminhoRenovacao": "", "origemRecursos": "manual", "recursos.cadastros": "S", "maximoArquivos": "9", "maximoArquivo": "14",
		"maximoAnexos": "50", "tempoConexao": "4", "tempoConsulta": "9", "tempoResposta": "50", "prazo": "31"}))
	for _, left := range []bool{false, true} { // what it lists no longer is kept and marked
		lists.left.Store(left)
		a.press("/cadastros/sincronizar", "/cadastros/sincronizar")
	}
	a.press("/cadastros/credenciais", "/cadastros/credenciais/atualizar")
}
