package servicestore_test

import (
	"crypto/sha256"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"

	"github.com/google/uuid"
)

// action is a cancellation of an authorization.
func (f fixture) action(guide uuid.UUID) service.Action {
	return service.Action{
		ID: uuid.New(), Caller: service.Caller{ProfileID: f.profile}, GuideID: guide, Kind: service.ActionCancel, Before: "A",
		Fingerprint: sha256.Sum256([]byte("a")), Note: "Paciente desistiu", ReceivedAt: now, KeyUntil: now.Add(time.Hour),
	}
}

func (f fixture) mustAct(tb testing.TB, a service.Action) {
	tb.Helper()
	_, fresh, err := f.AddAction(tb.Context(), a)
	must(tb, err)
	if !fresh {
		tb.Fatal("the action was there already")
	}
}

func TestStore_AddAction(t *testing.T) {
	f := MustStore(t)
	guides := f.mustAnswer(t, f.mustReceive(t, f.request("g")).ID, "A", "A")
	hash := sha256.Sum256([]byte("k"))
	want := f.action(guides[0])
	want.Key = &hash
	f.mustAct(t, want)
	for name, get := range map[string]func() (service.Action, error){
		"Action":      func() (service.Action, error) { return f.Action(t.Context(), want.ID) },
		"ActionByKey": func() (service.Action, error) { return f.ActionByKey(t.Context(), f.profile, hash, now) },
	} {
		got, err := get()
		if err != nil || got.ID != want.ID || got.Caller.ProfileID != f.profile || got.GuideID != want.GuideID || got.Kind != want.Kind ||
			got.Before != "A" || got.Fingerprint != want.Fingerprint || got.Note != want.Note || !got.ReceivedAt.Equal(now) ||
			got.Answer != "" || got.Failure != "" {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, err, want)
		}
	}
	again := f.action(guides[1])
	again.Key = &hash
	if got, fresh, err := f.AddAction(t.Context(), again); err != nil || fresh || got.ID != want.ID {
		t.Errorf("the same key: got %v, %v, %v", got.ID, fresh, err)
	}
	for name, err := range map[string]error{
		"unknown action": func() error { _, err := f.Action(t.Context(), uuid.New()); return err }(),
		"another's key":  func() error { _, err := f.ActionByKey(t.Context(), uuid.New(), hash, now); return err }(),
		"another key":    func() error { _, err := f.ActionByKey(t.Context(), f.profile, sha256.Sum256(nil), now); return err }(),
		"ended key":      func() error { _, err := f.ActionByKey(t.Context(), f.profile, hash, now.Add(time.Hour)); return err }(),
		"failure": f.AddActionFailure(t.Context(), service.ActionFailureEntry{ActionID: uuid.New(), At: now,
			Reason: service.OperatorFailed}),
	} {
		if !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: got %v, want %s", name, err, problem.NotFound)
		}
	}
	again.ReceivedAt, again.KeyUntil = now.Add(time.Hour), now.Add(2*time.Hour)
	f.mustAct(t, again) // the key's time is over
	if got, err := f.ActionByKey(t.Context(), f.profile, hash, now.Add(time.Hour)); err != nil || got.ID != again.ID {
		t.Errorf("the key anew: got %v, %v", got.ID, err)
	}
}

// TestStore_ActionResult: the last failure counts until there is an answer.
func TestStore_ActionResult(t *testing.T) {
	f := MustStore(t)
	guide := f.mustAnswer(t, f.mustReceive(t, f.request("g")).ID, "A")[0]
	a := f.action(guide)
	f.mustAct(t, a)
	for _, reason := range []service.Reason{service.OperatorTimeout, service.OperatorFailed} {
		must(t, f.AddActionFailure(t.Context(), service.ActionFailureEntry{ActionID: a.ID, At: now, Operator: "x", Reason: reason}))
		if got, err := f.Action(t.Context(), a.ID); err != nil || got.Failure != reason || got.Answer != "" {
			t.Errorf("after a failure: got %+v, %v, want %s", got, err, reason)
		}
	}
	if f.mustDue(t, now.Add(time.Hour)) != nil {
		t.Error("something is due although no failure said so")
	}
	must(t, f.AddActionFailure(t.Context(), service.ActionFailureEntry{ActionID: a.ID, At: now, Operator: "x",
		Reason: service.OperatorFailed, Due: now.Add(time.Minute)}))
	if got := f.mustDue(t, now.Add(time.Minute)); len(got) != 1 || got[0].GuideID != guide {
		t.Errorf("due: got %+v, want the authorization", got)
	}
	must(t, f.AddUpdate(t.Context(), service.UpdateEntry{
		GuideID: guide, Before: "A", Path: []authorization.Status{"X"}, At: now.Add(time.Second), Actor: "x", ActionID: a.ID,
		Authorization: authorization.Authorization{Senha: "SIM2"}, Answer: blob.Info{Ref: "d", Size: 7},
	}))
	if got, err := f.Action(t.Context(), a.ID); err != nil || got.Answer != "d" || got.AnswerSize != 7 {
		t.Errorf("after an answer: got %+v, %v", got, err)
	}
	if got, err := f.LedgerAuthorization(t.Context(), guide); err != nil || got.Authorization.Status != "X" ||
		got.Authorization.Senha != "SIM2" ||
		!got.Since.Equal(now.Add(time.Second)) || got.ProfileID != f.profile || got.Request.Request.ProviderGuide != "g" {
		t.Errorf("the authorization: got %+v, %v", got, err)
	}
	if err := f.AddUpdate(t.Context(), service.UpdateEntry{GuideID: guide, Before: "X", Path: []authorization.Status{"C"}, At: now,
		Actor: "x", ActionID: uuid.New()}); !problem.Is(err, problem.NotFound) {
		t.Errorf("for an unknown action: got %v, want %s", err, problem.NotFound)
	}
}

func TestStore_LedgerAuthorization_Unknown(t *testing.T) {
	f := MustStore(t)
	if _, err := f.LedgerAuthorization(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("got %v, want %s", err, problem.NotFound)
	}
}

// TestStore_AddUpdate_Steps: every status on the way is noted, and the last
// document counts.
func TestStore_AddUpdate_Steps(t *testing.T) {
	f := MustStore(t)
	guide := f.mustAnswer(t, f.mustReceive(t, f.request("g")).ID, "K")[0]
	update := service.UpdateEntry{GuideID: guide, Before: "K", Path: []authorization.Status{"R", "A"}, At: now.Add(time.Minute), Actor: "x",
		Authorization: authorization.Authorization{GuideNumber: "77", GuidePDF: "p"}}
	must(t, f.AddUpdate(t.Context(), update))
	got, err := f.Authorization(t.Context(), f.profile, guide)
	if err != nil || got.Status != "A" || got.GuideNumber != "77" || got.GuidePDF != "p" {
		t.Errorf("got %+v, %v", got, err)
	}
	_, events, err := f.LedgerEntry(t.Context(), f.mustRequestID(t, "g"))
	must(t, err)
	var steps string
	for _, e := range events {
		if e.Kind == "situacao" {
			steps += string(e.Before) + e.Code + " "
		}
	}
	if steps != "K KR RA " {
		t.Errorf("steps: got %q", steps)
	}
	if _, err := f.Authorization(t.Context(), uuid.New(), guide); !problem.Is(err, problem.NotFound) {
		t.Errorf("another partner's: got %v, want %s", err, problem.NotFound)
	}
	must(t, f.AddUpdate(t.Context(), service.UpdateEntry{GuideID: guide, Before: "A", At: now, Actor: "x",
		Authorization: authorization.Authorization{GuideNumber: "78"}}))
	if got, err := f.Authorization(t.Context(), f.profile, guide); err != nil || got.Status != "A" || got.GuideNumber != "78" ||
		got.GuidePDF != "" {
		t.Errorf("without a step: got %+v, %v", got, err)
	}
}

func (f fixture) mustRequestID(tb testing.TB, guide string) uuid.UUID {
	tb.Helper()
	r, err := f.RequestByGuide(tb.Context(), f.profile, guide)
	must(tb, err)
	return r.ID
}
