package deskstore_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// TestStore_FillQueue_Again: cases from before that could not be put into the queue are put
// there when it is asked for again.
func TestStore_FillQueue_Again(t *testing.T) {
	e := mustEnv(t)
	sub := e.submit(t)
	for _, statement := range []string{`DELETE FROM queue_case`, `DELETE FROM queue_count`, `INSERT INTO queue_pending VALUES (1)`,
		`ALTER TABLE case_summary RENAME TO hidden`} {
		MustDo(t, exec(e.db, statement))
	}
	if err := e.FillQueue(t.Context()); err == nil {
		t.Fatal("the queue is filled from nothing")
	}
	MustDo(t, exec(e.db, `ALTER TABLE hidden RENAME TO case_summary`))
	cases, err := e.Cases(t.Context(), all, desk.Query{Limit: 9})
	if got := uids(cases); err != nil || !slices.Equal(got, []uuid.UUID{sub.UID}) {
		t.Errorf("got %v, %v, want the case from before", got, err)
	}
}

// past is a case that was answered long ago, to be written whole.
func past(n int, name, card string) deskstore.Past {
	s := desk.Submission{UID: uuid.New(), Token: uuid.New(), Sender: ana, Request: fullRequest(), IdempotencyKey: uuid.NewString(),
		At: noon.Add(time.Duration(n) * time.Second), Deadline: noon.Add(time.Hour)}
	s.Request.ProviderGuide = desk.ProviderGuide(s.At, 1, int64(n))
	s.Request.BeneficiaryName, s.Request.CardNumber = name, card
	return deskstore.Past{Submission: s, To: embedded, Exchange: &authorization.Exchange{StartedAt: s.At, EndedAt: s.At},
		Settlement: desk.SettledAt(s.At, pastAnswer()), Entry: audit.Entry{Event: audit.RequestSubmitted}}
}

// TestStore_FillKnown_Many: whom the requests from before tell of is known however many they
// are.
func TestStore_FillKnown_Many(t *testing.T) {
	const requests = 201 // one more than are read at a time
	e := mustEnv(t)
	cases := make([]deskstore.Past, requests)
	for i := range cases {
		cases[i] = past(i+1, "Rui Reis", fmt.Sprint(7000+i))
	}
	cases[0].Submission.Request.BeneficiaryName = "Maria Prado"
	cases[requests-1].Submission.Request.BeneficiaryName = "Íris Leme"
	MustDo(t, e.AddPast(t.Context(), cases))
	e.forgetKnown(t)
	MustDo(t, e.FillKnown(t.Context()))
	if got := e.found(t, all, "maria") + "; " + e.found(t, all, "iris"); got != "Maria Prado; Íris Leme" {
		t.Errorf("got %q", got)
	}
}

// forgetKnown has whom the requests tell of be read from them again, as from those from before.
func (e *env) forgetKnown(t *testing.T) {
	t.Helper()
	MustDo(t, exec(e.db, `DELETE FROM known`))
	MustDo(t, e.db.Write(t.Context(), func(tx *engine.Tx) error {
		return tx.RebuildText(t.Context(), engine.TextIndex{Table: "known_text", Columns: []string{"words"}, Labels: []string{"unit"}})
	}))
	MustDo(t, exec(e.db, `INSERT INTO known_pending (id, through) VALUES (1, 0)`))
}

// TestStore_AddPast_Impossible: a case that nobody could have sent so is not written.
func TestStore_AddPast_Impossible(t *testing.T) {
	e := mustEnv(t)
	unsent := past(1, "Maria", "0310")
	unsent.Exchange = nil // and yet it was answered
	if err := e.AddPast(t.Context(), []deskstore.Past{unsent}); err == nil || errors.Is(err, engine.ErrAborted) {
		t.Errorf("got %v, want the refusal of the schema", err)
	}
	cases, err := e.Cases(t.Context(), all, desk.Query{Limit: 9})
	if err != nil || len(cases) > 0 {
		t.Errorf("got %v, %v, want none", cases, err)
	}
}

// TestStore_AddPast_Failures: every query that fails is an error.
func TestStore_AddPast_Failures(t *testing.T) {
	f := mustFill(t)
	f.db.CheckFailures(t, map[string]storetest.Operation{"AddPast": {
		Tables: "submission submission_procedure attempt exchange answer authorization authorization_procedure submission_event " +
			"submission_state filter_value case_summary queue_case queue_count history history_text known known_text procedure_use " +
			"desk_person audit_entry",
		Do: func(ctx context.Context, db engine.DB) error {
			return newStore(db).AddPast(ctx, []deskstore.Past{past(77, "Nova Pessoa", "9977")})
		},
	}})
}
