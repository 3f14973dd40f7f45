package conformance

func section1() []Check {
	return []Check{
		sentence("CredentialThenAuthorization", "A client looks up a credential and submits an authorization request using "+
			"that credential identifier; the service returns one or more authorizations.", func(c *Case) {
			for i, entry := range c.full().entries() {
				if !isCode(entry["situacaoAutorizacao"]) {
					c.errorf("authorization %d has no status code", i+1)
				}
			}
		}),
		sentence("SeveralProcedures", "The request lists one or more procedures.", func(c *Case) {
			a := c.several()
			c.answersAll(a, c.cache.bodies["several"])
		}),
	}
}

// answersAll fails unless each procedure of a request has its result.
func (c *Case) answersAll(a answer, request object) {
	asked, _ := request["procedimentos"].([]any)
	for i, p := range asked {
		p, _ := p.(object)
		if !hasResult(a, p, "nomeProcedimento", "codigoProcedimento", "quantidade") {
			c.errorf("procedure %d of %d has no result with its name, code and quantity: %s", i+1, len(asked), a.told())
		}
	}
}

// hasResult reports whether a procedure result has the properties of an asked one.
func hasResult(a answer, asked object, names ...string) bool {
	for _, entry := range a.entries() {
		for _, result := range (answer{doc: entry}).objects("procedimentos") {
			if equalIn(asked, result, names) {
				return true
			}
		}
	}
	return false
}

func equalIn(a, b object, names []string) bool {
	for _, name := range names {
		if quote(a[name]) != quote(b[name]) {
			return false
		}
	}
	return true
}

func section2_1() []Check {
	return []Check{
		sentence("SuccessIsBoolean", "sucesso: boolean, overall success flag.", func(c *Case) {
			for _, a := range []answer{c.search(), c.full()} {
				if a.at("sucesso") != true {
					c.errorf("sucesso is %s where the operation succeeded: %s", quote(a.at("sucesso")), a.told())
				}
			}
		}),
		sentence("SuccessIsFalseWhenRefused", "sucesso: overall success flag.", func(c *Case) {
			for _, a := range c.responses() {
				if a.refused() && a.success() {
					c.errorf("sucesso is true: %s", a.told())
				}
			}
		}),
		sentence("ErrorsAreAList", "erros: list of errors; present on the authorization response at top level and inside each "+
			"authorization.", func(c *Case) {
			for _, a := range c.authorizations() {
				c.carriesErrors(a)
			}
		}),
		sentence("ErrorsEmptyWhenNone", "erros: empty when none.", func(c *Case) {
			for _, a := range []answer{c.search(), c.full()} {
				if errors, _ := a.at("erros").([]any); len(errors) > 0 && a.success() {
					c.errorf("erros holds %s although sucesso is true: %s", quote(errors), a.what)
				}
			}
			for i, entry := range c.full().entries() {
				if errors, _ := entry["erros"].([]any); len(errors) > 0 && entry["sucesso"] == true {
					c.errorf("erros holds %s in entry %d although its sucesso is true", quote(errors), i+1)
				}
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

// carriesErrors checks both levels of an authorization answer for the list of errors.
func (c *Case) carriesErrors(a answer) {
	if !list.fits(a.at("erros")) {
		c.errorf("erros is %s at top level", quote(a.at("erros")))
	}
	for i, entry := range a.entries() {
		if !list.fits(entry["erros"]) {
			c.errorf("erros is %s in entry %d", quote(entry["erros"]), i+1)
		}
	}
}

func section2_2() []Check {
	all := fieldChecks([]field{
		{"id", uuidText, true, "credential identifier"},
		{"nome", text, true, "operator name"},
		{"codigoPrestador", text, true, "provider code at the operator"},
		{"credencialElegibilityId", uuidText, false, "credential identifier for eligibility"},
	}, (*Case).credentials)
	return append(all, sentence("IdentifiesOne", "id: credential identifier.", func(c *Case) {
		seen := map[any]bool{}
		for _, o := range c.credentials() {
			if seen[o["id"]] {
				c.errorf("two credentials have the id %s", quote(o["id"]))
			}
			seen[o["id"]] = true
		}
	}))
}

// emptySearch is the search for everything.
const emptySearch = credentialsPath + "?Busca="

func (c *Case) search() answer {
	return c.once("search", func() answer { return c.get(emptySearch, "accept", "text/plain") })
}

func (c *Case) credentials() []object {
	found := c.search().objects("data.items")
	if len(found) == 0 {
		c.fatalf("the search for an empty text found no credential")
	}
	return found
}
