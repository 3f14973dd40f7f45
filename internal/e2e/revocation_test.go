package e2e_test

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"guiche/internal/apptest"
)

// asker sends a session's cookie again and again, whatever became of it.
type asker struct {
	t      testing.TB
	url    string
	cookie string
	client *http.Client
}

func MustAsk(t testing.TB, v *apptest.Client) *asker {
	t.Helper()
	transport := &http.Transport{MaxConnsPerHost: 256, MaxIdleConnsPerHost: 256}
	t.Cleanup(transport.CloseIdleConnections)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, v.Server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	cookies := v.HTTP.Jar.Cookies(req.URL)
	cookies = slices.DeleteFunc(cookies, func(c *http.Cookie) bool { return strings.HasSuffix(c.Name, "-navegador") })
	if len(cookies) != 1 {
		t.Fatalf("got %d cookies, want the session's", len(cookies))
	}
	return &asker{t: t, url: v.Server.URL, cookie: cookies[0].String(),
		client: &http.Client{Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
}

// accepted reports whether a request with the cookie was answered as hers.
func (a *asker) accepted(path string) bool {
	req, err := http.NewRequestWithContext(a.t.Context(), http.MethodGet, a.url+path, nil)
	if err != nil {
		a.t.Error(err)
		return false
	}
	req.Header.Set("Cookie", a.cookie)
	res, err := a.client.Do(req)
	if err != nil {
		a.t.Error(err)
		return false
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		a.t.Error(err)
	}
	out := res.StatusCode == http.StatusSeeOther && strings.HasPrefix(res.Header.Get("Location"), "/entrar")
	if !out && res.StatusCode != http.StatusOK {
		a.t.Errorf("GET %s: got %d", path, res.StatusCode)
	}
	return !out
}

// crowd asks n times at once, across pages, and counts what is accepted; it closes
// first, unless nil, with the first one.
func (a *asker) crowd(n int, first chan struct{}) (accepted int64) {
	paths := []string{"/fila", "/nova", "/conta", "/ajuda"}
	begin := make(chan struct{})
	var count atomic.Int64
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			<-begin
			if a.accepted(paths[i%len(paths)]) && count.Add(1) == 1 && first != nil {
				close(first)
			}
		})
	}
	close(begin)
	wg.Wait()
	return count.Load()
}

// After disabling returned, 10,000 requests at once with the cookie: none goes
// through, while all did before, and whatever was under way meanwhile.
func TestPeople_Revocation(t *testing.T) {
	p := apptest.Start(t, apptest.Options{})
	admin, ana := p.LogIn(t, apptest.Administration), p.LogIn(t, apptest.Reception)
	path, a := admin.PersonPath("ana"), MustAsk(t, ana)
	if got := a.crowd(100, nil); got != 100 {
		t.Fatalf("before: %d of 100 accepted", got)
	}
	during, first := make(chan int64), make(chan struct{})
	go func() { during <- a.crowd(1000, first) }()
	<-first
	if got := admin.Post(path+"/desativar", nil); got.Status != http.StatusOK || got.Text(".facts .status-badge") != "Desativada" {
		t.Fatalf("disable: %d, state %q", got.Status, got.Text(".facts .status-badge"))
	}
	if got := a.crowd(10_000, nil); got != 0 {
		t.Errorf("after: %d of 10,000 accepted, want none", got)
	}
	t.Logf("while it was under way: %d of 1,000 accepted", <-during)
	if got := admin.Post(path+"/reativar", nil); got.Status != http.StatusOK {
		t.Fatalf("enable: %d", got.Status)
	}
	if a.accepted("/fila") {
		t.Error("enabling her brought an ended session back")
	}
}
