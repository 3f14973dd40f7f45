package api_test

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/service/api"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// opens returns the status with which a header gets to what needs no scope.
func (e *env) opens(h http.Header) int {
	e.tb.Helper()
	return e.Send(http.MethodGet, "/api/v2/recursos", nil, h).Status
}

// TestAPI_Access is the whole table of rows 25 and 26: every operation by
// every method, with its scope alone and with all others, and with the method
// switched off.
func TestAPI_Access(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	put := func(methods []access.Method, scopes []access.Scope) {
		p.Profile.Methods, p.Profile.Scopes = methods, scopes
		e.Must(e.Admin.PutProfile(t.Context(), p.Profile))
	}
	without := func(s access.Scope) []access.Scope {
		return slices.DeleteFunc(access.Scopes(), func(x access.Scope) bool { return x == s })
	}
	ask := func(o api.Operation, h http.Header) reply {
		return p.Send(o.Method, strings.ReplaceAll(o.Path, "{guiaId}", uuid.NewString()), nil, h)
	}
	for _, o := range e.API.Operations() {
		if o.Public {
			continue
		}
		nobody := ask(o, http.Header{"X-Api-Key": nil})
		checkRefusal(t, nobody, http.StatusUnauthorized)
		if got := nobody.Header.Values("Www-Authenticate"); len(got) != 2 {
			t.Errorf("%s %s without credentials: challenges %q, want one for each kind", o.Method, o.Path, got)
		}
		for method, h := range p.Headers() {
			t.Run(o.Method+o.Path+"/"+string(method), func(t *testing.T) {
				only := []access.Scope{o.Scope}
				if o.Scope == "" {
					only = nil
				}
				put([]access.Method{method}, only)
				if got := ask(o, h).Status; got == 401 || got == 403 || got == 405 {
					t.Errorf("with its scope alone: got %d", got)
				}
				put(slices.DeleteFunc(access.Methods(), func(m access.Method) bool { return m == method }), access.Scopes())
				refused := ask(o, h)
				checkRefusal(t, refused, http.StatusForbidden)
				if !slices.Equal(refused.Fields(), []string{" metodo_de_autenticacao"}) {
					t.Errorf("method off: got %q", refused.Fields())
				}
				if o.Scope == "" {
					return
				}
				put(access.Methods(), without(o.Scope))
				refused = ask(o, h)
				checkRefusal(t, refused, http.StatusForbidden)
				challenged := strings.Contains(refused.Header.Get("Www-Authenticate"), `error="insufficient_scope"`)
				if !slices.Equal(refused.Fields(), []string{" escopo"}) || challenged != (method != access.MethodAPIKey) {
					t.Errorf("without its scope: got %q, challenge %q", refused.Fields(), refused.Header.Values("Www-Authenticate"))
				}
			})
		}
	}
}

// TestAPI_Bearer is how a token is sent and refused (RFC 6750).
func TestAPI_Bearer(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	for name, c := range map[string]struct {
		header http.Header
		status int
		word   string // error= of the challenge
	}{
		"good":                    {servicetest.Bearer(p.Access), 200, ""},
		"scheme in lower case":    {http.Header{"X-Api-Key": nil, "Authorization": {"bearer " + p.Access}}, 200, ""},
		"another scheme":          {http.Header{"X-Api-Key": nil, "Authorization": {"Basic dTpw"}}, 401, ""},
		"a proxy's own, and ours": {http.Header{"X-Api-Key": {p.Key}, "Authorization": {"Basic dTpw"}}, 200, ""},
		"empty":                   {servicetest.Bearer(""), 401, "invalid_token"},
		"unknown":                 {servicetest.Bearer("gca_" + strings.Repeat("A", 43) + "00000000"), 401, "invalid_token"},
		"a refresh token":         {servicetest.Bearer(p.Renewal), 401, "invalid_token"},
		"a key":                   {servicetest.Bearer(p.Key), 401, "invalid_token"},
		"twice": {http.Header{"X-Api-Key": nil, "Authorization": {"Bearer " + p.Access, "Bearer " + p.Access}}, 401,
			"invalid_token"},
		"two methods":        {http.Header{"X-Api-Key": {p.Key}, "Authorization": {"Bearer " + p.Access}}, 401, "invalid_request"},
		"token as key":       {http.Header{"X-Api-Key": {p.Access}}, 401, ""},
		"token in the query": {http.Header{"X-Api-Key": nil}, 401, ""},
	} {
		t.Run(name, func(t *testing.T) {
			path := "/api/v2/recursos"
			if name == "token in the query" {
				path += "?access_token=" + p.Access
			}
			res := e.Send(http.MethodGet, path, nil, c.header)
			if c.status != http.StatusOK {
				checkRefusal(t, res, c.status)
			}
			challenges := strings.Join(res.Header.Values("Www-Authenticate"), "\n")
			if res.Status != c.status || strings.Contains(challenges, "error=") != (c.word != "") || !strings.Contains(challenges, c.word) {
				t.Errorf("got %d, challenges %q, want %d %q", res.Status, challenges, c.status, c.word)
			}
		})
	}
}

// TestAPI_Revocation is rule 2 of section 5: what ends a credential is in
// force for the very next request, others being under way at the same moment: of
// 10,000 with the token of a revoked family none is accepted, and none of 200 with
// each other way to end one.
func TestAPI_Revocation(t *testing.T) {
	e := MustEnv(t, limits{})
	handler := e.API.Handler()
	for name, end := range map[string]func(p *servicetest.Partner) (http.Header, error){
		"key": func(p *servicetest.Partner) (http.Header, error) {
			keys, err := e.Admin.Keys(t.Context(), p.Profile.ID)
			e.Must(err)
			return http.Header{"X-Api-Key": {p.Key}}, e.Admin.RevokeKey(t.Context(), keys[0].ID)
		},
		"client": func(p *servicetest.Partner) (http.Header, error) {
			return servicetest.Bearer(p.AccessByClient), e.Admin.RevokeClient(t.Context(), p.Client.ID)
		},
		"user": func(p *servicetest.Partner) (http.Header, error) {
			return servicetest.Bearer(p.Access), e.Admin.SetUserDisabled(t.Context(), p.User.ID, true)
		},
		"password": func(p *servicetest.Partner) (http.Header, error) {
			_, err := e.Admin.SetUserPassword(t.Context(), p.User, "")
			return servicetest.Bearer(p.Access), err
		},
		"family": func(p *servicetest.Partner) (http.Header, error) {
			families, err := e.Admin.Families(t.Context(), access.FamilyQuery{Profile: p.Profile.ID})
			e.Must(err)
			return servicetest.Bearer(p.AccessByClient), e.Admin.RevokeFamily(t.Context(), families.Items[0].ID)
		},
		"reuse": func(p *servicetest.Partner) (http.Header, error) {
			for _, want := range []int{http.StatusOK, http.StatusUnauthorized} {
				if got := e.Refresh(p.Renewal).Status; got != want {
					return nil, fmt.Errorf("refresh: got %d, want %d", got, want)
				}
			}
			return servicetest.Bearer(p.Access), nil
		},
		"profile": func(p *servicetest.Partner) (http.Header, error) {
			p.Profile.Disabled = true
			return servicetest.Bearer(p.Access), e.Admin.PutProfile(t.Context(), p.Profile)
		},
		"scope": func(p *servicetest.Partner) (http.Header, error) {
			p.Profile.Scopes = []access.Scope{access.ReadCredentials}
			return servicetest.Bearer(p.Access), e.Admin.PutProfile(t.Context(), p.Profile)
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := e.MustPartner(t)
			stop := keepAsking(handler, p.Headers())
			header, err := end(p)
			e.Must(err)
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

// TestAPI_Lifetimes is specification 8, with tokens that are used all the
// time.
func TestAPI_Lifetimes(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	tokens := []string{p.Access, p.AccessByClient}
	for _, at := range []struct {
		after time.Duration
		want  int
	}{{0, 200}, {15*time.Hour - time.Microsecond, 200}, {15 * time.Hour, 401}} {
		e.Clock.Set(start.Add(at.after))
		for i, token := range tokens {
			if got := e.opens(servicetest.Bearer(token)); got != at.want {
				t.Errorf("token %d after %v: got %d, want %d", i, at.after, got, at.want)
			}
		}
	}
	e.Clock.Set(start.Add(72*time.Hour - time.Microsecond))
	renewed := e.Refresh(p.Renewal)
	if renewed.Status != http.StatusOK {
		t.Fatalf("refresh just before 72 h: got %d", renewed.Status)
	}
	e.Clock.Move(72 * time.Hour)
	checkRefusal(t, e.Refresh(renewed.Data()["refresh_token"].(string)), http.StatusUnauthorized)
}
