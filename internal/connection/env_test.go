package connection_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/connection"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/connectionstore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

var (
	admin = permission.Actor{User: uuid.MustParse("01970000-0000-7000-8000-000000000001"), Roles: []permission.Role{permission.Administration}}
	now   = time.Date(2026, 11, 21, 13, 0, 0, 0, time.UTC)
)

// env is a manager over a database of its own, with a service client that keeps its
// plans.
type env struct {
	*connection.Manager
	client *serviceClient
	db     *storetest.Database
	log    *auditlog.Log
}

// MustManage returns a manager that has started; change may alter its parts.
func MustManage(tb testing.TB, change ...func(*connection.Config)) *env {
	tb.Helper()
	db := storetest.Open(tb, migrations.Desk, func() time.Time { return now })
	e := &env{client: &serviceClient{trial: &trial{}}, db: db, log: auditlog.New(db, audit.Key{1})}
	e.Manager = e.MustRestart(tb, 7, change...)
	return e
}

// MustRestart returns another manager over the same database, with the key made of
// that byte.
func (e *env) MustRestart(tb testing.TB, key byte, change ...func(*connection.Config)) *connection.Manager {
	tb.Helper()
	c := connection.Config{Store: connectionstore.New(e.db, e.log), Sealer: MustSealer(tb, key), ServiceClient: e.client,
		Clock: func() time.Time { return now }}
	for _, f := range change {
		f(&c)
	}
	m := connection.New(c)
	MustDo(tb, m.Start(context.Background()))
	return m
}

// keyring has sealing keys by their ids.
type keyring map[string][32]byte

func (k keyring) SealingKey(id string) ([32]byte, error) {
	key, ok := k[id]
	if !ok {
		return key, connection.ErrUnopened
	}
	return key, nil
}

// MustSealer returns a sealer whose first key is made of that byte.
func MustSealer(_ testing.TB, key byte) *connection.Sealer {
	return connection.NewSealer(keyring{"": {key}, secondKey: {key + 1}})
}

// secondKey is the id of a key that was added later.
const secondKey = "0123456789abcdef"

func MustDo(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// entries returns event and detail of the trail, the latest first.
func (e *env) entries(tb testing.TB) []string {
	tb.Helper()
	links, err := e.log.List(context.Background(), audit.Filter{})
	MustDo(tb, err)
	var all []string
	for _, l := range links {
		all = append(all, string(l.Entry.Event)+" "+l.Entry.Detail)
	}
	return all
}

// outsideService is a service by API key that nothing is wrong with.
func outsideService() connection.Change {
	s := connection.Defaults()
	s.Embedded, s.BaseURL = false, "https://servico.exemplo.com.br/base"
	return connection.Change{Settings: s, Secret: "segredo-da-clinica"}
}

// fieldsOf returns the codes of an error's fields, by path.
func fieldsOf(tb testing.TB, err error) map[string]string {
	tb.Helper()
	if err != nil && !problem.Is(err, problem.Invalid) {
		tb.Fatalf("got %v, want the fields that are wrong", err)
	}
	found := map[string]string{}
	for _, f := range problem.FieldsOf(err) {
		found[f.Path] = f.Code
	}
	return found
}

// serviceClient keeps the plans that were put in force.
type serviceClient struct {
	plans           []connection.Plan
	trial           *trial
	unknown         int
	use, try, count error // what Use, Try and Unknown fail with
}

func (c *serviceClient) Unknown(context.Context) (int, error) { return c.unknown, c.count }

func (c *serviceClient) Use(_ context.Context, p connection.Plan) error {
	if c.use != nil {
		return c.use
	}
	c.plans = append(c.plans, p)
	return nil
}

func (c *serviceClient) Try(_ context.Context, p connection.Plan) (connection.Trial, error) {
	if c.try != nil {
		return nil, c.try
	}
	c.trial.plan = p
	return c.trial, nil
}

func (c *serviceClient) last() connection.Plan { return c.plans[len(c.plans)-1] }

// trial is a service that answers as it is told.
type trial struct {
	plan                       connection.Plan
	asked                      []connection.StepName
	login, search, announce    error
	found                      int
	words                      []string
	units, professionals       int
	unitsErr, professionalsErr error
	closed                     bool
	entered                    func() // called at LogIn
}

var errService = problem.Wrap(problem.Unavailable, "O serviço não quis. Avise a administração.", errors.New("cause"))

var errCrowded = problem.Wrap(problem.Throttled, "Pedidos demais agora.", errors.New("cause"))

var errNoList = problem.Wrap(problem.NotFound, "O serviço não anuncia esta lista.", errors.New("cause"))

func (t *trial) LogIn(context.Context) error {
	t.asked = append(t.asked, connection.StepLogin)
	if t.entered != nil {
		t.entered()
	}
	return t.login
}

func (t *trial) SearchCredentials(context.Context, string) ([]authorization.Credential, error) {
	t.asked = append(t.asked, connection.StepSearch)
	return make([]authorization.Credential, t.found), t.search
}

func (t *trial) Announced(context.Context) ([]string, error) {
	t.asked = append(t.asked, connection.StepFeatures)
	return t.words, t.announce
}

func (t *trial) Units(context.Context) ([]authorization.ListedUnit, error) {
	t.asked = append(t.asked, connection.StepLists)
	return make([]authorization.ListedUnit, t.units), t.unitsErr
}

func (t *trial) Professionals(context.Context) ([]authorization.ListedProfessional, error) {
	return make([]authorization.ListedProfessional, t.professionals), t.professionalsErr
}

func (t *trial) Close() { t.closed = true }
