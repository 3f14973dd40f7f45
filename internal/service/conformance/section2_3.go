package conformance

import (
	"encoding/base64"
	"slices"
	"time"
)

// fullSays is a sentence about a value of the full request: kept when the request
// with it is accepted.
func fullSays(name, text string) Check {
	return sentence(name, text, func(c *Case) { c.full() })
}

// filledSays is a sentence about a value of the request with accents.
func filledSays(name, text string) Check {
	return sentence(name, text, func(c *Case) { c.filled() })
}

// sparseSays is a sentence about what may be omitted.
func sparseSays(name, text string) Check {
	return sentence(name, text, func(c *Case) { c.sparse() })
}

func section2_3() []Check {
	all := []Check{
		fullSays("CredentialFromSearch", "credencialId: from the credential search."),
		sentence("OtherCredential", "credencialId: from the credential search; one that it never showed is not accepted.", func(c *Case) {
			c.notAuthorized(c.authorize(with(c.request(), "credencialId", unknownID)), "a credencialId that no search shows")
		}),
		fullSays("ValidityWithoutZone", "validadeCarteira: ISO 8601 date-time without zone."),
		fullSays("PlanMayBeEmpty", "planoBeneficiario: empty string allowed."),
		filledSays("Plan", "planoBeneficiario: string."),
		filledSays("Accents", "nomeBeneficiario, nomeSolicitante, observacoes, indicacaoClinica, nomeContato: string, in Portuguese."),
		filledSays("PatientMayWait", "pacienteNoLocal: default N; used to prioritize the queue."),
		fullSays("SpecialtyIsAnInteger", "especialidadeExecutanteId: integer."),
		fullSays("DefaultsMayBeGiven", "pacienteNoLocal, tipoAcidente, regimeAtendimento, tipoAtendimento and retorno: N, 9, E, 05 and N."),
		sparseSays("DefaultsMayBeOmitted", "pacienteNoLocal, tipoAcidente, regimeAtendimento, tipoAtendimento and retorno have the "+
			"defaults N, 9, E, 05 and N."),
		sentence("GuideIsGenerated", "guiaPrestador: when omitted the service generates one in the pattern YYMMDDHHMMSS.", guideIsGenerated),
		sentence("GivenGuideIsKept", "guiaPrestador: provider guide number.", givenGuideIsKept),
		fullSays("NotesMayBeNull", "observacoes: string or null."),
		filledSays("Notes", "observacoes: string or null."),
		sparseSays("IndicationMayBeOmitted", "indicacaoClinica: when omitted the service uses the value stored in the credential's settings."),
		fullSays("AttachmentsMayBeEmpty", "anexos: empty array allowed."),
		sentence("AttachmentInBase64", "anexos: attachments, base64.", attachmentInBase64),
		fullSays("Contact", "nomeContato, dddContato, telefoneContato, emailContato: strings."),
	}
	return append(append(all, newbornCare()...), []Check{
		silence("RequiredFields", "Which request fields are required: not shown.", func(c *Case) {
			c.open("an empty object is answered so: %s", c.emptyRequest().told())
		}),
		silence("DomainTables", "Allowed values beyond the defaults: not shown.", func(c *Case) {
			r := with(without(c.request(), "procedimentos"), "tipoAcidente", "?") // without procedures nothing is authorized
			c.open("tipoAcidente \"?\" is answered so: %s", c.authorize(r).told())
		}),
	}...)
}

// unknownID is an identifier that no service gave to anything.
const unknownID = "00000000-0000-4000-8000-00000000c0de"

// emptyRequest is the answer to a request without any property.
func (c *Case) emptyRequest() answer {
	return c.once("empty request", func() answer { return c.authorize(object{}) })
}

// newbornCare are the sentences about atendimentoRN.
func newbornCare() []Check {
	const rule = "atendimentoRN: when S, nomeRecemNascido and dataNascimentoRecemNascido must be given."
	needs := func(name, what string, change func(object) object) Check {
		return sentence(name, rule, func(c *Case) { c.notAuthorized(c.newborn(what, change), "newborn care "+what) })
	}
	return []Check{
		sparseSays("NewbornDefaultsToN", "atendimentoRN: default N."),
		sentence("NewbornWithNameAndBirth", "atendimentoRN: values N and S.", func(c *Case) {
			c.accepted(c.newborn("with name and birth", func(r object) object { return r }))
		}),
		needs("NewbornNeedsNameAndBirth", "without name and birth", withoutNameAndBirth),
		needs("NewbornNeedsName", "without a name", func(r object) object { return without(r, "nomeRecemNascido") }),
		needs("NewbornNeedsNameNotEmpty", "with an empty name", func(r object) object { return with(r, "nomeRecemNascido", "") }),
		needs("NewbornNeedsBirth", "without a birth", func(r object) object { return without(r, "dataNascimentoRecemNascido") }),
		needs("NewbornNeedsBirthNotNull", "with null as birth", func(r object) object { return with(r, "dataNascimentoRecemNascido", nil) }),
		fullSays("NewbornNameMayBeEmpty", "nomeRecemNascido: empty string when not newborn care."),
		fullSays("NewbornBirthMayBeNull", "dataNascimentoRecemNascido: ISO 8601 date-time, or null."),
	}
}

func withoutNameAndBirth(r object) object {
	return without(r, "nomeRecemNascido", "dataNascimentoRecemNascido")
}

// newborn is the answer to a request for newborn care, changed.
func (c *Case) newborn(what string, change func(object) object) answer {
	return c.once("newborn care "+what, func() answer {
		r := with(with(c.request(), "atendimentoRN", "S"), "nomeRecemNascido", "RN DE HELENA DUARTE CANARIO")
		return c.authorize(change(with(r, "dataNascimentoRecemNascido", c.inDays(-5))))
	})
}

// notAuthorized fails where a request got through that must not.
func (c *Case) notAuthorized(a answer, what string) {
	accepted := func(entry object) bool { return entry["sucesso"] != false }
	if a.success() || slices.ContainsFunc(a.entries(), accepted) {
		c.errorf("%s is accepted: %s", what, a.told())
	}
}

// clockSlack is how far the service's clock and zone may lie from ours.
const clockSlack = 26 * time.Hour

func guideIsGenerated(c *Case) {
	a := c.sparse()
	for _, entry := range a.entries() {
		number, _ := entry["guiaPrestador"].(string)
		at, err := time.Parse(guidePattern, number)
		if err != nil || at.Sub(a.asked).Abs() > clockSlack {
			c.errorf("the generated guiaPrestador is %q, want the time as YYMMDDHHMMSS", number)
		}
	}
}

// guidePattern is YYMMDDHHMMSS.
const guidePattern = "060102150405"

func givenGuideIsKept(c *Case) {
	want := c.fullBody()["guiaPrestador"]
	for _, entry := range c.full().entries() {
		if entry["guiaPrestador"] != want {
			c.errorf("guiaPrestador is %s, want %s as sent", quote(entry["guiaPrestador"]), quote(want))
		}
	}
}

// sheet is a small attachment.
var sheet = base64.StdEncoding.EncodeToString([]byte("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 " +
	"obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n" +
	"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"))

// attachmentInBase64 tries the shapes that are known, for 2.3 shows none.
func attachmentInBase64(c *Case) {
	shapes := []struct {
		name string
		item any
	}{
		{"{base64, name, contentType}", object{"base64": sheet, "name": "pedido.pdf", "contentType": "application/pdf"}},
		{"a base64 string", sheet},
	}
	var last answer
	for _, shape := range shapes {
		last = c.authorize(with(c.request(), "anexos", []any{shape.item}))
		if len(last.entries()) > 0 {
			c.note("an item of anexos may be %s", shape.name)
			return
		}
	}
	c.errorf("no shape of an attachment is accepted: %s", last.told())
}

func section2_4() []Check {
	echo := func(name, text string) Check {
		return sentence(name, text, func(c *Case) {
			for _, what := range []string{"full", "filled"} {
				a := map[string]func() answer{"full": c.full, "filled": c.filled}[what]()
				asked, _ := c.cache.bodies[what]["procedimentos"].([]any)
				for _, p := range asked {
					if p, _ := p.(object); !hasResult(a, p, name) {
						c.errorf("no procedure result has %s %s", name, quote(p[name]))
					}
				}
			}
		})
	}
	return []Check{
		echo("nomeProcedimento", "nomeProcedimento: string, as it was asked for."),
		echo("codigoProcedimento", "codigoProcedimento: string, as it was asked for."),
		echo("quantidade", "quantidade: integer, as it was asked for."),
	}
}
