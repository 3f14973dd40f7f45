package conformance

import (
	"bytes"
	"encoding/base64"
	"encoding/json"

	"guiche/internal/document"
)

func section2_5() []Check {
	return []Check{
		sentence("TopLevel", "Top level: sucesso (boolean), erros (array), data (object).", func(c *Case) {
			a := c.full()
			for _, f := range []field{{"sucesso", flag, true, ""}, {"erros", list, true, ""}, {"data", aObject, true, ""}} {
				c.field(f, 0, a.doc)
			}
		}),
		sentence("Entries", "autorizacoes: array, one entry per authorization.", func(c *Case) {
			for _, a := range c.authorizations() {
				c.holdsObjects(a, "data.autorizacoes")
			}
		}),
		sentence("SuccessOfAuthorized", "sucesso: success of this authorization; A: authorized.", func(c *Case) {
			for i, entry := range c.full().entries() {
				if entry["situacaoAutorizacao"] == "A" && entry["sucesso"] != true {
					c.errorf("sucesso of the authorized entry %d is %s", i+1, quote(entry["sucesso"]))
				}
			}
		}),
		sentence("EntryPerAuthorization", "autorizacoes: array, one entry per authorization.", entryPerAuthorization),
		sentence("EveryEntry", "autorizacoes: an entry of each has what an answer cannot be understood without.", func(c *Case) {
			for _, a := range c.authorizations() {
				for i, entry := range a.entries() {
					c.needed(entryFields, i, entry)
					for i, result := range (answer{doc: entry}).objects("procedimentos") {
						c.needed(resultFields, i, result)
					}
				}
			}
		}),
		sentence("AggregatedPDF", "pdfGuia: string, base64; aggregated PDF, present when there is more than one guide.", func(c *Case) {
			c.pdf("pdfGuia", c.twoGuides().string("data.pdfGuia"))
		}),
		sentence("AggregatedPDFHasAll", "pdfGuia: aggregated PDF, when there is more than one guide.", aggregatedPDFHasAll),
		sentence("SequenceNumbers", "numeroAutorizacao: sequence number of the authorization.", func(c *Case) {
			for i, entry := range c.twoGuides().entries() {
				if entry["numeroAutorizacao"] != json.Number(quote(i+1)) {
					c.errorf("numeroAutorizacao is %s in entry %d", quote(entry["numeroAutorizacao"]), i+1)
				}
			}
		}),
		sentence("GuideIsAPDF", "pdfGuiaAutorizacao: PDF of this guide.", func(c *Case) {
			for _, entry := range c.full().entries() {
				guide, _ := entry["pdfGuiaAutorizacao"].(string)
				if guide == "" {
					c.untried("the authorization came without its guide, which is optional (1.3)")
				}
				c.pdf("pdfGuiaAutorizacao", guide)
			}
		}),
		sentence("GuideOfItsOwn", "guiaId: guide identifier; pdfGuiaAutorizacao: PDF of this guide.", func(c *Case) {
			for _, name := range []string{"guiaId", "pdfGuiaAutorizacao"} {
				seen := map[string]bool{}
				for i, entry := range c.twoGuides().entries() {
					value, _ := entry[name].(string)
					if seen[value] && value != "" {
						c.errorf("%s of entry %d is that of another entry", name, i+1)
					}
					seen[value] = true
				}
			}
		}),
	}
}

// holdsObjects fails unless a list has objects and nothing else.
func (c *Case) holdsObjects(a answer, path string) {
	if items, ok := a.at(path).([]any); !ok || len(items) != len(a.objects(path)) {
		c.errorf("%s is %s, want objects: %s", path, quote(a.at(path)), a.told())
	}
}

// needed checks the fields without which an answer cannot be understood.
func (c *Case) needed(fields []field, i int, o object) {
	for _, f := range fields {
		if f.needed {
			c.field(f, i, o)
		}
	}
}

// entryPerAuthorization checks that an answer with two guides has both, and with them
// all that was asked for.
func entryPerAuthorization(c *Case) {
	a := c.twoGuides()
	if n := len(a.entries()); n < 2 {
		c.errorf("autorizacoes has %d entry for card_two_guides, which is answered with two guides", n)
	}
	c.answersAll(a, c.cache.bodies["two guides"])
}

// aggregatedPDFHasAll compares the pages of the aggregated PDF with those of the
// guides in it, as far as either can be counted.
func aggregatedPDFHasAll(c *Case) {
	a := c.twoGuides()
	all := a.string("data.pdfGuia")
	want := 0
	for i, entry := range a.entries() {
		guide, _ := entry["pdfGuiaAutorizacao"].(string)
		if guide != "" && guide == all {
			c.errorf("pdfGuia is the guide of entry %d alone", i+1)
		}
		want += pages(guide)
	}
	if got := pages(all); got > 0 && got < want {
		c.errorf("pdfGuia has %d pages, the guides together %d", got, want)
	}
}

// pages counts the pages of a PDF in base64, 0 when nobody can tell.
func pages(text string) int {
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return 0
	}
	info, err := document.Check(bytes.NewReader(content), "guia.pdf", document.Limits{MaxFile: int64(len(content))})
	if err != nil {
		return 0
	}
	return info.Pages
}

// pdf checks that a text is a whole PDF in base64.
func (c *Case) pdf(name, text string) {
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !bytes.HasPrefix(content, []byte("%PDF-")) || !bytes.Contains(content[max(0, len(content)-1024):], []byte("%%EOF")) {
		c.errorf("%s is no whole PDF in base64 (%d characters)", name, len(text))
	}
}

var entryFields = []field{
	{"numeroAutorizacao", integer, true, "sequence number of the authorization"},
	{"sucesso", flag, true, "success of this authorization"},
	{"validadeSenha", dateTime, false, "validity of the password"},
	{"procedimentos", list, true, "procedure results"},
	{"erros", list, true, "errors of this authorization"},
	{"numeroGuia", text, false, "guide number"},
	{"senha", text, false, "authorization password"},
	{"protocolo", text, false, "protocol"},
	{"situacaoAutorizacao", code, true, "status code"},
	{"guiaId", uuidText, false, "guide identifier"},
	{"guiaPrestador", text, false, "provider guide number"},
	{"guiaParceiro", text, false, "partner guide number"},
	{"numeroSolicitacao", text, false, "request number"},
	{"pdfGuiaAutorizacao", base64ed, false, "PDF of this guide"},
	{"dataAutorizacao", dateTime, false, "authorization date"},
}

func section2_5Entry() []Check {
	return fieldChecks(entryFields, func(c *Case) []object { return c.full().entries() })
}

var resultFields = []field{
	{"nomeProcedimento", text, true, "procedure result"},
	{"codigoProcedimento", text, true, "procedure result"},
	{"quantidade", integer, true, "procedure result"},
	{"quantidadeAutorizada", integer, false, "procedure result"},
	{"quantidadeExecutada", integer, false, "procedure result"},
	{"senhaAutorizacao", text.orNull(), false, "procedure result"},
	{"protocoloAtendimento", text.orNull(), false, "procedure result"},
	{"justificativa", text.orNull(), false, "procedure result"},
	{"mnemonico", text.orNull(), false, "procedure result"},
}

func section2_5Procedure() []Check {
	return fieldChecks(resultFields, func(c *Case) (all []object) {
		for _, entry := range c.full().entries() {
			all = append(all, answer{doc: entry}.objects("procedimentos")...)
		}
		if len(all) == 0 {
			c.fatalf("no authorization has procedure results")
		}
		return all
	})
}

func section3() []Check {
	return []Check{
		sentence("AllowedCodes", "The status code is carried in situacaoAutorizacao; the allowed codes are "+codes+".", func(c *Case) {
			for _, a := range c.authorizations() {
				for i, entry := range a.entries() {
					if !isCode(entry["situacaoAutorizacao"]) {
						c.errorf("situacaoAutorizacao is %s in entry %d", quote(entry["situacaoAutorizacao"]), i+1)
					}
				}
			}
		}),
		sentence("NameInOtherResponses", "The documented name of the property in other responses is statusAutorizacao or situacao.",
			nameInOtherResponses),
		silence("Transitions", "Transitions: not shown.", func(c *Case) {
			c.open("the authorization came back with situacaoAutorizacao %s", quote(c.full().at("data.autorizacoes.0.situacaoAutorizacao")))
		}),
	}
}

func nameInOtherResponses(c *Case) {
	data, _ := c.submission().at("data").(object)
	found := false
	for _, name := range []string{"statusAutorizacao", "situacao"} {
		if v, ok := data[name]; ok {
			found = true
			if !isCode(v) {
				c.errorf("%s is %s", name, quote(v))
			}
		}
	}
	if !found {
		c.open("the answer of 4.5 names no status; it has %s", members(data))
	}
}
