package conformance

import (
	"net/url"
	"strings"
)

func section4_1() []Check {
	return []Check{
		sentence("SearchReturnsItems", "Response: response envelope with data.items, an array of credentials.", func(c *Case) {
			c.hasItems(c.search())
		}),
		sentence("ItemsWhenNothingIsFound", "Response: data.items, an array of credentials, also of none.", func(c *Case) {
			c.hasItems(c.searchFor(nonsense))
		}),
		sentence("SearchFindsByText", "Query parameter: Busca (string, text to search in credentials).", searchFindsByText),
		sentence("SearchFindsNoOthers", "Query parameter: Busca (string, text to search in credentials).", func(c *Case) {
			if found := c.searchFor(nonsense).objects("data.items"); len(found) > 0 {
				c.errorf("a text that no credential has finds %d of them", len(found))
			}
		}),
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

// nonsense is a text that no credential has.
var nonsense = strings.Repeat("qxz", 9)

func (c *Case) searchFor(text string) answer {
	return c.once("search for "+text, func() answer { return c.get(credentialsPath + query("Busca", text)) })
}

// hasItems fails unless an answer is a success with a list.
func (c *Case) hasItems(a answer) {
	if c.holdsObjects(a, "data.items"); !a.success() {
		c.errorf("sucesso is %s: %s", quote(a.at("sucesso")), a.told())
	}
}

func searchFindsByText(c *Case) {
	wanted := c.credentials()[0]
	name, _ := wanted["nome"].(string)
	if !finds(c.searchFor(name), wanted) {
		c.errorf("a credential is not found by its whole name")
	}
}

// finds reports whether an answer lists a credential.
func finds(a answer, wanted object) bool {
	for _, o := range a.objects("data.items") {
		if o["id"] == wanted["id"] {
			return true
		}
	}
	return false
}

// query writes a query string.
func query(pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return "?" + v.Encode()
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

func section4_4() []Check {
	return []Check{
		sentence("AcceptsAPIKey", "GET /api/v1/elegibilidade, authenticated with an API key header.", func(c *Case) {
			c.haveKey()
			a := c.get(eligibilityPath, "x-api-key", c.config.APIKey)
			if c.thereIs(a); a.status == 401 || a.status == 403 {
				c.errorf("%s", a.told())
			}
		}),
		silence("QueryAndAnswer", "Query parameters and response: not shown.", func(c *Case) {
			c.open("without parameters: %s", c.get(eligibilityPath).told())
		}),
	}
}

func section4_5() []Check {
	return []Check{
		sentence("TakesASolicitacao", "POST /api/v1/solicitacao, header Authorization: Bearer; body: an object with one "+
			"property, solicitacao, an object.", func(c *Case) {
			if a := c.submission(); !a.success() {
				c.errorf("%s", a.told())
			}
		}),
		silence("InnerFieldsAndAnswer", "Its inner fields and the response: not shown.", func(c *Case) {
			a := c.submission()
			c.open("with the fields of 2.3: %d, data has %s", a.status, members(a.at("data")))
		}),
	}
}

// submission sends a request to 4.5 with a bearer token.
func (c *Case) submission() answer {
	if c.config.Login == nil && c.config.OAuth == nil {
		c.untried("no login and no oauth")
	}
	return c.once("submission", func() answer {
		return c.post(submissionPath, object{"solicitacao": c.request()}, bearer(c.token())...)
	})
}
