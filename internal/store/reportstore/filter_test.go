package reportstore_test

import (
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/report"
	"guiche/internal/store/auditlog"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func TestStore_UseFilter(t *testing.T) {
	db, s, _ := MustOpen(t)
	trail := auditlog.New(db, audit.Key{1})
	entries := func() int {
		list, err := trail.List(t.Context(), auditlog.Filter{Event: audit.HistorySearched})
		MustDo(t, err)
		return len(list)
	}
	for _, f := range []report.Filter{
		{},
		{From: authorization.DateOf(2026, 11, 1), Until: authorization.DateOf(2026, 11, 20), Text: `d'Ávila "NEAR(`},
		{Situation: report.Situation{Unknown: true}, Credential: sereno, Unit: centro, Sender: ivone},
		{Situation: report.Situation{Group: authorization.Refusal}},
		{Situation: report.Situation{Status: authorization.InconsistencyCedilla}},
	} {
		uid, before := uuid.New(), entries()
		MustDo(t, s.KeepFilter(t.Context(), ana, uid, f))
		MustDo(t, s.UseFilter(t.Context(), uid, audit.Entry{Event: audit.HistorySearched, Actor: ana, ObjectID: uid}))
		got, err := s.Filter(t.Context(), ana, uid)
		MustDo(t, err)
		if diff := cmp.Diff(got, f, cmp.Comparer(func(a, b authorization.LocalTime) bool { return a == b })); diff != "" {
			t.Errorf("got, want\n%s", diff)
		}
		if got := entries() - before; got != 1 {
			t.Errorf("got %d audit entries, want 1", got)
		}
		_, err = s.Filter(t.Context(), ivone, uid)
		if !problem.Is(err, problem.NotFound) {
			t.Errorf("another's filter: got %v, want not found", err)
		}
	}
}

func TestStore_SweepFilters(t *testing.T) {
	_, s, c := MustOpen(t)
	old, used := uuid.New(), uuid.New()
	MustDo(t, s.KeepFilter(t.Context(), ana, old, report.Filter{Text: "a"}))
	MustDo(t, s.KeepFilter(t.Context(), ana, used, report.Filter{Text: "b"}))
	c.now = noon.Add(time.Hour)
	use := func(uid uuid.UUID) error {
		return s.UseFilter(t.Context(), uid, audit.Entry{Event: audit.HistorySearched})
	}
	MustDo(t, use(used))
	for _, tc := range []struct {
		since time.Time
		want  int
	}{{noon, 0}, {noon.Add(time.Hour), 1}, {noon.Add(time.Hour), 0}} {
		if got, err := s.SweepFilters(t.Context(), tc.since); got != tc.want || err != nil {
			t.Errorf("since %v: got %d, %v, want %d", tc.since, got, err, tc.want)
		}
	}
	if _, err := s.Filter(t.Context(), ana, old); !problem.Is(err, problem.NotFound) {
		t.Errorf("not used: got %v, want not found", err)
	}
	_, err := s.Filter(t.Context(), ana, used)
	MustDo(t, err)
}
