package connection

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/egress"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/version"

	"github.com/google/uuid"
)

// Stored is what the database keeps.
type Stored struct {
	Settings
	Secrets   map[Method]Sealed
	KeyID     string    // of the sealing key in use
	UpdatedAt time.Time // zero: nothing was saved yet, and the rest is Defaults
}

// ErrStale says that what is stored was changed after it was read: by who saved at the same time, or
// renewed the sealing key.
var ErrStale = errors.New("connection: what is stored was changed meanwhile")

// Store keeps settings and sealed secrets.
type Store interface {
	Load(ctx context.Context) (Stored, error)
	// Save replaces the settings, and the secret of one method where there is a new
	// one, with the entry in the same transaction. ErrStale where read is not what is
	// stored by then: nothing is saved.
	Save(ctx context.Context, read Stored, s Settings, secret *Sealed, e audit.Entry) error
	// AppendAudit commits an entry about what changed no setting.
	AppendAudit(ctx context.Context, e audit.Entry) error
}

// Plan is settings with the secret of their method, "" where there is none.
type Plan struct {
	Settings
	Secret Secret
}

// SameAccess reports whether two plans come to the same service as the same partner.
func (p Plan) SameAccess(other Plan) bool {
	return p.Embedded == other.Embedded && p.BaseURL == other.BaseURL && p.Method == other.Method && p.Secret == other.Secret &&
		p.User == other.User && p.ClientID == other.ClientID
}

// Guard returns what may be dialled by the plan, and by which route.
func (p Plan) Guard(r egress.Route) Guard { return Guard{Internal: p.InternalHost, Route: r} }

// ServiceClient is what the settings are for: the desk's client of the service.
type ServiceClient interface {
	// Use puts the plan in force for all that is sent from now on.
	Use(ctx context.Context, p Plan) error
	// Try returns a client by the plan that nothing else uses.
	Try(ctx context.Context, p Plan) (Trial, error)
	// Unknown counts the requests that the service in use may have acted on and that
	// will be repeated: another service must not get them.
	Unknown(ctx context.Context) (int, error)
}

// Trial is a client of the service that is being tested. Its errors are
// problem.Unavailable where the service is at fault.
type Trial interface {
	// LogIn gets a token; not called for APIKey.
	LogIn(ctx context.Context) error
	SearchCredentials(ctx context.Context, text string) ([]authorization.Credential, error)
	// Announced returns the words of recursos, none from a service without it.
	Announced(ctx context.Context) ([]string, error)
	// Units and Professionals list what the service knows (interface.md, row 13):
	// problem.NotFound, without asking, of a service that has no such list.
	Units(ctx context.Context) ([]authorization.ListedUnit, error)
	Professionals(ctx context.Context) ([]authorization.ListedProfessional, error)
	Close()
}

// Config is what a Manager is made of.
type Config struct {
	Store         Store
	Sealer        *Sealer
	ServiceClient ServiceClient
	Overrides     Overrides
	Route         egress.Route     // out of the network, and who may sign the service's certificate
	Clock         func() time.Time // nil means time.Now
}

// Manager keeps the settings and puts them in force. It is safe for concurrent
// use.
type Manager struct {
	config Config
	mu     sync.Mutex // one change at a time, and in force in that order
	used   Stored     // what is in force
}

// New returns a manager; Start puts what is stored in force.
func New(c Config) *Manager {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	return &Manager{config: c}
}

// Start puts the stored settings in force. A secret that does not open any more does
// not keep the program from starting: State reports it.
func (m *Manager) Start(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	stored, err := m.config.Store.Load(ctx)
	if err != nil {
		return fmt.Errorf("connection: start: %w", err)
	}
	return m.use(ctx, stored)
}

// use hands the stored settings to the client that all requests go through.
func (m *Manager) use(ctx context.Context, stored Stored) error {
	plan := m.plan(stored, Change{Settings: stored.Settings})
	if err := m.config.ServiceClient.Use(ctx, plan); err != nil {
		return fmt.Errorf("connection: use: %w", err)
	}
	m.used = stored
	return nil
}

// Refresh puts in force what another process saved since.
func (m *Manager) Refresh(ctx context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	stored, err := m.config.Store.Load(ctx)
	if err != nil {
		return fmt.Errorf("connection: refresh: %w", err)
	}
	if reflect.DeepEqual(stored, m.used) {
		return nil
	}
	return m.use(ctx, stored)
}

// State is what the page shows; it holds no secret.
type State struct {
	Settings                       // in force, overrides included
	Fixed     map[string]string    // by field: the variable that overrides it
	Secrets   map[Method]time.Time // when the secret for this address was stored
	Lost      bool                 // the secret of the method in use does not open: the sealing key is another one
	UpdatedAt time.Time
	Route     egress.Route
}

// Version tells the settings from those that are saved later.
func (s State) Version() string { return version.Of(s.UpdatedAt.UnixMicro()) }

// State returns the settings in force.
func (m *Manager) State(ctx context.Context) (State, error) {
	stored, err := m.config.Store.Load(ctx)
	if err != nil {
		return State{}, fmt.Errorf("connection: state: %w", err)
	}
	s := State{Settings: m.config.Overrides.apply(stored.Settings), Fixed: m.config.Overrides.Fixed(),
		Secrets: map[Method]time.Time{}, UpdatedAt: stored.UpdatedAt, Route: m.config.Route}
	for method, sealed := range stored.Secrets {
		if sealed.Origin != s.Origin() {
			continue
		}
		s.Secrets[method] = sealed.StoredAt
		if _, err := m.config.Sealer.Open(sealed); err != nil && method == s.Method {
			s.Lost = true
		}
	}
	return s, nil
}

// Change is what an administrator typed: all settings, and a new secret of their
// method, "" to keep the stored one.
type Change struct {
	Settings
	Secret Secret
	Seen   string // the Version that the administrator saw, "" for any
}

// Change keeps the settings and puts them in force for the next thing that is
// sent, anew where they are the same. Errors: problem.Invalid with the fields, named
// as in this package; problem.Conflict when somebody saved since they were seen.
func (m *Manager) Change(ctx context.Context, by permission.Actor, c Change) error {
	if err := by.Require(permission.ManageConnection); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for {
		err := m.change(ctx, by, c)
		if !errors.Is(err, ErrStale) { // by another process, a moment ago
			return err
		}
	}
}

func (m *Manager) change(ctx context.Context, by permission.Actor, c Change) error {
	stored, err := m.config.Store.Load(ctx)
	if err != nil {
		return fmt.Errorf("connection: change: %w", err)
	}
	if err := version.Check(c.Seen, stored.UpdatedAt.UnixMicro()); err != nil {
		return err
	}
	c.Settings = m.config.Overrides.restore(c.Settings, stored.Settings)
	plan := m.plan(stored, c)
	if err := m.check(plan); err != nil {
		return err
	}
	if err := m.checkNoneUnknown(ctx, stored.Settings, c.Settings); err != nil {
		return err
	}
	names := stored.changed(c.Settings)
	var secret *Sealed
	if c.Secret != "" && !plan.Embedded && m.config.Overrides.Secret == "" {
		sealed, err := m.config.Sealer.Seal(stored.KeyID, c.Method, c.Origin(), c.Secret, m.config.Clock())
		if err != nil {
			return fmt.Errorf("connection: change: %w", err)
		}
		secret, names = &sealed, append(names, FieldSecret(c.Method))
	}
	if len(names) == 0 { // the service may accept by now what it refused: use the plan anew
		return m.use(ctx, stored)
	}
	entry := m.entry(by.User, audit.ConnectionChanged, strings.Join(names, " "))
	if err := m.config.Store.Save(ctx, stored, c.Settings, secret, entry); err != nil {
		return fmt.Errorf("connection: change: %w", err)
	}
	if stored, err = m.config.Store.Load(ctx); err != nil {
		return fmt.Errorf("connection: change: %w", err)
	}
	return m.use(ctx, stored)
}

// check is what a plan has wrong, apart from what flags and variables hold: the page
// cannot change those.
func (m *Manager) check(p Plan) error {
	fields := slices.DeleteFunc(p.Check(), func(f problem.Field) bool { return m.config.Overrides.has(f.Path) })
	if !p.Embedded && p.Secret == "" && slices.Contains(Methods(), p.Method) {
		fields = append(fields, problem.Field{Path: FieldSecret(p.Method), Code: "obrigatorio",
			Message: "Digite o segredo: não há um guardado para este endereço."})
	}
	return problem.InvalidFields(fields)
}

// checkNoneUnknown refuses another service while the outcome of a request at the one
// in use is unknown.
func (m *Manager) checkNoneUnknown(ctx context.Context, old, next Settings) error {
	if old.Embedded == next.Embedded && (next.Embedded || old.fullAddress() == next.fullAddress()) {
		return nil
	}
	n, err := m.config.ServiceClient.Unknown(ctx)
	switch {
	case err != nil:
		return fmt.Errorf("connection: change: %w", err)
	case n > 0:
		return problem.InvalidFields([]problem.Field{{Path: FieldEmbedded, Code: "conflito",
			Message: "Há pedidos a caminho do serviço em uso. Espere a resposta deles e salve de novo."}})
	}
	return nil
}

// plan puts together what is typed, what is stored and the overrides.
func (m *Manager) plan(stored Stored, c Change) Plan {
	p := Plan{Settings: m.config.Overrides.apply(c.Settings), Secret: c.Secret}
	switch sealed, ok := stored.Secrets[p.Method]; {
	case p.Embedded:
		p.Secret = ""
	case m.config.Overrides.Secret != "":
		p.Secret = m.config.Overrides.Secret
	case p.Secret == "" && ok && sealed.Origin == p.Origin():
		p.Secret, _ = m.config.Sealer.Open(sealed) // State reports one that does not open
	}
	return p
}

// entry is the audit row of a change. detail names settings, never their values.
func (m *Manager) entry(actor uuid.UUID, event audit.Event, detail string) audit.Entry {
	return audit.Entry{At: m.config.Clock(), Actor: actor, Event: event, Object: audit.ObjectConnection, Detail: detail}
}
