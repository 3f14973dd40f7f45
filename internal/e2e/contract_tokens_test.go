package e2e_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/blob/files"
	"guiche/internal/client"
)

// partnerFile is what demo.json says of the demo's partner.
type partnerFile struct {
	OAuth struct {
		ID     string        `json:"client_id"`
		Secret client.Secret `json:"client_secret"`
	}
	User struct {
		Name     string        `json:"user"`
		Password client.Secret `json:"password"`
	} `json:"service_user"`
}

// tokens is a client that gets its own tokens on one side, the embedded service
// on the other, each with a clock of its own.
type tokens struct {
	*client.Client
	wire  *wire
	after atomic.Int64 // microseconds that the service's clock is ahead
}

// MustTokens starts the demo and a client that authorizes as auth says.
func MustTokens(t *testing.T, auth func(p partnerFile) client.Authorizer) *tokens {
	t.Helper()
	k := &tokens{}
	clock := func() time.Time { return contractTime.Add(time.Duration(k.after.Load()) * time.Microsecond) }
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Clock = clock }})
	p.APIKey() // its file stands
	content, err := os.ReadFile(filepath.Join(p.DataDir, "demo.json"))
	if err != nil {
		t.Fatal(err)
	}
	var partner partnerFile
	if err := json.Unmarshal(content, &partner); err != nil {
		t.Fatal(err)
	}
	k.wire = MustWire(t, p.URL)
	blobs, err := files.Open(files.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = blobs.Close() })
	k.Client, err = client.New(client.Config{BaseURL: k.wire.url, Auth: auth(partner), Blobs: blobs,
		Clock: func() time.Time { return contractTime }, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	return k
}

// asked returns the paths of all requests, with their statuses, since the last
// call.
func (k *tokens) asked() (all []string) {
	k.wire.mu.Lock()
	defer k.wire.mu.Unlock()
	for _, p := range k.wire.seen {
		status, _ := json.Marshal(p.status)
		all = append(all, p.address+" "+string(status))
	}
	k.wire.seen = nil
	return all
}

// TestContract_Tokens: the client comes in by login and by client credentials, once
// for all who wait, and stays in when tokens end.
func TestContract_Tokens(t *testing.T) {
	t.Parallel()
	const query, ok, refused = "/api/v2/credenciais?Busca=aroeira", " 200", " 401"
	byLogin := func(p partnerFile) client.Authorizer {
		return client.Login(client.LoginConfig{User: p.User.Name, Password: p.User.Password})
	}
	byClient := func(inHeader bool) func(p partnerFile) client.Authorizer {
		return func(p partnerFile) client.Authorizer {
			return client.OAuth(client.OAuthConfig{ClientID: p.OAuth.ID, ClientSecret: p.OAuth.Secret, Scope: "credenciais:ler", Basic: inHeader})
		}
	}
	for name, c := range map[string]struct {
		auth    func(p partnerFile) client.Authorizer
		first   []string // requests for tokens at first
		after15 []string // after 15 hours
		later   time.Duration
		afterIt []string
	}{
		"login": {byLogin, []string{"/api/v1/auth/login" + ok}, []string{"/api/v1/auth/refresh" + ok},
			87 * time.Hour, []string{"/api/v1/auth/refresh" + refused, "/api/v1/auth/login" + ok}},
		"form":  {byClient(false), []string{"/oauth/token" + ok}, []string{"/oauth/token" + ok}, 30 * time.Hour, []string{"/oauth/token" + ok}},
		"basic": {byClient(true), []string{"/oauth/token" + ok}, []string{"/oauth/token" + ok}, 30 * time.Hour, []string{"/oauth/token" + ok}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := MustTokens(t, c.auth)
			search := func() {
				if found, err := k.SearchCredentials(t.Context(), "aroeira"); err != nil || len(found) != 1 {
					t.Errorf("got %d credentials, %v", len(found), err)
				}
			}
			var wait sync.WaitGroup
			for range 20 {
				wait.Go(search)
			}
			wait.Wait()
			if got, want := k.asked(), append(slices.Clone(c.first), slices.Repeat([]string{query + ok}, 20)...); !slices.Equal(got, want) {
				t.Errorf("at first: got %q, want %q", got, want)
			}
			for _, step := range []struct {
				after time.Duration
				want  []string
			}{{15 * time.Hour, c.after15}, {c.later, c.afterIt}} {
				k.after.Store(step.after.Microseconds())
				search()
				want := slices.Concat([]string{query + refused}, step.want, []string{query + ok})
				if got := k.asked(); !slices.Equal(got, want) {
					t.Errorf("after %v: got %q, want %q", step.after, got, want)
				}
			}
		})
	}
}
