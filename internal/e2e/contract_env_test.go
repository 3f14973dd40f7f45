package e2e_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/client"

	"github.com/google/uuid"
)

// contract is the desk's client on one side, the embedded service on the other,
// and between them a road that writes down what goes over it.
type contract struct {
	*client.Client
	t      testing.TB
	p      *apptest.Server
	folder string // of the program's data
	key    string // x-api-key that the service accepts
	blobs  *files.Store
	wire   *wire
	names  names
}

// contractTime is a moment at which UTC and the provider's zone are on different
// days.
var contractTime = time.Date(2026, time.November, 21, 1, 30, 55, 0, time.UTC)

// MustContract starts the demo and a client of its service over TCP.
func MustContract(t testing.TB, change ...func(*client.Config)) *contract {
	t.Helper()
	k := &contract{t: t}
	clock := func() time.Time { return contractTime }
	k.p = apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Clock = clock }})
	k.folder, k.key = k.p.DataDir, k.p.APIKey()
	k.wire = MustWire(t, k.p.URL)
	var err error
	if k.blobs, err = files.Open(files.Options{Dir: t.TempDir()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.blobs.Close() })
	c := client.Config{BaseURL: k.wire.url, Auth: client.APIKey(k.key), Blobs: k.blobs, Clock: clock, Logger: slog.New(slog.DiscardHandler)}
	for _, f := range change {
		f(&c)
	}
	if k.Client, err = client.New(c); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(k.Close)
	k.names = k.learnNames()
	return k
}

// get asks the service itself, as any program with the key would.
func (k *contract) get(path string) passage {
	k.t.Helper()
	req, err := http.NewRequestWithContext(k.t.Context(), http.MethodGet, k.wire.url+path, nil)
	if err != nil {
		k.t.Fatal(err)
	}
	req.Header.Set("X-Api-Key", k.key)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		k.t.Fatalf("GET %s: %v", path, err)
	}
	_ = res.Body.Close()
	return k.wire.last(k.t)
}

// exchange sends a request and reads what came back.
func (k *contract) exchange(r authorization.Request) (passage, authorization.Outcome) {
	k.t.Helper()
	x := k.Send(k.t.Context(), authorization.Dispatch{Request: r, IdempotencyKey: "chave-" + r.ProviderGuide})
	outcome, err := k.Interpret(k.t.Context(), x)
	if err != nil {
		k.t.Fatalf("Interpret: %v", err)
	}
	return k.wire.last(k.t), outcome
}

// attachment keeps bytes as the desk would and names them.
func (k *contract) attachment(name, contentType string, content []byte) authorization.Attachment {
	k.t.Helper()
	info, err := k.blobs.Put(k.t.Context(), bytes.NewReader(content))
	if err != nil {
		k.t.Fatal(err)
	}
	return authorization.Attachment{Name: name, ContentType: contentType, Size: info.Size, Blob: info.Ref}
}

// read returns the bytes that the client kept.
func (k *contract) read(ref blob.Ref) []byte {
	k.t.Helper()
	f, err := k.blobs.Open(context.Background(), ref)
	if err != nil {
		k.t.Fatalf("blob %q: %v", ref, err)
	}
	defer f.Close()
	content, err := io.ReadAll(f)
	if err != nil {
		k.t.Fatal(err)
	}
	return content
}

func (k *contract) id(name string) uuid.UUID {
	k.t.Helper()
	for id, known := range k.names {
		if known == "<"+name+">" {
			return uuid.MustParse(id)
		}
	}
	k.t.Fatalf("the service lists nobody called %q", name)
	return uuid.Nil
}

// plain is the least that can be asked for.
func (k *contract) plain(card, guide string) authorization.Request {
	k.t.Helper()
	return authorization.Request{
		CredentialID: k.id("Aroeira Planos"), CardNumber: card, BeneficiaryName: "HELENA DUARTE",
		UnitID: k.id("Centro"), CarePointID: k.id("Balcão 1"), RequesterName: "Caio Leme", RequesterCouncil: "CRM",
		RequesterNumber: "104552", RequesterState: "SP", ProfessionalID: k.id("Dra. Elisa Monteverde"), SpecialtyID: 2, ProviderGuide: guide,
		Procedures: []authorization.Procedure{{Code: "40316521", Name: "TSH", Quantity: 1}},
	}
}

// wire is a road that writes down what goes over it, in both directions.
type wire struct {
	url, target string
	road        *http.Transport
	mu          sync.Mutex
	seen        []passage
}

// passage is one request and its answer as they went over the wire.
type passage struct {
	method, address       string // the address with its query
	header, answerHeader  http.Header
	request, answer       []byte
	length, status, moved int // Content-Length as announced, status, number of passages so far
}

// MustWire opens a road to a base URL.
func MustWire(t testing.TB, target string) *wire {
	t.Helper()
	w := &wire{target: target, road: &http.Transport{DisableCompression: true}}
	server := httptest.NewServer(w)
	t.Cleanup(func() {
		server.Close()
		w.road.CloseIdleConnections()
	})
	w.url = server.URL
	return w
}

// ServeHTTP implements http.Handler.
func (w *wire) ServeHTTP(rw http.ResponseWriter, r *http.Request) {
	seen := passage{method: r.Method, address: r.URL.RequestURI(), header: r.Header.Clone(), length: int(r.ContentLength)}
	if err := w.pass(r, &seen); err != nil {
		http.Error(rw, "the wire broke: "+err.Error(), http.StatusBadGateway)
		return
	}
	w.mu.Lock()
	w.seen = append(w.seen, seen)
	w.mu.Unlock()
	maps.Copy(rw.Header(), seen.answerHeader)
	rw.WriteHeader(seen.status)
	_, _ = rw.Write(seen.answer) // whoever asked may be gone
}

func (w *wire) pass(r *http.Request, seen *passage) (err error) {
	if seen.request, err = io.ReadAll(r.Body); err != nil {
		return err
	}
	out, err := http.NewRequestWithContext(r.Context(), r.Method, w.target+seen.address, bytes.NewReader(seen.request))
	if err != nil {
		return err
	}
	out.Header = seen.header
	res, err := w.road.RoundTrip(out)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	seen.status, seen.answerHeader = res.StatusCode, res.Header
	seen.answer, err = io.ReadAll(res.Body)
	return err
}

// last is the latest passage; moved tells how many there were.
func (w *wire) last(t testing.TB) passage {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.seen) == 0 {
		t.Fatal("nothing went over the wire")
	}
	p := w.seen[len(w.seen)-1]
	p.moved = len(w.seen)
	return p
}
