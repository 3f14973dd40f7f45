package desk_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func TestDesk_Reach(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustSubmit(t, ana, nil)
	f.MustSubmit(t, bia, nil)
	everyWay := map[string]func(permission.Actor) error{
		"Case":           func(a permission.Actor) error { return second(f.Case(ctx, a, uid, 0)) },
		"CaseState":      func(a permission.Actor) error { return second(f.CaseState(ctx, a, uid)) },
		"Wait":           func(a permission.Actor) error { return second(f.Wait(ctx, a, uid, time.Nanosecond)) },
		"OpenGuide":      func(a permission.Actor) error { return second(f.OpenGuide(ctx, a, uid, 0, desk.FileOpen)) },
		"CaseAttachment": func(a permission.Actor) error { return second(f.CaseAttachment(ctx, a, uid, uid, desk.FileOpen)) },
		"CopyToDraft":    func(a permission.Actor) error { return second(f.CopyToDraft(ctx, a, uid)) },
		"Withdraw":       func(a permission.Actor) error { return f.Withdraw(ctx, a, uid) },
	}
	nowhere := permission.Actor{User: anaID, Name: "Ana", Roles: []permission.Role{permission.Reception}}
	for way, do := range everyWay {
		for who, a := range map[string]permission.Actor{"another unit": bia, "no unit": nowhere} {
			if err := do(a); !problem.Is(err, problem.NotFound) {
				t.Errorf("%s from %s: got %v, want not found", way, who, err)
			}
		}
		for who, a := range map[string]permission.Actor{"administração": admin, "nobody": {Roles: []permission.Role{permission.Supervision}}} {
			if err := do(a); !problem.Is(err, problem.Forbidden) {
				t.Errorf("%s by %s: got %v, want forbidden", way, who, err)
			}
		}
	}
	for who, want := range map[*permission.Actor]int{&ana: 1, &bia: 1, &celia: 2, &nowhere: 0} {
		page, err := f.Cases(ctx, *who, desk.Query{})
		MustDo(t, err)
		counts, err := f.Counts(ctx, *who)
		MustDo(t, err)
		if got := counts.Groups[authorization.Waiting].Count; len(page.Cases) != want || got != want {
			t.Errorf("%s: got %d listed and %d counted, want %d", who.Name, len(page.Cases), got, want)
		}
	}
	if _, err := f.Cases(ctx, admin, desk.Query{}); !problem.Is(err, problem.Forbidden) {
		t.Errorf("list by administração: got %v, want forbidden", err)
	}
	if _, err := f.Counts(ctx, admin); !problem.Is(err, problem.Forbidden) {
		t.Errorf("counts by administração: got %v, want forbidden", err)
	}
	if _, err := f.Drafts(ctx, admin); !problem.Is(err, problem.Forbidden) {
		t.Errorf("drafts by administração: got %v, want forbidden", err)
	}
}

func TestDesk_Cases(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	var newest []uuid.UUID
	away := map[string]string{"pacienteNoLocal": "N"} // others come first, as they came
	for i := range 23 {
		f.clock.Advance(time.Second)
		who := ana
		if i%3 == 0 {
			who = bia
		}
		newest = append([]uuid.UUID{f.MustSubmit(t, who, away)}, newest...)
	}
	f.clock.Advance(-time.Hour) // a clock that is put back changes no order
	newest = append([]uuid.UUID{f.MustSubmit(t, ana, away)}, newest...)

	t.Run("PagesWhileOthersSend", func(t *testing.T) {
		var got []uuid.UUID
		q := desk.Query{Limit: 5}
		for range 10 {
			page, err := f.Cases(ctx, celia, q)
			MustDo(t, err)
			for _, c := range page.Cases {
				got = append(got, c.UID)
			}
			if q.Before = page.Next; q.Before == uuid.Nil {
				break
			}
			f.MustSubmit(t, bia, away)
		}
		if diff := cmp.Diff(got, newest); diff != "" {
			t.Errorf("got, want each once, newest first\n%s", diff)
		}
	})
	t.Run("LastPageIsFull", func(t *testing.T) {
		all, err := f.Cases(ctx, ana, desk.Query{Limit: 1000})
		MustDo(t, err)
		page, err := f.Cases(ctx, ana, desk.Query{Limit: len(all.Cases)})
		if err != nil || page.Next != uuid.Nil || len(page.Cases) != len(all.Cases) {
			t.Errorf("got next %v of %d, %v, want none", page.Next, len(page.Cases), err)
		}
	})
}

func TestDesk_Counts(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	f.service.Script(answered("A"), answered("A", "N"), answered("S"), outcome(authorization.OutcomeUnknown, "corte"),
		outcome(authorization.OutcomeRefused, "http_422"), answered("Ω"))
	stop := f.MustRun(t)
	start := f.clock.Now()
	var cases []uuid.UUID
	for _, state := range []desk.State{desk.Answered, desk.Answered, desk.Answered, desk.Unknown, desk.Refused, desk.Answered} {
		uid := f.MustSubmit(t, ana, nil)
		cases = append(cases, uid)
		f.MustBecome(t, uid, state)
		f.clock.Advance(time.Hour)
	}
	stop()
	withdrawn := f.MustSubmit(t, ana, nil)
	MustDo(t, f.Withdraw(ctx, ana, withdrawn))
	f.MustSubmit(t, ana, nil)

	at := func(hours int) time.Time { return start.Add(time.Duration(hours) * time.Hour) }
	all := desk.Counts{Unknown: desk.GroupCount{Count: 1, Oldest: at(3)}, Groups: map[authorization.Group]desk.GroupCount{
		authorization.Ready: {Count: 1, Oldest: at(0)}, authorization.Refusal: {Count: 1, Oldest: at(1)},
		authorization.YourTurn: {Count: 1, Oldest: at(2)},
		authorization.ToFix:    {Count: 1, Oldest: at(4)}, authorization.Unrecognized: {Count: 1, Oldest: at(5)},
		authorization.Closed: {Count: 1, Oldest: at(6)}, authorization.Waiting: {Count: 1, Oldest: at(6)},
	}}
	got, err := f.Counts(ctx, ana)
	MustDo(t, err)
	if diff := cmp.Diff(got, all); diff != "" {
		t.Errorf("all: got, want\n%s", diff)
	}
	for name, tc := range map[string]struct {
		q    desk.Query
		want []uuid.UUID
	}{
		"Group":   {desk.Query{Group: authorization.Refusal}, cases[1:2]},
		"Unknown": {desk.Query{Unknown: true}, cases[3:4]},
		"Closed":  {desk.Query{Group: authorization.Closed}, []uuid.UUID{withdrawn}},
	} {
		page, err := f.Cases(ctx, ana, tc.q)
		MustDo(t, err)
		var listed []uuid.UUID
		for _, c := range page.Cases {
			listed = append(listed, c.UID)
		}
		if diff := cmp.Diff(listed, tc.want); diff != "" {
			t.Errorf("%s: got, want\n%s", name, diff)
		}
	}
}

func TestDesk_Withdraw(t *testing.T) {
	t.Parallel()
	t.Run("OK", func(t *testing.T) {
		f, ctx := MustDesk(t), t.Context()
		uid := f.MustSubmit(t, ana, nil)
		MustDo(t, f.Withdraw(ctx, celia, uid))
		f.wantTrail(t, audit.Entry{Actor: celiaID, Event: audit.RequestWithdrawn, Object: audit.ObjectCase, ObjectID: uid},
			audit.Entry{Actor: anaID, Event: audit.RequestSubmitted, Object: audit.ObjectCase, ObjectID: uid})
		c := f.MustCase(t, uid)
		want := desk.CaseState{State: desk.Withdrawn, Group: authorization.Closed, Origin: desk.OriginPerson, At: f.clock.Now()}
		if c.CaseState != want || c.CanWithdraw() || !c.CanCopy() {
			t.Errorf("state: got %+v, want %+v", c.CaseState, want)
		}
		if last := c.Events[len(c.Events)-1]; last.Kind != desk.EventWithdrawn || last.Actor.Name != "Célia Brito" {
			t.Errorf("event: got %+v", last)
		}
		f.MustRun(t)
		f.MustBecome(t, f.MustSubmit(t, ana, nil), desk.Answered)
		if got := len(f.service.Sent()); got != 1 {
			t.Errorf("sent: got %d, want 1, not what was withdrawn", got)
		}
	})
	for _, tc := range []struct {
		name    string
		outcome authorization.Outcome
		ok      bool
	}{
		{"NothingLeft", outcome(authorization.OutcomeRetry, "conexao"), true},
		{"Held", outcome(authorization.OutcomeHeld, "http_401"), true},
		{"ErrMayHaveBeenActedOn", outcome(authorization.OutcomeBusy, "em_processamento"), false},
		{"ErrUnknown", outcome(authorization.OutcomeUnknown, "corte"), false},
		{"ErrRefused", outcome(authorization.OutcomeRefused, "http_422"), false},
		{"ErrAnswered", answered("A"), false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := MustDesk(t)
			f.service.Script(tc.outcome)
			uid := f.MustSubmit(t, ana, nil)
			f.MustRun(t)
			f.MustSettle(t, 1)
			before := f.MustCase(t, uid)
			err := f.Withdraw(t.Context(), ana, uid)
			if got := f.MustCase(t, uid); tc.ok != (err == nil) || before.CanWithdraw() != tc.ok || (!tc.ok && got.CaseState != before.CaseState) {
				t.Errorf("got %v and %+v, want it withdrawn: %v", err, got.CaseState, tc.ok)
			}
			if !tc.ok && !problem.Is(err, problem.Conflict) {
				t.Errorf("got %v, want conflict", err)
			}
		})
	}
	t.Run("ErrOnTheWire", func(t *testing.T) {
		f := MustDesk(t)
		inside, release := make(chan struct{}), make(chan struct{})
		f.service.onSend = func(_ context.Context, _ authorization.Dispatch) { close(inside); <-release }
		uid := f.MustSubmit(t, ana, nil)
		f.MustRun(t)
		<-inside
		if err := f.Withdraw(t.Context(), ana, uid); !problem.Is(err, problem.Conflict) {
			t.Errorf("got %v, want conflict", err)
		}
		close(release)
		f.MustBecome(t, uid, desk.Answered)
	})
}

func TestDesk_OpenGuide(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	put := func(text string) blob.Ref {
		info, err := f.config.Blobs.Put(ctx, strings.NewReader(text))
		MustDo(t, err)
		return info.Ref
	}
	o := answered("A", "R", "Z")
	o.Answer.GuidePDF, o.Answer.ReceiptPDF = put("%PDF todas"), put("%PDF recibo")
	o.Answer.Authorizations[0].GuidePDF, o.Answer.Authorizations[2].GuidePDF = put("%PDF 1"), put("%PDF 3")
	o.Answer.Authorizations[2].GuideNumber = "900"
	f.service.Script(o)
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Answered)
	c := f.MustCase(t, uid)

	number := c.ProviderGuide
	want := []string{"guias-" + number + ".pdf %PDF todas", "guia-" + number + "-1.pdf %PDF 1",
		"guia-" + number + "-3.pdf %PDF 3", "recibo-" + number + ".pdf %PDF recibo"}
	for i, g := range c.Guides() {
		file, err := f.OpenGuide(ctx, ana, uid, i, desk.FileOpen)
		MustDo(t, err)
		got := MustRead(t, file)
		if got := file.Name + " " + string(got); got != want[i] || file.ContentType != "application/pdf" ||
			file.Size != int64(len(want[i])-len(file.Name)-1) {
			t.Errorf("guide %d (%+v): got %q, want %q", i, g, got, want[i])
		}
	}
	if got := len(c.Guides()); got != len(want) {
		t.Errorf("guides: got %d, want %d", got, len(want))
	}
	var kinds []string
	for _, g := range c.Guides() {
		kinds = append(kinds, string(g.Kind))
	}
	if want := []string{"todas", "guia", "guia", "recibo"}; !slices.Equal(kinds, want) {
		t.Errorf("kinds: got %q, want %q", kinds, want)
	}
	for _, index := range []int{-1, 4} {
		if _, err := f.OpenGuide(ctx, ana, uid, index, desk.FileOpen); !problem.Is(err, problem.NotFound) {
			t.Errorf("guide %d: got %v, want not found", index, err)
		}
	}
	if got := f.count(t, `SELECT COUNT(*) FROM audit_entry WHERE event = ? AND detail IN ('guia=todas modo=baixada',
		'guia=1 modo=baixada', 'guia=2 modo=baixada', 'guia=recibo modo=baixada')`, string(audit.GuideOpened)); got != 4 {
		t.Errorf("told to the trail: got %d, want 4", got)
	}
}

// MustAnswerWithGuides returns a case that was answered with an authorization for each guide.
func (f *fixture) MustAnswerWithGuides(t *testing.T, guides ...string) uuid.UUID {
	t.Helper()
	o := answered(slices.Repeat([]authorization.Status{authorization.Authorized}, len(guides))...)
	for i, text := range guides {
		info, err := f.config.Blobs.Put(t.Context(), strings.NewReader(text))
		MustDo(t, err)
		o.Answer.Authorizations[i].GuidePDF = info.Ref
	}
	f.service.Script(o)
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Answered)
	return uid
}

// TestDesk_OpenPastGuide: guides of an answer are opened by their places, and by no others.
func TestDesk_OpenPastGuide(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	uid := f.MustAnswerWithGuides(t, "%PDF 1", "%PDF 2")
	for i, want := range []string{"%PDF 1", "%PDF 2"} {
		file, err := f.OpenPastGuide(ctx, ana, uid, 1, i, desk.FileDownload)
		MustDo(t, err)
		if got := string(MustRead(t, file)); got != want {
			t.Errorf("guide %d: got %q, want %q", i, got, want)
		}
	}
	for _, place := range [][2]int{{0, 0}, {-1, 0}, {2, 0}, {1, -1}, {1, 2}} {
		if _, err := f.OpenPastGuide(ctx, ana, uid, place[0], place[1], desk.FileDownload); !problem.Is(err, problem.NotFound) {
			t.Errorf("%v: got %v, want not found", place, err)
		}
	}
	if got := f.count(t, `SELECT COUNT(*) FROM audit_entry WHERE event = ? AND detail LIKE '% resposta=1 modo=baixada'`,
		string(audit.GuideOpened)); got != 2 {
		t.Errorf("told to the trail: got %d, want 2", got)
	}
}

func TestCase_Lines(t *testing.T) {
	o := answered("Z", "A")
	o.Answer.Authorizations[0].Procedures = []authorization.ProcedureResult{
		{Code: "2", Name: "Dois", Quantity: 3, Authorized: 1, Justification: "limite", Senha: "p", Protocol: "q", Mnemonic: "m"},
		{Code: "9", Name: "Nove", Quantity: 1, Authorized: 1},
	}
	o.Answer.Authorizations[1].Procedures = []authorization.ProcedureResult{{Code: "1", Authorized: 2, Executed: 1},
		{Code: "2", Authorized: 5}}
	var c desk.Case
	c.Request.Procedures = []authorization.Procedure{{Code: "1", Name: "Um", Quantity: 2},
		{Code: "2", Name: "Dois", Quantity: 3}, {Code: "2", Name: "Dois, outra vez", Quantity: 5}, {Code: "3", Name: "Três", Quantity: 1}}
	if got := c.Lines(); len(got) != 4 || got[0] != (desk.ProcedureLine{Code: "1", Name: "Um", Asked: 2}) {
		t.Errorf("without an answer: got %+v", got)
	}
	c.Answer = &o.Answer
	want := []desk.ProcedureLine{
		{Code: "1", Name: "Um", Asked: 2, Authorized: 2, Executed: 1, Known: true},
		{Code: "2", Name: "Dois", Asked: 3, Authorized: 1, Known: true, Justification: "limite", Senha: "p", Protocol: "q", Mnemonic: "m"},
		{Code: "2", Name: "Dois, outra vez", Asked: 5, Authorized: 5, Known: true},
		{Code: "3", Name: "Três", Asked: 1},
		{Code: "9", Name: "Nove", Authorized: 1, Known: true},
	}
	if diff := cmp.Diff(c.Lines(), want); diff != "" {
		t.Errorf("got, want\n%s", diff)
	}
}

func TestDesk_CaseAnswer(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	o := answered("Z", "N")
	o.Answer.Errors = []authorization.AnswerError{{Message: "geral"}}
	first := &o.Answer.Authorizations[0]
	*first = authorization.Authorization{
		Number: 7, Success: true, Status: "Z", GuideID: "g", GuideNumber: "900", Senha: "482017739",
		SenhaValidUntil: authorization.DateOf(2026, 12, 20),
		Protocol:        "774", ProviderGuide: "p", PartnerGuide: "pp", RequestNumber: "n",
		AuthorizedAt: authorization.NewLocalTime(time.Date(2026, 11, 20, 14, 0, 5, 0, time.UTC)),
		Procedures: []authorization.ProcedureResult{{Code: "1", Name: "Um", Quantity: 2, Authorized: 1, Senha: "s",
			Protocol: "p", Justification: "j", Mnemonic: "m"}, {Code: "2"}},
		Errors: []authorization.AnswerError{{Code: "1438", Field: "procedimentos[0]", Message: "limite"}, {Message: "outro"}},
	}
	o.Answer.Authorizations[1].SenhaValidUntil = authorization.DateOf(2026, 12, 1)
	f.service.Script(o)
	uid := f.MustSubmit(t, ana, nil)
	f.MustRun(t)
	f.MustBecome(t, uid, desk.Answered)
	c := f.MustCase(t, uid)
	if diff := cmp.Diff(c.Answer, &o.Answer, cmpTimes); diff != "" {
		t.Errorf("answer: got, want\n%s", diff)
	}
	want := desk.AnswerSummary{Authorizations: 2, Authorized: 0, Items: 2, ItemsAuthorized: 1, Senha: "482017739",
		SenhaValidUntil: authorization.DateOf(2026, 12, 1)}
	if c.AnswerSummary != want {
		t.Errorf("digest: got %+v, want %+v", c.AnswerSummary, want)
	}
}

// TestDesk_Discreet looks for what was typed about a patient in the tables and
// the log that must not hold it.
func TestDesk_Discreet(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	d := f.MustDraft(t, ana, map[string]string{"nomeBeneficiario": "Xurupita", "numeroCarteira": "987654321"})
	_, err := f.Attach(ctx, ana, d.UID, "xurupita.png", picture(t, 1))
	MustDo(t, err)
	uid, err := f.Submit(ctx, ana, d.UID)
	MustDo(t, err)
	stop := f.MustRun(t)
	f.MustBecome(t, uid, desk.Answered)
	stop()
	MustDo(t, f.DiscardDraft(ctx, ana, f.MustDraft(t, ana, map[string]string{"nomeBeneficiario": "Xurupita"}).UID))
	f.MustCase(t, uid)
	for _, column := range []string{"submission_event.kind", "submission_event.reason", "audit_entry.detail",
		"audit_entry.object", "draft.form", "submission_state.reason"} {
		table, name, _ := strings.Cut(column, ".")
		if n := f.count(t, `SELECT COUNT(*) FROM `+table+` WHERE `+name+` LIKE '%xurupita%' OR `+name+` LIKE '%987654321%'`); n != 0 {
			t.Errorf("%s names the patient", column)
		}
	}
	if log := f.log.Bytes(); bytes.Contains(log, []byte("Xurupita")) || bytes.Contains(log, []byte("987654321")) {
		t.Errorf("the log names the patient: %s", log)
	}
}
