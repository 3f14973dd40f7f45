package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
)

// call is a request of a partner's program. Those with a name stand in
// requests.json, so that a test repeats them.
type call struct {
	Name   string         `json:"name"`
	Method string         `json:"method,omitempty"` // POST where it is empty
	Path   string         `json:"path"`
	Access string         `json:"access"`        // a name of access.json: of a key, or else of a token
	Key    string         `json:"key,omitempty"` // Idempotency-Key
	Body   map[string]any `json:"body,omitempty"`
	Later  bool           `json:"later,omitempty"` // nobody knows its answer yet: the service looks it up when it is repeated
}

// send sends a request and returns its answer.
func (w *world) send(c *call) map[string]any {
	res := must(http.DefaultClient.Do(w.request(c)))
	if c.Name != "" {
		w.requests = append(w.requests, c)
	}
	return decode(res)
}

func (w *world) request(c *call) *http.Request {
	method := http.MethodPost
	if c.Method != "" {
		method = c.Method
	}
	r := must(http.NewRequest(method, w.p.url+c.Path, bytes.NewReader(must(json.Marshal(c.Body)))))
	r.Header.Set("Content-Type", "application/json")
	if c.Key != "" {
		r.Header.Set("Idempotency-Key", c.Key)
	}
	if key, ok := w.known.Keys[c.Access]; ok {
		r.Header.Set("X-Api-Key", key)
	} else if c.Access != "" {
		r.Header.Set("Authorization", "Bearer "+w.known.Tokens[c.Access])
	}
	return r
}

func decode(res *http.Response) map[string]any {
	defer res.Body.Close()
	body := must(io.ReadAll(res.Body))
	var out map[string]any
	if err := json.Unmarshal(body, &out); err != nil {
		panic(fmt.Sprintf("%s: %s", res.Status, body))
	}
	return out
}

func text(o map[string]any, name string) string {
	s, _ := o[name].(string)
	return s
}

// Identifiers of the demo's lists.
const (
	aroeira     = "4b7abb0e-90b2-5d46-9fe7-d18212f17b0c"
	centro      = "9c74aad8-aff4-5166-b8a0-621f32468100"
	counter     = "6c83950a-b6a1-5456-b388-5d4e8fb85f79"
	jardim      = "20470079-2686-5b3f-b4ff-e7a6b99e3d91"
	jardimPoint = "1654296d-4635-52ff-8d9f-77a95aba3930"
	elisa       = "2281c10f-88ef-5715-8c0a-c28b41ffc08d"
	tsh         = "40316521"
	imageOf     = "40901122"
	toAuthorize = "/api/v2/autorizar/sp-sadt"
	toAccept    = "/api/v1/solicitacao"
)

// body is the least that an authorization request says, and more over it.
func body(card, guide string, more map[string]any) map[string]any {
	b := map[string]any{
		"credencialId": aroeira, "numeroCarteira": card, "nomeBeneficiario": "Beneficiária do parceiro",
		"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"unidadeId": centro, "pontoAtendimentoId": counter, "profissionalExecutanteId": elisa, "especialidadeExecutanteId": 2,
		"procedimentos": []any{map[string]any{"codigoProcedimento": tsh, "nomeProcedimento": "TSH", "quantidade": 1}},
	}
	if guide != "" {
		b["guiaPrestador"] = guide
	}
	maps.Copy(b, more)
	return b
}

// fullBody gives every property of the specification's 2.3.
func fullBody(card, guide string) map[string]any {
	return body(card, guide, map[string]any{
		"validadeCarteira": "2027-12-31T00:00:00", "planoBeneficiario": "Plano Ipê", "atendimentoRN": "S",
		"nomeRecemNascido": "Recém-nascido do parceiro", "dataNascimentoRecemNascido": "2026-11-20T00:00:00", "pacienteNoLocal": "S",
		"tipoAcidente": "2", "regimeAtendimento": "U", "tipoAtendimento": "04", "observacoes": "Observação com acento,\ne outra linha.",
		"indicacaoClinica": "Indicação do parceiro", "retorno": "S",
		"anexos": []any{
			inBase64("so-texto.pdf"),
			map[string]any{"base64": inBase64("pedido.png"), "name": "pedido.png", "contentType": "image/png"},
			map[string]any{"conteudo": inBase64("laudo.pdf"), "nome": "laudo.pdf", "tipo": "application/pdf"},
		},
		"procedimentos": []any{
			map[string]any{"codigoProcedimento": tsh, "nomeProcedimento": "TSH", "quantidade": 2},
			map[string]any{"codigoProcedimento": imageOf, "nomeProcedimento": "US - Abdome total", "quantidade": 1},
		},
		"nomeContato": "Contato do parceiro", "dddContato": "11", "telefoneContato": "40000000",
		"emailContato": "contato@exemplo.com.br",
	})
}

func inBase64(name string) string { return base64.StdEncoding.EncodeToString(sample(name)) }

// wrapped is a body as it is accepted to be decided afterwards.
func wrapped(body map[string]any) map[string]any { return map[string]any{"solicitacao": body} }

// authorize asks for an authorization.
func (w *world) authorize(name string, c call) {
	c.Name, c.Path = name, toAuthorize
	w.send(&c)
}

// partnerRequests sends what the simulated operators answer in each way, by every
// method of access, and does what a partner does afterwards.
func (w *world) partnerRequests() {
	w.authorize("autorizada com tudo", call{Access: "viva", Key: "chave-1", Body: fullBody("99990100001", "P-0001")})
	w.authorize("só com guia", call{Access: "de usuário", Body: body("99990400004", "P-0002", nil)})
	w.authorize("só com chave", call{Access: "de cliente", Key: "chave-3", Body: body("99990400005", "", nil)})
	empty := map[string]any{"observacoes": nil, "indicacaoClinica": "", "anexos": []any{}}
	for i, card := range []string{"99990400001", "99991000001", "99991200001", "99992100001"} {
		guide := fmt.Sprintf("P-01%02d", i)
		w.authorize("sem guia, carteira "+card, call{Access: "com prazo", Key: "chave-" + guide, Body: body(card, guide, empty)})
	}
	w.authorize("operadora falhou", call{Access: "viva", Key: "chave-5", Body: body("99992200001", "P-0022", nil)})
	slow := map[string]any{"credencialId": w.credentialID("Operadora lenta")}
	w.authorize("fora do tempo, achada depois", call{Access: "viva", Key: "chave-6", Body: body("99992300001", "P-0023", slow)})
	w.find("P-0023")
	whole := fullBody("99992300002", "P-0024")
	maps.Copy(whole, slow)
	w.authorize("fora do tempo", call{Access: "viva", Key: "chave-7", Body: whole, Later: true})
	indicated := map[string]any{"credencialId": w.credentialID("Vale Sereno")}
	w.authorize("indicação da credencial", call{Access: "viva", Body: body("99990400002", "P-0025", indicated)})
	w.followed(slow)
	w.acts()
	w.accepted()
}

// credentialID is the identifier of a credential of the service, as its search
// gives it.
func (w *world) credentialID(name string) string {
	answer := w.send(&call{Method: http.MethodGet, Path: "/api/v2/credenciais", Access: "viva"})
	for _, item := range answer["data"].(map[string]any)["items"].([]any) {
		if item := item.(map[string]any); item["nome"] == name {
			return text(item, "id")
		}
	}
	panic("no credential " + name)
}

// find asks for the authorizations of a guide number.
func (w *world) find(guide string) []any {
	answer := w.send(&call{Method: http.MethodGet, Path: "/api/v2/autorizacoes?guiaPrestador=" + guide, Access: "viva"})
	data, _ := answer["data"].(map[string]any)
	items, _ := data["items"].([]any)
	return items
}

// reach waits until the first authorization of a guide number has a status, and
// returns its identifier.
func (w *world) reach(guide, status string) (id string) {
	eventually(guide+" reaches "+status, func() bool {
		items := w.find(guide)
		if len(items) == 0 {
			return false
		}
		first := items[0].(map[string]any)
		id = text(first, "guiaId")
		return text(first, "situacaoAutorizacao")+text(first, "statusAutorizacao") == status
	})
	return id
}

// followed are authorizations that go on by themselves.
func (w *world) followed(slow map[string]any) {
	several := map[string]any{"procedimentos": []any{map[string]any{"codigoProcedimento": tsh, "nomeProcedimento": "TSH", "quantidade": 3}}}
	w.authorize("seguida até Z", call{Access: "viva", Key: "chave-9", Body: body("99992500001", "P-1000", several)})
	w.authorize("seguida até P", call{Access: "viva", Key: "chave-10", Body: body("99992600001", "P-1001", several)})
	w.reach("P-1000", "Z")
	w.reach("P-1001", "P")
	for i, card := range []string{"99993400001", "99993500001"} { // for acts that will fail
		w.authorize("falta anexo "+card, call{Access: "viva", Body: body(card, fmt.Sprintf("P-2%03d", i), slow)})
	}
}

// acts are what a partner does to authorizations.
func (w *world) acts() {
	act := func(name, access, id, kind, key string, body map[string]any) {
		w.send(&call{Name: name, Path: "/api/v2/autorizacoes/" + id + "/" + kind, Access: access, Key: key, Body: body})
	}
	files := map[string]any{"anexos": []any{
		map[string]any{"base64": inBase64("justificativa.pdf"), "name": "justificativa.pdf", "contentType": "application/pdf"},
		inBase64("sem-nome.png"),
	}}
	captures := func(kind string) map[string]any {
		capture := map[string]any{"tipo": kind, "conteudo": "AAECAwQ=", "dispositivo": "leitor de teste"}
		return map[string]any{"biometrias": []any{capture}}
	}
	w.authorize("falta anexo", call{Access: "viva", Body: body("99990900001", "P-3001", nil)})
	id := w.reach("P-3001", "S")
	act("anexos enviados", "viva", id, "anexos", "ato-1", files)
	w.reach("P-3001", "A")
	w.authorize("falta biometria", call{Access: "viva", Body: body("99993000001", "P-3002", nil)})
	id = w.reach("P-3002", "H")
	act("biometria inválida", "de usuário", id, "biometria", "ato-2", captures("digital"))
	act("biometria aceita", "com prazo", id, "biometria", "ato-3", captures("facial"))
	act("cancelamento com motivo", "de cliente", id, "cancelamento", "ato-4", map[string]any{"motivo": "O exame foi desmarcado."})
	w.reach("P-3002", "C")
	w.send(&call{Path: "/api/v2/autorizacoes/" + id + "/anexos", Access: "viva", Body: files}) // 409: it is cancelled
}

// accepted are requests that are decided after they were taken.
func (w *world) accepted() {
	for i, card := range []string{"99990100005", "99990400003", "99992100002"} {
		guide := fmt.Sprintf("P-4%03d", i)
		w.send(&call{Name: "solicitação " + guide, Path: toAccept, Access: "de cliente", Key: "chave-" + guide,
			Body: wrapped(body(card, guide, nil))})
	}
	w.reach("P-4000", "A")
	w.reach("P-4001", "N")
	w.reach("P-4002", "N")
}
