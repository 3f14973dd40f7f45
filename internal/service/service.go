package service

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"guiche/internal/blob"
	"guiche/internal/password"
)

// Config is what a service is made of. Store and Blobs are required.
type Config struct {
	Store     Store
	Blobs     blob.Store
	Operators map[string]Operator // by Credential.Operator
	Clock     func() time.Time    // nil means time.Now
	Zone      *time.Location      // of the provider (row 7); nil means America/Sao_Paulo
	Limits    Limits
	Hasher    password.Hasher // of users' passwords; nil means argon2id with its defaults
	// Address tells where a request comes from, for counting guesses; nil means the
	// connection's own address. Behind a proxy it must look further.
	Address func(*http.Request) string
	Logger  *slog.Logger // nil means slog.Default
}

// Service is the authorization service. It is safe for concurrent use.
type Service struct {
	store          Store
	blobs          blob.Store
	operators      map[string]Operator
	clock          func() time.Time
	zone           *time.Location
	limits         Limits
	logger         *slog.Logger
	hasher         password.Hasher
	address        func(*http.Request) string
	authenticators []authenticator

	traffic traffic
	flights flights
	calls   *places       // of partners' requests at operators
	chores  *places       // of what is asked later
	woken   chan struct{} // Work has something to do
	working sync.WaitGroup
	base    context.Context // of the work that outlives its request
	stop    context.CancelFunc
}

// New returns a service.
func New(c Config) *Service {
	s := &Service{
		store: c.Store, blobs: c.Blobs, operators: c.Operators, clock: c.Clock, zone: c.Zone,
		limits: c.Limits.withDefaults(), logger: c.Logger, hasher: c.Hasher, address: c.Address,
	}
	if s.clock == nil {
		s.clock = time.Now
	}
	if s.zone == nil {
		s.zone = saoPaulo()
	}
	if s.logger == nil {
		s.logger = slog.Default()
	}
	if s.hasher == nil {
		s.hasher = password.NewArgon2id(password.Argon2idConfig{})
	}
	if s.address == nil {
		s.address = remoteHost
	}
	s.traffic.since = s.clock()
	s.authenticators = []authenticator{apiKeys{s}, accessTokens{s}}
	s.calls, s.chores = newPlaces(s.limits.OperatorCalls), newPlaces(max(1, s.limits.OperatorCalls/2))
	s.woken = make(chan struct{}, 1)
	s.base, s.stop = context.WithCancel(context.Background())
	return s
}

// saoPaulo is the zone of most providers; without zone data its present offset.
func saoPaulo() *time.Location {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		return time.FixedZone("America/Sao_Paulo", -3*60*60)
	}
	return zone
}

// Close waits for operators that are being asked, until ctx ends; then it cuts
// them short. What is cut is looked up after the next start, never asked again.
// No request may arrive any more.
func (s *Service) Close(ctx context.Context) error {
	defer s.stop()
	done := make(chan struct{})
	go func() {
		s.working.Wait()
		close(done)
	}()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
	}
	s.stop()
	<-done
	return fmt.Errorf("service: close: %w", ctx.Err())
}

// panicError keeps a panic's value out of answers and its type in the log.
func panicError(cause any) error {
	return fmt.Errorf("service: panic of type %T", cause)
}
