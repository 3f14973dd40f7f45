package conformance

import (
	"encoding/base64"
	"net/url"
	"strings"
)

// row23 checks the sessions of the login method: what opening, renewing and closing one
// answer.
func row23() []Check {
	return []Check{
		sentence("Login", "POST /api/v1/auth/login {usuario, senha} → data {access_token, token_type, expires_in: 54000, "+
			"refresh_token, refresh_expires_in: 259200}.", func(c *Case) {
			c.sessionShape(c.opened())
		}),
		sentence("Refresh", "Both answer the same.", func(c *Case) { c.sessionShape(c.renewed()) }),
		sentence("WrongPassword", "A wrong password and an unknown user get the same 401.", func(c *Case) {
			wrong := c.wrongPassword()
			c.refused(wrong, 401)
			c.ours("an unknown user is one more guess")
			unknown := c.post(c.login().Path, object{"usuario": "ninguem-" + c.guideNumber(), "senha": "errada"}, "Authorization", "")
			if c.refused(unknown, 401); string(wrong.text) != string(unknown.text) {
				c.errorf("the two answers differ")
			}
		}),
		sentence("UsedOnce", "A refresh token is used once; using it twice revokes the family, its access tokens included.", usedOnce),
		sentence("Fields", "usuario, senha and refresh_token are required.", func(c *Case) {
			c.refused(c.post(c.login().Path, object{}, "Authorization", ""), 422, "usuario obrigatorio", "senha obrigatorio")
			c.refused(c.post(refreshPath, object{"refresh_token": 7}, "Authorization", ""), 422, "refresh_token tipo")
		}),
	}
}

// sessionShape checks that an answer opens a session of 15 hours that can be renewed for
// three days.
func (c *Case) sessionShape(a answer) {
	data, _ := c.ok(a).at("data").(object)
	c.shape([]object{data}, field{name: "access_token", form: text}, field{name: "refresh_token", form: text})
	if data["token_type"] != "Bearer" || quote(data["expires_in"]) != "54000" || quote(data["refresh_expires_in"]) != "259200" {
		c.errorf("token_type %s, expires_in %s, refresh_expires_in %s", quote(data["token_type"]), quote(data["expires_in"]),
			quote(data["refresh_expires_in"]))
	}
}

// usedOnce checks that a refresh token used twice closes the whole session: somebody
// else has a copy of it.
func usedOnce(c *Case) {
	c.ours("a token that has ended is one more guess")
	first := c.session()
	second := tokens(c.ok(c.refresh(first.refresh)))
	c.refused(c.refresh(first.refresh), 401)
	for _, token := range []string{first.access, second.access} {
		c.refused(c.get(credentialsPath, bearer(token)...), 401)
	}
	c.refused(c.refresh(second.refresh), 401)
	c.logIn()
}

// row24 checks the OAuth token endpoint, whose members stand where RFC 6749 has them.
func row24() []Check {
	return []Check{
		sentence("Members", "RFC 6749 members at the top level, sucesso and erros beside them.", func(c *Case) {
			a := c.ok(c.granted())
			if errors, _ := a.at("erros").([]any); errors == nil || a.string("access_token") == "" || a.at("token_type") != "Bearer" {
				c.errorf("the answer has %s", members(a.doc))
			}
		}),
		sentence("Errors", "Errors likewise (error, error_description, sucesso: false, erros).", func(c *Case) {
			c.oauthRefused(c.wrongClientSecret(), 401, "invalid_client")
			c.oauthRefused(c.grant("grant_type", "password"), 400, "unsupported_grant_type")
			c.oauthRefused(c.grant("grant_type", ""), 400, "invalid_request")
			c.oauthRefused(c.grant("scope", "tudo"), 400, "invalid_scope")
		}),
		sentence("BasicOrForm", "Client in the form body or by HTTP Basic.", func(c *Case) {
			c.haveClient()
			request := url.Values{"grant_type": {"client_credentials"}}
			c.ok(c.form(request, "Authorization", basic(c.config.OAuth.ClientID, c.config.OAuth.ClientSecret)))
			c.oauthRefused(c.form(request), 401, "invalid_client")
			c.ours("a wrong secret is one more guess")
			c.oauthRefused(c.form(request, "Authorization", basic(c.config.OAuth.ClientID, "errado")), 401, "invalid_client")
		}),
	}
}

// oauthRefused checks a refusal of the token endpoint, which carries the words of RFC
// 6749 beside those of the interface.
func (c *Case) oauthRefused(a answer, status int, word string) {
	c.refused(a, status)
	if a.at("error") != word || a.string("error_description") == "" {
		c.errorf("%s: error is %s, want %q with a description", a.what, quote(a.at("error")), word)
	}
}

// scoped is an endpoint with the scope that it wants (rows 13 to 18, 25).
type scoped struct{ scope, method, path string }

// endpoints lists every endpoint with the scope that opens it.
func endpoints() []scoped {
	guide := lookupPath + "/00000000-0000-4000-8000-000000000000"
	return []scoped{
		{"credenciais:ler", "GET", credentialsPath},
		{"cadastros:ler", "GET", unitsPath},
		{"cadastros:ler", "GET", professionalsPath},
		{"elegibilidade:ler", "GET", eligibilityPath},
		{"autorizacoes:criar", "POST", authorizePath},
		{"autorizacoes:criar", "POST", submissionPath},
		{"autorizacoes:ler", "GET", lookupPath},
		{"autorizacoes:ler", "GET", guide},
		{"autorizacoes:alterar", "POST", guide + "/anexos"},
		{"autorizacoes:alterar", "POST", guide + "/biometria"},
		{"autorizacoes:alterar", "POST", guide + "/cancelamento"},
	}
}

// row25 checks that each scope opens its own endpoints and no others.
func row25() []Check {
	return []Check{
		sentence("EachOpensItsOwn", "Scopes credenciais:ler, cadastros:ler, elegibilidade:ler, autorizacoes:criar, "+
			"autorizacoes:ler, autorizacoes:alterar; the form field scope narrows.", func(c *Case) {
			all := endpoints()
			for _, holder := range all {
				token := c.ok(c.grant("scope", holder.scope)).string("access_token")
				for _, e := range all {
					if a := c.ask(e.method, e.path, nil, bearer(token)...); (a.status == 403) != (e.scope != holder.scope) {
						c.errorf("with %s alone: %s", holder.scope, a.told())
					}
				}
			}
		}),
		sentence("AbsentMeansAll", "Absent means all of the profile's.", func(c *Case) {
			granted := c.ok(c.granted()).string("scope")
			for _, e := range endpoints() {
				if !strings.Contains(" "+granted+" ", " "+e.scope+" ") {
					c.errorf("scope is %q", granted)
				}
			}
		}),
	}
}

// row26 checks that every enabled method of authentication opens every endpoint.
func row26() []Check {
	return []Check{sentence("AnyMethodAnywhere", "Any method that the partner's profile enables.", func(c *Case) {
		c.haveKey()
		methods := map[string][]string{
			"x-api-key": {"x-api-key", c.config.APIKey},
			"login":     bearer(tokens(c.logIn()).access),
			"oauth":     bearer(c.granted().string("access_token")),
		}
		for name, headers := range methods {
			for _, e := range endpoints() {
				if a := c.ask(e.method, e.path, nil, headers...); a.status == 401 || a.status == 403 {
					c.errorf("by %s: %s", name, a.told())
				}
			}
		}
	})}
}

// basic is the Authorization header of a client, escaped as RFC 6749 (2.3.1) asks.
func basic(id, secret string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(url.QueryEscape(id)+":"+url.QueryEscape(secret)))
}
