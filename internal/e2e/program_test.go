package e2e_test

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/app"
)

// installation is a program that can be run: with a desk, or the service alone.
type installation interface {
	Run(ctx context.Context) error
	Close()
	URL() string
	Address() string
	SetupLink() string
}

// program is a running Guichê and the logins of its people.
type program struct {
	app    installation
	url    string
	logins []app.Login
	logs   *buffer
	stop   func() // ends the program before its test does; again is no error
}

// MustRun starts the demo in its own folder and stops it with the test.
func MustRun(t testing.TB, change ...func(*app.Config)) *program {
	t.Helper()
	return MustStart(t, app.Config{Demo: true, Simulated: true}, change, func(ctx context.Context, c app.Config) (installation, []app.Login, error) {
		a, err := app.New(ctx, c)
		if err != nil {
			return nil, nil, err
		}
		return a, a.Logins(), nil
	})
}

// MustStart opens a program, runs it, and stops it with the test.
func MustStart(t testing.TB, c app.Config, change []func(*app.Config), open func(context.Context, app.Config) (installation, []app.Login, error)) *program {
	t.Helper()
	logs := &buffer{}
	c.Addr, c.DataDir, c.Version = "127.0.0.1:0", t.TempDir(), "test"
	c.Logger = slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	for _, f := range change {
		f(&c)
	}
	ctx, cancel := context.WithCancel(context.Background())
	a, logins, err := open(ctx, c)
	if err != nil {
		cancel()
		t.Fatalf("start: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	stop := sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("run ended with %v", err)
		}
		a.Close()
	})
	t.Cleanup(func() {
		stop()
		if t.Failed() {
			t.Logf("log:\n%s", logs)
		}
	})
	return &program{app: a, url: a.URL(), logins: logins, logs: logs, stop: stop}
}

// loopback is the proxy that tests trust.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// address is the host and port that the program listens on.
func (p *program) address() string { return p.app.Address() }

// login returns user and password of a role.
func (p *program) login(t testing.TB, role string) (user, password string) {
	t.Helper()
	for _, l := range p.logins {
		if l.Role == role {
			return l.User, l.Password
		}
	}
	t.Fatalf("no login of role %s", role)
	return "", ""
}

// get reads a path without a session.
func (p *program) get(t testing.TB, path string) (int, string) {
	t.Helper()
	res, err := http.Get(p.url + path)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(body)
}

// buffer is a log that several goroutines write.
type buffer struct {
	mu sync.Mutex
	b  strings.Builder
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// eventually waits until a condition holds, at most 20 s.
func eventually(t testing.TB, what string, holds func() bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-ctx.Done():
			t.Fatalf("did not happen: %s", what)
		case <-tick.C:
		}
	}
}
