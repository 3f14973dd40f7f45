package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
)

// Paths of tokens (specification 4.6 and 4.7; row 23).
const (
	DefaultLoginPath   = "/api/v1/auth/login"
	DefaultRefreshPath = "/api/v1/auth/refresh"
	DefaultTokenPath   = "/oauth/token"
)

// NoPath in place of a path is a service that has no such thing.
const NoPath = "-"

// LoginConfig says how to log in with user and password (row 23).
// Zero values mean the defaults; elsewhere `/api/v2/auth/login {email, senha}` was
// seen.
type LoginConfig struct {
	User          string
	Password      Secret
	Path          string // default DefaultLoginPath
	RefreshPath   string // default DefaultRefreshPath; NoPath for a service that renews no token
	UserField     string // default "usuario"
	PasswordField string // default "senha"
}

// Login returns an authorizer that logs in and renews its token by the refresh
// token, and by another login where that is not taken.
func Login(c LoginConfig) *Bearer {
	setDefault(&c.Path, DefaultLoginPath)
	setDefault(&c.RefreshPath, DefaultRefreshPath)
	setDefault(&c.UserField, "usuario")
	setDefault(&c.PasswordField, "senha")
	return &Bearer{source: c}
}

func setDefault(s *string, value string) {
	if *s == "" {
		*s = value
	}
}

// tokens implements tokenSource.
func (l LoginConfig) tokens(ctx context.Context, c *Client, refresh string) (tokens, error) {
	if refresh != "" && l.RefreshPath != NoPath {
		got, err := c.askTokensJSON(ctx, l.RefreshPath, map[string]string{"refresh_token": refresh})
		var refused *accessError
		if !errors.As(err, &refused) {
			return got, err
		}
	}
	return c.askTokensJSON(ctx, l.Path, map[string]string{l.UserField: l.User, l.PasswordField: string(l.Password)})
}

func (c *Client) askTokensJSON(ctx context.Context, path string, members map[string]string) (tokens, error) {
	body, err := json.Marshal(members)
	if err != nil {
		return tokens{}, fmt.Errorf("ask for a token: %w", err)
	}
	return c.askTokens(ctx, tokenRequest{path: path, contentType: "application/json", body: body})
}
