package conformance

import (
	"encoding/base64"
	"encoding/json"
	"regexp"
	"time"
)

// fullSays is a sentence about a value of the full request: kept when the request
// with it is accepted.
func fullSays(name, text string) Check {
	return sentence(name, text, func(c *Case) { c.full() })
}

// sparseSays is a sentence about what may be omitted.
func sparseSays(name, text string) Check {
	return sentence(name, text, func(c *Case) { c.sparse() })
}

func section2_3() []Check {
	return []Check{
		fullSays("CredentialFromSearch", "credencialId: from the credential search."),
		fullSays("ValidityWithoutZone", "validadeCarteira: ISO 8601 date-time without zone."),
		fullSays("PlanMayBeEmpty", "planoBeneficiario: empty string allowed."),
		sparseSays("NewbornDefaultsToN", "atendimentoRN: default N."),
		newbornRule("NewbornNeedsNameAndBirth", "When S, nomeRecemNascido and dataNascimentoRecemNascido must be given."),
		sentence("NewbornWithNameAndBirth", "atendimentoRN: values N and S.", func(c *Case) {
			r := with(with(c.request(), "atendimentoRN", "S"), "nomeRecemNascido", "RN DE HELENA DUARTE CANARIO")
			c.accepted(c.authorize(with(r, "dataNascimentoRecemNascido", c.inDays(-5))))
		}),
		fullSays("NewbornNameMayBeEmpty", "nomeRecemNascido: empty string when not newborn care."),
		fullSays("NewbornBirthMayBeNull", "dataNascimentoRecemNascido: ISO 8601 date-time, or null."),
		fullSays("SpecialtyIsAnInteger", "especialidadeExecutanteId: integer."),
		sparseSays("DefaultsMayBeOmitted", "pacienteNoLocal, tipoAcidente, regimeAtendimento, tipoAtendimento and retorno have the "+
			"defaults N, 9, E, 05 and N."),
		sentence("GuideIsGenerated", "guiaPrestador: when omitted the service generates one in the pattern YYMMDDHHMMSS.", guideIsGenerated),
		sentence("GivenGuideIsKept", "guiaPrestador: provider guide number.", givenGuideIsKept),
		fullSays("NotesMayBeNull", "observacoes: string or null."),
		sparseSays("IndicationMayBeOmitted", "indicacaoClinica: when omitted the service uses the value stored in the credential's settings."),
		fullSays("AttachmentsMayBeEmpty", "anexos: empty array allowed."),
		sentence("AttachmentInBase64", "anexos: attachments, base64.", attachmentInBase64),
		fullSays("Contact", "nomeContato, dddContato, telefoneContato, emailContato: strings."),
		silence("RequiredFields", "Which request fields are required: not shown.", func(c *Case) {
			c.open("an empty object is answered so: %s", c.authorize(object{}).told())
		}),
		silence("DomainTables", "Allowed values beyond the defaults: not shown.", func(c *Case) {
			r := with(without(c.request(), "procedimentos"), "tipoAcidente", "?") // without procedures nothing is authorized
			c.open("tipoAcidente \"?\" is answered so: %s", c.authorize(r).told())
		}),
	}
}

func newbornRule(name, text string) Check {
	return sentence(name, text, func(c *Case) {
		a := c.authorize(with(c.request(), "atendimentoRN", "S"))
		if a.success() || len(a.entries()) > 0 {
			c.errorf("newborn care without name and birth date was accepted: %s", a.told())
		}
	})
}

// clockSlack is how far the service's clock and zone may lie from ours.
const clockSlack = 26 * time.Hour

func guideIsGenerated(c *Case) {
	sent := c.clock()
	for _, entry := range c.sparse().entries() {
		number, _ := entry["guiaPrestador"].(string)
		at, err := time.Parse("060102150405", number)
		if err != nil || at.Sub(sent).Abs() > clockSlack {
			c.errorf("the generated guiaPrestador is %q, want the time as YYMMDDHHMMSS", number)
		}
	}
}

func givenGuideIsKept(c *Case) {
	a := c.full()
	for _, entry := range a.entries() {
		if want := c.learnt.fullBody["guiaPrestador"]; entry["guiaPrestador"] != want {
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
			a := c.full()
			asked, _ := c.learnt.fullBody["procedimentos"].([]any)
			for _, p := range asked {
				if want := p.(object)[name]; !answered(a, name, want) {
					c.errorf("no procedure result has %s %s", name, quote(want))
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

func answered(a answer, name string, want any) bool {
	for _, entry := range a.entries() {
		for _, p := range (answer{doc: entry}).objects("procedimentos") {
			if got, ok := p[name]; ok && quote(got) == quote(want) {
				return true
			}
		}
	}
	return false
}

func section7() []Check {
	return []Check{
		sentence("EveryResponseCarriesSuccess", "Every response carries sucesso (boolean).", func(c *Case) {
			for _, a := range c.responses() {
				if !flag.fits(a.at("sucesso")) {
					c.errorf("sucesso is %s: %s", quote(a.at("sucesso")), a.told())
				}
			}
		}),
		sentence("EveryResponseCarriesErrors", "Every response carries erros (array).", func(c *Case) {
			for _, a := range c.responses() {
				if !list.fits(a.at("erros")) {
					c.errorf("erros is %s: %s", quote(a.at("erros")), a.told())
				}
			}
		}),
		sentence("EntriesCarryBoth", "The authorization response also carries sucesso and erros inside each entry of autorizacoes.",
			func(c *Case) {
				for i, entry := range c.full().entries() {
					if !flag.fits(entry["sucesso"]) || !list.fits(entry["erros"]) {
						c.errorf("entry %d has sucesso %s and erros %s", i+1, quote(entry["sucesso"]), quote(entry["erros"]))
					}
				}
			}),
		sentence("OutcomeIsInTheStatus", "Denial and other operator outcomes are carried in the status code situacaoAutorizacao, "+
			"not only in erros.", outcomeIsInTheStatus),
		newbornRule("NewbornRule", "When atendimentoRN is S, nomeRecemNascido and dataNascimentoRecemNascido must be informed."),
		silence("ErrorItems", "Shape of an error item in erros: not shown.", func(c *Case) {
			c.open("an item of erros is %s", quote(c.authorize(object{}).at("erros.0")))
		}),
		silence("MissingCredential", "The reaction to a missing or invalid credential or token: not shown.", func(c *Case) {
			a := c.get(credentialsPath, "Authorization", "")
			c.open("without a credential: %d, WWW-Authenticate %q", a.status, a.header.Get("WWW-Authenticate"))
		}),
	}
}

// responses are answers of all kinds, the token endpoint's aside: 4.7 lists its
// members.
func (c *Case) responses() []answer {
	all := []answer{c.search(), c.authorize(object{}), c.get(eligibilityPath), c.get(credentialsPath, "Authorization", "")}
	if c.config.Card != "" {
		all = append(all, c.full())
	}
	return all
}

func outcomeIsInTheStatus(c *Case) {
	if c.config.CardDenied == "" {
		c.untried("no card_denied")
	}
	a := c.accepted(c.authorize(with(c.request(), "numeroCarteira", c.config.CardDenied)))
	for _, entry := range a.entries() {
		if entry["situacaoAutorizacao"] != "N" {
			c.errorf("the status of a denied authorization is %s, want N", quote(entry["situacaoAutorizacao"]))
		}
	}
}

func section8() []Check {
	return []Check{
		sentence("BearerValidity", "Bearer token validity: 15 hours.", bearerValidity),
		sentence("OAuthExpiresIn", "OAuth 2.0 access token expires_in: 54000 seconds.", grantLasts),
		sentence("RefreshValidity", "Refresh token validity: 72 hours.", refreshValidity),
		sentence("GeneratedGuide", "Generated guiaPrestador pattern: YYMMDDHHMMSS.", func(c *Case) {
			for _, entry := range c.sparse().entries() {
				if number, _ := entry["guiaPrestador"].(string); !twelveDigits.MatchString(number) {
					c.errorf("the generated guiaPrestador is %q, want 12 digits", number)
				}
			}
		}),
		silence("Rates", "Rate limits: not shown.", func(c *Case) {
			c.open("headers of a rate limit: RateLimit %q, X-RateLimit-Limit %q", c.search().header.Get("RateLimit"),
				c.search().header.Get("X-RateLimit-Limit"))
		}),
	}
}

var twelveDigits = regexp.MustCompile(`^\d{12}$`)

// lasts compares a lifetime in seconds; absent leaves it open.
func (c *Case) lasts(a answer, want int64, names ...string) {
	got, ok := seconds(a, names...)
	switch {
	case !ok:
		c.open("the answer says nothing about how long the token lasts")
	case got != want:
		c.errorf("%s is %s, want %d", names[0], json.Number(quote(got)), want)
	}
}
