package servicestore_test

import (
	"context"
	"crypto/sha256"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/admin"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// mustExec runs a statement behind the store's back.
func (f fixture) mustExec(tb testing.TB, statement string) {
	tb.Helper()
	must(tb, f.db.Write(tb.Context(), func(tx *sqlite.Tx) error {
		_, err := tx.Exec(tb.Context(), statement)
		return err
	}))
}

// world is what a write is tried on: an accepted request that waits, an answered one
// with an authorization that is followed, an action on it, and keys whose time is over.
type world struct {
	accepted, answered uuid.UUID
	guide              uuid.UUID
	action             service.Action
}

func (f fixture) mustWorld(tb testing.TB) world {
	tb.Helper()
	old := f.request(uuid.NewString())
	hash := sha256.Sum256([]byte(old.Request.ProviderGuide))
	old.Key, old.KeyUntil = &hash, now.Add(time.Second)
	w := world{answered: f.mustReceive(tb, old).ID, guide: uuid.New()}
	w.accepted, _ = f.mustAccept(tb, uuid.NewString())
	must(tb, f.AddAnswer(tb.Context(), service.AnswerEntry{
		RequestID: w.answered, At: now, Operator: "x", Answer: blob.Info{Ref: "b", Size: 9}, Due: []time.Time{now},
		Decision: service.Decision{Authorizations: []authorization.Authorization{{Number: 1, GuideID: w.guide.String(), Status: "A"}}},
	}))
	w.action = f.action(w.guide)
	w.action.Key, w.action.KeyUntil = &hash, now.Add(time.Second)
	f.mustAct(tb, w.action)
	return w
}

// TestStore_AllOrNothing: what fails at its last statement fails as a whole and says
// so, and can be done again.
func TestStore_AllOrNothing(t *testing.T) {
	f := MustStore(t)
	later := now.Add(time.Minute)
	receive := func(ctx context.Context, w world) error {
		e := f.request("")
		hash := sha256.Sum256(w.guide[:])
		e.ReceivedAt, e.GuideID, e.Key, e.KeyUntil = later, uuid.New(), &hash, later.Add(time.Hour)
		_, fresh, err := f.Receive(ctx, e)
		if err == nil && !fresh {
			t.Error("a request that failed was kept")
		}
		return err
	}
	answer := func(ctx context.Context, w world) error {
		return f.AddAnswer(ctx, service.AnswerEntry{
			RequestID: w.accepted, At: later, Operator: "x", Answer: blob.Info{Ref: "b", Size: 9}, Due: []time.Time{later},
			Decision: service.Decision{Authorizations: []authorization.Authorization{{Number: 1, GuideID: w.accepted.String(), Status: "A"}}},
		})
	}
	update := func(ctx context.Context, w world) error {
		return f.AddUpdate(ctx, service.UpdateEntry{GuideID: w.guide, Before: "A", Path: []authorization.Status{"W", "P"}, At: later,
			Actor: "x", ActionID: w.action.ID, Answer: blob.Info{Ref: "c", Size: 1}})
	}
	act := func(ctx context.Context, w world) error {
		a := f.action(w.guide)
		hash := sha256.Sum256(w.guide[:])
		a.ReceivedAt, a.Key, a.KeyUntil = later, &hash, later.Add(time.Hour)
		a.Attachments = []authorization.Attachment{{Name: "a", Size: 1, Blob: "c"}}
		_, fresh, err := f.AddAction(ctx, a)
		if err == nil && !fresh {
			t.Error("an action that failed was kept")
		}
		return err
	}
	actFailed := func(ctx context.Context, w world) error {
		return f.AddActionFailure(ctx, service.ActionFailureEntry{ActionID: w.action.ID, At: later, Operator: "x",
			Reason: service.OperatorFailed, Due: later})
	}
	unit := service.Unit{ID: uuid.New(), Name: "Centro", Points: []service.CarePoint{{ID: uuid.New(), Name: "Coleta"}}}
	must(t, f.PutUnit(t.Context(), unit))
	putUnit := func(ctx context.Context, _ world) error {
		unit.Points = append(unit.Points, service.CarePoint{ID: uuid.New(), Name: "Recepção"})
		return f.PutUnit(ctx, unit)
	}
	doctor := service.Professional{ID: uuid.New(), Name: "Ana Luz", Specialties: []service.Specialty{{ID: 1, Name: "Cardiologia"}}}
	must(t, f.PutProfessional(t.Context(), doctor))
	putProfessional := func(ctx context.Context, _ world) error {
		doctor.Specialties = append(doctor.Specialties, service.Specialty{ID: len(doctor.Specialties) + 1, Name: "Pediatria"})
		return f.PutProfessional(ctx, doctor)
	}
	task := func(w world) service.Task { return service.Task{RequestID: w.answered, GuideID: w.guide} }
	for _, c := range []struct {
		breaks string
		do     func(ctx context.Context, w world) error
	}{
		{"INSERT ON request", receive}, {"INSERT ON acceptance", receive}, {"INSERT ON task", receive}, {"INSERT ON request_blob", receive},
		{"DELETE ON idempotency_key", receive}, {"INSERT ON idempotency_key", receive},
		{"INSERT ON decision", answer}, {"DELETE ON task", answer}, {"INSERT ON authorization_entry", answer},
		{"INSERT ON task", answer}, {"INSERT ON authorization_status", answer},
		{"INSERT ON decision", func(ctx context.Context, w world) error {
			return f.AddFailure(ctx, service.FailureEntry{RequestID: w.accepted, At: later, Operator: "x", Reason: service.OperatorFailed})
		}},
		{"UPDATE ON authorization_entry", update}, {"INSERT ON authorization_status", update},
		{"INSERT ON authorization_revision", update}, {"INSERT ON act_result", update}, {"DELETE ON task", update},
		{"INSERT ON act", act}, {"INSERT ON act_blob", act}, {"DELETE ON act_key", act}, {"INSERT ON act_key", act},
		{"INSERT ON act_result", actFailed}, {"UPDATE ON task", actFailed},
		{"UPDATE ON unit", putUnit}, {"UPDATE ON care_point", putUnit}, {"INSERT ON care_point", putUnit},
		{"UPDATE ON professional", putProfessional}, {"UPDATE ON specialty", putProfessional}, {"INSERT ON specialty", putProfessional},
		{"UPDATE ON task", func(ctx context.Context, _ world) error {
			_, err := f.Claim(ctx, f.credential, later, later, 1)
			return err
		}},
		{"UPDATE ON task", func(ctx context.Context, w world) error { return f.Postpone(ctx, task(w), later) }},
		{"DELETE ON task", func(ctx context.Context, w world) error { return f.Drop(ctx, task(w)) }},
		{"UPDATE ON acceptance", func(ctx context.Context, w world) error {
			_, err := f.BeginAsking(ctx, w.accepted, later)
			return err
		}},
	} {
		w := f.mustWorld(t)
		f.mustExec(t, `CREATE TRIGGER broken BEFORE `+c.breaks+` BEGIN SELECT RAISE(ABORT, 'broken'); END`)
		if err := c.do(t.Context(), w); problem.CodeOf(err) != problem.Internal {
			t.Errorf("%s fails: got %v, want %s", c.breaks, err, problem.Internal)
		}
		f.mustExec(t, `DROP TRIGGER broken`)
		if err := c.do(t.Context(), w); err != nil {
			t.Errorf("%s works again: got %v", c.breaks, err)
		}
	}
}

// TestStore_Unreadable: a row of the ledger that cannot be read is told as that: what
// it says is neither guessed nor passed over.
func TestStore_Unreadable(t *testing.T) {
	request := func(ctx context.Context, f fixture, w world) error { _, err := f.Request(ctx, w.answered); return err }
	authorizations := func(ctx context.Context, f fixture, w world) error {
		_, err := f.Authorizations(ctx, w.answered)
		return err
	}
	one := func(ctx context.Context, f fixture, w world) error {
		_, err := f.Authorization(ctx, f.profile, w.guide)
		return err
	}
	current := func(ctx context.Context, f fixture, w world) error {
		_, err := f.LedgerAuthorization(ctx, w.guide)
		return err
	}
	ask := func(ctx context.Context, f fixture, w world) error {
		again := f.request(f.mustGuideOf(t, w.answered))
		_, _, err := f.Receive(ctx, again)
		return err
	}
	for _, c := range []struct {
		trigger, table, column string
		reads                  []func(ctx context.Context, f fixture, w world) error
	}{
		{"request_fixed", "request", "document", []func(context.Context, fixture, world) error{request, current, ask}},
		{"decision_fixed", "decision", "errors", []func(context.Context, fixture, world) error{request, current, ask}},
		{"authorization_fixed", "authorization_entry", "document",
			[]func(context.Context, fixture, world) error{authorizations, one, current}},
	} {
		for i, read := range c.reads {
			f := MustStore(t)
			w := f.mustWorld(t)
			must(t, read(t.Context(), f, w))
			f.mustExec(t, `DROP TRIGGER `+c.trigger)
			f.mustExec(t, `UPDATE `+c.table+` SET `+c.column+` = '7'`)
			if err := read(t.Context(), f, w); problem.CodeOf(err) != problem.Internal {
				t.Errorf("%s of %s, read %d: got %v, want %s", c.column, c.table, i, err, problem.Internal)
			}
		}
	}
}

// mustGuideOf is the guiaPrestador of a request.
func (f fixture) mustGuideOf(tb testing.TB, request uuid.UUID) (guide string) {
	tb.Helper()
	must(tb, f.db.Read(tb.Context(), func(tx *sqlite.Tx) error {
		return tx.QueryRow(tb.Context(), `SELECT provider_guide FROM request WHERE uid = ?`, sqlite.UID(request)).Scan(&guide)
	}))
	return guide
}

// TestStore_Closed: that nothing can be read is no answer.
func TestStore_Closed(t *testing.T) {
	f := MustStore(t)
	must(t, f.db.Close())
	id := uuid.New()
	for name, read := range map[string]func(ctx context.Context) error{
		"Credential":    func(ctx context.Context) error { _, err := f.Credential(ctx, id); return err },
		"ByEligibility": func(ctx context.Context) error { _, err := f.CredentialByEligibility(ctx, id); return err },
		"Search": func(ctx context.Context) error {
			_, err := f.SearchCredentials(ctx, service.CredentialQuery{Page: 1, Size: 1})
			return err
		},
		"Unit":             func(ctx context.Context) error { _, err := f.Unit(ctx, id); return err },
		"Units":            func(ctx context.Context) error { _, err := f.Units(ctx, service.DirectoryQuery{}); return err },
		"Professional":     func(ctx context.Context) error { _, err := f.Professional(ctx, id); return err },
		"Professionals":    func(ctx context.Context) error { _, err := f.Professionals(ctx, service.DirectoryQuery{}); return err },
		"Request":          func(ctx context.Context) error { _, err := f.Request(ctx, id); return err },
		"RequestByKey":     func(ctx context.Context) error { _, err := f.RequestByKey(ctx, id, [32]byte{}, now); return err },
		"RequestByGuide":   func(ctx context.Context) error { _, err := f.RequestByGuide(ctx, id, "g"); return err },
		"RequestByGuideID": func(ctx context.Context) error { _, err := f.RequestByGuideID(ctx, id, id); return err },
		"Authorization":    func(ctx context.Context) error { _, err := f.Authorization(ctx, id, id); return err },
		"Authorizations":   func(ctx context.Context) error { _, err := f.Authorizations(ctx, id); return err },
		"LedgerAuthorization": func(ctx context.Context) error {
			_, err := f.LedgerAuthorization(ctx, id)
			return err
		},
		"Action":      func(ctx context.Context) error { _, err := f.Action(ctx, id); return err },
		"ActionByKey": func(ctx context.Context) error { _, err := f.ActionByKey(ctx, id, [32]byte{}, now); return err },
		"Due":         func(ctx context.Context) error { _, _, err := f.Due(ctx, now); return err },
		"Ledger":      func(ctx context.Context) error { _, err := f.Ledger(ctx, admin.LedgerQuery{Limit: 1}); return err },
		"LedgerEntry": func(ctx context.Context) error { _, _, err := f.LedgerEntry(ctx, id); return err },
	} {
		if err := read(t.Context()); problem.CodeOf(err) != problem.Internal {
			t.Errorf("%s: got %v, want %s", name, err, problem.Internal)
		}
	}
}
