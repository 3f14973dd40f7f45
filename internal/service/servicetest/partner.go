package servicetest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"guiche/internal/service/access"

	"github.com/google/uuid"
)

// PartnerPassword is the password of every partner's user.
const PartnerPassword = "frase-de-ponte-canario"

// Partner is a profile that may come in by every method, with what it needs for
// each.
type Partner struct {
	*Env
	Profile        access.Profile
	Key            string
	User           access.User
	Client         access.OAuthClient
	Secret         string
	Access         string // of a login
	Renewal        string // refresh token of the same login
	AccessByClient string
}

var partners atomic.Int64

// MustPartner adds a partner with all methods and scopes, logged in by each.
func (e *Env) MustPartner(t testing.TB) *Partner {
	t.Helper()
	p := &Partner{Env: e, Profile: access.Profile{ID: uuid.New(), Name: "Parceiro", Methods: access.Methods(), Scopes: access.Scopes()}}
	ctx := t.Context()
	e.Must(e.Admin.PutProfile(ctx, p.Profile))
	var err error
	p.Key, err = e.Admin.MintKey(ctx, p.Profile.ID, 0)
	e.Must(err)
	p.User, _, err = e.Admin.AddUser(ctx, p.Profile.ID, fmt.Sprintf("Integra-%d", partners.Add(1)), PartnerPassword)
	e.Must(err)
	p.Client, p.Secret, err = e.Admin.AddClient(ctx, p.Profile.ID, "Sistema da clínica", 0)
	e.Must(err)
	p.Access, p.Renewal = p.MustLogin(t)
	p.AccessByClient = p.MustToken(t)
	return p
}

// MustLogin opens another session of the partner's user.
func (p *Partner) MustLogin(t testing.TB) (token, refresh string) {
	t.Helper()
	res := p.Login(p.User.Name, PartnerPassword)
	if res.Status != http.StatusOK {
		t.Fatalf("login: %d %s", res.Status, res.Text)
	}
	return res.Data()["access_token"].(string), res.Data()["refresh_token"].(string)
}

// MustToken opens another grant of the partner's client.
func (p *Partner) MustToken(t testing.TB, scopes ...string) string {
	t.Helper()
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {p.Client.ID.String()}, "client_secret": {p.Secret}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	res := p.Token(form, nil)
	if res.Status != http.StatusOK {
		t.Fatalf("token: %d %s", res.Status, res.Text)
	}
	return res.Body["access_token"].(string)
}

// Headers are the partner's headers by method.
func (p *Partner) Headers() map[access.Method]http.Header {
	return map[access.Method]http.Header{
		access.MethodAPIKey:   {"X-Api-Key": {p.Key}},
		access.MethodPassword: Bearer(p.Access),
		access.MethodOAuth:    Bearer(p.AccessByClient),
	}
}

// Bearer is a header with a token and without a key.
func Bearer(token string) http.Header {
	return http.Header{"X-Api-Key": nil, "Authorization": {"Bearer " + token}}
}

// Login logs in with user and password.
func (e *Env) Login(user, password string) Reply {
	e.tb.Helper()
	text := fmt.Sprintf(`{"usuario":%q,"senha":%q}`, user, password)
	return e.Send(http.MethodPost, "/api/v1/auth/login", strings.NewReader(text), http.Header{"X-Api-Key": nil})
}

// Refresh asks for new tokens.
func (e *Env) Refresh(token string) Reply {
	e.tb.Helper()
	text := fmt.Sprintf(`{"refresh_token":%q}`, token)
	return e.Send(http.MethodPost, "/api/v1/auth/refresh", strings.NewReader(text), http.Header{"X-Api-Key": nil})
}

// Token asks for a token of an OAuth client.
func (e *Env) Token(form url.Values, header http.Header) Reply {
	e.tb.Helper()
	h := http.Header{"X-Api-Key": nil, "Content-Type": {"application/x-www-form-urlencoded"}}
	maps.Copy(h, header)
	return e.Send(http.MethodPost, "/oauth/token", strings.NewReader(form.Encode()), h)
}
