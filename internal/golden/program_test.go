package golden_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/app"
)

// known is access.json: what nobody can read back out of the folder.
type known struct {
	At        time.Time         `json:"at"`        // a moment soon after the folder was closed
	Passwords map[string]string `json:"passwords"` // of people, by login
	Sessions  map[string]string `json:"sessions"`  // cookies of sessions that are open, by login
	Links     map[string]string `json:"links"`     // paths of one-time links that were not used, by login
	Filters   map[string]string `json:"filters"`   // pages of kept filters of the history, by login and number
	Keys      map[string]string `json:"keys"`      // API keys of partners: live ones and ended ones
	Tokens    map[string]string `json:"tokens"`    // access and refresh tokens: live, spent and revoked ones
}

// program is the present program over the restored folder, at the moment at which
// the folder was closed.
type program struct {
	url    string
	known  known
	people map[string]*http.Client // who has logged in
	own    string                  // the key in service.json
}

// installation is the desk or the service alone.
type installation interface {
	Run(ctx context.Context) error
	Close()
	URL() string
}

// MustRunDesk starts the desk with the service inside.
func MustRunDesk(t *testing.T) *program {
	t.Helper()
	return MustRun(t, func(ctx context.Context, c app.Config) (installation, error) { return app.New(ctx, c) })
}

// MustRunService starts the service alone.
func MustRunService(t *testing.T) *program {
	t.Helper()
	var folder string
	p := MustRun(t, func(ctx context.Context, c app.Config) (installation, error) {
		folder = c.DataDir
		return app.NewStandalone(ctx, c)
	})
	eventually(t, "service.json is written", func() bool {
		var file struct {
			Key string `json:"api_key"`
		}
		text, err := os.ReadFile(filepath.Join(folder, "service.json"))
		if err == nil {
			err = json.Unmarshal(text, &file)
		}
		p.own = file.Key
		return err == nil && p.own != ""
	})
	return p
}

// MustRun restores the folder, starts a program on it and stops it with the test.
func MustRun(t *testing.T, open func(context.Context, app.Config) (installation, error)) *program {
	t.Helper()
	p := &program{known: MustReadJSON[known](t, "access.json"), people: map[string]*http.Client{}}
	logs := &buffer{}
	ctx, cancel := context.WithCancel(context.Background())
	a, err := open(ctx, app.Config{
		Addr: "127.0.0.1:0", DataDir: MustRestore(t), Version: "test",
		Simulated: true, OperatorRules: filepath.Join("testdata", "rules.json"),
		Clock: func() time.Time { return p.known.At }, Logger: slog.New(slog.NewJSONHandler(logs, nil)),
	})
	if err != nil {
		cancel()
		t.Fatalf("start: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		must(t, <-done)
		a.Close()
		if t.Failed() {
			t.Logf("log:\n%s", logs)
		}
	})
	p.url = a.URL()
	return p
}

// buffer is a log that several goroutines write.
type buffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// answer is what came back, redirects followed.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// ask sends a request as somebody: a person by login, "chave …" and "token …" of
// access.json, "sessão …" by its cookie, "própria" by the key of service.json, or
// "ninguém".
func (p *program) ask(t *testing.T, who string, r *http.Request) answer {
	t.Helper()
	client := http.DefaultClient
	kind, name, _ := strings.Cut(who, " ")
	switch kind {
	case "ninguém":
	case "própria":
		r.Header.Set("X-Api-Key", p.own)
	case "chave":
		r.Header.Set("X-Api-Key", p.known.Keys[name])
	case "token":
		r.Header.Set("Authorization", "Bearer "+p.known.Tokens[name])
	case "sessão":
		r.Header.Set("Cookie", p.known.Sessions[name])
	default:
		client = p.person(t, who)
	}
	return do(t, client, r)
}

// person logs somebody in, once.
func (p *program) person(t *testing.T, login string) *http.Client {
	t.Helper()
	if client, ok := p.people[login]; ok {
		return client
	}
	jar, err := cookiejar.New(nil)
	must(t, err)
	p.people[login] = &http.Client{Jar: jar}
	form := url.Values{"usuario": {login}, "senha": {p.known.Passwords[login]}}
	r := p.request(t, http.MethodPost, "/entrar", "application/x-www-form-urlencoded", form.Encode())
	if got := do(t, p.people[login], r); got.status != http.StatusOK {
		t.Fatalf("%s logs in: %d", login, got.status)
	}
	return p.people[login]
}

func (p *program) request(t *testing.T, method, path, contentType, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.url+path, strings.NewReader(body))
	must(t, err)
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

func do(t *testing.T, client *http.Client, r *http.Request) answer {
	t.Helper()
	res, err := client.Do(r)
	must(t, err)
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	must(t, err)
	return answer{res.StatusCode, res.Header, body}
}

// eventually waits until something holds, at most 20 s.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	end, tick := time.NewTimer(time.Minute), time.NewTicker(20*time.Millisecond)
	defer end.Stop()
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-end.C:
			t.Fatalf("did not happen: %s", what)
		}
	}
}
