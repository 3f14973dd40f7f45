package deskstore_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// TestProtected_Columns holds that the sums cover all columns.
func TestProtected_Columns(t *testing.T) {
	db, _ := MustOpen(t)
	storetest.CheckColumns(t, db, deskstore.ProtectedTables())
}

// TestProtected_Written: all writing goes through Insert, InsertNumbered, changeState,
// moveState, changeStates.
func TestProtected_Written(t *testing.T) {
	storetest.CheckWritten(t, deskstore.ProtectedTables(), "accountstore", "auditlog", "backupstore", "blobnames", "caselist",
		"connectionstore",
		"damagestore", "deskstore", "directorystore", "keystore", "reportstore")
}

// mustFillAll makes cases that have rows in every protected table.
func mustFillAll(t *testing.T, s *deskstore.Store, n int) (cases []uuid.UUID) {
	t.Helper()
	ctx, lease := t.Context(), uuid.New()
	for i := range n {
		sub := MustSubmit(t, s)
		cases = append(cases, sub.UID)
		claims, err := s.Claim(ctx, lease, desk.Recipient{Name: "embutido"}, wide(1))
		MustDo(t, err)
		MustDo(t, s.KeepExchange(ctx, claims[0], authorization.Exchange{HTTPStatus: 200, ContentType: "application/json"}))
		to := settlement(desk.Unknown, desk.EventUnknown)
		if i%2 == 1 {
			to = settlement(desk.Answered, desk.EventAnswered)
			to.Status, to.Answer, to.Senha = "A", &answer, "778812"
			to.Group = desk.GroupOf(desk.Answered, "A")
		}
		MustDo(t, queueAside(s.Settle(ctx, claims[0], to)))
		if i%2 == 1 {
			_, err := s.BeginAct(ctx, sub.UID, "embutido", desk.Act{UID: uuid.New(), Kind: desk.ActCancel, GuideID: "g-1", Status: "A",
				State: desk.ActUnderWay, By: sub.Sender, Until: sub.At}, audit.Entry{Event: audit.CancellationAsked})
			MustDo(t, err)
		}
		MustDo(t, s.AddNote(ctx, sub.UID, desk.Event{Kind: desk.EventNoted, Actor: sub.Sender, Note: desk.Inquiry{Note: "avisada"}}, -1, entry))
		if i%2 == 0 {
			again := sub
			again.UID, again.Token, again.IdempotencyKey, again.Attachments = uuid.New(), uuid.New(), uuid.NewString(), nil
			MustDo(t, s.Resend(ctx, sub.UID, again, desk.Decision{By: sub.Sender, At: sub.At, Resent: again.UID}))
			cases = append(cases, again.UID)
			claims, err := s.Claim(ctx, lease, desk.Recipient{Name: "embutido"}, wide(1))
			MustDo(t, err)
			MustDo(t, queueAside(s.Settle(ctx, claims[0], settlement(desk.Refused, desk.EventRefused))))
		}
	}
	return cases
}

// TestProtected_EveryColumn: another value in any column of any protected row is found.
func TestProtected_EveryColumn(t *testing.T) {
	db, s := MustOpen(t)
	mustFillAll(t, s, 2)
	storetest.CheckEveryColumn(t, db, deskstore.ProtectedTables())
}

// TestStore_Damaged: a damaged case is shown and sent to nobody, and the others go on as
// if it were not there.
func TestStore_Damaged(t *testing.T) {
	ctx := t.Context()
	db, s := MustOpen(t)
	var told []string
	s.OnDamage(func(row checksum.Row) { told = append(told, row.String()) })
	bad, good := MustSubmit(t, s), MustSubmit(t, s)
	storetest.Unguard(t, db)
	MustDo(t, exec(db, `UPDATE submission SET card_number = '9' WHERE uid = ?`, engine.UID(bad.UID)))
	MustDo(t, exec(db, `UPDATE case_summary SET card_number = '9' WHERE uid = ?`, engine.UID(bad.UID)))
	MustDo(t, exec(db, `UPDATE queue_case SET shown = NULL WHERE submission_id = ?`, mustID(t, db, "submission", bad.UID)))

	cases, err := s.Cases(ctx, all, desk.Query{Limit: 10})
	MustDo(t, err)
	if len(cases) != 2 || cases[0].UID != good.UID || cases[0].Damaged ||
		cases[1].UID != bad.UID || !cases[1].Damaged || cases[1].CardNumber != "" {
		t.Errorf("list: got %+v, want the first damaged and nothing else of it", cases)
	}
	if _, err := s.Case(ctx, all, bad.UID); !problem.Is(err, problem.Damaged) {
		t.Errorf("case: got %v", err)
	}
	if !slices.Contains(told, fmt.Sprint("submission ", mustID(t, db, "submission", bad.UID))) {
		t.Errorf("told of %q", told)
	}
	lease := uuid.New()
	for range 2 {
		claims, err := s.Claim(ctx, lease, desk.Recipient{Name: "embutido"}, wide(1))
		MustDo(t, err)
		if len(claims) == 1 && claims[0].Case == good.UID {
			MustDo(t, queueAside(s.Settle(ctx, claims[0], settlement(desk.Refused, desk.EventRefused))))
			return
		}
		if len(claims) != 0 {
			t.Fatalf("sent: got %+v", claims)
		}
	}
	t.Error("the other one is not sent")
}

// TestStore_CaseState_Damaged: nobody is told a state that is not as it was written.
func TestStore_CaseState_Damaged(t *testing.T) {
	db, s := MustOpen(t)
	sub := MustSubmit(t, s)
	storetest.Unguard(t, db)
	MustDo(t, exec(db, `UPDATE submission_state SET reason = 'x'`))
	if got, err := s.CaseState(t.Context(), all, sub.UID); !problem.Is(err, problem.Damaged) {
		t.Errorf("got %+v, %v, want damaged", got, err)
	}
}

// TestStore_CaseOfRow: of each row of a case it is known whose it is; of others nothing.
func TestStore_CaseOfRow(t *testing.T) {
	ctx := t.Context()
	db, s := MustOpen(t)
	cases := mustFillAll(t, s, 2)
	for _, table := range deskstore.ProtectedTables() {
		rows, err := engine.Get(ctx, db, func(tx *engine.Tx) ([]checksum.Stored, error) { return table.Rows(ctx, tx, ``) })
		MustDo(t, err)
		owners := map[uuid.UUID]bool{}
		for _, row := range rows {
			uid, err := s.CaseOfRow(ctx, table.Row(row))
			if err != nil || !slices.Contains(cases, uid) {
				t.Errorf("%v: got %s, %v, want a case", table.Row(row), uid, err)
			}
			owners[uid] = true
		}
		if wholeCase := table.Name == "submission" || table.Name == "case_summary"; wholeCase && len(owners) != len(cases) {
			t.Errorf("%s: got rows of %d cases, want %d", table.Name, len(owners), len(cases))
		}
	}
	for _, row := range []checksum.Row{
		{Table: "submission", Key: []any{int64(99)}}, {Table: "submission"}, {Table: "queue_count", Key: []any{int64(1)}},
	} {
		if uid, err := s.CaseOfRow(ctx, row); uid != uuid.Nil || err != nil {
			t.Errorf("%v: got %s, %v, want no case", row, uid, err)
		}
	}
}

// TestStore_Damaged_OnTheWire: a case whose state is damaged while its request is on the
// wire ends as damaged, with what came back, and gives its place to the next.
func TestStore_Damaged_OnTheWire(t *testing.T) {
	ctx := t.Context()
	for harm, values := range map[string][]any{
		`UPDATE submission_state SET reason = 'x'`: nil, `UPDATE submission_state SET attempt = attempt + 2`: nil,
		`UPDATE submission_state SET doubtful = 2, authorized = -1`: nil, `UPDATE submission_state SET checksum = ?`: {make([]byte, 8)},
		`UPDATE submission_state SET lease = ?`: {engine.UID(uuid.New())}, `UPDATE attempt SET number = 7`: nil,
	} {
		for _, ended := range []string{"settled", "taken over"} {
			db, s := MustOpen(t)
			lease := uuid.New()
			MustDo(t, s.HoldLease(ctx, lease, time.Now().Add(time.Minute)))
			sub := MustSubmit(t, s)
			claims, err := s.Claim(ctx, lease, desk.Recipient{Name: "embutido"}, wide(1))
			MustDo(t, err)
			storetest.Unguard(t, db)
			MustDo(t, exec(db, harm, values...))
			storetest.CheckAgain(t, db) // the schema takes what the store writes
			MustDo(t, s.KeepExchange(ctx, claims[0], authorization.Exchange{HTTPStatus: 200, Body: "a raw answer"}))
			if ended == "settled" {
				_, err := s.Settle(ctx, claims[0], settlement(desk.Refused, desk.EventRefused))
				if want := !strings.Contains(harm, "UPDATE attempt"); problem.Is(err, problem.Damaged) != want {
					t.Errorf("%s: settle: got %v, want damaged: %v", harm, err, want)
				}
			} else {
				lease = uuid.New()
				orphans, err := s.TakeOver(ctx, lease, true)
				if err != nil || len(orphans) != 0 {
					t.Errorf("%s: take over: got %+v, %v, want none", harm, orphans, err)
				}
			}
			listed, err := s.Cases(ctx, all, desk.Query{Limit: 10})
			MustDo(t, err)
			if len(listed) != 1 || listed[0].State == desk.Sending {
				t.Errorf("%s, %s: got %+v, want it not on the wire", harm, ended, listed)
			}
			if _, err := s.Case(ctx, all, sub.UID); !problem.Is(err, problem.Damaged) {
				t.Errorf("%s, %s: case: got %v", harm, ended, err)
			}
			if standings, err := s.Standings(ctx); err != nil || standings.Sending.Count != 0 {
				t.Errorf("%s, %s: standings: got %+v, %v", harm, ended, standings, err)
			}
			kept, err := engine.Get(ctx, db, func(tx *engine.Tx) (n int, err error) {
				err = tx.QueryRow(ctx, `SELECT COUNT(*) FROM exchange WHERE body = 'a raw answer'`).Scan(&n)
				return n, err
			})
			if err != nil || kept != 1 {
				t.Errorf("%s, %s: the raw answer is kept %d times, %v", harm, ended, kept, err)
			}
			MustSubmit(t, s)
			if claims, err = s.Claim(ctx, lease, desk.Recipient{Name: "embutido"}, wide(1)); err != nil || len(claims) != 1 {
				t.Errorf("%s, %s: the next one: got %+v, %v", harm, ended, claims, err)
			}
		}
	}
}

// TestStore_MarkRestored_Damaged: a damaged case keeps no installation from going on, and leaves no more than before.
func TestStore_MarkRestored_Damaged(t *testing.T) {
	ctx := t.Context()
	for _, state := range []desk.State{desk.Queued, desk.Sending} {
		db, s := MustOpen(t)
		damaged, to := MustSubmit(t, s), desk.Recipient{Name: "embutido"}
		if state == desk.Sending {
			_, err := s.Claim(ctx, uuid.New(), to, wide(1))
			MustDo(t, err)
		}
		storetest.Unguard(t, db)
		MustDo(t, exec(db, `UPDATE submission_state SET deadline_at = deadline_at + 1`))
		whole := MustSubmit(t, s)
		unknown, err := s.MarkRestored(ctx)
		if err != nil || unknown != 1 {
			t.Errorf("%s: got %d, %v, want one doubt", state, unknown, err)
		}
		if c, err := s.CaseState(ctx, all, whole.UID); err != nil || c.State != desk.Unknown {
			t.Errorf("%s: the whole one: got %+v, %v", state, c, err)
		}
		orphans, err := s.TakeOver(ctx, uuid.New(), true)
		claims, failed := s.Claim(ctx, uuid.New(), to, wide(2))
		if err != nil || failed != nil || len(orphans)+len(claims) != 0 {
			t.Errorf("%s: got %+v and %+v, %v, %v, want that nothing leaves", state, orphans, claims, err, failed)
		}
		if _, err := s.Case(ctx, all, damaged.UID); !problem.Is(err, problem.Damaged) {
			t.Errorf("%s: the damaged one: got %v", state, err)
		}
	}
}

// BenchmarkProtected says what sums cost: in a list of fifty cases, and in all rows of one.
func BenchmarkProtected(b *testing.B) {
	ctx := b.Context()
	_, s := MustOpen(b)
	var cases []uuid.UUID
	for range 50 {
		cases = append(cases, MustSubmit(b, s).UID)
	}
	b.Run("List", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Cases(ctx, all, desk.Query{Limit: 50})
			MustDo(b, err)
		}
	})
	b.Run("Case", func(b *testing.B) {
		for b.Loop() {
			_, err := s.Case(ctx, all, cases[0])
			MustDo(b, err)
		}
	})
}

// TestProtected_Flips: of bits that flip in the file of a database, or in its log while it is
// open, all that change a protected value are found.
func TestProtected_Flips(t *testing.T) {
	storetest.OfSQLite(t) // what a server's files hold is the server's to check
	path := storetest.Migrated(t, migrations.Desk)
	db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: path, Migrations: migrations.Desk})
	MustDo(t, err)
	mustFillAll(t, newStore(db), 32)
	MustDo(t, checksum.Fill(t.Context(), db, deskstore.ProtectedTables()))
	storetest.CheckLogFlips(t, path, deskstore.ProtectedTables(), *flips)
	MustDo(t, db.Close())
	storetest.CheckFlips(t, path, deskstore.ProtectedTables(), *flips)
}

var flips = flag.Int("flips", 100, "bits that TestProtected_Flips flips")
