package conformance

import (
	"net/url"
	"strings"
)

// opensTheSearch says whether a credential lets a client search.
func (c *Case) opensTheSearch(headers ...string) bool {
	a := c.get(credentialsPath+"?Busca=", headers...)
	_, items := a.at("data.items").([]any)
	return a.success() && items
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

func (c *Case) haveKey() {
	if c.config.APIKey == "" {
		c.untried("no api_key")
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
	return c.post(submissionPath, object{"solicitacao": c.request()}, bearer(c.token())...)
}

func section4_6() []Check {
	return []Check{
		sentence("RefreshRenews", "POST /api/v1/auth/refresh, Content-Type: application/json; body: refresh_token (string).", func(c *Case) {
			before := c.session()
			after := tokens(c.refresh(before.refresh))
			if after.access == "" || after.access == before.access || !c.opensTheSearch(bearer(after.access)...) {
				c.errorf("the refresh token brought no new access token that opens the search")
			}
		}),
		silence("Answer", "Response shape: not shown.", func(c *Case) {
			a := c.refresh(c.session().refresh)
			c.open("the answer has %s, its data %s", members(a.doc), members(a.at("data")))
		}),
	}
}

// session is a new login that brought a refresh token.
func (c *Case) session() session {
	s := tokens(c.logIn())
	if s.refresh == "" {
		c.fatalf("the login brought no refresh token")
	}
	return s
}

func (c *Case) refresh(token string) answer {
	return c.post(refreshPath, object{"refresh_token": token}, "Authorization", "")
}

func section4_7() []Check {
	return []Check{
		sentence("access_token", "Response (JSON): access_token (string).", func(c *Case) {
			token := c.grant().string("access_token")
			if token == "" || !c.opensTheSearch(bearer(token)...) {
				c.errorf("access_token is absent or does not open the search")
			}
		}),
		sentence("token_type", "token_type (string, value Bearer).", func(c *Case) {
			if got := c.grant().at("token_type"); got != "Bearer" {
				c.errorf("token_type is %s", quote(got))
			}
		}),
		sentence("expires_in", "expires_in (integer, seconds).", func(c *Case) {
			if got := c.grant().at("expires_in"); !isInteger(got) {
				c.errorf("expires_in is %s", quote(got))
			}
		}),
		sentence("WrongSecret", "Form fields: grant_type, client_id, client_secret; a wrong secret brings no token.", func(c *Case) {
			c.grant()
			if a := c.grant("client_secret", c.config.OAuth.ClientSecret+"x"); a.string("access_token") != "" {
				c.errorf("%s with a token", a.what)
			}
		}),
		sentence("OtherGrant", "grant_type (value client_credentials); no other brings a token.", func(c *Case) {
			if a := c.grant("grant_type", "password"); a.string("access_token") != "" {
				c.errorf("grant_type=password brought a token")
			}
		}),
		silence("Envelope", "4.7 lists the members of the answer; 7.1 asks for sucesso and erros in every one.", func(c *Case) {
			c.open("the answer has %s", members(c.grant().doc))
		}),
	}
}

func section4_8() []Check {
	return []Check{
		sentence("LoginGivesASession", "The bearer-token session is generated from user name and password.", func(c *Case) {
			a := c.logIn()
			if s := tokens(a); s.access == "" || !c.opensTheSearch(bearer(s.access)...) {
				c.errorf("no token that opens the search: %s", a.told())
			}
		}),
		sentence("WrongPassword", "It is obtained with user name and password: a wrong one brings no token.", func(c *Case) {
			login := c.login()
			a := c.post(login.Path, object{login.UserField: login.User, login.PasswordField: login.Password + "x"}, "Authorization", "")
			if tokens(a) != (session{}) {
				c.errorf("a wrong password brought a token")
			}
		}),
		silence("PathAndFields", "The path and fields of that login operation: not shown.", func(c *Case) {
			a := c.logIn()
			c.open("%s: the answer has %s, its data %s", a.what, members(a.doc), members(a.at("data")))
		}),
	}
}

func section5() []Check {
	return []Check{
		sentence("APIKey", "API Key: request header x-api-key.", func(c *Case) {
			c.haveKey()
			if !c.opensTheSearch("x-api-key", c.config.APIKey) {
				c.errorf("the key does not open the search")
			}
		}),
		sentence("UnknownKey", "API Key: generated in the console; another one opens nothing.", func(c *Case) {
			c.haveKey()
			if c.opensTheSearch("x-api-key", c.config.APIKey+"x") {
				c.errorf("an unknown key opens the search")
			}
		}),
		sentence("NoCredential", "Three methods exist: without any nothing opens.", func(c *Case) {
			if c.opensTheSearch("Authorization", "") {
				c.errorf("the search opens without a credential")
			}
		}),
		sentence("BearerToken", "Bearer Token: request header Authorization: Bearer; obtained with user name and password.", func(c *Case) {
			if !c.opensTheSearch(bearer(tokens(c.logIn()).access)...) {
				c.errorf("the login's token does not open the search")
			}
		}),
		sentence("TokenIsASecret", "Token is a JWT or a secure session string.", tokenIsASecret),
		sentence("UnknownToken", "A token that nobody was given opens nothing.", func(c *Case) {
			if c.opensTheSearch(bearer(c.token() + "x")...) {
				c.errorf("an unknown token opens the search")
			}
		}),
		sentence("BearerValidity", "Bearer token valid 15 hours.", bearerValidity),
		sentence("RefreshValidity", "A refresh token valid 72 hours renews it.", refreshValidity),
		sentence("OAuthToken", "OAuth 2.0: the token is then used as a bearer token.", func(c *Case) {
			if !c.opensTheSearch(bearer(c.grant().string("access_token"))...) {
				c.errorf("the token does not open the search")
			}
		}),
		sentence("OAuthExpiresIn", "OAuth 2.0: expires_in is 54000 seconds (15 hours).", grantLasts),
		silence("Scopes", "Scope names and how a scope is requested: not shown.", func(c *Case) {
			c.open("scope is %s", quote(c.grant().at("scope")))
		}),
		silence("MethodsOfEndpoints", "Which endpoint accepts which method: not shown.", func(c *Case) {
			a := c.get(eligibilityPath, bearer(c.token())...)
			c.open("eligibility with a bearer token: %d", a.status)
		}),
	}
}

func tokenIsASecret(c *Case) {
	first, second := tokens(c.logIn()).access, tokens(c.logIn()).access
	switch {
	case first == second:
		c.errorf("two logins got the same token")
	case len(first) < 22: // 128 bits in base64
		c.errorf("a token of %d characters can be guessed", len(first))
	case strings.ContainsAny(first, " \t\r\n\""):
		c.errorf("a token has characters that do not belong into a header")
	}
}

func bearerValidity(c *Case)  { c.lasts(c.logIn(), 15*60*60, "expires_in", "expiresIn") }
func grantLasts(c *Case)      { c.lasts(c.grant(), 54000, "expires_in") }
func refreshValidity(c *Case) { c.lasts(c.logIn(), 72*60*60, "refresh_expires_in", "refreshExpiresIn") }

// query writes a query string.
func query(pairs ...string) string {
	v := url.Values{}
	for i := 0; i+1 < len(pairs); i += 2 {
		v.Set(pairs[i], pairs[i+1])
	}
	return "?" + v.Encode()
}
