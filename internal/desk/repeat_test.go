package desk_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"

	"github.com/google/uuid"
)

// TestDesk_ReviewRepeats: the first repeat of a request that was authorized says when and
// with which senha, however long ago; another request names the procedure.
func TestDesk_ReviewRepeats(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	yes := answered("A")
	yes.Answer.Authorizations[0].Senha = "482017739"
	f.service.Script(yes, answered("R"), answered("N"))
	f.MustRun(t)
	send := func(card string) uuid.UUID {
		uid := f.MustSubmit(t, ana, map[string]string{"numeroCarteira": card})
		f.MustBecome(t, uid, desk.Answered)
		return uid
	}
	first := send("1")
	warnings := func(draft uuid.UUID) (repeated []desk.Warning) {
		t.Helper()
		r, err := f.Review(context.Background(), ana, draft)
		MustDo(t, err)
		for _, w := range r.Warnings {
			if w.Kind == desk.WarnRepeated {
				repeated = append(repeated, w)
			}
		}
		return repeated
	}
	check := func(t *testing.T, draft uuid.UUID, want string, of uuid.UUID) {
		t.Helper()
		got := warnings(draft)
		if len(got) != 1 || got[0].Message != want || got[0].Case != of {
			t.Errorf("got %+v, want %q of %v", got, want, of)
		}
	}
	t.Run("Repeated", func(t *testing.T) {
		copied, err := f.CopyToDraft(ctx, ana, first)
		MustDo(t, err)
		if copied.Copy != desk.Repetition {
			t.Errorf("got a %s", copied.Copy)
		}
		check(t, copied.UID, "Este mesmo pedido já foi autorizado para esta carteira em 20/11/2026, às 14:02, com a senha 482017739.", first)
		f.clock.Advance(30 * 24 * time.Hour)
		check(t, copied.UID, "Este mesmo pedido já foi autorizado para esta carteira em 20/11/2026, às 14:02, com a senha 482017739.", first)
		f.clock.Advance(-30 * 24 * time.Hour)
	})
	t.Run("TypedAgain", func(t *testing.T) {
		check(t, f.MustDraft(t, ana, map[string]string{"numeroCarteira": "1"}).UID,
			"Este mesmo pedido já foi autorizado para esta carteira em 20/11/2026, às 14:02, com a senha 482017739.", first)
	})
	t.Run("OtherQuantity", func(t *testing.T) {
		form := fullForm()
		form.Values["numeroCarteira"], form.Procedures[0].Quantity = "1", "2"
		draft, err := f.SaveDraft(ctx, ana, MustUID(t), form, 0)
		MustDo(t, err)
		check(t, draft.UID, "40901122 já foi autorizado para esta carteira em 20/11/2026, às 14:02, com a senha 482017739.", first)
	})
	analysis := send("2")
	t.Run("UnderAnalysis", func(t *testing.T) {
		check(t, f.MustDraft(t, ana, map[string]string{"numeroCarteira": "2"}).UID,
			"Este mesmo pedido já foi enviado para esta carteira em 20/11/2026, às 14:02 (Em análise).", analysis)
	})
	denied := send("3")
	t.Run("CorrectedIsNoRepeat", func(t *testing.T) {
		copied, err := f.CopyToDraft(ctx, ana, denied)
		MustDo(t, err)
		if got := warnings(copied.UID); copied.Copy != desk.Correction || got != nil {
			t.Errorf("got a %s with %+v", copied.Copy, got)
		}
	})
	t.Run("OtherUnit", func(t *testing.T) {
		r, err := f.Review(ctx, bia, f.MustDraft(t, bia, map[string]string{"numeroCarteira": "1"}).UID)
		MustDo(t, err)
		const want = "Este mesmo pedido já foi autorizado para esta carteira em 20/11/2026, às 14:02."
		if len(r.Warnings) == 0 || r.Warnings[0].Message != want || r.Warnings[0].Case != uuid.Nil {
			t.Errorf("got %+v, want %q without senha and link", r.Warnings, want)
		}
	})
	t.Run("CopyOfTheCopy", func(t *testing.T) {
		copied, err := f.CopyToDraft(ctx, ana, first)
		MustDo(t, err)
		second, err := f.Submit(ctx, ana, copied.UID)
		MustDo(t, err)
		c := f.MustCase(t, first)
		again := f.MustCase(t, second)
		if again.Copy != desk.Repetition || !slices.Equal(c.Repetitions, []uuid.UUID{second}) || c.Corrections != nil {
			t.Errorf("got %s, repeated by %v, corrected by %v", again.Copy, c.Repetitions, c.Corrections)
		}
	})
}

// TestDesk_ReviewRepeats_Order: the same procedures in another order are the same request,
// the same ones in other quantities are not.
func TestDesk_ReviewRepeats_Order(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(answered("A"))
	f.MustRun(t)
	draft := func(rows ...desk.ProcedureRow) uuid.UUID {
		t.Helper()
		form := fullForm()
		form.Procedures = rows
		d, err := f.SaveDraft(t.Context(), ana, MustUID(t), form, 0)
		MustDo(t, err)
		return d.UID
	}
	row := func(code, quantity string) desk.ProcedureRow {
		return desk.ProcedureRow{Code: code, Name: "Exame", Quantity: quantity}
	}
	first, err := f.Submit(t.Context(), ana, draft(row("40901122", "1"), row("10101012", "2"), row("40304361", "1")))
	MustDo(t, err)
	f.MustBecome(t, first, desk.Answered)
	for name, tt := range map[string]struct {
		rows []desk.ProcedureRow
		same bool
	}{
		"Same":       {[]desk.ProcedureRow{row("40901122", "1"), row("10101012", "2"), row("40304361", "1")}, true},
		"Order":      {[]desk.ProcedureRow{row("40304361", "1"), row("40901122", "1"), row("10101012", "2")}, true},
		"Quantities": {[]desk.ProcedureRow{row("40901122", "2"), row("10101012", "1"), row("40304361", "1")}, false},
		"Fewer":      {[]desk.ProcedureRow{row("40901122", "1"), row("10101012", "2")}, false},
	} {
		r, err := f.Review(t.Context(), ana, draft(tt.rows...))
		MustDo(t, err)
		same := slices.ContainsFunc(r.Warnings, func(w desk.Warning) bool {
			return strings.HasPrefix(w.Message, "Este mesmo pedido já foi autorizado")
		})
		if same != tt.same {
			t.Errorf("%s: got %+v", name, r.Warnings)
		}
	}
}

// TestDesk_Simulated: whatever goes to simulated operators is marked, with a senha, with
// another answer and without any.
func TestDesk_Simulated(t *testing.T) {
	t.Parallel()
	simulated := true
	f := MustDesk(t, func(c *desk.Config) { c.Simulated = func() bool { return simulated } })
	f.service.Script(answered("N"), outcome(authorization.OutcomeRefused, "http_422"), outcome(authorization.OutcomeUnknown, "corte"),
		answered("A"))
	queued := f.MustSubmit(t, ana, nil)
	if !f.MustCase(t, queued).Simulated {
		t.Error("queued: is not marked")
	}
	f.MustRun(t)
	f.MustBecome(t, queued, desk.Answered)
	cases := []uuid.UUID{queued}
	for _, state := range []desk.State{desk.Refused, desk.Unknown} {
		uid := f.MustSubmit(t, ana, nil)
		f.MustBecome(t, uid, state)
		cases = append(cases, uid)
	}
	simulated = false
	for _, uid := range cases {
		if c := f.MustCase(t, uid); !c.Simulated {
			t.Errorf("%s %s: is not marked", c.State, c.Status)
		}
	}
	real := f.MustSubmit(t, ana, nil)
	f.MustBecome(t, real, desk.Answered)
	if f.MustCase(t, real).Simulated {
		t.Error("of another service: is marked")
	}
	for place, mark := range map[string]func(*authorization.Authorization){
		"Senha":    func(a *authorization.Authorization) { a.Senha = "SIM482017" },
		"Protocol": func(a *authorization.Authorization) { a.Protocol = "SIM771234567" },
		"SenhaOfAProcedure": func(a *authorization.Authorization) {
			a.Procedures = []authorization.ProcedureResult{{Code: "1", Quantity: 1}, {Code: "2", Quantity: 1, Senha: "SIM1"}}
		},
	} {
		elsewhere := answered("N")
		mark(&elsewhere.Answer.Authorizations[0])
		f.service.Script(elsewhere)
		denied := f.MustSubmit(t, ana, nil)
		f.MustBecome(t, denied, desk.Answered)
		if !f.MustCase(t, denied).Simulated {
			t.Errorf("%s of simulated operators of another installation: is not marked", place)
		}
	}
}

// TestDesk_Review_CorrectedGranted: a correction takes its case out of the queue, so who sends it is
// told where the operator has granted the case since the draft was made.
func TestDesk_Review_CorrectedGranted(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	denied := f.MustEnd(t, answered(authorization.Denied))[0]
	draft, err := f.CopyToDraft(ctx, ana, denied)
	MustDo(t, err)
	warned := func() []desk.Warning {
		r, err := f.Review(ctx, ana, draft.UID)
		MustDo(t, err)
		return slices.DeleteFunc(r.Warnings, func(w desk.Warning) bool { return w.Kind != desk.WarnRepeated })
	}
	if got := warned(); len(got) != 0 {
		t.Errorf("of a denial that is corrected: got %+v", got)
	}
	MustDo(t, f.RecordReview(ctx, ana, denied, desk.Inquiry{Contact: "Central"}, -1))
	MustDo(t, f.RecordReply(ctx, celia, denied, desk.Reply{Answers: 1, Status: authorization.Authorized, Senha: "482017739",
		SenhaValidUntil: authorization.DateOf(2026, 12, 20), Inquiry: desk.Inquiry{Contact: "Marta"}}))
	got := warned()
	if len(got) != 1 || got[0].Case != denied || !strings.Contains(got[0].Message, "já foi autorizado, com a senha 482017739") {
		t.Errorf("of what was granted since: got %+v", got)
	}
}
