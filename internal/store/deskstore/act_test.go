package deskstore_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// cancelling is what a person asks about the authorization of e.open.
func (e *env) cancelling(guideID, reason string) desk.Act {
	return desk.Act{UID: uuid.New(), Kind: desk.ActCancel, GuideID: guideID, Status: authorization.UnderAnalysis, Reason: reason,
		State: desk.ActUnderWay, By: bia, Until: e.now.Add(time.Minute)}
}

// TestStore_BeginAct: one act at a time is kept of a case that the service answered; after a
// doubt the same one goes on with its key and its reason.
func TestStore_BeginAct(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	queued, sub := e.submit(t), e.newSubmission(t)
	e.claim(t)
	_, err := e.Submit(ctx, sub, entry)
	MustDo(t, err)
	MustDo(t, e.Settle(ctx, e.claim(t), e.analysed("g-1")))
	asked := audit.Entry{Event: audit.CaseViewed}
	for name, tt := range map[string]struct {
		uid     uuid.UUID
		service string
	}{"no such case": {uuid.New(), "embutido"}, "no answer": {queued.UID, "embutido"}, "another service": {sub.UID, "https://outro.example"}} {
		if _, err := e.BeginAct(ctx, tt.uid, tt.service, e.cancelling("g-1", "x"), asked); !problem.Is(err, problem.Conflict) {
			t.Errorf("%s: got %v, want Conflict", name, err)
		}
	}
	first, err := e.BeginAct(ctx, sub.UID, "embutido", e.cancelling("g-1", "desistência"), asked)
	MustDo(t, err)
	if _, err := e.BeginAct(ctx, sub.UID, "embutido", e.cancelling("g-1", "x"), asked); !problem.Is(err, problem.Conflict) {
		t.Errorf("beside the first: got %v, want Conflict", err)
	}
	e.pass(2 * time.Minute) // whoever began it has ended
	again, err := e.BeginAct(ctx, sub.UID, "embutido", e.cancelling("g-1", "outro motivo"), asked)
	if err != nil || again.UID != first.UID || again.Reason != "desistência" {
		t.Errorf("in doubt: got %+v, %v, want the first one", again, err)
	}
	MustDo(t, e.EndAct(ctx, sub.UID, desk.ActEnd{UID: first.UID, Until: again.Until, State: desk.ActRefused, Message: "Agora não."}, nil))
	MustDo(t, e.EndAct(ctx, sub.UID, desk.ActEnd{UID: first.UID, Until: again.Until, State: desk.ActUnsent}, nil)) // it has ended
	c := e.mustCase(t, sub.UID)
	if act := c.Acts[0]; len(c.Acts) != 1 || act.State != desk.ActRefused || act.Message != "Agora não." || act.By != bia ||
		!act.EndedAt.Equal(e.now) {
		t.Errorf("got %+v", c.Acts)
	}
	if last := c.Events[len(c.Events)-1]; last.Kind != desk.EventActEnded || last.Reason != string(desk.ActCancel) ||
		!c.FollowAt.Equal(e.now) {
		t.Errorf("last event %+v, asked again at %s", last, c.FollowAt)
	}
	if other, err := e.BeginAct(ctx, sub.UID, "embutido", e.cancelling("g-1", "de novo"), asked); err != nil || other.UID == first.UID {
		t.Errorf("after a refusal: got %+v, %v, want another act", other, err)
	}
	if err := e.EndAct(ctx, sub.UID, desk.ActEnd{UID: uuid.New()}, nil); !problem.Is(err, problem.NotFound) {
		t.Errorf("no such act: got %v, want NotFound", err)
	}
	if n := len(e.events(t)); n != 5 { // two submissions and three acts
		t.Errorf("%d entries in the trail, want 5", n)
	}
}

// TestStore_EndAct_AskedAgain: of an act that was asked again while its first asking went on, the first one ends nothing
// but what it knows to be done, which is so whatever becomes of the second.
func TestStore_EndAct_AskedAgain(t *testing.T) {
	type end struct {
		asking int
		state  desk.ActState
	}
	for name, tt := range map[string]struct {
		ends []end
		want desk.ActState
	}{
		"NotSent":          {[]end{{0, desk.ActUnsent}}, desk.ActUnderWay},
		"RefusedAndDone":   {[]end{{0, desk.ActRefused}, {1, desk.ActDone}}, desk.ActDone},
		"DoubtAndDone":     {[]end{{0, desk.ActDoubtful}, {1, desk.ActDone}}, desk.ActDone},
		"DoneAndDoubt":     {[]end{{0, desk.ActDone}, {1, desk.ActDoubtful}}, desk.ActDone},
		"DoneAfterDoubt":   {[]end{{1, desk.ActDoubtful}, {0, desk.ActDone}}, desk.ActDone},
		"DoneAfterRefusal": {[]end{{1, desk.ActRefused}, {0, desk.ActDone}}, desk.ActRefused},
	} {
		t.Run(name, func(t *testing.T) {
			e, ctx := mustEnv(t), t.Context()
			sub := e.open(t, "g-1")
			var askings []desk.Act
			for range 2 {
				asked, err := e.BeginAct(ctx, sub.UID, "embutido", e.cancelling("g-1", "desistência"), entry)
				MustDo(t, err)
				askings = append(askings, asked)
				e.pass(2 * time.Minute)
			}
			for _, ended := range tt.ends {
				asked := askings[ended.asking]
				MustDo(t, e.EndAct(ctx, sub.UID, desk.ActEnd{UID: asked.UID, Until: asked.Until, State: ended.state},
					func(desk.Followed) (desk.Settlement, bool) { return desk.Settlement{}, false }))
			}
			if act, _ := e.mustCase(t, sub.UID).LastAct(); act.State != tt.want {
				t.Errorf("got %s, want %s", act.State, tt.want)
			}
		})
	}
}

// TestStore_BeginAct_ClockPutBack: an act that a wrong clock began, and whose process ended, is asked again once the right
// one is in force, and not when that has come so far.
func TestStore_BeginAct_ClockPutBack(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.open(t, "g-1")
	first, err := e.BeginAct(ctx, sub.UID, "embutido", e.cancelling("g-1", "desistência"), entry)
	MustDo(t, err)
	e.pass(-24 * time.Hour)
	if again, err := e.BeginAct(ctx, sub.UID, "embutido", e.cancelling("g-1", "x"), entry); err != nil || again.UID != first.UID {
		t.Errorf("got %+v, %v, want the first one", again, err)
	}
}

// TestStore_ActFiles: an act keeps where its files are in columns of its own; one from before them, which has that in its
// reason, shows the same files and goes out with them once more.
func TestStore_ActFiles(t *testing.T) {
	e, ctx := mustEnv(t), t.Context()
	sub := e.newSubmission(t)
	_, err := e.Submit(ctx, sub, entry)
	MustDo(t, err)
	MustDo(t, e.Settle(ctx, e.claim(t), e.analysed("g-1")))
	own := len(e.mustCase(t, sub.UID).Attachments)
	sending := e.cancelling("g-1", "")
	sending.Kind, sending.Files = desk.ActAttachments, []desk.Attachment{attachment(), attachment()}
	first, err := e.BeginAct(ctx, sub.UID, "embutido", sending, audit.Entry{Event: audit.AttachmentsSent})
	MustDo(t, err)
	const places = `SELECT reason || '|' || file_first || ' ' || file_count FROM act`
	kept, err := engine.Get(ctx, e.db, func(tx *engine.Tx) (text string, err error) {
		return text, tx.QueryRow(ctx, places).Scan(&text)
	})
	if want := fmt.Sprintf("|%d 2", own); err != nil || kept != want {
		t.Errorf("kept %q, %v, want %q", kept, err, want)
	}
	before := checksum.Table{Name: "act", Key: []string{"id"}, Columns: []string{"uid", "submission_id", "kind", "place", "guide_id",
		"status", "reason", "state", "actor", "asked_at", "until", "ended_at", "message"}}
	row := mustID(t, e.db, "act", first.UID)
	for _, age := range []string{"Now", "Before"} {
		if age == "Before" {
			MustDo(t, e.db.Write(ctx, func(tx *engine.Tx) error {
				_, err := tx.Exec(ctx, `UPDATE act SET file_first = 0, file_count = 0`)
				if err == nil {
					_, err = before.UpdateWritten(ctx, tx, []any{row}, checksum.Change{
						Set: `reason = ?`, Values: []any{fmt.Sprintf("%d 2", own)}})
				}
				return err
			}))
		}
		act := e.mustCase(t, sub.UID).Acts[0]
		if !slices.Equal(act.Files, sending.Files) || act.Reason != "" {
			t.Errorf("%s: shown with %+v, reason %q", age, act.Files, act.Reason)
		}
		e.pass(2 * time.Minute) // whoever began it has ended
		again := sending
		again.Files, again.Until = []desk.Attachment{attachment()}, e.now.Add(time.Minute)
		again, err := e.BeginAct(ctx, sub.UID, "embutido", again, audit.Entry{Event: audit.AttachmentsSent})
		if err != nil || again.UID != first.UID || !slices.Equal(again.Files, sending.Files) || again.Reason != "" {
			t.Errorf("%s: goes out as %+v, %v", age, again, err)
		}
	}
}
