package service_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// faulty is a store of which one method fails, at its first call after some.
type faulty struct {
	service.Store
	mu     sync.Mutex
	method string
	after  int   // calls that are fine
	cause  error // of the failure; nil: errDisk
}

// set makes a method fail once, after so many calls of it; "" heals the store.
func (f *faulty) set(method string, after int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.method, f.after = method, after
}

func (f *faulty) err(method string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.method != method {
		return nil
	}
	if f.after--; f.after >= 0 {
		return nil
	}
	f.method = ""
	return cmp.Or(f.cause, errDisk)
}

func (f *faulty) Credential(ctx context.Context, id uuid.UUID) (service.Credential, error) {
	c, err := f.Store.Credential(ctx, id)
	return c, errors.Join(f.err("Credential"), err)
}

func (f *faulty) CredentialByEligibility(ctx context.Context, id uuid.UUID) (service.Credential, error) {
	c, err := f.Store.CredentialByEligibility(ctx, id)
	return c, errors.Join(f.err("CredentialByEligibility"), err)
}

func (f *faulty) References(ctx context.Context, credential, unit, professional uuid.UUID) (service.References, error) {
	r, err := f.Store.References(ctx, credential, unit, professional)
	return r, errors.Join(f.err("References"), err)
}

// AddAnswer comes too late before a Request that fails: another look-up was faster.
func (f *faulty) AddAnswer(ctx context.Context, e service.AnswerEntry) error {
	if err := f.err("AddAnswer"); err != nil {
		return err
	}
	err := f.Store.AddAnswer(ctx, e)
	f.mu.Lock()
	defer f.mu.Unlock()
	if err == nil && f.method == "Request" {
		return problem.New(problem.Conflict, "late")
	}
	return err
}

func (f *faulty) Receive(ctx context.Context, e service.RequestEntry) (service.LedgerRequest, bool, error) {
	if err := f.err("Receive"); err != nil {
		return service.LedgerRequest{}, false, err
	}
	return f.Store.Receive(ctx, e)
}

func (f *faulty) Request(ctx context.Context, id uuid.UUID) (service.LedgerRequest, error) {
	r, err := f.Store.Request(ctx, id)
	return r, errors.Join(f.err("Request"), err)
}

func (f *faulty) RequestByKey(ctx context.Context, p uuid.UUID, key [sha256.Size]byte, now time.Time) (service.LedgerRequest, error) {
	if err := f.err("RequestByKey"); err != nil {
		return service.LedgerRequest{}, err
	}
	return f.Store.RequestByKey(ctx, p, key, now)
}

func (f *faulty) RequestByGuide(ctx context.Context, p uuid.UUID, guide string) (service.LedgerRequest, error) {
	if err := f.err("RequestByGuide"); err != nil {
		return service.LedgerRequest{}, err
	}
	return f.Store.RequestByGuide(ctx, p, guide)
}

// ReadTogether fails in each run of fn alike: a transaction may run again.
func (f *faulty) ReadTogether(ctx context.Context, fn func(context.Context) error) error {
	f.mu.Lock()
	method, after := f.method, f.after
	f.mu.Unlock()
	return f.Store.ReadTogether(ctx, func(ctx context.Context) error {
		f.set(method, after)
		return fn(ctx)
	})
}

func (f *faulty) Authorizations(ctx context.Context, id uuid.UUID) ([]authorization.Authorization, error) {
	all, err := f.Store.Authorizations(ctx, id)
	return all, errors.Join(f.err("Authorizations"), err)
}

func (f *faulty) Authorization(ctx context.Context, p, id uuid.UUID) (authorization.Authorization, error) {
	if err := f.err("Authorization"); err != nil {
		return authorization.Authorization{}, err
	}
	return f.Store.Authorization(ctx, p, id)
}

func (f *faulty) LedgerAuthorization(ctx context.Context, id uuid.UUID) (service.LedgerAuthorization, error) {
	a, err := f.Store.LedgerAuthorization(ctx, id)
	return a, errors.Join(f.err("LedgerAuthorization"), err)
}

func (f *faulty) RequestByGuideID(ctx context.Context, p, id uuid.UUID) (service.LedgerRequest, error) {
	r, err := f.Store.RequestByGuideID(ctx, p, id)
	if own := f.err("RequestByGuideID"); own != nil {
		return r, own
	}
	return r, err
}

func (f *faulty) AddAction(ctx context.Context, a service.Action) (service.Action, bool, error) {
	if err := f.err("AddAction"); err != nil {
		return service.Action{}, false, err
	}
	return f.Store.AddAction(ctx, a)
}

func (f *faulty) Action(ctx context.Context, id uuid.UUID) (service.Action, error) {
	a, err := f.Store.Action(ctx, id)
	return a, errors.Join(f.err("Action"), err)
}

func (f *faulty) ActionByKey(ctx context.Context, p uuid.UUID, key [sha256.Size]byte, now time.Time) (service.Action, error) {
	if err := f.err("ActionByKey"); err != nil {
		return service.Action{}, err
	}
	return f.Store.ActionByKey(ctx, p, key, now)
}

func (f *faulty) AddUpdate(ctx context.Context, e service.UpdateEntry) error {
	if err := f.err("AddUpdate"); err != nil {
		return err
	}
	return f.Store.AddUpdate(ctx, e)
}

func (f *faulty) AddFailure(ctx context.Context, e service.FailureEntry) error {
	if err := f.err("AddFailure"); err != nil {
		return err
	}
	return f.Store.AddFailure(ctx, e)
}

func (f *faulty) AddActionFailure(ctx context.Context, e service.ActionFailureEntry) error {
	if err := f.err("AddActionFailure"); err != nil {
		return err
	}
	return f.Store.AddActionFailure(ctx, e)
}

func (f *faulty) Due(ctx context.Context, now time.Time) ([]uuid.UUID, time.Time, error) {
	all, next, err := f.Store.Due(ctx, now)
	return all, next, errors.Join(f.err("Due"), err)
}

func (f *faulty) Claim(ctx context.Context, id uuid.UUID, now, until time.Time, limit int) ([]service.Task, error) {
	if err := f.err("Claim"); err != nil {
		return nil, err
	}
	return f.Store.Claim(ctx, id, now, until, limit)
}

func (f *faulty) BeginAsking(ctx context.Context, id uuid.UUID, at time.Time) (bool, error) {
	if err := f.err("BeginAsking"); err != nil {
		return false, err
	}
	return f.Store.BeginAsking(ctx, id, at)
}

// MustFaultyEnv is an environment whose store can be made to fail, with one slot at
// each operator: whoever keeps one is found out.
func MustFaultyEnv(t *testing.T) (*env, *faulty) {
	t.Helper()
	f := &faulty{}
	e := MustEnv(t, limits{Service: service.Limits{OperatorCalls: 1, BusyWait: time.Second}})
	e.WrapStore = func(s service.Store) service.Store { f.Store = s; return f }
	e.Restart()
	return e, f
}

// TestService_Faults: a failure of the store is told as what it is, keeps neither a
// slot nor anybody waiting, and the same works afterwards.
func TestService_Faults(t *testing.T) {
	e, f := MustFaultyEnv(t)
	id, _ := e.MustAuthorize("999909")
	known := submission("conhecido")
	if _, err := e.Service.Submit(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	with := func(s service.Submission, key string) service.Submission { s.Key = key; return s }
	submit := func(s service.Submission) func() error {
		return func() error { _, err := e.Service.Submit(t.Context(), s); return err }
	}
	act := func(kind service.ActionKind, key string) func() error {
		return func() error {
			_, err := e.Service.Act(t.Context(), service.ActionRequest{Caller: desk(), GuideID: idOf(id), Kind: kind, Key: key})
			return err
		}
	}
	eligibility := func() error {
		_, err := e.Service.CheckEligibility(t.Context(), service.EligibilityQuery{EligibilityID: eligibilityID, CardNumber: "1"})
		return err
	}
	find := func() error {
		_, err := e.Service.FindByGuide(t.Context(), desk().ProfileID, "conhecido")
		return err
	}
	for name, c := range map[string]struct {
		method string
		after  int
		call   func() error
	}{
		"check":         {"References", 0, submit(submission(""))},
		"receive":       {"Receive", 0, submit(submission(""))},
		"by key":        {"RequestByKey", 0, submit(with(submission(""), "k"))},
		"by guide":      {"RequestByGuide", 0, submit(submission("g"))},
		"late answer":   {"Request", 0, submit(submission(""))},
		"repeat":        {"Request", 0, submit(known)},
		"accept":        {"Receive", 0, func() error { _, err := e.Service.Accept(t.Context(), submission("")); return err }},
		"find":          {"RequestByGuide", 0, find},
		"find, settle":  {"Request", 0, find},
		"find, entries": {"Authorizations", 0, find},
		"read": {"Authorization", 0,
			func() error { _, err := e.Service.Authorization(t.Context(), desk().ProfileID, idOf(id)); return err }},
		"may act":                 {"LedgerAuthorization", 0, func() error { return e.Service.MayAct(t.Context(), desk(), idOf(id)) }},
		"may act, not decided":    {"RequestByGuideID", 0, func() error { return e.Service.MayAct(t.Context(), desk(), uuid.New()) }},
		"act, read":               {"LedgerAuthorization", 0, act(service.ActionAttachments, "")},
		"act, credential":         {"Credential", 0, act(service.ActionAttachments, "")},
		"act, key":                {"ActionByKey", 0, act(service.ActionAttachments, "k")},
		"act, note":               {"AddAction", 0, act(service.ActionAttachments, "")},
		"eligibility, credential": {"CredentialByEligibility", 0, eligibility},
	} {
		f.set(c.method, c.after)
		if err := c.call(); !errors.Is(err, errDisk) {
			t.Errorf("%s: got %v, want %v", name, err, errDisk)
		}
		f.set("", 0)
	}
	for name, call := range map[string]func() error{
		"submit": submit(submission("")), "repeat": submit(known), "find": find, "eligibility": eligibility,
		"act": act(service.ActionAttachments, "k"),
	} {
		if err := call(); err != nil {
			t.Errorf("%s, afterwards: got %v", name, err)
		}
	}
}

// TestService_Faults_Outcome: what an operator did is noted as soon as that is possible,
// its failures too, and the operator is not told twice.
func TestService_Faults_Outcome(t *testing.T) {
	e, f := MustFaultyEnv(t)
	id, _ := e.MustAuthorize("0310004512063345")
	cancel := service.ActionRequest{Caller: desk(), GuideID: idOf(id), Kind: service.ActionCancel, Key: "k"}
	for method, want := range map[string]error{"AddUpdate": nil, "Action": errDisk} {
		f.set(method, 0)
		if _, err := e.Service.Act(t.Context(), cancel); !errors.Is(err, want) {
			t.Errorf("%s fails: got %v, want %v", method, err, want)
		}
	}
	e.StandsAt(id, "X")
	if got := e.Operator.Acted.Load(); got != 1 {
		t.Errorf("the operator was told %d times, want once", got)
	}
	other, _ := e.MustAuthorize("0310004512063345")
	f.set("AddAnswer", 0)
	if _, err := e.Service.Submit(t.Context(), submission("f")); err != nil {
		t.Errorf("a decision that is noted later: got %v", err)
	}
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { return errDisk })
	f.set("AddFailure", 0)
	if _, err := e.Service.Submit(t.Context(), submission("g")); reasonOf(err) != service.OperatorFailed {
		t.Errorf("a failure that is noted later: got %v, want %s", err, service.OperatorFailed)
	}
	f.set("AddActionFailure", 0)
	cancel.GuideID, cancel.Key = idOf(other), "l"
	if _, err := e.Service.Act(t.Context(), cancel); reasonOf(err) != service.OperatorFailed {
		t.Errorf("an action's failure that is noted later: got %v, want %s", err, service.OperatorFailed)
	}
}

// TestService_Faults_Reread: after an operator failed, how the authorization stands
// now has to be read; where it cannot be, nothing is said about it.
func TestService_Faults_Reread(t *testing.T) {
	e, f := MustFaultyEnv(t)
	id, _ := e.MustAuthorize("0310004512063345")
	cancel := service.ActionRequest{Caller: desk(), GuideID: idOf(id), Kind: service.ActionCancel, Key: "k"}
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { return errors.New("the line is down") })
	f.set("LedgerAuthorization", 1)
	if _, err := e.Service.Act(t.Context(), cancel); !errors.Is(err, errDisk) {
		t.Errorf("got %v, want %v", err, errDisk)
	}
	if _, err := e.Service.Act(t.Context(), cancel); reasonOf(err) != service.OperatorFailed {
		t.Errorf("again: got %v, want %s", err, service.OperatorFailed)
	}
}

// TestService_Faults_Work: what could not be read or noted when it was due stays due,
// and no slot is lost.
func TestService_Faults_Work(t *testing.T) {
	for _, c := range []struct {
		method string
		told   bool // RunDue says so itself
	}{{"Due", true}, {"Claim", true}, {"Credential", true}, {"Request", false}, {"BeginAsking", false}} {
		e, f := MustFaultyEnv(t)
		accepted := e.Accept("0310004512063345", nil).Data()["guiaId"].(string)
		f.set(c.method, 0)
		if err := e.Service.RunDue(t.Context()); errors.Is(err, errDisk) != c.told {
			t.Errorf("%s: got %v, want it told: %v", c.method, err, c.told)
		}
		if !c.told && !strings.Contains(e.Log.String(), `msg="work not done"`) {
			t.Errorf("%s: the log says %s", c.method, e.Log.String())
		}
		e.Clock.Move(time.Hour)
		e.RunDue()
		e.StandsAt(accepted, "A")
		if got := e.Operator.Authorized.Load(); got != 1 {
			t.Errorf("%s: asked %d times, want once", c.method, got)
		}
	}
}

// TestService_Work_Unconnected: what is due at an operator that left stays due.
func TestService_Work_Unconnected(t *testing.T) {
	e := MustEnv(t, limits{})
	accepted := e.Accept("0310004512063345", nil).Data()["guiaId"].(string)
	left := servicetest.Credentials()[0]
	left.Operator = "tiss"
	e.Must(e.Admin.PutCredential(t.Context(), left))
	e.RunDue()
	if got := e.Texts(`SELECT tries || ' ' || (due_at - 1000000 * CAST(? AS BIGINT)) FROM task`,
		e.Clock.Now().Unix()); len(got) != 1 || got[0] != "1 60000000" {
		t.Errorf("put off: got %q, want one try and a minute", got)
	}
	e.Must(e.Admin.PutCredential(t.Context(), servicetest.Credentials()[0]))
	e.Clock.Move(time.Minute)
	e.RunDue()
	e.StandsAt(accepted, "A")
}

// TestService_Work_GivesUp: after a month nobody asks about an accepted request any
// more.
func TestService_Work_GivesUp(t *testing.T) {
	e := MustEnv(t, limits{})
	e.Operator.Operator = servicetest.Fixed{} // never decides
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { return errDisk })
	e.Accept("1", nil)
	e.RunDue()
	for _, c := range []struct {
		move time.Duration
		want int // tasks that are left to be asked about
	}{{time.Minute, 1}, {30*24*time.Hour - time.Minute, 1}, {time.Hour, 0}} {
		e.Clock.Move(c.move)
		e.RunDue()
		if got := len(e.Texts(`SELECT id FROM task WHERE due_at > 0`)); got != c.want {
			t.Errorf("%v later: %d tasks are left, want %d", c.move, got, c.want)
		}
	}
	if asked := e.Operator.Authorized.Load(); asked != 1 {
		t.Errorf("asked to decide %d times, want once", asked)
	}
}

// TestService_Polls_Rhythm: where an operator says nothing, it is asked after 1, 2, 4
// minutes and so on, up to an hour.
func TestService_Polls_Rhythm(t *testing.T) {
	e := MustEnv(t, limits{})
	e.Operator.Operator = waiting{servicetest.Fixed{Decision: service.Decision{Authorizations: []authorization.Authorization{{Status: "R"}}}}}
	e.MustAuthorize("1")
	for i, minutes := range []int{1, 2, 4, 8, 16, 32, 60, 60, 60, 60, 60, 60} {
		e.Clock.Move(time.Duration(minutes)*time.Minute - time.Microsecond)
		e.RunDue()
		if got := e.Operator.Polled.Load(); got != int64(i) {
			t.Fatalf("just before %d minutes: asked %d times, want %d", minutes, got, i)
		}
		e.Clock.Move(time.Microsecond)
		e.RunDue()
		if got := e.Operator.Polled.Load(); got != int64(i+1) {
			t.Fatalf("after %d minutes: asked %d times, want %d", minutes, got, i+1)
		}
	}
}

// waiting is an operator that has nothing new.
type waiting struct{ servicetest.Fixed }

// PollStatus implements service.StatusPoller.
func (waiting) PollStatus(context.Context, service.OpenAuthorization) (service.Update, error) {
	return service.Update{}, nil
}

// TestService_Directory: only what can be used is listed.
func TestService_Directory(t *testing.T) {
	e := MustEnv(t, limits{})
	e.Must(e.Admin.PutUnit(t.Context(), service.Unit{ID: uuid.New(), Name: "Antiga", Disabled: true}))
	e.Must(e.Admin.PutProfessional(t.Context(), service.Professional{ID: uuid.New(), Name: "Antigo", Disabled: true}))
	units, err := e.Service.Units(t.Context())
	if err != nil || len(units) != 1 || units[0].ID != unitID || len(units[0].Points) != 1 {
		t.Errorf("units: got %+v, %v", units, err)
	}
	professionals, err := e.Service.Professionals(t.Context())
	if err != nil || len(professionals) != 1 || professionals[0].ID != professionalID {
		t.Errorf("professionals: got %+v, %v", professionals, err)
	}
	found, err := e.Service.SearchCredentials(t.Context(), service.CredentialQuery{Text: "vale", Page: 1, Size: 5})
	if err != nil || found.Total != 1 || found.Items[0].ID != credentialID {
		t.Errorf("credentials: got %+v, %v", found, err)
	}
}

func TestCapture_LogValue(t *testing.T) {
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "capture", service.Capture{Kind: "digital", Data: []byte("segredo")})
	if !strings.Contains(log.String(), "capture=[biometria]") || strings.Contains(log.String(), "segredo") {
		t.Errorf("got %s", log.String())
	}
}

// TestNew_Zone: guide numbers are in the time of most providers unless another is
// given.
func TestNew_Zone(t *testing.T) {
	at := time.Date(2026, 11, 20, 1, 30, 0, 0, time.UTC)
	s := service.New(service.Config{Clock: func() time.Time { return at }})
	sheet := s.Sheet(service.LedgerRequest{ReceivedAt: at}, service.Credential{}, service.Professional{}, authorization.Authorization{})
	if got := sheet.IssuedAt.Date(); got != "19/11/2026" {
		t.Errorf("issued: got %s, want the day before", got)
	}
}
