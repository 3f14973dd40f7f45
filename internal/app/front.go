package app

import (
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"guiche/internal/ingress"
	"guiche/internal/problem"
	"guiche/internal/service/wire"
	"guiche/internal/webui"
)

// startPatience is how long a request waits for the program to start before it is told so.
const startPatience = 3 * time.Second

// livePatience is that of /healthz: who asks there waits for a second by default, as Kubernetes does, and ends a process
// that says nothing three times in a row, which a large database takes longer to update than.
const livePatience = startPatience / 6

// front answers at the address from the moment that it is bound: opening the data may take
// its time, as when a new version changes the schema of a large database.
type front struct {
	next    http.Handler // everything, once started is closed
	started chan struct{}
	begin   sync.Once

	answered chan struct{} // closed with the first answer
	first    sync.Once
}

func newFront() *front { return &front{started: make(chan struct{}), answered: make(chan struct{})} }

// start hands over to what answers everything.
func (f *front) start(next http.Handler) {
	f.begin.Do(func() {
		f.next = next
		close(f.started)
	})
}

// ServeHTTP implements http.Handler.
func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !f.await(r, patience(r.URL.Path)) {
		ingress.OneAnswer(http.HandlerFunc(f.refuse)).ServeHTTP(w, r)
		return
	}
	f.next.ServeHTTP(w, r)
	f.first.Do(func() { close(f.answered) })
}

// patience is how long a request for an address waits.
func patience(path string) time.Duration {
	switch path {
	case "/readyz":
		return 0
	case "/healthz":
		return livePatience
	}
	return startPatience
}

// firstMoment is how long the program waits for somebody who waits for it.
const firstMoment = 250 * time.Millisecond

// awaitFirst waits until the first request is answered, a moment is over, or ctx is done.
func (f *front) awaitFirst(ctx context.Context) {
	over := time.NewTimer(firstMoment)
	defer over.Stop()
	select {
	case <-f.answered:
	case <-over.C:
	case <-ctx.Done():
	}
}

// await reports whether the program has started before the patience is over.
func (f *front) await(r *http.Request, patience time.Duration) bool {
	select {
	case <-f.started:
		return true
	default:
	}
	over := time.NewTimer(patience)
	defer over.Stop()
	select {
	case <-f.started:
		return true
	case <-over.C:
	case <-r.Context().Done():
	}
	return false
}

// refuse says that the program starts: in a word for health checks, in an envelope for
// partners, in a sentence for people.
func (f *front) refuse(w http.ResponseWriter, r *http.Request) {
	const sentence = "O Guichê está iniciando. Aguarde um instante e tente de novo."
	ingress.Refused(w, r)
	h := w.Header()
	h.Set("Content-Type", "text/plain; charset=utf-8")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store")
	body, status := []byte(sentence+"\n"), http.StatusServiceUnavailable
	switch {
	case r.URL.Path == "/healthz": // the process lives: nobody is to kill it at its work
		body, status = []byte(wordStarting+"\n"), http.StatusOK
	case r.URL.Path == "/readyz":
		body = []byte(wordStarting + "\n")
	case webui.OfService(r.URL.Path):
		h.Set("Content-Type", "application/json; charset=utf-8")
		h.Set("Retry-After", "5")
		body, _ = json.Marshal(wire.NewEnvelope(nil, []wire.ErrorDetail{{Code: string(problem.Unavailable), Message: sentence}}))
	default:
		h.Set("Retry-After", "5")
		h.Set("Refresh", "5")
	}
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
