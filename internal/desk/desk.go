// Package desk is the receptionist's work: drafts that keep what was typed,
// submissions that are sent once or marked as unknown, the dispatcher
// that sends them, and the cases in which everything about them can be read.
//
// A draft becomes a submission in one commit, before the first byte leaves. The
// states of a submission are in state.go, what an answer makes of it in
// settle.go. The package declares what it needs: where it keeps things (Store,
// Blobs), who it asks (Directory) and who it sends through (Service).
package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/document"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Service is the authorization service as the desk sees it; package client
// speaks to the real one.
type Service interface {
	// SearchCredentials lists credentials whose name or code holds the text.
	// Without a configured service the error is problem.Unavailable.
	SearchCredentials(ctx context.Context, text string) ([]authorization.Credential, error)
	// Connect begins to connect for a Send that follows at once, so that its request need not wait for that;
	// nothing of the request leaves before. Whoever asked closes it.
	Connect() authorization.Line
	// Send makes one attempt and returns what the wire left behind. It returns
	// soon after ctx is done.
	Send(ctx context.Context, d authorization.Dispatch) authorization.Exchange
	// Interpret reads an exchange by the outcome table of interface.md. It may
	// be repeated. An error means that the stored answer could not be read back.
	Interpret(ctx context.Context, x authorization.Exchange) (authorization.Outcome, error)
	// Name tells the service in use from others: "embutido", or its address.
	Name() string
	// Keyed reports, without asking it, whether the service announced that it honours
	// idempotency keys.
	Keyed() bool
	// Recourse says what the service offers about a request after it was sent. An error
	// means that this is not known yet.
	Recourse(ctx context.Context) (authorization.Recourse, error)
	// FindByProviderGuide asks what became of a request. Neither authorizations nor
	// errors mean that it never arrived; problem.Conflict that it is still being answered.
	FindByProviderGuide(ctx context.Context, guide string) (authorization.Answer, error)
	// Status asks how an authorization stands. authorization.Busy asks to wait.
	Status(ctx context.Context, guideID string) (authorization.Authorization, error)
	ActService
}

// Blobs is where the bytes of files are; a blob.Store satisfies it.
type Blobs interface {
	blob.Holder
	Put(ctx context.Context, r io.Reader) (blob.Info, error)
	Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error)
	Room() error
}

// Directory is what is known in advance; package directory satisfies it. What is
// not there, or no longer active, is a problem.NotFound error.
type Directory interface {
	UnitNames(ctx context.Context, unit, carePoint uuid.UUID) (unitName, carePointName string, err error)
	ProfessionalNames(ctx context.Context, professional uuid.UUID, specialty int) (name, specialtyName string, err error)
	CredentialName(ctx context.Context, credential uuid.UUID) (string, error)
	ProcedureName(ctx context.Context, code string) (string, error)
	// Rules returns what the credential's settings ask of a request (row 1).
	Rules(ctx context.Context, credential uuid.UUID) (authorization.Rules, error)
	// Indication returns the indicacaoClinica that the credential's settings put in
	// place of an untouched one, "" for none.
	Indication(ctx context.Context, credential uuid.UUID) (string, error)
	// EligibilityID returns the credencialElegibilityId of a credential, zero for none.
	EligibilityID(ctx context.Context, credential uuid.UUID) (uuid.UUID, error)
	// SeeCredentials remembers what the service just listed.
	SeeCredentials(ctx context.Context, seen []authorization.Credential) error
}

// Config is what a desk is made of. Store, Blobs, Directory and Service are
// required; for everything else the zero value is the default named beside it.
type Config struct {
	Store     Store
	Blobs     Blobs
	Directory Directory
	Service   Service

	// Simulated reports whether the service in use has simulated operators; nil: never.
	// Whatever is sent to it is marked, also what gets no senha and no answer.
	Simulated func() bool

	// SharesDisk reports whether the service in use writes to the disk of Space; nil: never.
	SharesDisk func() bool

	Accounts  Accounts         // nobody: no phone may send files
	Documents document.Limits  // document.DefaultLimits() (interface.md, row 10)
	Space     func() error     // says, as problem.NoSpace, that there is no room for anything new: never
	Quota     int64            // bytes that a user's drafts keep, text and attachments: 500 MiB
	Clock     func() time.Time // time.Now
	Zone      *time.Location   // America/Sao_Paulo
	Logger    *slog.Logger     // slog.Default()
	Damage    DamageLog        // none: damage is remembered nowhere

	Deadline    time.Duration // from "Enviar" until a request that never left is refused: 30 min
	BackoffBase time.Duration // upper bound of the first pause between attempts: 1 s
	BackoffCap  time.Duration // upper bound of every pause: 60 s
	Slots       Slots         // requests on the wire at the same time: 96, of them 24 to a credential
	Shutdown    time.Duration // what Run may still take when its context is done: 30 s
	LeaseTime   time.Duration // how long a process that is silent keeps its right to send: 20 s
	OnlyProcess bool          // no other process sends from this store: what one left behind is taken over at once
	Poll        time.Duration // longest pause between two looks at the queue: 1 s

	// Concluded is told what an attempt made of its request; nil: nobody counts.
	Concluded func(kind authorization.OutcomeKind)

	// Moved tells other processes, soon and perhaps never, that a case moved on: each calls
	// MovedElsewhere. Nil: nobody is told, and who waits for a case looks each second.
	Moved func(uid uuid.UUID)
}

// Desk is the receptionist's work over one store. It is safe for concurrent use.
type Desk struct {
	config Config
	lease  *lease        // names this process in the rows that it holds
	wake   chan struct{} // something became due
	first  firstAttempts // that begin with their submission
	watch  caseWatchers
	wait   atomic.Int64 // Config.Deadline, which may change
	limits atomic.Pointer[document.Limits]
	slots  atomic.Pointer[Slots]
	intake blob.Intake // of files that users are attaching

	follower *follower
	acting   sync.WaitGroup // on what people asked of the service about authorizations

	inspected inspections

	short bool // there was no space at the latest look at the queue
}

// New returns a desk. Nothing is sent until Run.
func New(c Config) (*Desk, error) {
	if c.Store == nil || c.Blobs == nil || c.Directory == nil || c.Service == nil {
		return nil, errors.New("desk: store, blobs, directory and service are required")
	}
	if c.Zone == nil {
		zone, err := time.LoadLocation("America/Sao_Paulo")
		if err != nil {
			return nil, fmt.Errorf("desk: default zone: %w", err)
		}
		c.Zone = zone
	}
	lease, err := newLease()
	if err != nil {
		return nil, err
	}
	c = c.withDefaults()
	d := &Desk{config: c, lease: lease, wake: make(chan struct{}, 1), follower: newFollower(), watch: caseWatchers{others: c.Moved}}
	d.SetDeadline(c.Deadline)
	d.SetLimits(c.Documents)
	d.SetSlots(c.Slots)
	return d, nil
}

func (c Config) withDefaults() Config {
	if c.Documents == (document.Limits{}) {
		c.Documents = document.DefaultLimits()
	}
	if c.Simulated == nil {
		c.Simulated = func() bool { return false }
	}
	if c.SharesDisk == nil {
		c.SharesDisk = func() bool { return false }
	}
	if c.Space == nil {
		c.Space = func() error { return nil }
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	if c.Damage == nil {
		c.Damage = forgetful{}
	}
	if c.Accounts == nil {
		c.Accounts = noAccounts{}
	}
	if c.Concluded == nil {
		c.Concluded = func(authorization.OutcomeKind) {}
	}
	c.Quota = orDefault(c.Quota, 500<<20)
	c.Deadline = orDefault(c.Deadline, 30*time.Minute)
	c.BackoffBase = orDefault(c.BackoffBase, time.Second)
	c.BackoffCap = orDefault(c.BackoffCap, time.Minute)
	c.Slots.All = orDefault(c.Slots.All, 96)
	c.Slots.PerCredential = orDefault(c.Slots.PerCredential, 24)
	c.Shutdown = orDefault(c.Shutdown, 30*time.Second)
	c.LeaseTime = orDefault(c.LeaseTime, 20*time.Second)
	c.Poll = orDefault(c.Poll, time.Second)
	return c
}

func orDefault[T int | int64 | time.Duration](value, fallback T) T {
	if value <= 0 {
		return fallback
	}
	return value
}

// FindCredentials is SearchCredentials for somebody who fills the form: the audit
// trail says that they searched, not for what.
func (d *Desk) FindCredentials(ctx context.Context, a permission.Actor, text string) ([]authorization.Credential, error) {
	if err := a.Require(permission.SeePatients); err != nil {
		return nil, err
	}
	if err := d.config.Store.AppendAudit(ctx, d.entry(a, audit.CredentialSearched, "", uuid.Nil)); err != nil {
		return nil, err
	}
	return d.SearchCredentials(ctx, text)
}

// SearchCredentials finds operator credentials by name or provider code
// (specification 4.1) and remembers their names. Errors of the service are
// returned as they are. It leaves nothing in the audit trail: see FindCredentials.
func (d *Desk) SearchCredentials(ctx context.Context, text string) ([]authorization.Credential, error) {
	found, err := d.config.Service.SearchCredentials(ctx, text)
	if err != nil {
		return nil, err
	}
	if err := d.config.Directory.SeeCredentials(ctx, found); err != nil && !problem.Passing(err) {
		return nil, fmt.Errorf("desk: remember credentials: %w", err)
	}
	return found, nil
}

// today is the desk's calendar day.
func (d *Desk) today() authorization.LocalTime {
	return authorization.NewLocalTime(d.now().In(d.config.Zone))
}

// midnight is when the desk's calendar day began.
func (d *Desk) midnight() time.Time {
	return authorization.DateOf(d.now().In(d.config.Zone).Date()).In(d.config.Zone)
}

func (d *Desk) now() time.Time { return d.config.Clock().UTC().Truncate(time.Microsecond) }

// notFound is returned for what does not exist and for what lies outside the
// actor's reach alike, so that nobody can tell one from the other.
func notFound() error { return problem.New(problem.NotFound, "Pedido não encontrado.") }
