package conformance

import (
	"net/url"
	"strings"
)

func section1() []Check {
	return []Check{
		sentence("CredentialThenAuthorization", "A client looks up a credential and submits an authorization request using "+
			"that credential identifier; the service returns one or more authorizations.", func(c *Case) {
			a := c.full()
			for i, entry := range a.entries() {
				if !isCode(entry["situacaoAutorizacao"]) {
					c.errorf("authorization %d has no status code", i+1)
				}
			}
		}),
		sentence("SeveralProcedures", "The request lists one or more procedures.", func(c *Case) {
			r := c.request()
			first, _ := r["procedimentos"].([]any)
			c.accepted(c.authorize(with(r, "procedimentos", append(first, procedure("40304361", "Hemograma com contagem de plaquetas", 2)))))
		}),
	}
}

// search is the search for everything.
func (c *Case) search() answer { return c.get(credentialsPath+"?Busca=", "accept", "text/plain") }

func (c *Case) credentials() []object {
	found := c.search().objects("data.items")
	if len(found) == 0 {
		c.fatalf("the search for an empty text found no credential")
	}
	return found
}

func section2_2() []Check {
	return fieldChecks([]field{
		{"id", uuidText, true, "credential identifier"},
		{"nome", text, true, "operator name"},
		{"codigoPrestador", text, true, "provider code at the operator"},
		{"credencialElegibilityId", uuidText, false, "credential identifier for eligibility"},
	}, (*Case).credentials)
}

func section4_1() []Check {
	return []Check{
		sentence("SearchReturnsItems", "Response: response envelope with data.items, an array of credentials.", func(c *Case) {
			a := c.search()
			if _, ok := a.at("data.items").([]any); !ok || !a.success() {
				c.errorf("data.items is %s, sucesso %s: %s", quote(a.at("data.items")), quote(a.at("sucesso")), a.told())
			}
		}),
		sentence("SearchFindsByText", "Query parameter: Busca (string, text to search in credentials).", searchFindsByText),
		sentence("AcceptTextPlain", "Request header: accept (text/plain in the usage shown).", func(c *Case) {
			if a := c.search(); a.doc == nil {
				c.errorf("with accept: text/plain the answer is no JSON object (%s)", a.told())
			}
		}),
		silence("Paging", "Other query parameters such as paging: not shown.", func(c *Case) {
			c.open("data has %s", members(c.search().at("data")))
		}),
	}
}

func searchFindsByText(c *Case) {
	wanted := c.credentials()[0]
	name, _ := wanted["nome"].(string)
	found := c.get(credentialsPath + "?Busca=" + url.QueryEscape(name)).objects("data.items")
	there := false
	for _, o := range found {
		there = there || o["id"] == wanted["id"]
	}
	if !there {
		c.errorf("a credential is not found by its whole name")
	}
	nonsense := strings.Repeat("qxz", 9)
	if found := c.get(credentialsPath + "?Busca=" + nonsense).objects("data.items"); len(found) > 0 {
		c.errorf("a text that no credential has finds %d of them", len(found))
	}
}

func section4_3() []Check {
	return []Check{
		silence("Units", "The operation that lists the client's units: path and payload not shown.",
			func(c *Case) { c.lists(c.config.UnitsPath, "units_path") }),
		silence("Professionals", "The operation that lists the client's executing professionals: path and payload not shown.",
			func(c *Case) { c.lists(c.config.ProfessionalsPath, "executants_path") }),
	}
}

func (c *Case) lists(path, setting string) {
	if path == "" {
		c.untried("no %s", setting)
	}
	a := c.get(path)
	c.open("%s answers %d with %s", path, a.status, members(a.at("data.items.0")))
}

func section9() []Check {
	return []Check{
		sentence("SearchAndAuthorizationInV2", "The credential search and the SP/SADT authorization are under /api/v2.", func(c *Case) {
			c.thereIs(c.get(credentialsPath + "?Busca="))
			c.thereIs(c.authorize(object{}))
		}),
		sentence("OthersInV1", "Eligibility, request submission and token refresh are under /api/v1.", func(c *Case) {
			c.thereIs(c.get(eligibilityPath))
			c.thereIs(c.post(submissionPath, object{}))
			c.thereIs(c.post(refreshPath, object{"refresh_token": ""}))
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
