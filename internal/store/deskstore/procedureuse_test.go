package deskstore_test

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// TestStore_LatestUses_Plan: what is told before sending is read by indexes alone.
func TestStore_LatestUses_Plan(t *testing.T) {
	storetest.OfSQLite(t) // whose plan it is
	db, _ := MustOpen(t)
	for query, args := range map[string][]any{
		deskstore.LatestUsesQuery:     {engine.UID(uuid.New()), "40901122", 20},
		deskstore.LatestOutcomesQuery: {engine.UID(uuid.New()), "40901122", 20},
		deskstore.LatestCardsQuery:    {engine.UID(uuid.New()), 20, "V"},
	} {
		plan, err := engine.Get(t.Context(), db, func(tx *engine.Tx) ([]string, error) {
			return engine.List(t.Context(), tx, func(row engine.Row) (detail string, err error) {
				var id, parent, unused int
				err = row.Scan(&id, &parent, &unused, &detail)
				return detail, err
			}, `EXPLAIN QUERY PLAN `+query, args...)
		})
		MustDo(t, err)
		for _, step := range plan {
			limited := step == "SCAN p" || strings.HasPrefix(step, "SCAN (subquery") || step == "SCAN u"
			if strings.HasPrefix(step, "SCAN") && !limited || strings.Contains(step, "TEMP B-TREE FOR ORDER") {
				t.Errorf("%s, in\n%s", step, strings.Join(plan, "\n"))
			}
		}
	}
}

// TestStore_LatestCards: those of the operator alone, the latest first.
func TestStore_LatestCards(t *testing.T) {
	e := mustEnv(t)
	e.submit(t, of("Ana", "11"))
	e.submit(t, of("Bia", "22"))
	e.submit(t, of("Caio", "33", func(r *authorization.Request) { r.CredentialID = uuid.UUID{9} }))
	cards, err := e.LatestCards(t.Context(), fullRequest().CredentialID, 20)
	MustDo(t, err)
	if got := strings.Join(cards, " "); got != "22 11" {
		t.Errorf("got %q", got)
	}
}

// TestStore_LatestUses_Repair: rows that are missing, or say something else than the case, are found by the check, and made
// again.
func TestStore_LatestUses_Repair(t *testing.T) {
	for name, harm := range map[string]string{
		"Missing": `DELETE FROM procedure_use WHERE code = '1'`,
		"Status":  `UPDATE procedure_use SET status = 'A' WHERE code = '1'`,
		"Group":   `UPDATE procedure_use SET queue_group = 0 WHERE code = '1'`,
		"Time":    `UPDATE procedure_use SET answered_after = 1 WHERE code = '1'`,
		"Reason":  `UPDATE procedure_use SET reason = 'outro' WHERE code = '1'`,
	} {
		t.Run(name, func(t *testing.T) {
			e := mustEnv(t)
			e.deny(t, "Não coberto")
			want := e.outcomes(t, "1")
			MustDo(t, exec(e.db, harm))
			differing, err := e.CheckLists(t.Context(), nil)
			MustDo(t, err)
			repaired, err := e.RepairLists(t.Context(), differing)
			MustDo(t, err)
			if len(differing) != 1 || len(repaired) != 1 || !slices.Equal(e.outcomes(t, "1"), want) {
				t.Errorf("%v differ, %v were repaired, then %v, want %v", differing, repaired, e.outcomes(t, "1"), want)
			}
		})
	}
}

// deny has a request sent off, whose second procedure is denied a minute later for a reason; the error of the whole answer
// tells of the first.
func (e *env) deny(t *testing.T, reason string) desk.Submission {
	t.Helper()
	sub := e.submit(t)
	claim := e.claim(t)
	e.pass(time.Minute)
	MustDo(t, e.Settle(t.Context(), claim, desk.SettledAt(e.now, authorization.Outcome{Kind: authorization.OutcomeAnswered,
		Answer: authorization.Answer{Errors: []authorization.AnswerError{{Code: "9", Message: "Negado"}},
			Authorizations: []authorization.Authorization{{Number: 1, Status: authorization.Denied,
				Procedures: []authorization.ProcedureResult{{Code: "1", Quantity: 2}, {Code: "2", Quantity: 3, Justification: reason}}}}}})))
	return sub
}

// outcomes are what became of the latest requests for a procedure.
func (e *env) outcomes(t *testing.T, code string) []desk.PastOutcome {
	t.Helper()
	past, err := e.LatestOutcomes(t.Context(), fullRequest().CredentialID, code, 2)
	MustDo(t, err)
	return past
}

// TestStore_LatestOutcomes: the latest requests first, each as its case stands, with the time of its first answer and the
// words of a denial as long as it is one.
func TestStore_LatestOutcomes(t *testing.T) {
	e := mustEnv(t)
	want := func(what, code string, past ...desk.PastOutcome) {
		t.Helper()
		if got := e.outcomes(t, code); !slices.Equal(got, past) {
			t.Errorf("%s: got %v, want %v", what, got, past)
		}
	}
	waits := desk.PastOutcome{Group: authorization.Waiting}
	e.submit(t)
	want("queued", "1", waits)
	e.settle(t, e.claim(t), desk.Unknown, func(s *desk.Settlement) { s.UnknownOutcome, s.Alert = true, desk.AlertConflict })
	unknown := desk.PastOutcome{Group: desk.GroupOf(desk.Unknown, "")}
	want("unknown", "1", unknown)
	denied := e.deny(t, "Não coberto")
	refusal := desk.PastOutcome{Status: authorization.Denied, Group: authorization.Refusal, After: time.Minute, Reason: "Não coberto"}
	want("denied", "2", refusal, unknown)
	refusal.Reason = "Negado"
	want("denied without a word of its own", "1", refusal, unknown)
	e.pass(time.Hour)
	MustDo(t, e.RecordReply(t.Context(), denied.UID, 1, e.recorded(), e.decided(uuid.Nil), audit.Entry{Event: audit.ReplyRecorded}))
	ready := desk.PastOutcome{Status: authorization.Authorized, Group: authorization.Ready, After: time.Minute}
	want("authorized later", "2", ready, unknown)
	withdrawn := e.submit(t)
	MustDo(t, e.Withdraw(t.Context(), ana, withdrawn.UID, entry))
	want("withdrawn", "2", desk.PastOutcome{Group: authorization.Closed}, ready)
}

// TestStore_LatestOutcomes_FromBefore: an update notes what requests from before it met.
func TestStore_LatestOutcomes_FromBefore(t *testing.T) {
	e := mustEnv(t)
	e.deny(t, "Não coberto")
	e.submit(t)
	want := [][]desk.PastOutcome{e.outcomes(t, "1"), e.outcomes(t, "2")}
	MustDo(t, exec(e.db, `UPDATE procedure_use SET status = '', queue_group = 0, answered_after = 0, reason = ''`))
	var fill [2]string
	for i, files := range []fs.FS{migrations.Desk, migrations.PostgresDesk} {
		text, err := fs.ReadFile(files, "00057_use_outcome.sql")
		MustDo(t, err)
		_, rest, _ := strings.Cut(string(text), "UPDATE procedure_use")
		fill[i], _, _ = strings.Cut(rest, ";")
	}
	if fill[0] != fill[1] {
		t.Errorf("PostgreSQL has another statement:%s\nthan SQLite:%s", fill[1], fill[0])
	}
	MustDo(t, exec(e.db, `UPDATE procedure_use`+fill[0]))
	if got := [][]desk.PastOutcome{e.outcomes(t, "1"), e.outcomes(t, "2")}; !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("got %v, want %v", got, want)
	}
}
