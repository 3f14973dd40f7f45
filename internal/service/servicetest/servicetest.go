// Package servicetest is the authorization service over real files behind a real
// HTTP server, for the tests of its packages. Every exchange is held to the
// service's own description.
package servicetest

import (
	"bytes"
	"context"
	"log/slog"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/password"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/service/api"
	"guiche/internal/service/simulated"
	"guiche/internal/store/accessstore"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// Identifiers of what every environment knows, and its time zone.
var (
	CredentialID   = uuid.MustParse("11111111-1111-4111-8111-111111111111")
	EligibilityID  = uuid.MustParse("11111111-1111-4111-8111-11111111111e")
	StrictID       = uuid.MustParse("22222222-2222-4222-8222-222222222222")
	UnconnectedID  = uuid.MustParse("33333333-3333-4333-8333-333333333333")
	UnitID         = uuid.MustParse("44444444-4444-4444-8444-444444444444")
	PointID        = uuid.MustParse("55555555-5555-4555-8555-555555555555")
	ProfessionalID = uuid.MustParse("66666666-6666-4666-8666-666666666666")
	Zone           = time.FixedZone("America/Sao_Paulo", -3*60*60)
)

// SpecialtyID is the specialty of the professional.
const SpecialtyID = 225120

// Clock is a clock that stands still until it is moved.
type Clock struct{ at atomic.Int64 }

// Now is the time of the clock.
func (c *Clock) Now() time.Time { return time.UnixMicro(c.at.Load()).In(Zone) }

// Move sets the clock forward, or back.
func (c *Clock) Move(d time.Duration) { c.at.Add(d.Microseconds()) }

// Set sets the clock.
func (c *Clock) Set(at time.Time) { c.at.Store(at.UnixMicro()) }

func newClock() *Clock {
	c := &Clock{}
	c.Set(Start)
	return c
}

// Start is when every environment begins.
var Start = time.Date(2026, 11, 20, 14, 30, 55, 0, Zone)

// Limits are those of a service and of its HTTP interface.
type Limits struct {
	Service service.Limits
	API     api.Limits
}

// Env is a service over real files behind a real HTTP server.
type Env struct {
	tb        testing.TB
	Dir       string
	Clock     *Clock
	Limits    Limits
	Operator  *Operator
	WrapBlobs func(blob.Store) blob.Store       // stands before the blobs; nil is nothing
	WrapStore func(service.Store) service.Store // stands before the store; nil is nothing
	Log       *Buffer
	Hasher    password.Hasher // of users' passwords; nil is a cheap one
	Plain     bool            // the operator decides and looks up, and can do nothing else

	Place   string // of the database
	DB      *storetest.Database
	Blobs   *files.Store
	Service *service.Service
	API     *api.API
	Admin   *admin.Admin
	Server  *httptest.Server
	Key     string
}

// Buffer keeps a log.
type Buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (b *Buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

// String is what was logged so far.
func (b *Buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// MustEnv starts a service with one partner, one unit, one professional and three
// credentials.
func MustEnv(tb testing.TB, limits Limits) *Env {
	tb.Helper()
	e := NewEnv(tb, tb.TempDir(), limits)
	filled.Do(func() { e.fill() })
	e.Key, e.Place = filled.key, filled.db.Copy(tb)
	e.Open()
	tb.Cleanup(func() { e.Close() })
	return e
}

// NewEnv is a service on the files of a folder and the database at its Place, which Open starts.
func NewEnv(tb testing.TB, dir string, limits Limits) *Env {
	clock := newClock()
	return &Env{
		tb: tb, Dir: dir, Clock: clock, Limits: limits, Log: &Buffer{},
		Operator: &Operator{Operator: simulated.New(simulated.Config{Clock: clock.Now})},
	}
}

// filled is the database with which every environment begins: migrating an empty
// one each time takes longer than most tests.
var filled struct {
	sync.Once
	db  storetest.Kept
	key string
}

// fill makes filled.
func (e *Env) fill() {
	e.tb.Helper()
	e.Place = storetest.Empty(e.tb, migrations.Service)
	e.Open()
	admin, ctx := e.Admin, context.Background()
	e.Must(admin.EnsureProfile(ctx, access.DeskProfile()))
	for _, credential := range Credentials() {
		e.Must(admin.PutCredential(ctx, credential))
	}
	e.Must(admin.PutUnit(ctx, service.Unit{ID: UnitID, Name: "Unidade Centro",
		Points: []service.CarePoint{{ID: PointID, Name: "Recepção"}}}))
	e.Must(admin.PutProfessional(ctx, service.Professional{ID: ProfessionalID, Name: "Ana Beatriz Moura", Council: "CRM",
		Number: "88123", State: "SP",
		Specialties: []service.Specialty{{ID: SpecialtyID, Name: "Cardiologia", CBO: "225120"}}}))
	var err error
	filled.key, err = admin.MintKey(ctx, access.DeskProfile().ID, 72*time.Hour)
	e.Must(err)
	e.Close()
	filled.db = e.DB.Keep(e.tb)
}

// Credentials are those that every environment knows.
func Credentials() []service.Credential {
	return []service.Credential{
		{ID: CredentialID, EligibilityID: EligibilityID, Name: "Vale Sereno Saúde", ProviderCode: "004417", Operator: "simulada",
			Contractor: "Clínica Beira-Rio", Indication: "Rotina", Biometrics: true},
		{ID: StrictID, EligibilityID: EligibilityID, Name: "Água Clara", ProviderCode: "A-77", Operator: "simulada",
			ValidityRequired: true, CardPattern: `^\d{17}$`, AttachmentsFor: []string{"40901122", "41*"}, Timeout: 20 * time.Millisecond},
		{ID: UnconnectedID, EligibilityID: EligibilityID, Name: "Sem Ligação", ProviderCode: "9", Operator: "tiss"},
	}
}

// Use makes another test the one that fails: a fuzz test has one for each input.
func (e *Env) Use(tb testing.TB) { e.tb = tb }

// Store is the store of the service.
func (e *Env) Store() service.Store {
	if e.WrapStore != nil {
		return e.WrapStore(servicestore.New(e.DB))
	}
	return servicestore.New(e.DB)
}

// AccessStore is the store of who may come in.
func (e *Env) AccessStore() access.Store { return accessstore.New(e.DB) }

// Open starts the service and its server.
func (e *Env) Open() {
	e.tb.Helper()
	e.DB = storetest.At(e.tb, migrations.Service, e.Place, e.Clock.Now)
	var err error
	e.Blobs, err = files.Open(files.Options{Dir: e.Dir, Clock: e.Clock.Now})
	e.Must(err)
	var blobs blob.Store = e.Blobs
	if e.WrapBlobs != nil {
		blobs = e.WrapBlobs(blobs)
	}
	e.assemble(blobs)
	e.Server = httptest.NewServer(HoldToDescription(e.tb, e.API.Handler()))
}

// assemble puts the service together.
func (e *Env) assemble(blobs blob.Store) {
	operators := map[string]service.Operator{"simulada": e.connector()}
	hasher := e.Hasher
	if hasher == nil {
		hasher = password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1})
	}
	logger := slog.New(slog.NewTextHandler(e.Log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ledger, accesses := servicestore.New(e.DB), e.AccessStore()
	e.Service = service.New(service.Config{
		Store: e.Store(), Blobs: blobs, Operators: operators, Clock: e.Clock.Now, Zone: Zone, Limits: e.Limits.Service, Logger: logger,
	})
	control := access.New(access.Config{Store: accesses, Hasher: hasher, Clock: e.Clock.Now, Logger: logger})
	e.API = api.New(api.Config{Service: e.Service, Access: control, Blobs: blobs, Clock: e.Clock.Now, Limits: e.Limits.API, Logger: logger})
	e.Admin = admin.New(admin.Config{
		Directory: ledger, Ledger: ledger, Blobs: blobs, Access: accesses, Operators: operators, Hasher: hasher, Clock: e.Clock.Now,
	})
}

func (e *Env) connector() service.Operator {
	if e.Plain {
		return struct{ service.Operator }{e.Operator}
	}
	return e.Operator
}

// Close ends what Open started.
func (e *Env) Close() {
	e.Server.Close()
	_ = e.Service.Close(context.Background())
	_ = e.Blobs.Close()
	_ = e.DB.Close()
}

// Restart ends the process's part of the service and starts it again on the same
// files.
func (e *Env) Restart() {
	e.tb.Helper()
	e.Close()
	e.Open()
}

// Must ends the test when there is an error.
func (e *Env) Must(err error) {
	e.tb.Helper()
	if err != nil {
		e.tb.Fatal(err)
	}
}
