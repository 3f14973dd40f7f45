package caselist_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"
)

// Where the words of a case stand.
const (
	texts     = `history (submission_id, `
	textIndex = `history_text (rowid, ` // of SQLite
)

// mustNote has a case found by a name in one of the two places alone, which tells what a
// search reads.
func mustNote(t *testing.T, tx *engine.Tx, where string, id int64, name string) {
	t.Helper()
	_, err := tx.Exec(t.Context(), `INSERT INTO `+where+`names, numbers, procedures) VALUES (?, ?, '', '')`, id, name)
	must(t, err)
}

// TestFinder_Find_Side: words are looked for where that is the least to read, in the texts of
// the cases that filters leave, or in the full-text index.
func TestFinder_Find_Side(t *testing.T) {
	const spread = 71 // every so many cases has the rare status
	find := func(t *testing.T, tx *engine.Tx, values caselist.FilterValues, text string, shape func(f *caselist.Finder)) int {
		t.Helper()
		f := caselist.NewFinder(values)
		f.Words(engine.Words(text))
		shape(f)
		got, err := f.Find(t.Context(), tx, nil, 1000)
		must(t, err)
		return len(got)
	}
	rare := func(f *caselist.Finder) { f.Status("X") }
	withinSQLite(t, 5000, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
		mustSend(t, tx, rows)
		mustNote(t, tx, texts, rows[100].ID, "Índigo")
		mustNote(t, tx, texts, rows[len(rows)-1].ID, "") // none is pending
		for _, r := range rows {
			mustNote(t, tx, textIndex, r.ID, "Comum")
		}
		window := func(f *caselist.Finder) { f.Since(rows[90].CreatedAt); f.Before(rows[120].CreatedAt) }
		for name, tt := range map[string]struct {
			text  string
			shape func(f *caselist.Finder)
			want  int
		}{
			"a short period, its texts":         {"indigo", window, 1},
			"no end of the period, the index":   {"indigo", func(f *caselist.Finder) { f.Since(rows[90].CreatedAt) }, 0},
			"a rare status among long lists":    {"comum", rare, 0},
			"no filter, the index":              {"comum", func(*caselist.Finder) {}, 1000},
			"a word that nobody has, the index": {"nada", rare, 0},
		} {
			if got := find(t, tx, values, tt.text, tt.shape); got != tt.want {
				t.Errorf("%s: got %d cases, want %d", name, got, tt.want)
			}
		}
	}, func(r *caselist.Row) {
		if r.ID%spread == 0 {
			r.Status = "X"
		}
	})
	withinSQLite(t, 200, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
		for _, r := range rows {
			mustNote(t, tx, texts, r.ID, "Joseph")
			mustNote(t, tx, textIndex, r.ID, fmt.Sprintf("Josef%c%c", 'a'+r.ID%26, 'a'+r.ID/26))
		}
		// the index would merge 200 lists: it is asked for the first letters, the texts for the rest
		if got := find(t, tx, values, "josef", func(*caselist.Finder) {}); got != 0 {
			t.Errorf("a beginning of many words: got %d cases by the index, want the texts read", got)
		}
	})
}

// TestBegin_Words: a case that begins is found by the words of its beneficiary.
func TestBegin_Words(t *testing.T) {
	within(t, 1, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
		next := rows[0]
		next.ID, next.UID, next.BeneficiaryName = 2, uidOf(9, 2), "Índigo"
		mustSend(t, tx, []caselist.Row{next})
		must(t, caselist.Begin(t.Context(), tx, next))
		f := caselist.NewFinder(values)
		f.Words([]string{"indigo"})
		if got, err := f.Find(t.Context(), tx, nil, 5); err != nil || len(got) != 1 || got[0].ID != 2 {
			t.Errorf("got %v, %v, want the case", got, err)
		}
	})
}

// TestChange_Rare: the words of a case stand among those of rare groups while it is in one.
func TestChange_Rare(t *testing.T) {
	db, rows := mustCases(t, 2)
	mustRebuild(t, db, allIDs(rows)...)
	for _, change := range []struct{ group, want int64 }{{0, 1}, {4, 2}, {5, 0}, {6, 0}, {4, 2}, {1, 0}} {
		var rare int64
		must(t, db.Write(t.Context(), func(tx *engine.Tx) error {
			must(t, caselist.Change(t.Context(), tx, 2, func(r *caselist.Row) { r.Group = change.group }))
			return tx.QueryRow(t.Context(), `SELECT rare FROM history WHERE submission_id = 2`).Scan(&rare)
		}))
		if rare != change.want {
			t.Errorf("in group %d: got %d, want %d", change.group, rare, change.want)
		}
	}
}

// TestFinder_Rest_Index: what leaves the least to be read is read by its own index.
func TestFinder_Rest_Index(t *testing.T) {
	withinSQLite(t, 50, func(tx *engine.Tx, values caselist.FilterValues, _ []caselist.Row) {
		none := question{unit: -1, credential: -1, sender: -1, group: -1}
		for want, shape := range map[string]func(q *question){
			"case_summary_unit":                    func(q *question) { q.unit = 1 },
			"case_summary_unit_credential_group":   func(q *question) { q.unit, q.credential, q.group = 1, 0, 5 },
			"case_summary_unit_sender_group":       func(q *question) { q.unit, q.sender, q.group = 1, 1, 5 },
			"case_summary_credential_sender_group": func(q *question) { q.credential, q.sender, q.group = 0, 1, 5 },
			"case_summary_unit_credential_sender":  func(q *question) { q.unit, q.credential, q.sender = 1, 0, 1 },
			"case_summary_status":                  func(q *question) { q.unit, q.status = 1, authorization.Authorized },
		} {
			q := none
			shape(&q)
			if rest, _ := q.finder(values).Rest(tx, 20); !strings.Contains(rest, " INDEXED BY "+want+" ") {
				t.Errorf("%+v: got %q, want it by %s", q, rest, want)
			}
		}
	})
}
