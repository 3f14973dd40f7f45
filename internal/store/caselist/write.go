package caselist

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"

	"guiche/internal/problem"
	"guiche/internal/sqlite"
)

// Begin writes the rows of cases that begin, counts them, and has their words found.
func Begin(ctx context.Context, tx *sqlite.Tx, rows ...Row) error {
	counts, ids := map[counter]int{}, make([]int64, len(rows))
	for i, r := range rows {
		if err := Table.Insert(ctx, tx, r.values()...); err != nil {
			return err
		}
		if c, counted := r.counter(); counted {
			counts[c]++
		}
		ids[i] = r.ID
	}
	for c, n := range counts {
		if err := count(ctx, tx, c, n); err != nil {
			return err
		}
	}
	return find(ctx, tx, ids...)
}

// Change changes the row of a case. One that is damaged or missing stays so until it is made
// again: it is no reason to leave the case as it is.
func Change(ctx context.Context, tx *sqlite.Tx, id int64, change func(*Row)) error {
	stored, err := Table.Rows(ctx, tx, `WHERE submission_id = ?`, id)
	if err != nil {
		return err
	}
	if len(stored) == 0 || stored[0].Damaged {
		return nil
	}
	var was Row
	if err := take(was.targets(), stored[0].Values); err != nil {
		return err
	}
	is := was
	change(&is)
	if is == was {
		return nil
	}
	if err := Table.Replace(ctx, tx, stored[0].Values, is.values()); err != nil {
		return err
	}
	return recount(ctx, tx, &was, &is)
}

// dayLength and dayBegins say what day of UTC-3, where most of Brazil lives, a moment is of.
const (
	dayLength = 24 * 3600 * 1_000_000
	dayBegins = 3 * 3600 * 1_000_000
)

// counter is a row of queue_count.
type counter struct{ group, day, unit int64 }

// counter returns where a case is counted.
func (r *Row) counter() (c counter, counted bool) {
	if r == nil || r.Corrected && r.Group != 0 {
		return c, false
	}
	return counter{r.Group, (r.CreatedAt - dayBegins) / dayLength, r.Unit}, true
}

// recount moves a case from the counter where it was to that where it is; nil is nowhere.
func recount(ctx context.Context, tx *sqlite.Tx, was, is *Row) error {
	from, left := was.counter()
	to, came := is.counter()
	if left == came && from == to {
		return nil
	}
	if left {
		if err := count(ctx, tx, from, -1); err != nil {
			return err
		}
	}
	if came {
		return count(ctx, tx, to, 1)
	}
	return nil
}

// count adds to a counter; one that counts nothing is no row.
func count(ctx context.Context, tx *sqlite.Tx, c counter, more int) error {
	const where = ` WHERE queue_group = ? AND day = ? AND unit = ?`
	if more < 0 {
		result, err := tx.Exec(ctx, `DELETE FROM queue_count`+where+` AND cases <= ?`, c.group, c.day, c.unit, -more)
		if err != nil {
			return sqlite.Error(err)
		}
		if gone, err := result.RowsAffected(); gone > 0 || err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE queue_count SET cases = cases + ?`+where, more, c.group, c.day, c.unit)
		return sqlite.Error(err)
	}
	_, err := tx.Exec(ctx, `INSERT INTO queue_count (queue_group, day, unit, cases) VALUES (?, ?, ?, ?)
		ON CONFLICT (queue_group, day, unit) DO UPDATE SET cases = cases + excluded.cases`, c.group, c.day, c.unit, more)
	return sqlite.Error(err)
}

// Kinds of filter values.
const (
	Unit       = "unit"
	Credential = "credential"
	Sender     = "sender"
)

// Value returns the number of a filter value, and has it called as it is now.
func Value(ctx context.Context, tx *sqlite.Tx, kind string, uid uuid.UUID, name string) (number int64, err error) {
	var called string
	err = sqlite.Error(tx.QueryRow(ctx, `SELECT id, name FROM filter_value WHERE kind = ? AND uid = ?`, kind, sqlite.UID(uid)).
		Scan(&number, &called))
	if err == nil && called == name {
		return number, nil
	}
	if err != nil && !problem.Is(err, problem.NotFound) {
		return 0, err
	}
	err = tx.QueryRow(ctx, `INSERT INTO filter_value (kind, uid, name) VALUES (?, ?, ?)
		ON CONFLICT (kind, uid) DO UPDATE SET name = excluded.name RETURNING id`, kind, sqlite.UID(uid), name).Scan(&number)
	return number, sqlite.Error(err)
}

// Learn has a case found by all words that it has by now.
func Learn(ctx context.Context, tx *sqlite.Tx, id int64) error {
	var same bool
	err := sqlite.Error(tx.QueryRow(ctx, `SELECT (h.names, h.numbers, h.procedures) = (w.names, w.numbers, w.procedures)
		FROM history_words w JOIN history h ON h.submission_id = w.submission_id WHERE w.submission_id = ?`, id).Scan(&same))
	if same {
		return nil
	}
	if err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	for _, statement := range []string{
		`INSERT INTO history_text (history_text, rowid, names, numbers, procedures)
			SELECT 'delete', submission_id, names, numbers, procedures FROM history WHERE submission_id = ?`,
		`DELETE FROM history WHERE submission_id = ?`,
	} {
		if _, err := tx.Exec(ctx, statement, id); err != nil {
			return sqlite.Error(err)
		}
	}
	return find(ctx, tx, id)
}

// find has cases found by their words that are not found yet.
func find(ctx context.Context, tx *sqlite.Tx, ids ...int64) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return fmt.Errorf("caselist: find: %w", err)
	}
	for _, statement := range []string{
		`INSERT INTO history (submission_id, names, numbers, procedures)
			SELECT submission_id, names, numbers, procedures FROM history_words WHERE submission_id IN (SELECT value FROM json_each(?))`,
		`INSERT INTO history_text (rowid, names, numbers, procedures)
			SELECT submission_id, names, numbers, procedures FROM history WHERE submission_id IN (SELECT value FROM json_each(?))
			ORDER BY submission_id`,
	} {
		if _, err := tx.Exec(ctx, statement, string(list)); err != nil {
			return sqlite.Error(err)
		}
	}
	return nil
}
