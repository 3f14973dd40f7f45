package client

import (
	"context"
	"net/url"
)

// OAuthConfig says how to get a token by OAuth 2.0 client credentials
// (specification 4.7). Zero values mean the defaults.
type OAuthConfig struct {
	ClientID     string
	ClientSecret Secret
	Path         string // default DefaultTokenPath
	Scope        string // words separated by spaces; "" asks for all that the client has
	Basic        bool   // the client in HTTP Basic instead of the form
}

// OAuth returns an authorizer that gets its tokens by client credentials.
func OAuth(c OAuthConfig) *Bearer {
	setDefault(&c.Path, DefaultTokenPath)
	return &Bearer{source: c}
}

// tokens implements tokenSource. There is no refresh token in this grant (RFC 6749,
// section 4.4.3).
func (o OAuthConfig) tokens(ctx context.Context, c *Client, _ string) (tokens, error) {
	form := url.Values{"grant_type": {"client_credentials"}}
	if o.Scope != "" {
		form.Set("scope", o.Scope)
	}
	t := tokenRequest{path: o.Path, contentType: "application/x-www-form-urlencoded"}
	if o.Basic {
		t.id, t.secret = url.QueryEscape(o.ClientID), Secret(url.QueryEscape(string(o.ClientSecret)))
	} else {
		form.Set("client_id", o.ClientID)
		form.Set("client_secret", string(o.ClientSecret))
	}
	t.body = []byte(form.Encode())
	return c.askTokens(ctx, t)
}
