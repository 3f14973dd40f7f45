package conformance

import (
	"encoding/json"
	"net/url"
)

// session is what login and refresh hand out (4.6, 4.8).
type session struct{ access, refresh string }

// login is the user and the operation that logs in.
func (c *Case) login() Login {
	if c.config.Login == nil {
		c.untried("no login")
	}
	return *c.config.Login
}

// logIn opens a new session.
func (c *Case) logIn() answer {
	login := c.login()
	return c.newest(c.post(login.Path, object{login.UserField: login.User, login.PasswordField: login.Password}, "Authorization", ""))
}

// refresh renews a session.
func (c *Case) refresh(token string) answer {
	return c.newest(c.post(refreshPath, object{"refresh_token": token}, "Authorization", ""))
}

// newest goes on with the session that an answer opened where the run has no client of
// its own: a service may end a user's older sessions.
func (c *Case) newest(a answer) answer {
	if token := tokens(a).access; token != "" && c.config.OAuth == nil {
		c.cache.bearer = token
	}
	return a
}

// The wrong secrets. Each is tried once in a run and followed by the right one: a
// service that slows down guessing must not be brought to refuse the suite.

func (c *Case) wrongKey() answer {
	c.haveKey()
	return c.once("wrong key", func() answer {
		a := c.get(emptySearch, "x-api-key", c.config.APIKey+"x")
		c.get(emptySearch, "x-api-key", c.config.APIKey)
		return a
	})
}

func (c *Case) wrongToken() answer {
	token := c.token()
	return c.once("wrong token", func() answer {
		a := c.get(emptySearch, bearer(token+"x")...)
		c.get(emptySearch, bearer(token)...)
		return a
	})
}

func (c *Case) wrongPassword() answer {
	login := c.login()
	return c.once("wrong password", func() answer {
		a := c.post(login.Path, object{login.UserField: login.User, login.PasswordField: login.Password + "x"}, "Authorization", "")
		c.logIn()
		return a
	})
}

func (c *Case) wrongClientSecret() answer {
	c.haveClient()
	return c.once("wrong client secret", func() answer {
		a := c.grant("client_secret", c.config.OAuth.ClientSecret+"x")
		c.grant()
		return a
	})
}

// noCredential is the search without any.
func (c *Case) noCredential() answer {
	return c.once("no credential", func() answer { return c.get(emptySearch, "Authorization", "") })
}

func (c *Case) haveKey() {
	if c.config.APIKey == "" {
		c.untried("no api_key")
	}
}

func (c *Case) haveClient() {
	if c.config.OAuth == nil {
		c.untried("no oauth")
	}
}

// token is a bearer token of whatever kind the configuration has.
func (c *Case) token() string {
	if c.cache.bearer == "" && c.config.OAuth != nil {
		c.cache.bearer = c.grant().string("access_token")
	}
	if c.cache.bearer == "" {
		c.logIn()
	}
	if c.cache.bearer == "" {
		c.fatalf("no bearer token was handed out")
	}
	return c.cache.bearer
}

// grant asks for a token with the client's credentials (4.7); more are further
// form fields, name and value.
func (c *Case) grant(more ...string) answer {
	c.haveClient()
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {c.config.OAuth.ClientID},
		"client_secret": {c.config.OAuth.ClientSecret}}
	for i := 0; i+1 < len(more); i += 2 {
		form.Set(more[i], more[i+1])
	}
	return c.form(form)
}

// form posts a form without the run's own authentication: the token endpoint has its
// own.
func (c *Case) form(form url.Values, headers ...string) answer {
	return c.ask("POST", tokenPath, []byte(form.Encode()),
		append([]string{"Content-Type", "application/x-www-form-urlencoded", "Authorization", ""}, headers...)...)
}

// tokens reads a session out of any shape: in data or beside it, in snake or camel
// case (4.6 shows none).
func tokens(a answer) session {
	return session{access: tokenMember(a, "access_token", "accessToken", "token"), refresh: tokenMember(a, "refresh_token", "refreshToken")}
}

func tokenMember(a answer, names ...string) string {
	for _, name := range names {
		for _, path := range []string{"data." + name, name} {
			if s := a.string(path); s != "" {
				return s
			}
		}
	}
	return ""
}

// seconds reads a lifetime out of any shape.
func seconds(a answer, names ...string) (int64, bool) {
	for _, name := range names {
		for _, path := range []string{"data." + name, name} {
			if n, ok := a.at(path).(json.Number); ok {
				value, err := n.Int64()
				return value, err == nil
			}
		}
	}
	return 0, false
}

func bearer(token string) []string { return []string{"Authorization", "Bearer " + token} }
