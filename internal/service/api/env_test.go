package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/password"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/service/api"
	"guiche/internal/service/simulated"
	"guiche/internal/sqlite"
	"guiche/internal/store/accessstore"
	"guiche/internal/store/servicestore"
	"guiche/migrations"

	"github.com/google/uuid"
)

// Identifiers of what every environment knows.
var (
	credentialID   = uuid.MustParse("11111111-1111-4111-8111-111111111111")
	eligibilityID  = uuid.MustParse("11111111-1111-4111-8111-11111111111e")
	strictID       = uuid.MustParse("22222222-2222-4222-8222-222222222222")
	unconnectedID  = uuid.MustParse("33333333-3333-4333-8333-333333333333")
	unitID         = uuid.MustParse("44444444-4444-4444-8444-444444444444")
	pointID        = uuid.MustParse("55555555-5555-4555-8555-555555555555")
	professionalID = uuid.MustParse("66666666-6666-4666-8666-666666666666")
	zone           = time.FixedZone("America/Sao_Paulo", -3*60*60)
)

const specialtyID = 225120

// clock is a clock that stands still until it is moved.
type clock struct{ at atomic.Int64 }

func (c *clock) now() time.Time       { return time.UnixMicro(c.at.Load()).In(zone) }
func (c *clock) move(d time.Duration) { c.at.Add(d.Microseconds()) }
func newClock() *clock                { c := &clock{}; c.at.Store(start.UnixMicro()); return c }

var start = time.Date(2026, 11, 20, 14, 30, 55, 0, zone)

// asked is an operator that counts how often it is asked and decides as told.
type asked struct {
	service.Operator
	authorize, lookUp, follow, acts atomic.Int64

	mu     sync.Mutex
	before func(ctx context.Context, r service.OperatorRequest) error // runs before Authorize decides
	last   service.OperatorRequest

	attached    []authorization.Attachment
	captured    []service.Capture
	reason      string
	eligibility service.EligibilityRequest
}

func (a *asked) Authorize(ctx context.Context, r service.OperatorRequest) (service.Decision, error) {
	a.authorize.Add(1)
	a.mu.Lock()
	a.last = r
	before := a.before
	a.mu.Unlock()
	if before != nil {
		if err := before(ctx, r); err != nil {
			return service.Decision{}, err
		}
	}
	return a.Operator.Authorize(ctx, r)
}

func (a *asked) LookUp(ctx context.Context, r service.OperatorRequest) (service.Decision, error) {
	a.lookUp.Add(1)
	return a.Operator.LookUp(ctx, r)
}

func (a *asked) told() service.OperatorRequest {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.last
}

// limits are those of a service and of its HTTP interface.
type limits struct {
	service service.Limits
	api     api.Limits
}

// env is a service over real files behind a real HTTP server.
type env struct {
	tb       testing.TB
	dir      string
	clock    *clock
	limits   limits
	operator *asked
	wrap     func(blob.Store) blob.Store       // stands before the blobs; nil is nothing
	keep     func(service.Store) service.Store // stands before the store; nil is nothing
	log      *lockedBuffer
	hasher   password.Hasher // of users' passwords; nil is a cheap one
	plain    bool            // the operator decides and looks up, and can do nothing else

	db      *sqlite.DB
	blobs   *files.Store
	service *service.Service
	api     *api.API
	admin   *admin.Admin
	server  *httptest.Server
	key     string
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// MustEnv starts a service with one partner, one unit, one professional and three
// credentials.
func MustEnv(tb testing.TB, limits limits) *env {
	tb.Helper()
	c := newClock()
	e := &env{
		tb: tb, dir: tb.TempDir(), clock: c, limits: limits, log: &lockedBuffer{},
		operator: &asked{Operator: simulated.New(simulated.Config{Clock: c.now})},
	}
	filled.Do(func() { e.fill() })
	e.key = filled.key
	e.must(os.WriteFile(filepath.Join(e.dir, "service.db"), filled.db, 0o600))
	e.open()
	tb.Cleanup(func() { e.close() })
	return e
}

// filled is the database with which every environment begins: migrating an empty
// one each time takes longer than most tests.
var filled struct {
	sync.Once
	db  []byte
	key string
}

// fill makes filled.
func (e *env) fill() {
	e.tb.Helper()
	e.open()
	admin, ctx := e.admin, context.Background()
	e.must(admin.EnsureProfile(ctx, access.DeskProfile()))
	for _, credential := range credentials() {
		e.must(admin.PutCredential(ctx, credential))
	}
	e.must(admin.PutUnit(ctx, service.Unit{ID: unitID, Name: "Unidade Centro", Points: []service.CarePoint{{ID: pointID, Name: "Recepção"}}}))
	e.must(admin.PutProfessional(ctx, service.Professional{ID: professionalID, Name: "Ana Beatriz Moura", Council: "CRM", Number: "88123", State: "SP",
		Specialties: []service.Specialty{{ID: specialtyID, Name: "Cardiologia", CBO: "225120"}}}))
	var err error
	filled.key, err = admin.MintKey(ctx, access.DeskProfile().ID, 72*time.Hour)
	e.must(err)
	e.close()
	filled.db, err = os.ReadFile(filepath.Join(e.dir, "service.db"))
	e.must(err)
}

func credentials() []service.Credential {
	return []service.Credential{
		{ID: credentialID, EligibilityID: eligibilityID, Name: "Vale Sereno Saúde", ProviderCode: "004417", Operator: "simulada",
			Contractor: "Clínica Beira-Rio", Indication: "Rotina", Biometrics: true},
		{ID: strictID, EligibilityID: eligibilityID, Name: "Água Clara", ProviderCode: "A-77", Operator: "simulada",
			ValidityRequired: true, CardPattern: `^\d{17}$`, AttachmentsFor: []string{"40901122", "41*"}, Timeout: 20 * time.Millisecond},
		{ID: unconnectedID, EligibilityID: eligibilityID, Name: "Sem Ligação", ProviderCode: "9", Operator: "tiss"},
	}
}

func (e *env) store() service.Store {
	if e.keep != nil {
		return e.keep(servicestore.New(e.db))
	}
	return servicestore.New(e.db)
}

func (e *env) open() {
	e.tb.Helper()
	var err error
	e.db, err = sqlite.Open(context.Background(), sqlite.Options{Path: filepath.Join(e.dir, "service.db"), Migrations: migrations.Service, Clock: e.clock.now})
	e.must(err)
	e.blobs, err = files.Open(files.Options{Dir: e.dir, Clock: e.clock.now})
	e.must(err)
	var blobs blob.Store = e.blobs
	if e.wrap != nil {
		blobs = e.wrap(blobs)
	}
	e.assemble(blobs)
	e.server = httptest.NewServer(checkDescribed(e.tb, e.api.Handler()))
}

// assemble puts the service together.
func (e *env) assemble(blobs blob.Store) {
	operators := map[string]service.Operator{"simulada": e.connector()}
	hasher := e.hasher
	if hasher == nil {
		hasher = password.NewArgon2id(password.Argon2idConfig{MemoryKiB: 8, Passes: 1})
	}
	logger := slog.New(slog.NewTextHandler(e.log, nil))
	ledger, accesses := servicestore.New(e.db), accessstore.New(e.db)
	e.service = service.New(service.Config{
		Store: e.store(), Blobs: blobs, Operators: operators, Clock: e.clock.now, Zone: zone, Limits: e.limits.service, Logger: logger,
	})
	control := access.New(access.Config{Store: accesses, Hasher: hasher, Clock: e.clock.now, Logger: logger})
	e.api = api.New(api.Config{Service: e.service, Access: control, Blobs: blobs, Clock: e.clock.now, Limits: e.limits.api, Logger: logger})
	e.admin = admin.New(admin.Config{
		Directory: ledger, Ledger: ledger, Access: accesses, Operators: operators, Hasher: hasher, Clock: e.clock.now,
	})
}

func (e *env) connector() service.Operator {
	if e.plain {
		return struct{ service.Operator }{e.operator}
	}
	return e.operator
}

func (e *env) close() {
	e.server.Close()
	_ = e.service.Close(context.Background())
	_ = e.blobs.Close()
	_ = e.db.Close()
}

// restart ends the process's part of the service and starts it again on the same
// files.
func (e *env) restart() {
	e.tb.Helper()
	e.close()
	e.open()
}

func (e *env) must(err error) {
	e.tb.Helper()
	if err != nil {
		e.tb.Fatal(err)
	}
}

// reply is an answer as it came over the wire.
type reply struct {
	status int
	header http.Header
	text   string
	body   map[string]any
}

// send sends a request; header "x-api-key" is the environment's unless given.
func (e *env) send(method, path string, body io.Reader, header http.Header) reply {
	e.tb.Helper()
	r, err := http.NewRequestWithContext(e.tb.Context(), method, e.server.URL+path, body)
	e.must(err)
	r.Header.Set("X-Api-Key", e.key)
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	maps.Copy(r.Header, header)
	res, err := e.server.Client().Do(r)
	if err != nil {
		e.tb.Errorf("%s %s: %v", method, path, err)
		return reply{}
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		e.tb.Errorf("%s %s: read answer: %v", method, path, err)
	}
	out := reply{status: res.StatusCode, header: res.Header, text: string(text)}
	if method != http.MethodHead {
		if err := json.Unmarshal(text, &out.body); err != nil {
			e.tb.Errorf("%s %s: status %d, answer is no JSON object: %v: %.200s", method, path, res.StatusCode, err, text)
		}
	}
	return out
}

func (e *env) get(path string) reply { e.tb.Helper(); return e.send(http.MethodGet, path, nil, nil) }

const authorizePath = "/api/v2/autorizar/sp-sadt"

func (e *env) post(body string, header http.Header) reply {
	e.tb.Helper()
	return e.send(http.MethodPost, authorizePath, bytes.NewReader([]byte(body)), header)
}

// body is a request with every required field, as an object to change.
func body(changes map[string]any) string {
	b := map[string]any{
		"credencialId": credentialID, "numeroCarteira": "0310004512063345", "nomeBeneficiario": "HELENA DUARTE CANARIO",
		"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"unidadeId": unitID, "pontoAtendimentoId": pointID, "profissionalExecutanteId": professionalID, "especialidadeExecutanteId": specialtyID,
		"procedimentos": []any{map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1}},
	}
	for k, v := range changes {
		if v == absent {
			delete(b, k)
			continue
		}
		b[k] = v
	}
	text, err := json.Marshal(b)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// absent leaves a property out.
var absent = new(int)

// fields returns campo and codigo of errosDetalhados, "campo codigo" each.
func (r reply) fields() []string {
	var all []string
	details, _ := r.body["errosDetalhados"].([]any)
	for _, d := range details {
		m, _ := d.(map[string]any)
		all = append(all, m["campo"].(string)+" "+m["codigo"].(string))
	}
	return all
}

func (r reply) data() map[string]any { d, _ := r.body["data"].(map[string]any); return d }

func (r reply) entries(name string) []map[string]any {
	var all []map[string]any
	list, _ := r.data()[name].([]any)
	for _, item := range list {
		m, _ := item.(map[string]any)
		all = append(all, m)
	}
	return all
}

// entry is the first authorization of an answer.
func (r reply) entry() map[string]any {
	if all := r.entries("autorizacoes"); len(all) > 0 {
		return all[0]
	}
	return nil
}
