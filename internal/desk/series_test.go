package desk_test

import (
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// TestDesk_Series: the next request is due as long after the last one as that came after the
// one before.
func TestDesk_Series(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	day := func(series desk.Series) string {
		if series.Next.IsZero() {
			return ""
		}
		return series.Next.Format(time.DateOnly)
	}
	caseID := f.MustSubmit(t, ana, nil)
	for _, want := range []string{"", "2026-12-04", "2026-12-11"} {
		stop := f.MustRun(t)
		f.MustBecome(t, caseID, desk.Answered)
		stop()
		draft, err := f.RepeatToDraft(ctx, ana, caseID)
		MustDo(t, err)
		series, err := f.Series(ctx, ana, draft)
		MustDo(t, err)
		if series.Case != caseID || day(series) != want {
			t.Errorf("got case %v and %q, want %v and %q", series.Case, day(series), caseID, want)
		}
		elsewhere := permission.Actor{User: anaID, Units: []uuid.UUID{praiaID}, Roles: ana.Roles}
		if series, err := f.Series(ctx, elsewhere, draft); series.Case != uuid.Nil || err != nil {
			t.Errorf("in another unit: got %+v, %v", series, err)
		}
		f.clock.Advance(7 * 24 * time.Hour)
		caseID, err = f.Submit(ctx, ana, draft.UID)
		MustDo(t, err)
	}
	if series, err := f.Series(ctx, ana, f.MustDraft(t, ana, nil)); series.Case != uuid.Nil || err != nil {
		t.Errorf("no repetition: got %+v, %v", series, err)
	}
}

// TestDesk_CardExpired: a card is good on its last day, in the zone of the desk.
func TestDesk_CardExpired(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	for day, want := range map[authorization.LocalTime]bool{
		{}: false, authorization.DateOf(2026, 11, 19): true, authorization.DateOf(2026, 11, 20): false, authorization.DateOf(2026, 11, 21): false,
	} {
		if got := f.CardExpired(day); got != want {
			t.Errorf("%s: got %v", day.Date(), got)
		}
	}
}

// TestDesk_UsualParties: they come of requests within the person's units, of anybody.
func TestDesk_UsualParties(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	f.MustSubmit(t, ana, nil)
	for name, tt := range map[string]struct {
		actor permission.Actor
		want  string
	}{"sent": {ana, centroID.String()}, "another unit": {bia, ""}, "all units": {celia, centroID.String()}} {
		usual, err := f.UsualParties(ctx, tt.actor, serenoID)
		MustDo(t, err)
		if usual["unidadeId"] != tt.want {
			t.Errorf("%s: got %v", name, usual)
		}
	}
	if _, err := f.UsualParties(ctx, admin, serenoID); err == nil {
		t.Error("administração is told who attends")
	}
}
