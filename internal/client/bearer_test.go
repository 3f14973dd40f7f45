package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/problem"
)

const (
	password = "senha-canario"
	secret   = "segredo-canario"
)

// tokenService is a service of some shape: each test says how it hands out tokens;
// one of those it handed out last opens its paths.
type tokenService struct {
	*httptest.Server
	mu     sync.Mutex
	calls  []string // path and body of each request for tokens
	serial int
	valid  string // the token that opens; "" is every one
	hand   func(s *tokenService, w http.ResponseWriter, r *http.Request, body string)
}

// MustTokenService starts one; hand answers everything but the paths of queries.
func MustTokenService(tb testing.TB, hand func(s *tokenService, w http.ResponseWriter, r *http.Request, body string)) *tokenService {
	tb.Helper()
	s := &tokenService{hand: hand}
	s.Server = httptest.NewServer(s)
	tb.Cleanup(s.Close)
	return s
}

func (s *tokenService) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	defer s.mu.Unlock()
	if r.URL.Path == "/api/v2/credenciais" || r.URL.Path == "/api/v2/autorizar/sp-sadt" {
		if got := r.Header.Get("Authorization"); got != "Bearer "+s.valid {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.WriteString(w, `{"sucesso":true,"erros":[],"data":{"items":[{"id":"c-1"}]}}`)
		return
	}
	s.calls = append(s.calls, r.URL.Path+" "+string(body))
	s.hand(s, w, r, string(body))
}

// next returns the next token, which is the valid one from now on.
func (s *tokenService) next() string {
	s.serial++
	s.valid = fmt.Sprintf("token-canario-%d", s.serial)
	return s.valid
}

// end makes the token that was handed out invalid.
func (s *tokenService) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.valid = "outro"
}

func (s *tokenService) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.calls)
}

// handSpecified answers as row 23 says.
func handSpecified(s *tokenService, w http.ResponseWriter, _ *http.Request, _ string) {
	fmt.Fprintf(w, `{"sucesso":true,"erros":[],"data":{"access_token":%q,"token_type":"Bearer","expires_in":54000,`+
		`"refresh_token":"r-%d","refresh_expires_in":259200}}`, s.next(), s.serial)
}

// movable is a clock for tests.
type movable struct{ at atomic.Int64 }

func (m *movable) now() time.Time { return time.UnixMicro(m.at.Load()) }

func withAuth(a client.Authorizer, clock *movable) func(*client.Config) {
	return func(cfg *client.Config) { cfg.Auth, cfg.Clock = a, clock.now }
}

func login() *client.Bearer {
	return client.Login(client.LoginConfig{User: "integra", Password: password})
}

func search(tb testing.TB, c *client.Client) error {
	tb.Helper()
	found, err := c.SearchCredentials(tb.Context(), "")
	if err == nil && len(found) != 1 {
		tb.Errorf("got %d credentials, want 1", len(found))
	}
	return err
}

func TestLogin(t *testing.T) {
	s, clock := MustTokenService(t, handSpecified), &movable{}
	c := MustClient(t, s.URL, newFolder(t), withAuth(login(), clock))
	step := func(name string, want ...string) {
		t.Helper()
		if err := search(t, c); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := s.asked(); !slices.Equal(got, want) {
			t.Fatalf("%s: asked %q, want %q", name, got, want)
		}
	}
	const (
		first  = `/api/v1/auth/login {"senha":"senha-canario","usuario":"integra"}`
		second = `/api/v1/auth/refresh {"refresh_token":"r-1"}`
		third  = `/api/v1/auth/refresh {"refresh_token":"r-2"}`
	)
	step("the first request logs in", first)
	step("the token is kept", first)
	s.end()
	step("refused, it is renewed and the request repeated once", first, second)
	clock.at.Add((15*time.Hour - 20*time.Second).Microseconds())
	step("it is renewed before its end", first, second, third)
	clock.at.Add((72 * time.Hour).Microseconds())
	step("a refresh token that ended is not tried", first, second, third, first)
}

// TestLogin_Shapes is row 23: data or top level, snake or camel case, other paths
// and fields.
func TestLogin_Shapes(t *testing.T) {
	for name, c := range map[string]struct {
		config client.LoginConfig
		answer string // %s is the token
		want   string // the request for tokens
	}{
		"top level": {client.LoginConfig{}, `{"access_token":%q,"expires_in":"3600"}`,
			`/api/v1/auth/login {"senha":"senha-canario","usuario":"integra"}`},
		"camel case": {client.LoginConfig{}, `{"success":true,"data":{"accessToken":%q,"refreshToken":"x","expiresIn":60}}`,
			`/api/v1/auth/login {"senha":"senha-canario","usuario":"integra"}`},
		"elsewhere": {client.LoginConfig{Path: "/api/v2/auth/login", UserField: "email"}, "\ufeff" + `{"accessToken":%q}`,
			`/api/v2/auth/login {"email":"integra","senha":"senha-canario"}`},
		"no life told": {client.LoginConfig{PasswordField: "password"}, `{"sucesso":"S","data":{"access_token":%q,"expires_in":null}}`,
			`/api/v1/auth/login {"password":"senha-canario","usuario":"integra"}`},
	} {
		t.Run(name, func(t *testing.T) {
			s := MustTokenService(t, func(s *tokenService, w http.ResponseWriter, _ *http.Request, _ string) {
				fmt.Fprintf(w, c.answer, s.next())
			})
			c.config.User, c.config.Password = "integra", password
			if err := search(t, MustClient(t, s.URL, newFolder(t), withAuth(client.Login(c.config), &movable{}))); err != nil {
				t.Fatal(err)
			}
			if got := s.asked(); !slices.Equal(got, []string{c.want}) {
				t.Errorf("asked %q, want %q", got, c.want)
			}
		})
	}
}

// TestLogin_RefreshNotTaken: a login comes after a refresh that was refused, after
// one of which nobody knows what became, and in place of one that a service has not.
func TestLogin_RefreshNotTaken(t *testing.T) {
	for name, c := range map[string]struct {
		refreshPath string
		fail        http.HandlerFunc
		firstErr    bool // the request that met the failure fails too
		paths       []string
	}{
		"refused": {"", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }, false,
			[]string{client.DefaultRefreshPath, client.DefaultLoginPath}},
		"unknown": {"", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) }, false,
			[]string{client.DefaultRefreshPath, client.DefaultLoginPath}},
		"cut": {"", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, true,
			[]string{client.DefaultRefreshPath, client.DefaultLoginPath}},
		"broken": {"", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }, true,
			[]string{client.DefaultRefreshPath, client.DefaultLoginPath}},
		"no such": {client.NoPath, nil, false, []string{client.DefaultLoginPath}},
		"elsewhere": {"/renova", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, `{"sucesso":false,"erros":["não"]}`)
		}, false, []string{"/renova", client.DefaultLoginPath}},
	} {
		t.Run(name, func(t *testing.T) {
			s := MustTokenService(t, func(s *tokenService, w http.ResponseWriter, r *http.Request, body string) {
				if strings.Contains(body, "refresh_token") {
					c.fail(w, r)
					return
				}
				handSpecified(s, w, r, body)
			})
			auth := client.Login(client.LoginConfig{User: "integra", Password: password, RefreshPath: c.refreshPath})
			road := MustClient(t, s.URL, newFolder(t), withAuth(auth, &movable{}))
			if err := search(t, road); err != nil {
				t.Fatal(err)
			}
			s.end()
			if err := search(t, road); (err != nil) != c.firstErr {
				t.Errorf("got %v, want an error: %t", err, c.firstErr)
			}
			if err := search(t, road); err != nil {
				t.Errorf("afterwards: %v", err)
			}
			var paths []string
			for _, call := range s.asked()[1:] {
				path, _, _ := strings.Cut(call, " ")
				paths = append(paths, path)
			}
			if !slices.Equal(paths, c.paths) {
				t.Errorf("asked %q, want %q", paths, c.paths)
			}
		})
	}
}

func TestOAuth(t *testing.T) {
	hand := func(s *tokenService, w http.ResponseWriter, r *http.Request, body string) {
		id, pass, basic := r.BasicAuth()
		inForm := strings.Contains(body, "client_secret=")
		if r.Header.Get("Content-Type") != "application/x-www-form-urlencoded" || basic == inForm || basic &&
			(id != "cl%2F1" || pass != "segredo-canario") {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"access_token": s.next(), "token_type": "Bearer", "expires_in": 54000})
	}
	for name, c := range map[string]struct {
		config client.OAuthConfig
		want   string
	}{
		"form":  {client.OAuthConfig{}, "/oauth/token client_id=cl%2F1&client_secret=segredo-canario&grant_type=client_credentials"},
		"basic": {client.OAuthConfig{Basic: true}, "/oauth/token grant_type=client_credentials"},
		"scope": {client.OAuthConfig{Basic: true, Scope: "a:b c:d", Path: "/t"}, "/t grant_type=client_credentials&scope=a%3Ab+c%3Ad"},
	} {
		t.Run(name, func(t *testing.T) {
			s, clock := MustTokenService(t, hand), &movable{}
			c.config.ClientID, c.config.ClientSecret = "cl/1", secret
			road := MustClient(t, s.URL, newFolder(t), withAuth(client.OAuth(c.config), clock))
			for range 2 {
				if err := search(t, road); err != nil {
					t.Fatal(err)
				}
			}
			if got := s.asked(); !slices.Equal(got, []string{c.want}) {
				t.Errorf("asked %q, want %q", got, c.want)
			}
			s.end()
			if err := search(t, road); err != nil {
				t.Errorf("after the token ended: %v", err)
			}
			clock.at.Add((15 * time.Hour).Microseconds())
			if err := search(t, road); err != nil {
				t.Errorf("after its time: %v", err)
			}
			if got := s.asked(); !slices.Equal(got, []string{c.want, c.want, c.want}) {
				t.Errorf("asked %q, want three equal requests", got)
			}
		})
	}
}

// TestBearer_OneRenewal: however many requests meet the end of a token, one renewal
// replaces it.
func TestBearer_OneRenewal(t *testing.T) {
	s := MustTokenService(t, handSpecified)
	road := MustClient(t, s.URL, newFolder(t), withAuth(login(), &movable{}))
	together := func() {
		var wait sync.WaitGroup
		for range 50 {
			wait.Go(func() {
				if err := search(t, road); err != nil {
					t.Errorf("got %v", err)
				}
			})
		}
		wait.Wait()
	}
	together()
	if got := len(s.asked()); got != 1 {
		t.Errorf("%d logins, want 1", got)
	}
	s.end()
	together()
	if got := len(s.asked()); got != 2 {
		t.Errorf("%d requests for tokens, want one renewal after the login", got)
	}
}

// TestBearer_OneRepetition: what a fresh token does not open is not tried for ever.
func TestBearer_OneRepetition(t *testing.T) {
	s := MustTokenService(t, func(s *tokenService, w http.ResponseWriter, r *http.Request, body string) {
		handSpecified(s, w, r, body)
		s.valid = "outro"
	})
	road := MustClient(t, s.URL, newFolder(t), withAuth(login(), &movable{}))
	if err := search(t, road); !problem.Is(err, problem.Unavailable) {
		t.Errorf("got %v, want %s", err, problem.Unavailable)
	}
	if got := len(s.asked()); got != 2 {
		t.Errorf("%d requests for tokens, want a login and one renewal", got)
	}
	x := road.Send(t.Context(), dispatch(plainRequest()))
	if x.HTTPStatus != http.StatusUnauthorized {
		t.Errorf("Send: got %+v", x)
	}
}

// TestBearer_Refused: a service that refuses our own credentials is left alone for
// a while, a submission is held and nothing of it was sent.
func TestBearer_Refused(t *testing.T) {
	s := MustTokenService(t, func(_ *tokenService, w http.ResponseWriter, _ *http.Request, _ string) {
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = io.WriteString(w, `{"sucesso":false,"erros":["senha-canario não vale"]}`)
	})
	clock := &movable{}
	road := MustClient(t, s.URL, newFolder(t), withAuth(login(), clock))
	for wait, asked := range []int{1, 1, 2, 2, 3} { // half of a pause each, twice as long from pause to pause
		if err := search(t, road); !problem.Is(err, problem.Unavailable) || strings.Contains(err.Error(), "canario") {
			t.Errorf("got %v", err)
		}
		if got := len(s.asked()); got != asked {
			t.Errorf("step %d: asked %d times, want %d", wait, got, asked)
		}
		clock.at.Add((15 * time.Second << (wait / 2)).Microseconds())
	}
	x := road.Send(t.Context(), dispatch(plainRequest()))
	outcome, err := road.Interpret(t.Context(), x)
	if err != nil || outcome.Kind != authorization.OutcomeHeld || x.SentBytes != 0 {
		t.Errorf("got %+v, %+v, %v, want it held and nothing sent", x, outcome, err)
	}
}

// TestBearer_Unavailable: without a token nothing is sent, and it is tried again.
func TestBearer_Unavailable(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"cut":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"error": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
		"redirect": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/outro", http.StatusTemporaryRedirect)
		},
		"no JSON":    func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") },
		"no token":   func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"sucesso":true,"data":{}}`) },
		"odd token":  func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"access_token":"a\r\nX: y"}`) },
		"later":      func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "7"); w.WriteHeader(429) },
		"unanswered": nil,
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			failing := true
			release := make(chan struct{})
			s := MustTokenService(t, func(s *tokenService, w http.ResponseWriter, r *http.Request, body string) {
				switch {
				case !failing:
					handSpecified(s, w, r, body)
				case answer == nil:
					<-release
				default:
					answer(w, r)
				}
			})
			clock := &movable{}
			road := MustClient(t, s.URL, newFolder(t), withAuth(login(), clock),
				func(cfg *client.Config) { cfg.QueryTimeout = 200 * time.Millisecond })
			x := road.Send(t.Context(), dispatch(plainRequest()))
			outcome, err := road.Interpret(t.Context(), x)
			if err != nil || outcome.Kind != authorization.OutcomeRetry || x.SentBytes != 0 {
				t.Errorf("got %+v, %+v, %v, want a retry of what was not sent", x, outcome, err)
			}
			close(release)
			s.mu.Lock()
			failing = false
			s.mu.Unlock()
			clock.at.Add((7 * time.Second).Microseconds())
			if err := search(t, road); err != nil {
				t.Errorf("afterwards: %v", err)
			}
		})
	}
}

// TestBearer_Busy: a service that is busy and does not say how long is left alone for five
// seconds, however many requests wait for a token.
func TestBearer_Busy(t *testing.T) {
	for _, status := range []int{http.StatusTooManyRequests, http.StatusServiceUnavailable} {
		s := MustTokenService(t, func(_ *tokenService, w http.ResponseWriter, _ *http.Request, _ string) { w.WriteHeader(status) })
		clock := &movable{}
		road := MustClient(t, s.URL, newFolder(t), withAuth(login(), clock))
		for _, want := range []int{1, 1, 2} {
			if err := search(t, road); !problem.Is(err, problem.Unavailable) {
				t.Errorf("%d: got %v", status, err)
			}
			if got := len(s.asked()); got != want {
				t.Errorf("%d: asked %d times, want %d", status, got, want)
			}
			clock.at.Add((2500 * time.Millisecond).Microseconds())
		}
	}
}

// TestBearer_Waiting: who gives up waiting leaves the renewal to the others.
func TestBearer_Waiting(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	s := MustTokenService(t, func(s *tokenService, w http.ResponseWriter, r *http.Request, body string) {
		close(arrived)
		<-release
		handSpecified(s, w, r, body)
	})
	road := MustClient(t, s.URL, newFolder(t), withAuth(login(), &movable{}))
	ctx, cancel := context.WithCancel(t.Context())
	gaveUp := make(chan error, 1)
	go func() {
		_, err := road.SearchCredentials(ctx, "")
		gaveUp <- err
	}()
	<-arrived
	cancel()
	if err := <-gaveUp; err == nil {
		t.Error("got no error, want the cancellation's")
	}
	close(release)
	if err := search(t, road); err != nil {
		t.Errorf("the one who waited: %v", err)
	}
	if got := len(s.asked()); got != 1 {
		t.Errorf("asked %d times, want 1", got)
	}
}

// TestBearer_Secrets: no secret in formatted texts, logs or errors.
func TestBearer_Secrets(t *testing.T) {
	var log bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := MustTokenService(t, handSpecified)
	var texts []string
	for _, auth := range []*client.Bearer{login(), client.OAuth(client.OAuthConfig{ClientID: "c", ClientSecret: secret})} {
		var cfg client.Config
		road := MustClient(t, s.URL, newFolder(t), withAuth(auth, &movable{}), func(c *client.Config) { c.Logger = logger; cfg = *c })
		if err := search(t, road); err != nil {
			t.Fatal(err)
		}
		s.end()
		road.Send(t.Context(), dispatch(plainRequest()))
		texts = append(texts, fmt.Sprintf("%v %+v %#v %s", auth, auth, auth, auth), fmt.Sprintf("%v %+v", cfg.Auth, cfg.Auth))
		logger.Info("x", "auth", auth)
	}
	for _, config := range []any{client.LoginConfig{Password: password}, client.OAuthConfig{ClientSecret: secret}, client.Secret(secret)} {
		texts = append(texts, fmt.Sprintf("%v %+v %#v %s", config, config, config, config))
		logger.Info("x", "config", config)
	}
	s.Close()
	closed := MustClient(t, s.URL, newFolder(t), withAuth(login(), &movable{}))
	texts = append(texts, fmt.Sprint(search(t, closed)), log.String())
	for _, text := range texts {
		if strings.Contains(text, "canario") {
			t.Errorf("a secret shows: %s", text)
		}
	}
}
