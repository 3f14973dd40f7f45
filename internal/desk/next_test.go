package desk_test

import (
	"testing"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// MustEnd sends a request for each outcome, and returns the cases that came of them.
func (f *fixture) MustEnd(t *testing.T, outcomes ...authorization.Outcome) (cases []uuid.UUID) {
	t.Helper()
	f.service.Script(outcomes...)
	for range outcomes {
		cases = append(cases, f.MustSubmit(t, ana, nil))
		MustDo(t, f.RunDue(t.Context()))
	}
	return cases
}

// TestDesk_Next: whoever goes from case to case meets those that wait for somebody, from the
// top again after the last, and neither what the operator has nor what may be attended.
func TestDesk_Next(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	next := func(a permission.Actor, after uuid.UUID) uuid.UUID {
		t.Helper()
		uid, err := f.Next(ctx, a, after)
		MustDo(t, err)
		return uid
	}
	if got := next(ana, uuid.Nil); got != uuid.Nil {
		t.Errorf("without a case: got %v", got)
	}
	cases := f.MustEnd(t, answered(authorization.UnderAnalysis), answered(authorization.Denied), answered(authorization.Authorized),
		answered(authorization.AwaitingAttachment))
	denied, attach := cases[1], cases[3]
	for name, tt := range map[string]struct{ after, want uuid.UUID }{
		"from the top":       {uuid.Nil, attach},
		"after the first":    {attach, denied},
		"after the last":     {denied, attach},
		"after what waits":   {cases[2], attach},
		"after what is gone": {uuid.New(), attach},
	} {
		if got := next(ana, tt.after); got != tt.want {
			t.Errorf("%s: got %v, want %v of %v", name, got, tt.want, cases)
		}
	}
	if got := next(bia, uuid.Nil); got != uuid.Nil {
		t.Errorf("in another unit: got %v", got)
	}
	MustDo(t, f.Conclude(ctx, ana, attach))
	if got := next(ana, denied); got != uuid.Nil {
		t.Errorf("after the only one: got %v", got)
	}
	if _, err := f.Next(ctx, admin, uuid.Nil); !problem.Is(err, problem.Forbidden) {
		t.Errorf("administração: got %v, want forbidden", err)
	}
}

// TestDesk_Conclude: a case leaves the queue for who may see it, with their name in the
// trail, and for nobody else.
func TestDesk_Conclude(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustEnd(t, answered(authorization.Denied))[0]
	waiting := f.MustSubmit(t, ana, nil)
	listed := func() int {
		t.Helper()
		page, err := f.Cases(ctx, ana, desk.Query{Group: authorization.Refusal})
		MustDo(t, err)
		return len(page.Cases)
	}
	for name, tt := range map[string]struct {
		actor permission.Actor
		uid   uuid.UUID
		want  problem.Code
	}{
		"another unit":    {bia, uid, problem.NotFound},
		"administração":   {admin, uid, problem.Forbidden},
		"no such case":    {ana, uuid.New(), problem.NotFound},
		"without outcome": {ana, waiting, problem.Conflict},
	} {
		if err := f.Conclude(ctx, tt.actor, tt.uid); !problem.Is(err, tt.want) || listed() != 1 {
			t.Errorf("%s: got %v and %d in the queue, want %s and it there", name, err, listed(), tt.want)
		}
	}
	told := func() int {
		return f.count(t, `SELECT COUNT(*) FROM audit_entry WHERE event = ? AND actor = ? AND object_id = ?`,
			string(audit.CaseConcluded), anaID[:], uid[:])
	}
	if n := told(); n != 0 {
		t.Errorf("told %d times before", n)
	}
	MustDo(t, f.Conclude(ctx, ana, uid))
	if n := told(); n != 1 || listed() != 0 {
		t.Errorf("told %d times, %d in the queue", n, listed())
	}
	page, err := f.Cases(ctx, ana, desk.Query{Group: authorization.Closed})
	if err != nil || len(page.Cases) != 1 || !page.Cases[0].Concluded {
		t.Errorf("closed: got %+v, %v, want that a person did it", page.Cases, err)
	}
}
