package postgres_test

import (
	"testing"

	"guiche/internal/store/engine"
)

// plans are how often the server ran a statement by a plan for any values, and by one for its own.
type plans struct{ generic, custom int }

func plansOf(t *testing.T, tx *engine.Tx, statement string) (p plans) {
	t.Helper()
	must(t, tx.QueryRow(t.Context(), `SELECT generic_plans, custom_plans FROM pg_prepared_statements
		WHERE position(CAST(? AS text) IN statement) = 1`, statement).Scan(&p.generic, &p.custom))
	return p
}

// TestTx_ByValue: a statement is planned once, unless its plan depends on its values.
func TestTx_ByValue(t *testing.T) {
	db := opened(t, loosely)
	note := func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `INSERT INTO note (text) VALUES (?)`, "Ana")
		return err
	}
	must(t, db.Write(t.Context(), note))
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
		const anyText = `SELECT 1 FROM note WHERE text = `
		thisText := `SELECT 2 FROM note` + tx.ByValue() + ` WHERE text = `
		for range 3 {
			for _, statement := range []string{anyText, thisText} {
				var n int
				must(t, tx.QueryRow(t.Context(), statement+`?`, "Ana").Scan(&n))
			}
		}
		if got, want := plansOf(t, tx, anyText), (plans{generic: 3}); got != want {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if got, want := plansOf(t, tx, thisText), (plans{custom: 3}); got != want {
			t.Errorf("by value: got %+v, want %+v", got, want)
		}
		return nil
	}))
}

// TestDB_Read_Compiled: no statement is compiled, which would take longer than to run it.
func TestDB_Read_Compiled(t *testing.T) {
	db := opened(t, nil)
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
		var jit string
		must(t, tx.QueryRow(t.Context(), `SELECT current_setting('jit')`).Scan(&jit))
		if jit != "off" {
			t.Errorf("jit is %s", jit)
		}
		return nil
	}))
}
