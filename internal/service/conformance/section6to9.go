package conformance

import (
	"net/url"
	"regexp"
)

func section6() []Check {
	return []Check{silence("Events", "Events, callbacks or notifications: not shown.", func(c *Case) { c.open("nothing to try") })}
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
		sentence("RefusalReportsAnError", "An empty erros array means no error was reported.", func(c *Case) {
			for _, a := range c.responses() {
				if errors, _ := a.at("erros").([]any); a.refused() && len(errors) == 0 {
					c.errorf("a refusal reports no error: %s", a.told())
				}
			}
		}),
		sentence("EntriesCarryBoth", "The authorization response also carries sucesso and erros inside each entry of autorizacoes.",
			func(c *Case) {
				for _, a := range c.authorizations() {
					for i, entry := range a.entries() {
						if !flag.fits(entry["sucesso"]) || !list.fits(entry["erros"]) {
							c.errorf("entry %d has sucesso %s and erros %s", i+1, quote(entry["sucesso"]), quote(entry["erros"]))
						}
					}
				}
			}),
		sentence("OutcomeIsInTheStatus", "Denial and other operator outcomes are carried in the status code situacaoAutorizacao, "+
			"not only in erros.", outcomeIsInTheStatus),
		sentence("NewbornRule", "When atendimentoRN is S, nomeRecemNascido and dataNascimentoRecemNascido must be informed; an error "+
			"is returned when they are missing.", newbornRule),
		silence("ErrorItems", "Shape of an error item in erros: not shown.", func(c *Case) {
			c.open("an item of erros is %s", quote(c.emptyRequest().at("erros.0")))
		}),
		silence("MissingCredential", "The reaction to a missing or invalid credential or token: not shown.", func(c *Case) {
			a := c.noCredential()
			c.open("without a credential: %d, WWW-Authenticate %q", a.status, a.header.Get("WWW-Authenticate"))
		}),
	}
}

// responses are answers of all kinds, the token endpoint's aside: 4.7 lists its
// members.
func (c *Case) responses() []answer {
	all := []answer{c.search(), c.emptyRequest(), c.noCredential(),
		c.once("eligibility", func() answer { return c.get(eligibilityPath) }),
		c.once("empty submission", func() answer { return c.post(submissionPath, object{}) }),
		c.once("unknown path", func() answer { return c.get("/api/v2/nao-ha-tal-caminho") }),
		c.once("wrong method", func() answer { return c.get(authorizePath) }),
		c.once("no JSON", func() answer { return c.authorize("{") }),
	}
	if c.config.Login != nil {
		all = append(all, c.opened(), c.wrongPassword(), c.once("empty renewal", func() answer { return c.refresh("") }))
	}
	if len(c.lacking()) == 0 {
		all = append(all, c.full(), c.newborn("without name and birth", withoutNameAndBirth))
	}
	return all
}

// refused reports whether nothing was done: the status of an error, or an authorization
// answer without success and without authorizations.
func (a answer) refused() bool {
	return a.status >= 400 || a.at("sucesso") == false && len(a.entries()) == 0
}

func newbornRule(c *Case) {
	a := c.newborn("without name and birth", withoutNameAndBirth)
	c.notAuthorized(a, "newborn care without name and birth")
	if errors, _ := a.at("erros").([]any); len(errors) == 0 {
		c.errorf("no error says so: %s", a.told())
	}
}

func outcomeIsInTheStatus(c *Case) {
	for _, entry := range c.denied().entries() {
		if entry["situacaoAutorizacao"] != "N" {
			c.errorf("the status of a denied authorization is %s, want N", quote(entry["situacaoAutorizacao"]))
		}
	}
}

func section8() []Check {
	return []Check{
		sentence("BearerValidity", "Bearer token validity: 15 hours.", func(c *Case) {
			bearerValidity(c)
			renewedValidity(c)
		}),
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

func section9() []Check {
	return []Check{
		sentence("SearchAndAuthorizationInV2", "The credential search and the SP/SADT authorization are under /api/v2.", func(c *Case) {
			c.thereIs(c.search())
			c.thereIs(c.emptyRequest())
		}),
		sentence("OthersInV1", "Eligibility, request submission and token refresh are under /api/v1.", func(c *Case) {
			c.thereIs(c.get(eligibilityPath))
			c.thereIs(c.post(submissionPath, object{}))
			c.thereIs(c.refresh(""))
		}),
		sentence("TokenWithoutVersion", "The OAuth token path carries no version.", func(c *Case) { c.thereIs(c.form(url.Values{})) }),
		silence("Policy", "Deprecation and compatibility policy: not shown.", func(c *Case) {
			c.open("Deprecation %q, Sunset %q", c.search().header.Get("Deprecation"), c.search().header.Get("Sunset"))
		}),
	}
}

// thereIs fails where a path or its method is not known.
func (c *Case) thereIs(a answer) {
	if a.status == 404 || a.status == 405 || a.status == 501 {
		c.errorf("%s", a.told())
	}
}
