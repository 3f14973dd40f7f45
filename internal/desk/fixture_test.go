package desk_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"log/slog"
	"maps"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/blob/files"
	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/document"
	"guiche/internal/permission"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/directorystore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// Identifiers of the directory that every fixture holds.
var (
	centroID  = uuid.MustParse("01970000-0000-7000-8000-000000000001")
	balcaoID  = uuid.MustParse("01970000-0000-7000-8000-000000000011")
	praiaID   = uuid.MustParse("01970000-0000-7000-8000-000000000002")
	areiaID   = uuid.MustParse("01970000-0000-7000-8000-000000000012")
	doctorID  = uuid.MustParse("01970000-0000-7000-8000-000000000021")
	serenoID  = uuid.MustParse("01970000-0000-7000-8000-000000000031")
	anaID     = uuid.MustParse("01970000-0000-7000-8000-000000000041")
	biaID     = uuid.MustParse("01970000-0000-7000-8000-000000000042")
	celiaID   = uuid.MustParse("01970000-0000-7000-8000-000000000043")
	specialty = 7
)

// The people: ana and bia work in Centro and Praia, celia supervises.
var (
	ana   = permission.Actor{User: anaID, Name: "Ana Prado", Units: []uuid.UUID{centroID}, Roles: []permission.Role{permission.Reception}}
	bia   = permission.Actor{User: biaID, Name: "Bia Nunes", Units: []uuid.UUID{praiaID}, Roles: []permission.Role{permission.Reception}}
	celia = permission.Actor{User: celiaID, Name: "Célia Brito", Roles: []permission.Role{permission.Supervision}}
	admin = permission.Actor{User: uuid.MustParse("01970000-0000-7000-8000-000000000044"), Name: "Davi",
		Roles: []permission.Role{permission.Administration}}
)

// clock is a clock that tests set.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// service is an authorization service as a script. What it sends back names the
// outcome that reading it gives, so that a stored exchange can be read again.
type service struct {
	mu       sync.Mutex
	sent     []authorization.Dispatch
	outcomes []authorization.Outcome // of the first, second, ... Send; the last one for all that follow
	onSend   func(ctx context.Context, d authorization.Dispatch)
	onRead   func() error
	found    []authorization.Credential
	findErr  error
	name     string
	status   int   // of what brings no answer; 0: 200
	statuses []int // of each Send, in place of status

	recourse    authorization.Recourse
	learned     int // how often it was asked what it offers
	recourseErr error
	known       map[string]authorization.Answer // by guiaPrestador; nil: it never arrived
	findGuide   error
	asked       int

	standing  map[string]authorization.Authorization // by guiaId
	statusErr error
	looked    []string // guiaId of each Status
	onStatus  func()
	onFind    func()

	lines atomic.Int64 // that are open

	acts acts
}

// line is a connection that is counted while it is open.
type line struct {
	service *service
	once    sync.Once
}

func (s *service) Connect() authorization.Line {
	s.lines.Add(1)
	return &line{service: s}
}

func (l *line) Close() { l.once.Do(func() { l.service.lines.Add(-1) }) }

func (s *service) SearchCredentials(context.Context, string) ([]authorization.Credential, error) {
	return s.found, s.findErr
}

func (s *service) Send(ctx context.Context, d authorization.Dispatch) authorization.Exchange {
	s.mu.Lock()
	turn := min(len(s.sent), len(s.outcomes)-1)
	s.sent = append(s.sent, d)
	onSend := s.onSend
	s.mu.Unlock()
	if onSend != nil {
		onSend(ctx, d)
	}
	x := authorization.Exchange{
		StartedAt: time.UnixMicro(1).UTC(), EndedAt: time.UnixMicro(2).UTC(), SentBytes: 512, HTTPStatus: 200,
		ContentType: strconv.Itoa(turn), RetryAfter: "7", Body: blob.Ref(strings.Repeat("0", 64)), BodySize: 9, Complete: true,
	}
	if s.status != 0 && s.outcomes[turn].Kind == authorization.OutcomeUnknown {
		x.HTTPStatus = s.status
	}
	if turn < len(s.statuses) {
		x.HTTPStatus = s.statuses[turn]
	}
	if d.Ready != nil && d.Ready() != nil {
		x.SentBytes, x.HTTPStatus, x.Complete, x.Failure = 0, 0, false, authorization.FailureCut
	}
	if ctx.Err() != nil {
		x.HTTPStatus, x.Complete, x.Failure = 0, false, authorization.FailureCancelled
	}
	return x
}

func (s *service) Interpret(_ context.Context, x authorization.Exchange) (authorization.Outcome, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.onRead != nil {
		if err := s.onRead(); err != nil {
			return authorization.Outcome{}, err
		}
	}
	if x.SentBytes == 0 {
		return authorization.Outcome{Kind: authorization.OutcomeRetry, Reason: string(x.Failure)}, nil
	}
	if x.Failure == authorization.FailureCancelled {
		return authorization.Outcome{Kind: authorization.OutcomeUnknown, Reason: string(x.Failure)}, nil
	}
	turn, err := strconv.Atoi(x.ContentType)
	if err != nil {
		return authorization.Outcome{}, err
	}
	return s.outcomes[turn], nil
}

// Sent returns what was sent so far.
func (s *service) Sent() []authorization.Dispatch {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]authorization.Dispatch(nil), s.sent...)
}

// Script says what the next Sends bring.
func (s *service) Script(outcomes ...authorization.Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent, s.outcomes = nil, outcomes
}

// fixture is a desk over files of its own.
type fixture struct {
	*desk.Desk
	config  desk.Config
	dir     string
	place   string // of the database
	db      *storetest.Database
	trail   *auditlog.Log
	service *service
	clock   *clock
	log     *bytes.Buffer
}

// MustDesk returns a desk with a filled directory. Its service answers "A".
func MustDesk(tb testing.TB, change ...func(*desk.Config)) *fixture {
	tb.Helper()
	f := &fixture{
		dir: tb.TempDir(), log: &bytes.Buffer{}, clock: &clock{now: time.Date(2026, 11, 20, 17, 2, 0, 0, time.UTC)},
		service: &service{name: "embutido", outcomes: []authorization.Outcome{answered(authorization.Authorized)}},
	}
	f.place = template(tb).Copy(tb)
	f.MustOpen(tb, change...)
	return f
}

var (
	templateOnce sync.Once
	templateKept storetest.Kept
)

// template returns a database with a filled directory; migrating and filling one
// for each test would be most of its time.
func template(tb testing.TB) storetest.Kept {
	tb.Helper()
	templateOnce.Do(func() {
		ctx, db := context.Background(), storetest.Open(tb, migrations.Desk, nil)
		r := directory.New(directorystore.New(db, withoutAudit{}))
		MustDo(tb, r.PutUnits(ctx,
			directory.Unit{UID: centroID, Name: "Centro", Active: true,
				CarePoints: []directory.CarePoint{{UID: balcaoID, Name: "Balcão 2", Active: true}}},
			directory.Unit{UID: praiaID, Name: "Praia", Active: true,
				CarePoints: []directory.CarePoint{{UID: areiaID, Name: "Areia", Active: true}}}))
		MustDo(tb, r.PutProfessionals(ctx, directory.Professional{UID: doctorID, Name: "Elisa Monteverde", Active: true,
			Specialties: []directory.Specialty{{ID: specialty, Name: "Radiologia"}}}))
		MustDo(tb, r.PutCredential(ctx, directory.Credential{UID: serenoID, Name: "Vale Sereno", ProviderCode: "0042", Active: true}))
		MustDo(tb, r.PutProcedures(ctx, directory.Procedure{Code: "40901122", Name: "US - Abdome total", Active: true}))
		MustDo(tb, db.Close())
		templateKept = db.Keep(tb)
	})
	return templateKept
}

// withoutAudit is the trail of what happened before a test.
type withoutAudit struct{}

func (withoutAudit) Append(context.Context, *engine.Tx, audit.Entry) error { return nil }

// MustOpen opens the files, as a new process would; what had them open is
// abandoned where it stands.
func (f *fixture) MustOpen(tb testing.TB, change ...func(*desk.Config)) {
	tb.Helper()
	db := storetest.At(tb, migrations.Desk, f.place, f.clock.Now)
	blobs, err := files.Open(files.Options{Dir: f.dir})
	MustDo(tb, err)
	tb.Cleanup(func() { MustDo(tb, db.Close()); MustDo(tb, blobs.Close()) })
	tb.Cleanup(func() { mustListAll(tb, db) })
	f.db, f.trail = db, auditlog.New(db, audit.Key{1})
	f.config = desk.Config{
		Store: deskstore.New(db, f.trail), Blobs: blobs, Directory: directory.New(directorystore.New(db, f.trail)), Service: f.service,
		Clock: f.clock.Now, Poll: 25 * time.Millisecond, OnlyProcess: true, Logger: slog.New(slog.NewTextHandler(f.log, nil)),
	}
	for _, c := range change {
		c(&f.config)
	}
	f.Desk, err = desk.New(f.config)
	MustDo(tb, err)
}

// mustListAll holds lists to showing what the cases are, whatever was done to them.
func mustListAll(tb testing.TB, db engine.DB) {
	tb.Helper()
	differing, err := deskstore.New(db, nil).CheckLists(context.Background(), nil)
	if err != nil || len(differing) > 0 {
		tb.Errorf("lists: %v, and these rows differ from their cases: %v", err, differing)
	}
}

// MustRun runs the desk until the returned function, or the end of the test.
func (f *fixture) MustRun(tb testing.TB) (stop func()) {
	tb.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	run := f.Run
	go func() { ended <- run(ctx) }()
	stop = sync.OnceFunc(func() {
		tb.Helper()
		cancel()
		select {
		case err := <-ended:
			MustDo(tb, err)
		case <-time.After(time.Minute):
			tb.Error("the desk does not stop")
		}
	})
	tb.Cleanup(stop)
	return stop
}

// MustSubmit sends off a new draft of the actor's with the values changed.
func (f *fixture) MustSubmit(tb testing.TB, a permission.Actor, change map[string]string) uuid.UUID {
	tb.Helper()
	uid, err := f.Submit(context.Background(), a, f.MustDraft(tb, a, change).UID)
	MustDo(tb, err)
	return uid
}

// MustDraft saves a draft of the actor's that can be sent.
func (f *fixture) MustDraft(tb testing.TB, a permission.Actor, change map[string]string) desk.Draft {
	tb.Helper()
	form := fullForm()
	if a.User == biaID {
		form.Values["unidadeId"], form.Values["pontoAtendimentoId"] = praiaID.String(), areiaID.String()
	}
	maps.Copy(form.Values, change)
	draft, err := f.SaveDraft(context.Background(), a, MustUID(tb), form, 0)
	MustDo(tb, err)
	return draft
}

// MustBecome waits until the case is in the state and returns it.
func (f *fixture) MustBecome(tb testing.TB, uid uuid.UUID, want desk.State) desk.CaseState {
	tb.Helper()
	var standing desk.CaseState
	eventually(tb, func() string {
		var err error
		if standing, err = f.CaseState(context.Background(), celia, uid); err != nil {
			return err.Error()
		}
		if standing.State != want {
			return fmt.Sprintf("state: got %s (%s), want %s", standing.State, standing.Reason, want)
		}
		return ""
	})
	return standing
}

// MustCase returns a case as the supervisor sees it.
func (f *fixture) MustCase(tb testing.TB, uid uuid.UUID) desk.Case {
	tb.Helper()
	c, err := f.Case(context.Background(), celia, uid, 0)
	MustDo(tb, err)
	return c
}

func MustDo(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func MustUID(tb testing.TB) uuid.UUID {
	tb.Helper()
	uid, err := uuid.NewV7()
	MustDo(tb, err)
	return uid
}

func fullForm() desk.Form {
	return desk.Form{
		Values: map[string]string{
			"credencialId": serenoID.String(), "numeroCarteira": "0310 0045.7782-4821", "validadeCarteira": "31122027",
			"nomeBeneficiario": "Maria Aparecida Silveira", "planoBeneficiario": "Essencial", "atendimentoRN": "N",
			"pacienteNoLocal": "S", "unidadeId": centroID.String(), "pontoAtendimentoId": balcaoID.String(),
			"nomeSolicitante": "Caio Leme", "ufSolicitante": "sp", "crmSolicitante": "104552", "siglaConselhoSolicitante": "CRM",
			"profissionalExecutanteId": doctorID.String(), "especialidadeExecutanteId": strconv.Itoa(specialty),
			"retorno": "N", "nomeContato": "Ana", "dddContato": "11", "telefoneContato": "900000000", "emailContato": "a@b.example",
		},
		Procedures: []desk.ProcedureRow{{Code: "40901122", Name: "US - Abdome total", Quantity: "1"}},
	}
}

// answered is the outcome of an answer with an authorization of each status.
func answered(statuses ...authorization.Status) authorization.Outcome {
	o := authorization.Outcome{Kind: authorization.OutcomeAnswered, Answer: authorization.Answer{Success: true}}
	for i, s := range statuses {
		o.Answer.Authorizations = append(o.Answer.Authorizations, authorization.Authorization{Number: i + 1, Success: true, Status: s})
	}
	return o
}

func outcome(kind authorization.OutcomeKind, reason string) authorization.Outcome {
	return authorization.Outcome{Kind: kind, Reason: reason}
}

// picture returns a small PNG; each n gives other bytes.
func picture(tb testing.TB, n int) io.Reader {
	tb.Helper()
	m := image.NewGray(image.Rect(0, 0, 8, 8))
	m.Pix[0], m.Pix[1] = byte(n), byte(n>>8)
	var b bytes.Buffer
	MustDo(tb, png.Encode(&b, m))
	return &b
}

// small are limits that a test can reach.
func small(c *desk.Config) {
	c.Documents = document.Limits{MaxFiles: 3, MaxFile: 2 << 10, MaxTotal: 3 << 10}
}

// crc is the check sum of a PNG chunk.
func crc(b []byte) []byte { return binary.BigEndian.AppendUint32(nil, crc32.ChecksumIEEE(b)) }
