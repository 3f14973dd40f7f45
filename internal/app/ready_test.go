package app_test

import (
	"context"
	"io"
	"net/http"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// said is what an address answers, its status and its text; 0 and "" without an answer.
func said(address string) (int, string) {
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	res, err := client.Get(address)
	if err != nil {
		return 0, ""
	}
	defer res.Body.Close()
	text, _ := io.ReadAll(res.Body)
	return res.StatusCode, string(text)
}

// asked asks for a page, and returns where its status comes.
func asked(address string) <-chan int {
	page := make(chan int, 1)
	go func() {
		status, _ := said(address)
		page <- status
	}()
	return page
}

// TestReadyz_Starting: from the moment that the address is taken somebody answers there,
// and what is asked meanwhile is answered once the program has started.
func TestReadyz_Starting(t *testing.T) {
	t.Parallel()
	for name, open := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := open(t.Context(), quiet(t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			if status, text := said(p.URL() + "/readyz"); status != http.StatusServiceUnavailable || text != "starting\n" {
				t.Errorf("before it runs: %d %q", status, text)
			}
			checkStarting(t, p.URL())
			page := asked(p.URL() + "/entrar")
			ctx, cancel := context.WithCancel(context.Background())
			ended := make(chan error, 1)
			go func() { ended <- p.Run(ctx) }()
			if got := <-page; got != http.StatusOK {
				t.Errorf("a page that was asked for while it started: %d", got)
			}
			if status, text := said(p.URL() + "/readyz"); status != http.StatusOK || text != "ready\n" {
				t.Errorf("while it runs: %d %q", status, text)
			}
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		})
	}
}

// checkStarting asks for what does not wait for ever: a health check, a partner, a person.
func checkStarting(t *testing.T, address string) {
	t.Helper()
	for path, want := range map[string]struct {
		status int
		kind   string
	}{
		"/healthz":         {http.StatusOK, "text/plain; charset=utf-8"},
		"/api/v2/unidades": {http.StatusServiceUnavailable, "application/json; charset=utf-8"},
		"/fila":            {http.StatusServiceUnavailable, "text/plain; charset=utf-8"},
	} {
		res, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if got := res.Header.Get("Content-Type"); res.StatusCode != want.status || got != want.kind {
			t.Errorf("%s: %d %s, want %d %s", path, res.StatusCode, got, want.status, want.kind)
		}
	}
}

// TestHealthz_Starting: who asks whether the process lives is told so, twice, while a page still waits for it to start.
func TestHealthz_Starting(t *testing.T) {
	t.Parallel()
	for name, open := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p, err := open(t.Context(), quiet(t.TempDir()))
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			page := asked(p.URL() + "/entrar")
			for range 2 {
				if status, text := said(p.URL() + "/healthz"); status != http.StatusOK || text != "starting\n" {
					t.Errorf("while it starts: %d %q", status, text)
				}
			}
			select {
			case status := <-page:
				t.Errorf("a page was answered first: %d", status)
			default:
			}
		})
	}
}

// TestReadyz_Stopping: who asks whether to send requests here is told no before the
// listener closes.
func TestReadyz_Stopping(t *testing.T) {
	t.Parallel()
	for name, open := range programs {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(context.Background())
			c := quiet(t.TempDir())
			c.Drain = 3 * time.Second
			p, err := open(ctx, c)
			if err != nil {
				cancel()
				t.Fatal(err)
			}
			defer p.Close()
			ended := make(chan error, 1)
			go func() { ended <- p.Run(ctx) }()
			apptest.Eventually(t, "it is ready", func() bool { status, _ := said(p.URL() + "/readyz"); return status == http.StatusOK })
			cancel()
			apptest.Eventually(t, "it says that it stops", func() bool {
				status, text := said(p.URL() + "/readyz")
				return status == http.StatusServiceUnavailable && text == "stopping\n"
			})
			if status, _ := said(p.URL() + "/entrar"); status != http.StatusOK {
				t.Errorf("a page meanwhile: %d", status)
			}
			if err := <-ended; err != nil {
				t.Error(err)
			}
			if status, _ := said(p.URL() + "/readyz"); status != 0 {
				t.Errorf("after the end: %d", status)
			}
		})
	}
}

// TestReadyz_Degraded: trouble with which the program goes on is named and takes nobody
// away from it.
func TestReadyz_Degraded(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Empty: true, Configure: func(c *app.Config) { c.MinFree = 1 << 60 }})
	if status, text := said(server.URL + "/readyz"); status != http.StatusOK || text != "degraded: space\n" {
		t.Errorf("got %d %q", status, text)
	}
}
