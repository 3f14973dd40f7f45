package engine_test

import (
	"testing"

	"guiche/internal/store/engine"
)

// TestNumbers: a list of any length is one value, in each engine.
func TestNumbers(t *testing.T) {
	onEach(t, func(t *testing.T, db engine.DB) {
		for _, tc := range []struct {
			numbers []int64
			names   []string
			want    int
		}{
			{nil, nil, 0},
			{[]int64{2}, []string{`d'Ávila "x"`}, 2},
			{[]int64{1, 2, 2, 1 << 60}, []string{"1", "\\", "none"}, 3},
		} {
			got, err := engine.Get(t.Context(), db, func(tx *engine.Tx) (n int, err error) {
				err = tx.QueryRow(t.Context(), `SELECT (SELECT count(*) FROM note WHERE id `+engine.InNumbers+`) +
					(SELECT count(*) FROM note WHERE text `+engine.InNames+`)`, engine.Numbers(tc.numbers), engine.Names(tc.names)).Scan(&n)
				return n, err
			})
			if err != nil || got != tc.want {
				t.Errorf("%v, %v: got %d, %v, want %d", tc.numbers, tc.names, got, err, tc.want)
			}
		}
	})
}

// TestTx_Placeholders: one without a number has that which follows the greatest before it.
func TestTx_Placeholders(t *testing.T) {
	onEach(t, func(t *testing.T, db engine.DB) {
		var of [3]int
		err := db.Read(t.Context(), func(tx *engine.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT CAST(?2 AS bigint), CAST(? AS bigint), CAST(?1 AS bigint)`, 10, 20, 30).
				Scan(&of[0], &of[1], &of[2])
		})
		if err != nil || of != [3]int{20, 30, 10} {
			t.Errorf("got %v, %v", of, err)
		}
	})
}
