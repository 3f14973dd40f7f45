// Package faultservice is an authorization service for tests: a real HTTP server
// that answers as the specification says until a Rule tells it to misbehave, and
// that writes down in its own ledger what it received and what it acted on. The
// ledger is the judge: whatever a client believes, an authorization exists if and
// only if an Acted entry names it.
//
// Goals: every fault of the wire that a client must survive, on purpose and
// repeatably, without sleeping. Not goals: checking requests (the conformance
// suite does), telling operators apart, keeping anything on disk.
package faultservice

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// Config says how the service answers while no rule strikes. The zero value is
// usable.
type Config struct {
	Key         string                    // x-api-key that is accepted; "" accepts all
	Credentials string                    // JSON of data.items; "" means DefaultCredentials
	Features    []string                  // words of recursos; nil: the path is unknown (404)
	Answer      func(Entry) (int, []byte) // status and body of an authorization; nil means Authorize
	KeepBody    int64                     // bytes of a request body that the ledger keeps; 0 means 1 MiB, negative none and no hash
	Clock       func() time.Time          // nil means time.Now

	// Choose decides about a request that no rule of Add strikes at; nil, or its nil, leaves
	// it to the ordinary work.
	Choose func(*http.Request) *Rule
	// Keep gets every entry in place of the ledger in memory, in order and before the answer;
	// for runs that are too long for it.
	Keep func(Entry)
}

// Service is the server. It is safe for concurrent use.
type Service struct {
	cfg    Config
	ledger ledger
	server *http.Server
	url    string
	done   chan struct{}
	once   sync.Once

	mu    sync.Mutex
	rules []*activeRule
	first map[string]answer // by idempotency key
	known map[string]answer // by guiaPrestador, where consulta-por-guia is announced
}

// New returns a service that is not yet listening.
func New(cfg Config) *Service {
	if cfg.Credentials == "" {
		cfg.Credentials = DefaultCredentials
	}
	if cfg.Answer == nil {
		cfg.Answer = Authorize
	}
	if cfg.KeepBody == 0 {
		cfg.KeepBody = 1 << 20
	}
	if cfg.Clock == nil {
		cfg.Clock = time.Now
	}
	s := &Service{cfg: cfg, done: make(chan struct{}), first: map[string]answer{}, known: map[string]answer{}}
	s.ledger.changed, s.ledger.keep = make(chan struct{}), cfg.Keep
	s.server = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second}
	return s
}

// Start listens on a free port of the loopback address.
func (s *Service) Start() error {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	s.url = "http://" + l.Addr().String()
	go func() { _ = s.Serve(l) }() // ends with Close
	return nil
}

// Serve answers on a listener of the caller's, in-memory ones too, until Close.
func (s *Service) Serve(l net.Listener) error { return s.server.Serve(l) }

// URL returns the base URL of a started service.
func (s *Service) URL() string { return s.url }

// Close stops the service and ends every answer under way.
func (s *Service) Close() error {
	s.once.Do(func() { close(s.done) })
	return s.server.Close()
}

// ServeHTTP implements http.Handler.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	rule := s.match(r)
	entry := s.receive(r, rule)
	call := &Call{service: s, entry: entry, Writer: w, Request: r}
	if rule == nil {
		call.send(s.work(entry))
		return
	}
	call.strike(*rule)
}
