package conformance

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"strings"
)

func section2_1() []Check {
	return []Check{
		sentence("SuccessIsBoolean", "sucesso: boolean, overall success flag.", func(c *Case) {
			for _, a := range []answer{c.search(), c.full()} {
				if a.at("sucesso") != true {
					c.errorf("sucesso is %s where the operation succeeded: %s", quote(a.at("sucesso")), a.told())
				}
			}
		}),
		sentence("ErrorsAreAList", "erros: list of errors; present on the authorization response at top level and inside each "+
			"authorization.", func(c *Case) {
			a := c.full()
			if !list.fits(a.at("erros")) {
				c.errorf("erros is %s at top level", quote(a.at("erros")))
			}
			for i, entry := range a.entries() {
				if !list.fits(entry["erros"]) {
					c.errorf("erros is %s in entry %d", quote(entry["erros"]), i+1)
				}
			}
		}),
		sentence("ErrorsEmptyWhenNone", "erros: empty when none.", func(c *Case) {
			if errors, _ := c.full().at("erros").([]any); len(errors) > 0 {
				c.errorf("erros holds %s although sucesso is true", quote(errors))
			}
		}),
		sentence("DataIsAnObject", "data: object, payload of the operation.", func(c *Case) {
			for _, ask := range []func() answer{c.search, c.full} {
				if a := ask(); !aObject.fits(a.at("data")) {
					c.fatalf("data is %s: %s", quote(a.at("data")), a.told())
				}
			}
		}),
	}
}

func section2_5() []Check {
	return []Check{
		sentence("TopLevel", "Top level: sucesso (boolean), erros (array), data (object).", func(c *Case) {
			a := c.full()
			for _, f := range []field{{"sucesso", flag, true, ""}, {"erros", list, true, ""}, {"data", aObject, true, ""}} {
				c.field(f, 0, a.doc)
			}
		}),
		sentence("Entries", "autorizacoes: array, one entry per authorization.", func(c *Case) {
			if a := c.full(); len(a.entries()) == 0 || a.at("data.autorizacoes.0") == nil {
				c.errorf("autorizacoes is %s", quote(a.at("data.autorizacoes")))
			}
		}),
		sentence("AggregatedPDF", "pdfGuia: string, base64; aggregated PDF, present when there is more than one guide.", func(c *Case) {
			a := c.twoGuides()
			if len(a.entries()) < 2 {
				c.untried("card_two_guides was answered with one guide")
			}
			c.pdf("pdfGuia", a.string("data.pdfGuia"))
		}),
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
	}
}

// pdf checks that a text is a PDF in base64.
func (c *Case) pdf(name, text string) {
	content, err := base64.StdEncoding.DecodeString(text)
	if err != nil || !bytes.HasPrefix(content, []byte("%PDF-")) {
		c.errorf("%s is no PDF in base64 (%d characters)", name, len(text))
	}
}

func section2_5Entry() []Check {
	return fieldChecks([]field{
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
	}, func(c *Case) []object { return c.full().entries() })
}

func section2_5Procedure() []Check {
	return fieldChecks([]field{
		{"nomeProcedimento", text, true, "procedure result"},
		{"codigoProcedimento", text, true, "procedure result"},
		{"quantidade", integer, true, "procedure result"},
		{"quantidadeAutorizada", integer, false, "procedure result"},
		{"quantidadeExecutada", integer, false, "procedure result"},
		{"senhaAutorizacao", text.orNull(), false, "procedure result"},
		{"protocoloAtendimento", text.orNull(), false, "procedure result"},
		{"justificativa", text.orNull(), false, "procedure result"},
		{"mnemonico", text.orNull(), false, "procedure result"},
	}, func(c *Case) (all []object) {
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
			for i, entry := range c.full().entries() {
				if !isCode(entry["situacaoAutorizacao"]) {
					c.errorf("situacaoAutorizacao is %s in entry %d", quote(entry["situacaoAutorizacao"]), i+1)
				}
			}
		}),
		sentence("NameInOtherResponses", "The documented name of the property in other responses is statusAutorizacao or situacao.",
			func(c *Case) {
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
			}),
		silence("Transitions", "Transitions: not shown.", func(c *Case) {
			c.open("the authorization came back with situacaoAutorizacao %s", quote(c.full().at("data.autorizacoes.0.situacaoAutorizacao")))
		}),
	}
}

func section4_2() []Check {
	return []Check{
		sentence("PathAndMethod", "Method and path: POST /api/v2/autorizar/sp-sadt.", func(c *Case) { c.full() }),
		sentence("AnswersJSON", "Headers: Content-Type: application/json; accept: application/json.", func(c *Case) {
			if a := c.full(); a.doc == nil || !strings.HasPrefix(a.header.Get("Content-Type"), "application/json") {
				c.errorf("the answer is %q", a.header.Get("Content-Type"))
			}
		}),
	}
}

func section6() []Check {
	return []Check{silence("Events", "Events, callbacks or notifications: not shown.", func(c *Case) { c.open("nothing to try") })}
}
