package service

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"guiche/internal/blob"
)

// Config is what a service is made of. Store and Blobs are required.
type Config struct {
	Store     Store
	Blobs     blob.Store
	Operators map[string]Operator // by Credential.Operator
	Clock     func() time.Time    // nil means time.Now
	Zone      *time.Location      // of the provider (row 7); nil means America/Sao_Paulo
	Limits    Limits
	Logger    *slog.Logger // nil means slog.Default
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
	authenticators []authenticator

	flights flights
	working sync.WaitGroup
	base    context.Context // of the work that outlives its request
	stop    context.CancelFunc
}

// New returns a service.
func New(c Config) *Service {
	s := &Service{
		store: c.Store, blobs: c.Blobs, operators: c.Operators, clock: c.Clock, zone: c.Zone,
		limits: c.Limits.withDefaults(), logger: c.Logger,
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
	s.authenticators = []authenticator{apiKeys{store: s.store, clock: s.clock}}
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
