package servicestore_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/store/servicestore"

	"github.com/google/uuid"
)

// mustDue claims what is due at a moment, until the same moment.
func (f fixture) mustDue(tb testing.TB, at time.Time) []service.Task {
	tb.Helper()
	tasks, err := f.Claim(tb.Context(), f.credential, at, at, 10)
	must(tb, err)
	return tasks
}

// mustAccept adds a request that is decided afterwards.
func (f fixture) mustAccept(tb testing.TB, guide string) (request, guideID uuid.UUID) {
	tb.Helper()
	e := f.request(guide)
	e.GuideID = uuid.New()
	return f.mustReceive(tb, e).ID, e.GuideID
}

func TestStore_Claim(t *testing.T) {
	f := MustStore(t)
	first, _ := f.mustAccept(t, "1")
	second, _ := f.mustAccept(t, "2")
	f.mustReceive(t, f.request("3")) // is decided at once
	credentials, next, err := f.Due(t.Context(), now)
	if err != nil || !slices.Equal(credentials, []uuid.UUID{f.credential}) || !next.IsZero() {
		t.Errorf("due: got %v, then %v, %v", credentials, next, err)
	}
	until := now.Add(time.Minute)
	tasks, err := f.Claim(t.Context(), f.credential, now, until, 1)
	if err != nil || !slices.Equal(tasks, []service.Task{{RequestID: first}}) {
		t.Errorf("one of them: got %+v, %v, want %s", tasks, err, first)
	}
	tasks, err = f.Claim(t.Context(), f.credential, now, until, 5)
	if err != nil || !slices.Equal(tasks, []service.Task{{RequestID: second}}) {
		t.Errorf("the rest: got %+v, %v, want %s", tasks, err, second)
	}
	if credentials, next, err = f.Due(t.Context(), now); err != nil || len(credentials) != 0 || !next.Equal(until) {
		t.Errorf("while they are claimed: got %v, then %v, %v, want nothing until %v", credentials, next, err, until)
	}
	if tasks, err = f.Claim(t.Context(), uuid.New(), until, until, 5); err != nil || len(tasks) != 0 {
		t.Errorf("of another credential: got %+v, %v", tasks, err)
	}
	if got := f.mustDue(t, until); len(got) != 2 {
		t.Errorf("after the claim: got %+v, want both again", got)
	}
}

// TestStore_Claim_PatientPresent: pacienteNoLocal orders what waits for an operator (2.3),
// then arrival does.
func TestStore_Claim_PatientPresent(t *testing.T) {
	f := MustStore(t)
	first, _ := f.mustAccept(t, "1")
	second, _ := f.mustAccept(t, "2")
	e := f.request("3")
	e.GuideID, e.Request.PatientPresent = uuid.New(), true
	present := f.mustReceive(t, e).ID
	for i, want := range []uuid.UUID{present, first, second} {
		tasks, err := f.Claim(t.Context(), f.credential, now, now.Add(time.Minute), 1)
		if err != nil || len(tasks) != 1 || tasks[0].RequestID != want {
			t.Errorf("%d: got %+v, %v, want %s", i, tasks, err, want)
		}
	}
}

func TestStore_Postpone(t *testing.T) {
	f := MustStore(t)
	request, _ := f.mustAccept(t, "1")
	other, _ := f.mustAccept(t, "2")
	task := service.Task{RequestID: request}
	must(t, f.Postpone(t.Context(), task, now.Add(time.Hour)))
	if got := f.mustDue(t, now); len(got) != 1 || got[0].RequestID != other {
		t.Errorf("put off: got %+v, want the other one", got)
	}
	must(t, f.Drop(t.Context(), service.Task{RequestID: other}))
	if got := f.mustDue(t, now.Add(time.Hour)); !slices.Equal(got, []service.Task{{RequestID: request, Tries: 1}}) {
		t.Errorf("due again: got %+v, want it after one try", got)
	}
	must(t, f.Drop(t.Context(), task))
	must(t, f.Postpone(t.Context(), task, now)) // is done meanwhile
	if got := f.mustDue(t, now.Add(24*time.Hour)); len(got) != 0 {
		t.Errorf("dropped: got %+v", got)
	}
}

func TestStore_BeginAsking(t *testing.T) {
	f := MustStore(t)
	request, _ := f.mustAccept(t, "1")
	for i, want := range []bool{true, false} {
		if got, err := f.BeginAsking(t.Context(), request, now); err != nil || got != want {
			t.Errorf("time %d: got %v, %v, want %v", i, got, err, want)
		}
	}
	if got, err := f.BeginAsking(t.Context(), f.mustReceive(t, f.request("2")).ID, now); err != nil || got {
		t.Errorf("what is decided at once: got %v, %v", got, err)
	}
}

// TestStore_AcceptedRequest: a guiaId that was given away finds its request, decided
// or not, for its own partner.
func TestStore_AcceptedRequest(t *testing.T) {
	f := MustStore(t)
	request, guide := f.mustAccept(t, "1")
	got, err := f.RequestByGuideID(t.Context(), f.profile, guide)
	if err != nil || got.ID != request || got.GuideID != guide || got.Answer != "" {
		t.Errorf("got %+v, %v", got, err)
	}
	for name, id := range map[string][2]uuid.UUID{"another partner's": {uuid.New(), guide}, "unknown": {f.profile, uuid.New()}} {
		if _, err := f.RequestByGuideID(t.Context(), id[0], id[1]); !problem.Is(err, problem.NotFound) {
			t.Errorf("%s: got %v, want %s", name, err, problem.NotFound)
		}
	}
	entry := service.AnswerEntry{RequestID: request, At: now, Operator: "x", Answer: blob.Info{Ref: "b", Size: 9},
		Due: []time.Time{now.Add(time.Hour), {}},
		Decision: service.Decision{Errors: []authorization.AnswerError{{Code: "c", Message: "Não."}},
			Authorizations: []authorization.Authorization{
				{Number: 1, GuideID: guide.String(), Status: "R"}, {Number: 2, GuideID: uuid.NewString(), Status: "A"}}}}
	must(t, f.AddAnswer(t.Context(), entry))
	got, err = f.RequestByGuideID(t.Context(), f.profile, guide)
	if err != nil || got.Answer != "b" || got.AnswerSize != 9 || len(got.Errors) != 1 || got.Errors[0].Message != "Não." {
		t.Errorf("decided: got %+v, %v", got, err)
	}
	if got := f.mustDue(t, now.Add(59*time.Minute)); len(got) != 0 {
		t.Errorf("before its time: got %+v", got)
	}
	if got := f.mustDue(t, now.Add(time.Hour)); !slices.Equal(got, []service.Task{{RequestID: request, GuideID: guide}}) {
		t.Errorf("due: got %+v, want the first authorization alone", got)
	}
	must(t, f.AddUpdate(t.Context(), service.UpdateEntry{GuideID: guide, Before: "R", Path: []authorization.Status{"A"}, At: now, Actor: "x"}))
	if got := f.mustDue(t, now.Add(24*time.Hour)); len(got) != 0 {
		t.Errorf("after an update without a time: got %+v", got)
	}
}

func TestStore_AddAnswer_Refused(t *testing.T) {
	f := MustStore(t)
	r := f.mustReceive(t, f.request("g"))
	for name, c := range map[string]struct {
		entry service.AnswerEntry
		want  problem.Code
	}{
		"unknown request": {service.AnswerEntry{RequestID: uuid.New(), At: now}, problem.NotFound},
		"no guide id": {service.AnswerEntry{RequestID: r.ID, At: now, Answer: blob.Info{Ref: "b"},
			Decision: service.Decision{Authorizations: []authorization.Authorization{{Status: "A"}}}}, problem.Internal},
	} {
		if err := f.AddAnswer(t.Context(), c.entry); problem.CodeOf(err) != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
	if got, err := f.Request(t.Context(), r.ID); err != nil || got.Answer != "" {
		t.Errorf("afterwards: got %+v, %v, want no answer", got, err)
	}
	if err := f.AddFailure(t.Context(), service.FailureEntry{RequestID: uuid.New(), At: now,
		Reason: service.OperatorFailed}); !problem.Is(err, problem.NotFound) {
		t.Errorf("failure of an unknown request: got %v, want %s", err, problem.NotFound)
	}
	stranger := f.request("g2")
	stranger.Caller.ProfileID = uuid.New()
	if _, _, err := f.Receive(t.Context(), stranger); !problem.Is(err, problem.NotFound) {
		t.Errorf("request of an unknown profile: got %v, want %s", err, problem.NotFound)
	}
}

// TestStore_Claim_Processes: two processes that ask at the same time never ask the same.
func TestStore_Claim_Processes(t *testing.T) {
	const tasks = 24
	f, other, _ := mustOthers(t)
	for n := range tasks {
		f.mustAccept(t, fmt.Sprint(n))
	}
	claimed := make(chan uuid.UUID, 2*tasks)
	var asking sync.WaitGroup
	for _, store := range []*servicestore.Store{f.Store, other} {
		asking.Go(func() {
			for {
				some, err := store.Claim(t.Context(), f.credential, later, later.Add(time.Minute), 2)
				if err != nil {
					t.Error(err)
				}
				if len(some) == 0 {
					return
				}
				for _, task := range some {
					claimed <- task.RequestID
				}
			}
		})
	}
	asking.Wait()
	close(claimed)
	all := map[uuid.UUID]int{}
	for id := range claimed {
		all[id]++
	}
	for id, times := range all {
		if times > 1 {
			t.Errorf("%v was claimed %d times", id, times)
		}
	}
	// what somebody else was taking comes with the next look
	rest, err := f.Claim(t.Context(), f.credential, later, later.Add(time.Minute), tasks)
	if err != nil || len(all)+len(rest) != tasks {
		t.Errorf("claimed %d, then %d, %v, want all %d", len(all), len(rest), err, tasks)
	}
}
