package torture

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"slices"
	"sync"
	"time"

	"guiche/internal/client/faultservice"
)

// hanging is an operator whose requests are never answered until half of all forms are
// begun; its credential is that of the first request.
type hanging struct {
	over chan struct{} // closed then

	mu         sync.Mutex
	credential string
	hung       map[string]bool // cards of its requests
	beside     map[string]bool // of the others, those that passed while it hung
}

// hang has one credential hang beside good ones, and compares how long the others took.
func hang(o *Options) {
	h := &hanging{over: make(chan struct{}), hung: map[string]bool{}, beside: map[string]bool{}}
	o.Kinds, o.Kills, o.Faults = o.Kinds[:1], 0, 0
	o.Between, o.After = h.between, h.compare
	o.During = func(context.Context, Options, string) error { close(h.over); return nil }
}

// between stands before the service.
func (h *hanging) between(address string) string {
	to, err := url.Parse(address)
	if err != nil {
		return address // the program says what is wrong with it
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == faultservice.SubmitPath && h.holds(r) {
			select {
			case <-h.over:
			case <-r.Context().Done():
				return
			}
		}
		proxy.ServeHTTP(w, r)
	})).URL // it ends with the process
}

var credentialPattern = regexp.MustCompile(`"credencialId"\s*:\s*"([^"]+)"`)

// holds reports whether a request is of the operator that hangs, and notes it.
func (h *hanging) holds(r *http.Request) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	found, card := credentialPattern.FindSubmatch(body), cardOf(faultservice.Entry{Body: body})
	if err != nil || found == nil {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.credential = cmp.Or(h.credential, string(found[1]))
	if string(found[1]) == h.credential {
		h.hung[card] = true
		return true
	}
	select {
	case <-h.over:
	default:
		h.beside[card] = true
	}
	return false
}

// compare tells how long others took from "Enviar" until the service acted, while one
// credential hung and afterwards. Whoever waited for a request that hangs would have waited
// for as long as the program waits for its answer.
func (h *hanging) compare(_ context.Context, o Options, folder string) error {
	records, err := ReadRecords(folder)
	if err != nil {
		return err
	}
	pressed := map[string]time.Duration{}
	for _, f := range slices.Backward(records.Forms) {
		if f.Act == Pressed {
			pressed[f.Card] = f.At
		}
	}
	var while, after []time.Duration
	for _, l := range records.Lines {
		switch took := l.At - pressed[l.Card]; {
		case h.hung[l.Card]:
		case h.beside[l.Card]:
			while = append(while, took)
		default:
			after = append(after, took)
		}
	}
	if len(h.hung) == 0 || len(while) == 0 || len(after) == 0 {
		return fmt.Errorf("torture: nothing to compare: %d hung, %d beside them, %d later", len(h.hung), len(while), len(after))
	}
	fmt.Fprintf(o.Log, "  %d requests of one credential hung; %d of others took %s (p99 %s) meanwhile, %d took %s (p99 %s) later\n",
		len(h.hung), len(while), percentile(while, 50), percentile(while, 99), len(after), percentile(after, 50), percentile(after, 99))
	if p99 := percentile(while, 99); p99 > answerTime/2 {
		return fmt.Errorf("torture: beside a credential that hangs others take %s", p99)
	}
	return nil
}

// percentile sorts what was measured.
func percentile(took []time.Duration, p int) time.Duration {
	slices.Sort(took)
	return took[(len(took)-1)*p/100].Round(time.Millisecond / 10)
}
