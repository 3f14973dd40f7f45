package apptest

import (
	"net/http"
	"net/url"
	"regexp"
)

var (
	draftAddress = regexp.MustCompile(`/nova/[0-9a-f-]{36}`)
	fileAddress  = regexp.MustCompile(`/anexos/[0-9a-f-]{36}`)
)

// DraftPath opens the form and returns the address at which it saves.
func (c *Client) DraftPath() string {
	c.T.Helper()
	page := c.Get("/nova")
	address := draftAddress.FindString(string(page.Body))
	if address == "" {
		c.T.Fatalf("GET /nova: %d, no form", page.Status)
	}
	return address
}

// NewDraft opens the form and returns its address and a request that is fine as
// it stands, for the credential Aroeira Planos or, elsewhere, the first one.
func (c *Client) NewDraft() (address string, form url.Values) {
	c.T.Helper()
	page := c.Get("/nova")
	address = draftAddress.FindString(string(page.Body))
	if address == "" {
		c.T.Fatalf("GET /nova: %d, no form", page.Status)
	}
	first := func(css string) string { return page.Attr(css+` option[value!=""]`, "value") }
	return address, url.Values{
		"credencialId": {c.Credential("aroeira")}, "numeroCarteira": {"0310 0045 1206 3345"}, "validadeCarteira": {"31/12/2027"},
		"nomeBeneficiario": {"Beneficiária de Teste"}, "nomeSolicitante": {"Solicitante de Teste"},
		"siglaConselhoSolicitante": {"CRM"}, "crmSolicitante": {"104552"}, "ufSolicitante": {"SP"},
		"profissionalExecutanteId": {first("#profissionalExecutanteId")}, "especialidadeExecutanteId": {first("#especialidadeExecutanteId")},
		"unidadeId": {first("#unidadeId")}, "pontoAtendimentoId": {first("#pontoAtendimentoId")},
		"procedimentos[0].codigoProcedimento": {"40316521"}, "procedimentos[0].nomeProcedimento": {"Tireoestimulante, hormônio (TSH)"},
		"procedimentos[0].quantidade": {"1"}, "versao": {"0"},
	}
}

// Credential searches a credential and returns the identifier of the first found.
func (c *Client) Credential(text string) string {
	c.T.Helper()
	return c.PostHTMX("/busca/credenciais", url.Values{"Busca": {text}}).Attr("[role=option]", "data-value")
}

// SetProcedure fills a row of a request's procedures.
func SetProcedure(form url.Values, row, code, name, quantity string) {
	prefix := "procedimentos[" + row + "]."
	form.Set(prefix+"codigoProcedimento", code)
	form.Set(prefix+"nomeProcedimento", name)
	form.Set(prefix+"quantidade", quantity)
}

// Submit reviews and confirms a request, and returns the case's page.
func (c *Client) Submit(address string, form url.Values) *Page {
	c.T.Helper()
	review := c.Post(address+"/revisar", form)
	if review.Status != http.StatusOK || review.Count("#revisao") != 1 {
		c.T.Fatalf("review: %d %s", review.Status, review.Text("#erros"))
	}
	return c.Post(address+"/enviar", nil)
}

// SubmitWith submits a request with some fields changed, and returns the case's
// page.
func (c *Client) SubmitWith(changes map[string]string) *Page {
	c.T.Helper()
	address, form := c.NewDraft()
	return c.Submit(address, With(form, changes))
}

// SubmitWithoutAttachment sends what the service refuses for want of an attachment.
func (c *Client) SubmitWithoutAttachment() (refused *Page, form url.Values) {
	c.T.Helper()
	address, form := c.NewDraft()
	form.Set("credencialId", c.Credential("vale sereno"))
	form.Set("observacoes", "Paciente em jejum")
	SetProcedure(form, "0", "40901122", "US - Abdome total", "1")
	return c.Submit(address, form), form
}

// With returns a form with some fields changed.
func With(form url.Values, changes map[string]string) url.Values {
	changed := Clone(form)
	for name, value := range changes {
		changed.Set(name, value)
	}
	return changed
}

// Clone copies a form.
func Clone(form url.Values) url.Values {
	clone := url.Values{}
	for name, values := range form {
		clone[name] = append([]string(nil), values...)
	}
	return clone
}

// EveryField fills the fields of a request that NewDraft leaves empty.
func EveryField(form url.Values) url.Values {
	for name, value := range map[string]string{
		"planoBeneficiario": "Essencial “Enfermaria” & cia", "atendimentoRN": "S", "nomeRecemNascido": "RN d'Ávila 😀",
		"dataNascimentoRecemNascido": "12/11/26", "pacienteNoLocal": "S", "tipoAcidente": "1", "regimeAtendimento": "U",
		"tipoAtendimento": "23",
		"observacoes":     "linha 1\r\nlinha 2 <b>", "indicacaoClinica": "NEAR( dor", "retorno": "S", "nomeContato": "Contato",
		"dddContato":      "11",
		"telefoneContato": "90000-0000", "emailContato": "contato@example.org",
	} {
		form.Set(name, value)
	}
	SetProcedure(form, "1", "40304361", "Hemograma", "12")
	return form
}

// AttachmentPath is the end of the address of the first attachment on a page, ""
// without one.
func (p *Page) AttachmentPath() string { return fileAddress.FindString(string(p.Body)) }
