package deskstore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// BenchmarkStore_Queue reads what the queue's page shows, over many cases and
// over few: ratio says how many times longer the many take.
func BenchmarkStore_Queue(b *testing.B) {
	const few, many = 500, 50_000
	queue := func(cases int) func() {
		db, s := MustOpen(b)
		sub := MustSubmit(b, s)
		mustMultiply(b, db, cases)
		reach := permission.Reach{Units: []uuid.UUID{sub.Request.UnitID, uuid.New()}}
		first, err := s.CaseState(context.Background(), reach, sub.UID)
		MustDo(b, err)
		since := first.At.Add(time.Duration(cases-100) * time.Microsecond)
		return func() { readQueue(b, s, reach, since) }
	}
	small, large := queue(few), queue(many)
	timed := func(fn func()) float64 {
		start := time.Now()
		fn()
		return float64(time.Since(start))
	}
	var ofFew, ofMany float64
	for b.Loop() {
		ofFew += timed(small)
		ofMany += timed(large)
	}
	b.ReportMetric(ofMany/ofFew, "ratio")
}

func readQueue(b *testing.B, s *deskstore.Store, reach permission.Reach, since time.Time) {
	b.Helper()
	ctx := context.Background()
	for _, q := range []desk.Query{{Limit: 51}, {Limit: 51, Group: desk.GroupOf(desk.Queued, "")}} {
		_, err := s.Cases(ctx, reach, q)
		MustDo(b, err)
	}
	_, err := s.Counts(ctx, reach, since)
	MustDo(b, err)
}

// mustMultiply copies the first submission until there are n, one microsecond
// after the other.
func mustMultiply(b *testing.B, db engine.DB, n int) {
	b.Helper()
	ctx := context.Background()
	MustDo(b, db.Write(ctx, func(tx *engine.Tx) error {
		var names, values []string
		rows, err := tx.Query(ctx, `SELECT name FROM pragma_table_info('submission')`)
		MustDo(b, err)
		for rows.Next() {
			var name string
			MustDo(b, rows.Scan(&name))
			value, own := map[string]string{
				"id": "i", "uid": "randomblob(16)", "token": "randomblob(16)", "idempotency_key": "hex(randomblob(16))",
				"provider_guide": "substr(hex(randomblob(10)), 1, 20)", "created_at": "created_at + i",
			}[name]
			if !own {
				value = name
			}
			names, values = append(names, name), append(values, value)
		}
		MustDo(b, rows.Err())
		MustDo(b, rows.Close())
		for _, statement := range []string{
			`WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
				INSERT INTO submission (` + strings.Join(names, ", ") + `) SELECT ` + strings.Join(values, ", ") + ` FROM submission, n WHERE id = 1`,
			`INSERT INTO submission_procedure (submission_id, position, code, name, quantity) SELECT id, 0, '1', 'Um', 1
				FROM submission WHERE id > 1 AND id <= ?1`,
			`INSERT INTO submission_state (submission_id, unit_uid, state, queue_group, origin, changed_at, due_at, deadline_at)
				SELECT s.id, st.unit_uid, st.state, st.queue_group, st.origin, s.created_at, st.due_at, st.deadline_at
				FROM submission s, submission_state st WHERE s.id > 1 AND s.id <= ?1`,
		} {
			_, err := tx.Exec(ctx, statement, n)
			MustDo(b, err)
		}
		return nil
	}))
}

// BenchmarkStore_Beneficiaries searches among many beneficiaries as a person types.
func BenchmarkStore_Beneficiaries(b *testing.B) {
	for _, n := range []int{5_000, 300_000} {
		db, s := MustOpen(b)
		MustSubmit(b, s)
		for _, statement := range []string{
			`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
			INSERT INTO known (kind, place, key, submission_id, words) SELECT 'beneficiary', printf('%032x', i % 20), i, 1,
			json_extract('["Maria","Ana","João","Rui","Bia","Caio","Davi","Eva","Gil","Iara"]', '$[' || (i % 10) || ']') || ' ' ||
			json_extract('["Silva","Souza","Lima","Reis","Prado","Antunes","Leme","Rocha","Dias"]', '$[' || (i / 10 % 9) || ']') ||
			printf(' %c%c%c%c 0310%06d', 97 + i % 23, 97 + i / 23 % 23, 97 + i / 529 % 23, 97 + i / 7 % 23, i) FROM n`,
			`INSERT INTO known_text (known_text) SELECT 'rebuild' WHERE ? > 0`,
		} {
			MustDo(b, exec(db, statement, n))
		}
		for name, reach := range map[string]permission.Reach{"all": {All: true}, "unit": {Units: []uuid.UUID{{15: 7}}}} {
			for _, text := range []string{"ma", "maria", "maria silva", "sil mar ab", "031000", "0310004512"} {
				b.Run(fmt.Sprintf("%d/%s/%s", n, name, text), func(b *testing.B) {
					for b.Loop() {
						_, err := s.Beneficiaries(context.Background(), reach, text, 9)
						MustDo(b, err)
					}
				})
			}
		}
	}
}
