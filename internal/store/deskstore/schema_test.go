package deskstore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// MustOpen returns an empty database and its store.
func MustOpen(tb testing.TB) (engine.DB, *deskstore.Store) {
	tb.Helper()
	db := storetest.Open(tb, migrations.Desk, nil)
	return db, deskstore.New(db, auditlog.New(db, audit.Key{1}))
}

func MustDo(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// MustSubmit commits a submission with an attachment and returns it.
func MustSubmit(tb testing.TB, s *deskstore.Store) desk.Submission {
	tb.Helper()
	ctx, owner := context.Background(), uuid.New()
	attachment := desk.Attachment{UID: uuid.New(), Attachment: authorization.Attachment{Name: "a.png", ContentType: "image/png",
		Size: 1, Blob: "0123456789012345678901234567890123456789012345678901234567890123"}}
	token := uuid.New()
	MustDo(tb, s.Attach(ctx, owner, token, attachment, func([]desk.Attachment, int64) error { return nil }))
	sub := desk.Submission{
		UID: uuid.New(), Token: token, Revision: 1, Sender: desk.Author{User: owner, Name: "Ana"}, IdempotencyKey: uuid.NewString(),
		Attachments: []desk.Attachment{attachment}, At: time.Now(), Deadline: time.Now().Add(time.Hour),
		Request: authorization.Request{
			CredentialID: owner, UnitID: owner, CarePointID: owner, ProfessionalID: owner,
			Procedures: []authorization.Procedure{{Code: "1", Name: "Um", Quantity: 1}},
		},
	}
	_, err := s.Submit(ctx, sub, audit.Entry{Event: audit.RequestSubmitted})
	MustDo(tb, err)
	return sub
}

func exec(db engine.DB, query string, args ...any) error {
	return db.Write(context.Background(), func(tx *engine.Tx) error {
		_, err := tx.Exec(context.Background(), query, args...)
		return err
	})
}

// mustID is the number of a row.
func mustID(t *testing.T, db engine.DB, table string, uid uuid.UUID) int64 {
	t.Helper()
	id, err := engine.Get(t.Context(), db, func(tx *engine.Tx) (id int64, err error) {
		err = tx.QueryRow(t.Context(), `SELECT id FROM `+table+` WHERE uid = ?`, engine.UID(uid)).Scan(&id)
		return id, err
	})
	MustDo(t, err)
	return id
}

// stepsTo leads a queued submission into each state, by allowed steps.
var stepsTo = map[desk.State][]desk.State{
	desk.Queued: {}, desk.Sending: {desk.Sending}, desk.Answered: {desk.Sending, desk.Answered},
	desk.Refused: {desk.Refused}, desk.Unknown: {desk.Sending, desk.Unknown}, desk.Withdrawn: {desk.Withdrawn},
	desk.Resent: {desk.Sending, desk.Unknown, desk.Resent},
}

func move(db engine.DB, sub desk.Submission, to desk.State) error {
	due, lease := 0, any(nil)
	if to == desk.Queued {
		due = 1
	}
	if to == desk.Sending {
		lease = engine.UID(sub.UID)
	}
	return exec(db, `UPDATE submission_state SET state = ?, queue_group = ?, due_at = ?, lease = ?
		WHERE submission_id = (SELECT id FROM submission WHERE uid = ?)`, to, desk.GroupOf(to, ""), due, lease, engine.UID(sub.UID))
}

// TestSchema_Moves tries every transition from every state: the database allows
// what desk.State.CanBecome allows, and nothing else.
func TestSchema_Moves(t *testing.T) {
	db, s := MustOpen(t)
	allowed := 0
	for from := range stepsTo {
		for to := range stepsTo {
			if from == to {
				continue
			}
			sub := MustSubmit(t, s)
			for _, step := range stepsTo[from] {
				MustDo(t, move(db, sub, step))
			}
			err := move(db, sub, to)
			if got, want := err == nil, from.CanBecome(to); got != want {
				t.Errorf("%s → %s: got allowed %v (%v), want %v", from, to, got, err, want)
			}
			if err == nil {
				allowed++
			}
		}
	}
	if want := 9; allowed != want {
		t.Errorf("transitions: got %d, want %d", allowed, want)
	}
}

func TestSchema_Checks(t *testing.T) {
	db, s := MustOpen(t)
	sub := MustSubmit(t, s)
	for name, set := range map[string]string{
		"StateNobodyKnows":         `state = 'lost'`,
		"SendingByNobody":          `state = 'sending', due_at = 0`,
		"QueuedNeverDue":           `due_at = 0`,
		"StatusWithoutAnswer":      `status = 'A'`,
		"UnknownWithGroup":         `state = 'unknown', due_at = 0`,
		"QueuedWithoutGroup":       `queue_group = 0`,
		"CorrectedTwice":           `corrected = 2`,
		"ConflictWhileQueued":      `alert = 'conflict'`,
		"WithdrawnWithDoubt":       `state = 'withdrawn', due_at = 0, doubtful = 1`,
		"DoubtfulThenWithdrawnToo": `origin = 'alguém'`,
	} {
		if err := exec(db, `UPDATE submission_state SET `+set); err == nil {
			t.Errorf("%s: got stored, want refused", name)
		}
	}
	MustDo(t, exec(db, `UPDATE submission_state SET doubtful = 1`))
	if err := exec(db, `UPDATE submission_state SET state = 'withdrawn', due_at = 0, doubtful = 0`); err == nil {
		t.Error("withdrawn although it may have been acted on")
	}
	if err := exec(db, `UPDATE draft SET form = '{"values":{}}' WHERE uid = ?`, engine.UID(sub.Token)); err == nil {
		t.Error("a draft that was sent keeps what was typed")
	}
}

// TestSchema_AppendOnly fills every table of history and tries to change and to
// delete each row.
func TestSchema_AppendOnly(t *testing.T) {
	db, s := MustOpen(t)
	ctx := t.Context()
	MustSubmit(t, s)
	claims, err := s.Claim(ctx, uuid.New(), embedded, wide(1))
	MustDo(t, err)
	MustDo(t, s.KeepExchange(ctx, claims[0], authorization.Exchange{}))
	answer := authorization.Answer{Errors: []authorization.AnswerError{{Message: "x"}}, Authorizations: []authorization.Authorization{
		{Status: "A", Procedures: []authorization.ProcedureResult{{Code: "1"}}}}}
	MustDo(t, queueAside(s.Settle(ctx, claims[0], desk.Settlement{Answer: &answer, Event: desk.EventAnswered, CaseState: desk.CaseState{
		State: desk.Answered, Status: "A", Group: authorization.Ready, Origin: desk.OriginOperator, At: time.Now()}})))
	MustDo(t, s.AddNote(ctx, claims[0].Case, desk.Event{Kind: desk.EventNoted, Actor: ana, Note: desk.Inquiry{Note: "x"}}, -1, entry))

	for table, column := range map[string]string{
		"submission": "card_number", "submission_procedure": "name", "submission_attachment": "name", "attempt": "number",
		"exchange": "sent_bytes", "answer": "success", "authorization": "status", "authorization_procedure": "authorized",
		"answer_error": "message", "submission_event": "kind", "case_note": "note",
	} {
		for _, statement := range []string{fmt.Sprintf(`UPDATE "%s" SET %s = %s`, table, column, column), `DELETE FROM "` + table + `"`} {
			err := exec(db, statement)
			if err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: got %v, want it refused as append-only", statement, err)
			}
		}
	}
	if err := exec(db, `DELETE FROM submission_state`); err == nil {
		t.Error("where submissions stand was deleted")
	}
}
