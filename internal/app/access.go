package app

import (
	"context"
	"errors"
	"net/http"

	"guiche/internal/client"
	"guiche/internal/connection"
)

// authorizer returns the credentials of a plan, in the form that its method wants.
func authorizer(p connection.Plan) client.Authorizer {
	switch {
	case p.Secret == "":
		return noAccess{}
	case p.Method == connection.Password:
		return client.Login(client.LoginConfig{User: p.User, Password: client.Secret(p.Secret), Path: p.LoginPath, RefreshPath: orNoPath(p.RefreshPath),
			UserField: p.UserField, PasswordField: p.PasswordField})
	case p.Method == connection.OAuth:
		return client.OAuth(client.OAuthConfig{ClientID: p.ClientID, ClientSecret: client.Secret(p.Secret), Path: p.TokenPath, Scope: p.Scope, Basic: p.ClientBasic})
	}
	return client.APIKey(p.Secret)
}

// orNoPath returns a path as the client has it.
func orNoPath(path string) string {
	if path == "" {
		return client.NoPath
	}
	return path
}

// noAccess is a service whose secret is not there: nothing is sent.
type noAccess struct{}

var errNoSecret = errors.New("the secret of the authorization service is not there")

// Authorize implements client.Authorizer.
func (noAccess) Authorize(*http.Request) error { return errNoSecret }

// Renew implements client.Authorizer.
func (noAccess) Renew(context.Context, *http.Request) (bool, error) { return false, nil }
