package deskstore_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// env is a store with a clock that tests set.
type env struct {
	*deskstore.Store
	now   time.Time
	trail *auditlog.Log
	db    engine.DB
}

var (
	noon   = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	all    = permission.Reach{All: true}
	entry  = audit.Entry{Event: audit.CaseViewed}
	centro = uuid.MustParse("01970000-0000-7000-8000-000000000001")
	praia  = uuid.MustParse("01970000-0000-7000-8000-000000000002")
	ana    = desk.Author{User: uuid.MustParse("01970000-0000-7000-8000-000000000041"), Name: "Ana Prado"}
	bia    = desk.Author{User: uuid.MustParse("01970000-0000-7000-8000-000000000042"), Name: "Bia Nunes"}

	sameTimes = cmp.Comparer(func(a, b authorization.LocalTime) bool { return a == b })
)

func mustEnv(t *testing.T) *env {
	t.Helper()
	e := &env{now: noon}
	db := storetest.Open(t, migrations.Desk, func() time.Time { return e.now })
	e.db, e.trail = db, auditlog.New(db, audit.Key{1})
	e.Store = deskstore.New(db, e.trail)
	t.Cleanup(func() { mustListAll(t, e.Store) })
	return e
}

// mustListAll holds lists to showing what the cases are, whatever was done to them.
func mustListAll(t testing.TB, s *deskstore.Store) {
	t.Helper()
	differing, err := s.CheckLists(context.Background(), nil)
	if err != nil || len(differing) > 0 {
		t.Errorf("lists: %v, and these rows differ from their cases: %v", err, differing)
	}
}

// pass moves the clock.
func (e *env) pass(d time.Duration) { e.now = e.now.Add(d) }

// events lists what the audit trail says, oldest first.
func (e *env) events(t *testing.T) (events []audit.Event) {
	t.Helper()
	links, err := e.trail.List(t.Context(), auditlog.Filter{Limit: 100})
	MustDo(t, err)
	for i := range links {
		events = append(events, links[len(links)-1-i].Entry.Event)
	}
	return events
}

func fullRequest() authorization.Request {
	notes, indication := "observação", "indicação"
	return authorization.Request{
		CredentialID: uuid.UUID{1}, CardNumber: "0310", CardValidity: authorization.DateOf(2027, time.December, 31),
		BeneficiaryName: "Maria", BeneficiaryPlan: "Essencial", Newborn: true, NewbornName: "RN",
		NewbornBirth:   authorization.DateOf(2026, time.November, 1),
		PatientPresent: true, UnitID: centro, CarePointID: uuid.UUID{2}, RequesterName: "Caio", RequesterCouncil: "CRM",
		RequesterNumber: "104552",
		RequesterState:  "SP", ProfessionalID: uuid.UUID{3}, SpecialtyID: 7, AccidentType: "9", CareRegime: "E", CareType: "05",
		Notes: &notes, ClinicalIndication: &indication, FollowUp: true,
		Procedures:  []authorization.Procedure{{Code: "1", Name: "Um", Quantity: 2}, {Code: "2", Name: "Dois", Quantity: 3}},
		ContactName: "João", ContactAreaCode: "11", ContactPhone: "999", ContactEmail: "a@b",
	}
}

// submit sends off a new draft of the author's; change alters what is submitted.
func (e *env) submit(t *testing.T, change ...func(*desk.Submission)) desk.Submission {
	t.Helper()
	sub := e.newSubmission(t, change...)
	uid, err := e.Submit(t.Context(), sub, entry)
	MustDo(t, err)
	if uid != sub.UID {
		t.Fatalf("got case %s, want %s", uid, sub.UID)
	}
	return sub
}

// newSubmission is what a new draft of the author's is submitted as.
func (e *env) newSubmission(t *testing.T, change ...func(*desk.Submission)) desk.Submission {
	t.Helper()
	sub := desk.Submission{
		UID: uuid.New(), Token: uuid.New(), Revision: 1, Sender: ana, Request: fullRequest(), IdempotencyKey: uuid.NewString(),
		Names: desk.Names{Credential: "Vale Sereno", Unit: "Centro", CarePoint: "Balcão", Professional: "Elisa", Specialty: "Radiologia"},
		At:    e.now, Deadline: e.now.Add(time.Hour),
	}
	for _, c := range change {
		c(&sub)
	}
	form := desk.Form{Values: map[string]string{"nomeBeneficiario": "Maria"}}
	_, err := e.SaveDraft(t.Context(), sub.Sender.User, sub.Token, form, 0, anyQuota)
	MustDo(t, err)
	return sub
}

// embedded takes keys.
var embedded = desk.Recipient{Name: "embutido", Keyed: true}

// wide are slots with room for n requests, whatever their credential.
func wide(n int) desk.Slots { return desk.Slots{All: n, PerCredential: n} }

// claim takes the next submission that is due.
func (e *env) claim(t *testing.T) desk.Claim {
	t.Helper()
	claims, err := e.Claim(t.Context(), uuid.New(), embedded, wide(1))
	MustDo(t, err)
	if len(claims) != 1 {
		t.Fatalf("got %d claims, want 1", len(claims))
	}
	return claims[0]
}

// queueAside drops whether anything stands in the queue.
func queueAside(_ bool, err error) error { return err }

// Settle is the store's, but for whether anything stands in the queue.
func (e *env) Settle(ctx context.Context, c desk.Claim, s desk.Settlement) error {
	return queueAside(e.Store.Settle(ctx, c, s))
}

// settle makes a state of what is claimed.
func (e *env) settle(t *testing.T, c desk.Claim, to desk.State, change ...func(*desk.Settlement)) {
	t.Helper()
	s := desk.Settlement{Event: desk.EventDelayed, CaseState: desk.CaseState{
		State: to, Group: desk.GroupOf(to, ""), Origin: desk.OriginService, At: e.now, Reason: "http_503"}}
	if to == desk.Queued {
		s.Due = e.now
	}
	for _, ch := range change {
		ch(&s)
	}
	MustDo(t, e.Settle(t.Context(), c, s))
}

func (e *env) mustCase(t *testing.T, uid uuid.UUID) desk.Case {
	t.Helper()
	c, err := e.Case(t.Context(), all, uid)
	MustDo(t, err)
	return c
}
