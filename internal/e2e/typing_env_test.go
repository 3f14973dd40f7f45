package e2e_test

import (
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/apptest"

	"github.com/chromedp/chromedp/kb"
)

// line stands between a browser and the program, as a network does: it can hold
// the answers of searches back, and make every answer late.
type line struct {
	URL    string
	server *httptest.Server

	mu      sync.Mutex
	late    time.Duration
	held    chan struct{} // closed when searches may be answered; nil: at once
	waiting int           // searches that are held
	lost    string        // how the paths end whose answers are lost; "" for none
}

// MustLine opens a line to a program.
func MustLine(t testing.TB, p *apptest.Server) *line {
	t.Helper()
	to, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	l := &line{}
	proxy := &httputil.ReverseProxy{
		Rewrite:  func(r *httputil.ProxyRequest) { r.SetURL(to); r.Out.Host = r.In.Host },
		ErrorLog: log.New(io.Discard, "", 0), // a browser that leaves is no trouble
	}
	l.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case l.loses(r):
			proxy.ServeHTTP(httptest.NewRecorder(), r)
			panic(http.ErrAbortHandler)
		case l.wait(r):
			proxy.ServeHTTP(w, r)
		}
	}))
	t.Cleanup(func() { l.server.Close() })
	l.URL = l.server.URL
	return l
}

// cut closes the line's far end: nobody answers there, and the browser's system knows of nothing.
func (l *line) cut() { l.server.Close() }

// mend opens it again where it was.
func (l *line) mend(t testing.TB) {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", strings.TrimPrefix(l.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	again := &httptest.Server{Listener: listener, Config: &http.Server{Handler: l.server.Config.Handler, ReadHeaderTimeout: time.Minute}}
	again.Start()
	l.server = again
}

// browse opens a window at this end of the line.
func (l *line) browse(t testing.TB, p *apptest.Server, tolerated ...string) *browser {
	t.Helper()
	b := MustBrowse(t, p, tolerated...)
	b.base = l.URL
	return b
}

// wait delays a request as told; false when its sender left meanwhile.
func (l *line) wait(r *http.Request) bool {
	l.mu.Lock()
	held, late := l.held, l.late
	if !strings.HasPrefix(r.URL.Path, "/busca/") {
		held = nil
	}
	if held != nil {
		l.waiting++
	}
	l.mu.Unlock()
	if held != nil {
		select {
		case <-held:
		case <-r.Context().Done():
			return false
		}
	}
	timer := time.NewTimer(late)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.Context().Done():
		return false
	}
}

// delay makes every answer so late.
func (l *line) delay(by time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.late = by
}

// lose loses the answers to paths that end so, none for "".
func (l *line) lose(ending string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lost = ending
}

func (l *line) loses(r *http.Request) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost != "" && strings.HasSuffix(r.URL.Path, l.lost)
}

// hold keeps searches from being answered until they are released.
func (l *line) hold() (release func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.held, l.waiting = make(chan struct{}), 0
	held := l.held
	return sync.OnceFunc(func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.held = nil
		close(held)
	})
}

// searching reports whether a search is held.
func (l *line) searching() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.waiting > 0
}

// keys splits a text into single keys: "aro⏎Maria⇥1".
func keys(text string) []string {
	var all []string
	for _, r := range text {
		switch r {
		case '⏎':
			all = append(all, kb.Enter)
		case '⇥':
			all = append(all, kb.Tab)
		case '↓':
			all = append(all, kb.ArrowDown)
		default:
			all = append(all, string(r))
		}
	}
	return all
}

// typeAt presses keys, one every gap.
func (b *browser) typeAt(gap time.Duration, text string) {
	b.t.Helper()
	tick := time.NewTicker(gap)
	defer tick.Stop()
	for _, key := range keys(text) {
		<-tick.C
		b.press(key)
	}
}

// typeKeys presses keys as fast as the browser takes them.
func (b *browser) typeKeys(text string) {
	b.t.Helper()
	b.pressAll(keys(text))
}

// checkValues compares what fields hold.
func (b *browser) checkValues(want map[string]string) {
	b.t.Helper()
	for css, value := range want {
		if got := b.value(css); got != value {
			b.t.Errorf("%s holds %q, want %q", css, got, value)
		}
	}
}

// answered waits until no search is under way.
func (b *browser) answered() {
	b.t.Helper()
	b.waitFor("every search answered", "!document.querySelector('[role=combobox]:is([aria-busy],[data-searching])')")
}
