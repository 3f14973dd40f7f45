package api_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/service/api"

	"github.com/google/uuid"
)

const partnerPassword = "frase-de-ponte-canario"

// partner is a profile that may come in by every method, with what it needs for
// each.
type partner struct {
	*env
	profile        access.Profile
	key            string
	user           access.User
	client         access.OAuthClient
	secret         string
	access         string // of a login
	refresh        string
	accessByClient string
}

var partners int

// MustPartner adds a partner with all methods and scopes, logged in by each.
func (e *env) MustPartner(t testing.TB) *partner {
	t.Helper()
	partners++
	p := &partner{env: e, profile: access.Profile{ID: uuid.New(), Name: "Parceiro", Methods: access.Methods(), Scopes: access.Scopes()}}
	admin, ctx := e.admin, t.Context()
	e.must(admin.PutProfile(ctx, p.profile))
	var err error
	p.key, err = admin.MintKey(ctx, p.profile.ID, 0)
	e.must(err)
	p.user, _, err = admin.AddUser(ctx, p.profile.ID, fmt.Sprintf("Integra-%d", partners), partnerPassword)
	e.must(err)
	p.client, p.secret, err = admin.AddClient(ctx, p.profile.ID, "Sistema da clínica", 0)
	e.must(err)
	p.access, p.refresh = p.MustLogin(t)
	p.accessByClient = p.MustToken(t)
	return p
}

// MustLogin opens another session of the partner's user.
func (p *partner) MustLogin(t testing.TB) (access, refresh string) {
	t.Helper()
	res := p.login(p.user.Name, partnerPassword)
	if res.status != http.StatusOK {
		t.Fatalf("login: %d %s", res.status, res.text)
	}
	return res.data()["access_token"].(string), res.data()["refresh_token"].(string)
}

// MustToken opens another grant of the partner's client.
func (p *partner) MustToken(t testing.TB, scopes ...string) string {
	t.Helper()
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {p.client.ID.String()}, "client_secret": {p.secret}}
	if len(scopes) > 0 {
		form.Set("scope", strings.Join(scopes, " "))
	}
	res := p.token(form, nil)
	if res.status != http.StatusOK {
		t.Fatalf("token: %d %s", res.status, res.text)
	}
	return res.body["access_token"].(string)
}

// credentials are the partner's headers by method.
func (p *partner) credentials() map[access.Method]http.Header {
	return map[access.Method]http.Header{
		access.MethodAPIKey:   {"X-Api-Key": {p.key}},
		access.MethodPassword: bearer(p.access),
		access.MethodOAuth:    bearer(p.accessByClient),
	}
}

// bearer is a header with a token and without a key.
func bearer(token string) http.Header {
	return http.Header{"X-Api-Key": nil, "Authorization": {"Bearer " + token}}
}

func (e *env) login(user, password string) reply {
	e.tb.Helper()
	return e.send(http.MethodPost, "/api/v1/auth/login", strings.NewReader(fmt.Sprintf(`{"usuario":%q,"senha":%q}`, user, password)), http.Header{"X-Api-Key": nil})
}

func (e *env) refresh(token string) reply {
	e.tb.Helper()
	return e.send(http.MethodPost, "/api/v1/auth/refresh", strings.NewReader(fmt.Sprintf(`{"refresh_token":%q}`, token)), http.Header{"X-Api-Key": nil})
}

func (e *env) token(form url.Values, header http.Header) reply {
	e.tb.Helper()
	h := http.Header{"X-Api-Key": nil, "Content-Type": {"application/x-www-form-urlencoded"}}
	for k, v := range header {
		h[k] = v
	}
	return e.send(http.MethodPost, "/oauth/token", strings.NewReader(form.Encode()), h)
}

// opens returns the status with which a header gets to what needs no scope.
func (e *env) opens(h http.Header) int {
	e.tb.Helper()
	return e.send(http.MethodGet, "/api/v2/recursos", nil, h).status
}

// TestService_Access is the whole table of rows 25 and 26: every operation by
// every method, with its scope alone and with all others, and with the method
// switched off.
func TestService_Access(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	put := func(methods []access.Method, scopes []access.Scope) {
		p.profile.Methods, p.profile.Scopes = methods, scopes
		e.must(e.admin.PutProfile(t.Context(), p.profile))
	}
	without := func(s access.Scope) []access.Scope {
		return slices.DeleteFunc(access.Scopes(), func(x access.Scope) bool { return x == s })
	}
	ask := func(o api.Operation, h http.Header) reply {
		return p.send(o.Method, strings.ReplaceAll(o.Path, "{guiaId}", uuid.NewString()), nil, h)
	}
	for _, o := range e.api.Operations() {
		if o.Public {
			continue
		}
		nobody := ask(o, http.Header{"X-Api-Key": nil})
		checkRefusal(t, nobody, http.StatusUnauthorized)
		if got := nobody.header.Values("Www-Authenticate"); len(got) != 2 {
			t.Errorf("%s %s without credentials: challenges %q, want one for each kind", o.Method, o.Path, got)
		}
		for method, h := range p.credentials() {
			t.Run(o.Method+o.Path+"/"+string(method), func(t *testing.T) {
				only := []access.Scope{o.Scope}
				if o.Scope == "" {
					only = nil
				}
				put([]access.Method{method}, only)
				if got := ask(o, h).status; got == 401 || got == 403 || got == 405 {
					t.Errorf("with its scope alone: got %d", got)
				}
				put(slices.DeleteFunc(access.Methods(), func(m access.Method) bool { return m == method }), access.Scopes())
				refused := ask(o, h)
				checkRefusal(t, refused, http.StatusForbidden)
				if !slices.Equal(refused.fields(), []string{" metodo_de_autenticacao"}) {
					t.Errorf("method off: got %q", refused.fields())
				}
				if o.Scope == "" {
					return
				}
				put(access.Methods(), without(o.Scope))
				refused = ask(o, h)
				checkRefusal(t, refused, http.StatusForbidden)
				challenged := strings.Contains(refused.header.Get("Www-Authenticate"), `error="insufficient_scope"`)
				if !slices.Equal(refused.fields(), []string{" escopo"}) || challenged != (method != access.MethodAPIKey) {
					t.Errorf("without its scope: got %q, challenge %q", refused.fields(), refused.header.Values("Www-Authenticate"))
				}
			})
		}
	}
}

// TestService_Bearer is how a token is sent and refused (RFC 6750).
func TestService_Bearer(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	for name, c := range map[string]struct {
		header http.Header
		status int
		word   string // error= of the challenge
	}{
		"good":                    {bearer(p.access), 200, ""},
		"scheme in lower case":    {http.Header{"X-Api-Key": nil, "Authorization": {"bearer " + p.access}}, 200, ""},
		"another scheme":          {http.Header{"X-Api-Key": nil, "Authorization": {"Basic dTpw"}}, 401, ""},
		"a proxy's own, and ours": {http.Header{"X-Api-Key": {p.key}, "Authorization": {"Basic dTpw"}}, 200, ""},
		"empty":                   {bearer(""), 401, "invalid_token"},
		"unknown":                 {bearer("gca_" + strings.Repeat("A", 43) + "00000000"), 401, "invalid_token"},
		"a refresh token":         {bearer(p.refresh), 401, "invalid_token"},
		"a key":                   {bearer(p.key), 401, "invalid_token"},
		"twice":                   {http.Header{"X-Api-Key": nil, "Authorization": {"Bearer " + p.access, "Bearer " + p.access}}, 401, "invalid_token"},
		"two methods":             {http.Header{"X-Api-Key": {p.key}, "Authorization": {"Bearer " + p.access}}, 401, "invalid_request"},
		"token as key":            {http.Header{"X-Api-Key": {p.access}}, 401, ""},
		"token in the query":      {http.Header{"X-Api-Key": nil}, 401, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := "/api/v2/recursos"
			if name == "token in the query" {
				path += "?access_token=" + p.access
			}
			res := e.send(http.MethodGet, path, nil, c.header)
			if c.status != http.StatusOK {
				checkRefusal(t, res, c.status)
			}
			challenges := strings.Join(res.header.Values("Www-Authenticate"), "\n")
			if res.status != c.status || strings.Contains(challenges, "error=") != (c.word != "") || !strings.Contains(challenges, c.word) {
				t.Errorf("got %d, challenges %q, want %d %q", res.status, challenges, c.status, c.word)
			}
		})
	}
}

// TestService_Revocation is rule 2 of section 5: what ends a credential is in
// force for the very next request, others being under way at the same moment: of
// 10,000 with the token of a revoked family none is accepted, and none of 200 with
// each other way to end one.
func TestService_Revocation(t *testing.T) {
	e := MustEnv(t, limits{})
	handler := e.api.Handler()
	for name, end := range map[string]func(p *partner) (http.Header, error){
		"key": func(p *partner) (http.Header, error) {
			keys, err := e.admin.Keys(t.Context(), p.profile.ID)
			e.must(err)
			return http.Header{"X-Api-Key": {p.key}}, e.admin.RevokeKey(t.Context(), keys[0].ID)
		},
		"client": func(p *partner) (http.Header, error) {
			return bearer(p.accessByClient), e.admin.RevokeClient(t.Context(), p.client.ID)
		},
		"user": func(p *partner) (http.Header, error) {
			return bearer(p.access), e.admin.SetUserDisabled(t.Context(), p.user.ID, true)
		},
		"password": func(p *partner) (http.Header, error) {
			_, err := e.admin.SetUserPassword(t.Context(), p.user, "")
			return bearer(p.access), err
		},
		"family": func(p *partner) (http.Header, error) {
			families, err := e.admin.Families(t.Context(), access.FamilyQuery{Profile: p.profile.ID})
			e.must(err)
			return bearer(p.accessByClient), e.admin.RevokeFamily(t.Context(), families.Items[0].ID)
		},
		"reuse": func(p *partner) (http.Header, error) {
			for _, want := range []int{http.StatusOK, http.StatusUnauthorized} {
				if got := e.refresh(p.refresh).status; got != want {
					return nil, fmt.Errorf("refresh: got %d, want %d", got, want)
				}
			}
			return bearer(p.access), nil
		},
		"profile": func(p *partner) (http.Header, error) {
			p.profile.Disabled = true
			return bearer(p.access), e.admin.PutProfile(t.Context(), p.profile)
		},
		"scope": func(p *partner) (http.Header, error) {
			p.profile.Scopes = []access.Scope{access.ReadCredentials}
			return bearer(p.access), e.admin.PutProfile(t.Context(), p.profile)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := e.MustPartner(t)
			stop := keepAsking(handler, p.credentials())
			header, err := end(p)
			e.must(err)
			wrong := accepted(handler, header, 200)
			if stop() == 0 {
				t.Error("nothing was accepted before it")
			}
			if name == "family" {
				wrong += accepted(handler, header, 9_800)
			}
			if wrong > 0 {
				t.Errorf("%d requests were accepted after it", wrong)
			}
		})
	}
}

// accepted asks so many times, without a network in between, and counts the answers that are no refusal.
func accepted(handler http.Handler, h http.Header, times int) (n int) {
	r := httptest.NewRequest(http.MethodGet, "/api/v2/unidades", nil)
	maps.Copy(r.Header, h)
	for range times {
		w := statusOnly{header: http.Header{}}
		handler.ServeHTTP(&w, r)
		if w.status/100 == 2 {
			n++
		}
	}
	return n
}

// statusOnly is an answer of which only the status counts.
type statusOnly struct {
	header http.Header
	status int
}

func (w *statusOnly) Header() http.Header         { return w.header }
func (w *statusOnly) Write(p []byte) (int, error) { return len(p), nil }
func (w *statusOnly) WriteHeader(status int)      { w.status = cmp.Or(w.status, status) }

// keepAsking asks with each of the headers until stop is called, which tells how
// often something was accepted.
func keepAsking(handler http.Handler, headers map[access.Method]http.Header) (stop func() int) {
	done, total := make(chan struct{}), make(chan int)
	began := make(chan struct{}, len(headers))
	for _, h := range headers {
		go func() {
			n := accepted(handler, h, 1)
			began <- struct{}{}
			for {
				select {
				case <-done:
					total <- n
					return
				default:
					n += accepted(handler, h, 1)
				}
			}
		}()
	}
	for range headers {
		<-began
	}
	return func() (n int) {
		close(done)
		for range headers {
			n += <-total
		}
		return n
	}
}

// TestService_Lifetimes is specification 8, with tokens that are used all the
// time.
func TestService_Lifetimes(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	tokens := []string{p.access, p.accessByClient}
	for _, at := range []struct {
		after time.Duration
		want  int
	}{{0, 200}, {15*time.Hour - time.Microsecond, 200}, {15 * time.Hour, 401}} {
		e.clock.at.Store(start.Add(at.after).UnixMicro())
		for i, token := range tokens {
			if got := e.opens(bearer(token)); got != at.want {
				t.Errorf("token %d after %v: got %d, want %d", i, at.after, got, at.want)
			}
		}
	}
	e.clock.at.Store(start.Add(72*time.Hour - time.Microsecond).UnixMicro())
	renewed := e.refresh(p.refresh)
	if renewed.status != http.StatusOK {
		t.Fatalf("refresh just before 72 h: got %d", renewed.status)
	}
	e.clock.move(72 * time.Hour)
	checkRefusal(t, e.refresh(renewed.data()["refresh_token"].(string)), http.StatusUnauthorized)
}
