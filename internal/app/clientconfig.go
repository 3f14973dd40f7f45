package app

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"guiche/internal/client"
	"guiche/internal/connection"
	"guiche/internal/egress"
)

// clientConfigs makes the configuration of a client from a plan of the connection:
// through memory to the embedded service, over the network to another one. There is
// no other difference.
type clientConfigs struct {
	blobs    client.Blobs
	embedded *embedded // nil where the configuration names another service
	route    egress.Route
	clock    func() time.Time
	logger   *slog.Logger
}

// embeddedURL only fills the Host header: the pipe has no addresses.
const embeddedURL = "http://embutido"

// of returns the configuration by a plan.
func (m clientConfigs) of(ctx context.Context, p connection.Plan) (client.Config, error) {
	c := client.Config{
		BaseURL: p.BaseURL, Auth: authorizer(p), Blobs: m.blobs, Dial: p.Guard(m.route).DialContext, Roots: m.route.Roots,
		ConnectTimeout: p.Connect, AnswerTimeout: p.Answer, QueryTimeout: p.Query,
		UnitsPath: pathOrNone(p.UnitsPath), ProfessionalsPath: pathOrNone(p.ProfessionalsPath),
		EligibilityPath: p.EligibilityPath, Eligibility: eligibility(p),
		AttachmentShape: client.AttachmentShape(p.Attachments), Clock: m.clock, Logger: m.logger,
	}
	if p.ByHand {
		features := client.FeaturesOf(p.Features)
		c.Features = &features
	}
	if !p.Embedded {
		return c, nil
	}
	if m.embedded == nil {
		return client.Config{}, errNotEmbedded
	}
	auth, err := m.embedded.deskAccess(ctx)
	if err != nil {
		return client.Config{}, err
	}
	c.BaseURL, c.Auth, c.Dial = embeddedURL, auth, m.embedded.pipe.DialContext
	c.UnitsPath, c.ProfessionalsPath, c.EligibilityPath = "", "", "" // its own
	return c, nil
}

// unset returns the configuration before any plan: nothing is sent.
func (m clientConfigs) unset() client.Config {
	return client.Config{BaseURL: embeddedURL, Auth: noAccess{}, Blobs: m.blobs, Clock: m.clock, Logger: m.logger}
}

// eligibility says whether the plan wants eligibility to be asked for, nil where the
// features say.
func eligibility(p connection.Plan) *bool {
	if p.Eligibility == connection.EligibilityAnnounced {
		return nil
	}
	always := p.Eligibility == connection.EligibilityAlways
	return &always
}

// authorizer returns the access of a plan, in the form that its method wants.
func authorizer(p connection.Plan) client.Authorizer {
	switch {
	case p.Secret == "":
		return noAccess{}
	case p.Method == connection.Password:
		return client.Login(client.LoginConfig{
			User: p.User, Password: client.Secret(p.Secret), Path: p.LoginPath, RefreshPath: pathOrNone(p.RefreshPath),
			UserField: p.UserField, PasswordField: p.PasswordField,
		})
	case p.Method == connection.OAuth:
		return client.OAuth(client.OAuthConfig{
			ClientID: p.ClientID, ClientSecret: client.Secret(p.Secret), Path: p.TokenPath, Scope: p.Scope, Basic: p.ClientBasic,
		})
	}
	return client.APIKey(p.Secret)
}

// pathOrNone returns a path as the client has it, whose empty path is its default.
func pathOrNone(path string) string {
	if path == "" {
		return client.NoPath
	}
	return path
}

var (
	errNotEmbedded = errors.New("this installation has no embedded service")
	errNoSecret    = errors.New("the secret of the authorization service is missing")
)

// noAccess is a service whose secret is missing: nothing is sent.
type noAccess struct{}

// Authorize implements client.Authorizer.
func (noAccess) Authorize(*http.Request) error { return errNoSecret }

// Renew implements client.Authorizer.
func (noAccess) Renew(context.Context, *http.Request) (bool, error) { return false, nil }

// now is the present moment by the configured clock.
func (m clientConfigs) now() time.Time {
	if m.clock == nil {
		return time.Now()
	}
	return m.clock()
}
