package service

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"guiche/internal/blob"
	"guiche/internal/service/access"

	"github.com/google/uuid"
)

// Config is what a service is made of. Store and Blobs are required.
type Config struct {
	Store     Store
	Blobs     blob.Store
	Operators map[string]Operator // by Credential.Operator
	Clock     func() time.Time    // nil means time.Now
	Zone      *time.Location      // of the provider (row 7); nil means America/Sao_Paulo
	Limits    Limits
	Shared    bool         // other processes use the store as well
	Space     func() error // says, as problem.NoSpace, that there is no room for anything new; nil: never
	Logger    *slog.Logger // nil means slog.Default
}

// Limits are how long things take and how many run at once (rows 8 to 11). A zero
// field takes its default.
type Limits struct {
	KeyLife         time.Duration // how long Idempotency-Key is kept; default 30 days
	BusyWait        time.Duration // how long an equal request waits for the first one's answer; default 10 s
	OperatorTimeout time.Duration // for operators whose credential says nothing; default 45 s
	OperatorCalls   int           // calls for one credential at once; half as many more in the background; default 8
	RetryAfter      time.Duration // told where no operator is connected; default 60 s
	DayBytes        int64         // of attachments that a profile may send in a day; default 20 GiB
}

// WithDefaults returns the limits with the defaults filled in.
func (l Limits) WithDefaults() Limits {
	return Limits{
		KeyLife:         cmp.Or(l.KeyLife, 30*24*time.Hour),
		BusyWait:        cmp.Or(l.BusyWait, 10*time.Second),
		OperatorTimeout: cmp.Or(l.OperatorTimeout, 45*time.Second),
		OperatorCalls:   cmp.Or(l.OperatorCalls, 8),
		RetryAfter:      cmp.Or(l.RetryAfter, time.Minute),
		DayBytes:        cmp.Or(l.DayBytes, 20<<30),
	}
}

// Caller is who asks, as the ledger notes it.
type Caller struct {
	ProfileID uuid.UUID
	Method    access.Method
	AccessID  uuid.UUID // of the key, the user or the OAuth client
	RequestID string    // of the HTTP request, as the logs have it
}

// Service is the authorization service. It is safe for concurrent use.
type Service struct {
	store     Store
	blobs     blob.Store
	operators map[string]Operator
	clock     func() time.Time
	zone      *time.Location
	limits    Limits
	shared    bool
	space     func() error
	logger    *slog.Logger

	intake     blob.Intake // of attachments that are being received
	inflight   inflight
	calls      *slots        // of partners' requests at operators
	background *slots        // of what Work asks
	woken      chan struct{} // Work has something to do
	working    sync.WaitGroup
	base       context.Context // of the work that outlives its request
	stop       context.CancelFunc
}

// New returns a service.
func New(c Config) *Service {
	s := &Service{
		store: c.Store, blobs: c.Blobs, operators: c.Operators, clock: c.Clock, zone: c.Zone,
		limits: c.Limits.WithDefaults(), shared: c.Shared, space: c.Space, logger: c.Logger,
	}
	if s.space == nil {
		s.space = func() error { return nil }
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
	s.calls, s.background = newSlots(s.limits.OperatorCalls), newSlots(max(1, s.limits.OperatorCalls/2))
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
