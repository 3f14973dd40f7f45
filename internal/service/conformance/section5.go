package conformance

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"
)

// opens reports whether an answer is a search that succeeded.
func (a answer) opens() bool { return a.success() && list.fits(a.at("data.items")) }

// opensTheSearch says whether a credential lets a client search.
func (c *Case) opensTheSearch(headers ...string) bool { return c.get(emptySearch, headers...).opens() }

func section4_6() []Check {
	return []Check{
		sentence("RefreshRenews", "POST /api/v1/auth/refresh, Content-Type: application/json; body: refresh_token (string).", func(c *Case) {
			before, after := c.renewal()
			if after.access == "" || after.access == before.access || !c.opensTheSearch(bearer(after.access)...) {
				c.errorf("the refresh token brought no new access token that opens the search")
			}
		}),
		sentence("RefreshWithoutAToken", "Body: refresh_token; without any there is no session.", func(c *Case) {
			c.login()
			for _, body := range []object{{}, {"refresh_token": ""}} {
				if a := c.post(refreshPath, body, "Authorization", ""); tokens(a) != (session{}) || a.success() {
					c.errorf("a session without a refresh token: %s", a.told())
				}
			}
		}),
		silence("Answer", "Response shape: not shown.", func(c *Case) {
			a := c.renewed()
			c.open("the answer has %s, its data %s", members(a.doc), members(a.at("data")))
		}),
	}
}

// opened is the login of the session that renewed renews.
func (c *Case) opened() answer { return c.once("login", c.logIn) }

// renewed is the answer of 4.6 to the refresh token of that session.
func (c *Case) renewed() answer {
	return c.once("renewal", func() answer {
		token := tokens(c.opened()).refresh
		if token == "" {
			c.fatalf("the login brought no refresh token")
		}
		return c.refresh(token)
	})
}

// renewal is a session and the one that renewed it: in another second, where both have the same token, for a JWT may be
// the same when it was made in the same second.
func (c *Case) renewal() (before, after session) {
	before, after = tokens(c.opened()), tokens(c.renewed())
	if before.access == after.access {
		before = c.session()
		c.nextSecond()
		after = tokens(c.refresh(before.refresh))
	}
	return before, after
}

// nextSecond waits for it.
func (c *Case) nextSecond() {
	select {
	case <-time.After(time.Second):
	case <-c.ctx.Done():
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

func section4_7() []Check {
	return []Check{
		sentence("access_token", "Response (JSON): access_token (string).", func(c *Case) {
			token := c.granted().string("access_token")
			if token == "" || !c.opensTheSearch(bearer(token)...) {
				c.errorf("access_token is absent or does not open the search")
			}
		}),
		sentence("token_type", "token_type (string, value Bearer).", func(c *Case) {
			if got := c.granted().at("token_type"); got != "Bearer" {
				c.errorf("token_type is %s", quote(got))
			}
		}),
		sentence("expires_in", "expires_in (integer, seconds).", func(c *Case) {
			if got := c.granted().at("expires_in"); !isInteger(got) {
				c.errorf("expires_in is %s", quote(got))
			}
		}),
		sentence("WrongSecret", "Form fields: grant_type, client_id, client_secret; a wrong secret brings no token.", func(c *Case) {
			if a := c.wrongClientSecret(); a.string("access_token") != "" {
				c.errorf("%s with a token", a.what)
			}
		}),
		sentence("MissingSecret", "Form fields: grant_type, client_id, client_secret; without a secret there is no token.", func(c *Case) {
			c.haveClient()
			a := c.form(url.Values{"grant_type": {"client_credentials"}, "client_id": {c.config.OAuth.ClientID}})
			if a.string("access_token") != "" {
				c.errorf("%s with a token", a.what)
			}
		}),
		sentence("OtherGrant", "grant_type (value client_credentials); no other brings a token.", func(c *Case) {
			if a := c.grant("grant_type", "password"); a.string("access_token") != "" {
				c.errorf("grant_type=password brought a token")
			}
		}),
		silence("Envelope", "4.7 lists the members of the answer; 7.1 asks for sucesso and erros in every one.", func(c *Case) {
			c.open("the answer has %s", members(c.granted().doc))
		}),
	}
}

// granted is a token of the client.
func (c *Case) granted() answer {
	c.haveClient()
	return c.once("grant", func() answer { return c.grant() })
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
			if tokens(c.wrongPassword()) != (session{}) {
				c.errorf("a wrong password brought a token")
			}
		}),
		silence("PathAndFields", "The path and fields of that login operation: not shown.", func(c *Case) {
			a := c.opened()
			c.open("%s: the answer has %s, its data %s", a.what, members(a.doc), members(a.at("data")))
		}),
	}
}

func section5() []Check {
	return append(section5Methods(), []Check{
		sentence("BearerValidity", "Bearer token valid 15 hours.", bearerValidity),
		sentence("RenewedValidity", "Bearer token valid 15 hours; a refresh token renews it.", renewedValidity),
		sentence("RefreshValidity", "A refresh token valid 72 hours renews it.", refreshValidity),
		sentence("OAuthExpiresIn", "OAuth 2.0: expires_in is 54000 seconds (15 hours).", grantLasts),
		silence("Scopes", "Scope names and how a scope is requested: not shown.", func(c *Case) {
			c.open("scope is %s", quote(c.granted().at("scope")))
		}),
		silence("MethodsOfEndpoints", "Which endpoint accepts which method: not shown.", func(c *Case) {
			a := c.get(eligibilityPath, bearer(c.token())...)
			c.open("eligibility with a bearer token: %d", a.status)
		}),
	}...)
}

// section5Methods are the sentences about who gets in by which method.
func section5Methods() []Check {
	return []Check{
		sentence("APIKey", "API Key: request header x-api-key.", func(c *Case) {
			c.haveKey()
			if !c.opensTheSearch("x-api-key", c.config.APIKey) {
				c.errorf("the key does not open the search")
			}
		}),
		sentence("UnknownKey", "API Key: generated in the console; another one opens nothing.", func(c *Case) {
			if c.wrongKey().opens() {
				c.errorf("an unknown key opens the search")
			}
		}),
		sentence("NoCredential", "Three methods exist: without any nothing opens.", func(c *Case) {
			if c.noCredential().opens() {
				c.errorf("the search opens without a credential")
			}
		}),
		sentence("NoCredentialAnywhere", "Three methods exist: without any nothing is authorized.", func(c *Case) {
			r := c.request()
			c.notAuthorized(c.authorize(r, "Authorization", ""), "a request without a credential")
			c.notAuthorized(c.post(submissionPath, object{"solicitacao": r}, "Authorization", ""), "a request without a credential")
			c.notAuthorized(c.get(eligibilityPath+query("numeroCarteira", c.config.Card), "Authorization", ""), "a question without a credential")
		}),
		sentence("BearerToken", "Bearer Token: request header Authorization: Bearer; obtained with user name and password.", func(c *Case) {
			if !c.opensTheSearch(bearer(tokens(c.logIn()).access)...) {
				c.errorf("the login's token does not open the search")
			}
		}),
		sentence("TokenIsASecret", "Token is a JWT or a secure session string.", tokenIsASecret),
		sentence("UnknownToken", "A token that nobody was given opens nothing.", func(c *Case) {
			if c.wrongToken().opens() {
				c.errorf("an unknown token opens the search")
			}
		}),
		sentence("OAuthToken", "OAuth 2.0: the token is then used as a bearer token.", func(c *Case) {
			if !c.opensTheSearch(bearer(c.granted().string("access_token"))...) {
				c.errorf("the token does not open the search")
			}
		}),
	}
}

func tokenIsASecret(c *Case) {
	first, second := tokens(c.logIn()).access, tokens(c.logIn()).access
	if first == second { // as a JWT of the same second may be
		c.nextSecond()
		second = tokens(c.logIn()).access
	}
	switch {
	case first == second:
		c.errorf("two logins got the same token")
	case len(first) < 22: // 128 bits in base64
		c.errorf("a token of %d characters can be guessed", len(first))
	case strings.ContainsAny(first, " \t\r\n\""):
		c.errorf("a token has characters that do not belong into a header")
	}
}

func bearerValidity(c *Case)  { c.lasts(c.opened(), 15*60*60, "expires_in", "expiresIn") }
func renewedValidity(c *Case) { c.lasts(c.renewed(), 15*60*60, "expires_in", "expiresIn") }
func grantLasts(c *Case)      { c.lasts(c.granted(), 54000, "expires_in") }
func refreshValidity(c *Case) {
	c.lasts(c.opened(), 72*60*60, "refresh_expires_in", "refreshExpiresIn")
}

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
