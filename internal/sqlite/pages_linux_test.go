package sqlite_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"guiche/internal/sqlite"
	"guiche/internal/store/engine"

	driver "modernc.org/sqlite"
)

// TestOpen_DataSync: a commit waits for its bytes alone; the driver's default waits for times of files as well.
func TestOpen_DataSync(t *testing.T) {
	open(t, filepath.Join(t.TempDir(), "synced.db"))
	if !driver.FdatasyncEnabled() {
		t.Error("commits wait with fsync")
	}
}

// TestDB_Read_KeepsPages: after somebody else's commit a reader asks the disk for the pages that it wrote,
// and for no others.
func TestDB_Read_KeepsPages(t *testing.T) {
	db := open(t, filepath.Join(t.TempDir(), "pages.db"))
	change(t, db, `CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`)
	change(t, db, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
		INSERT INTO row SELECT i, hex(randomblob(500)) FROM n`)
	all := sqlite.PagesRead(t.Context(), db, func(tx *engine.Tx) { sum(t, tx) })
	for i := range 5 {
		change(t, db, fmt.Sprintf(`UPDATE row SET text = 'changed' WHERE id = %d`, 100*i+1))
		again := sqlite.PagesRead(t.Context(), db, func(tx *engine.Tx) { sum(t, tx) })
		if all < 200 || again > 3 {
			t.Errorf("commit %d: %d pages read at first and %d then, want a few", i, all, again)
		}
	}
}

// TestDB_Read_OfNow: whatever others do with a database, also over connections that are not ours, a reader that
// keeps pages finds what somebody finds who opens it anew, and its indexes and its texts are those of its rows.
func TestDB_Read_OfNow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "now.db")
	db, other := open(t, path), open(t, path)
	foreign, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = foreign.Close() })
	change(t, db, `CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`)
	change(t, db, `CREATE INDEX row_text ON row (text)`)
	change(t, db, `CREATE VIRTUAL TABLE word USING fts5 (text, content='', contentless_delete=1)`)
	random := rand.New(rand.NewPCG(3, 5))
	for round := range 250 {
		statement := anyChange(random)
		if random.IntN(3) > 0 {
			change(t, []*sqlite.DB{db, other}[random.IntN(2)], statement)
		} else if _, err := foreign.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
		if random.IntN(20) == 0 {
			_, _ = foreign.ExecContext(t.Context(), anyUpkeep(random)) // whoever reads may be in its way
		}
		for range random.IntN(3) {
			want := allFound(t, open(t, path))
			if got := allFound(t, db); got != want {
				t.Fatalf("round %d: after %s a reader found %s, want %s", round, statement, got, want)
			}
		}
		if round%50 == 49 {
			if err := db.Check(t.Context()); err != nil {
				t.Fatalf("round %d: %v", round, err)
			}
		}
	}
}

// TestDB_Read_OtherLog: a reader finds what was written while the log was begun anew and became longer than it
// was, and behind what the first part of its index names.
func TestDB_Read_OtherLog(t *testing.T) {
	for name, longer := range map[string]func(*sqlite.DB, string){
		"BegunAnew": func(db *sqlite.DB, path string) {
			checkpoint(t, path)
			change(t, db, `UPDATE row SET text = 'changed' WHERE id = 1`)
			for range 20 {
				change(t, db, `UPDATE row SET text = hex(randomblob(500)) WHERE id > 900`)
			}
		},
		"Long": func(db *sqlite.DB, _ string) {
			held, err := db.Snapshot(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = held.Close() })
			for range 20 {
				change(t, db, `UPDATE row SET text = hex(randomblob(500))`)
				change(t, db, `UPDATE row SET text = 'changed' WHERE id = 1`)
				sqlite.PagesRead(t.Context(), db, func(tx *engine.Tx) { sum(t, tx) })
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.db")
			db := open(t, path)
			change(t, db, `CREATE TABLE row (id INTEGER PRIMARY KEY, text TEXT NOT NULL)`)
			change(t, db, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
				INSERT INTO row SELECT i, hex(randomblob(500)) FROM n`)
			var before, after, want int
			sqlite.PagesRead(t.Context(), db, func(tx *engine.Tx) { before = sum(t, tx) })
			longer(db, path)
			change(t, db, `UPDATE row SET text = text || '.' WHERE id = 500`)
			sqlite.PagesRead(t.Context(), db, func(tx *engine.Tx) { after = sum(t, tx) })
			sqlite.PagesRead(t.Context(), open(t, path), func(tx *engine.Tx) { want = sum(t, tx) })
			if after != want || after == before {
				t.Errorf("found %d and then %d, want %d", before, after, want)
			}
		})
	}
}

// checkpoint folds the log into the file and has it begun anew.
func checkpoint(t *testing.T, path string) {
	t.Helper()
	foreign, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = foreign.Close() }()
	if _, err = foreign.ExecContext(t.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`); err != nil {
		t.Fatal(err)
	}
}

// anyChange is a statement about some rows: a few or many, short or over pages of their own.
func anyChange(random *rand.Rand) string {
	id, rows, size := random.IntN(3000), 1+random.IntN(8), 1+random.IntN(40)
	if random.IntN(10) == 0 {
		rows = 200
	}
	if random.IntN(10) == 0 {
		size = 9000
	}
	switch random.IntN(6) {
	case 0:
		return fmt.Sprintf(`DELETE FROM row WHERE id BETWEEN %d AND %d`, id, id+rows)
	case 1:
		return fmt.Sprintf(`UPDATE row SET text = hex(randomblob(%d)) WHERE id BETWEEN %d AND %d`, size, id, id+rows)
	case 2:
		return fmt.Sprintf(`INSERT INTO word (rowid, text) VALUES (%d, 'palavra p%d')`, 1+random.Int64(), id%9)
	case 3:
		return fmt.Sprintf(`CREATE TABLE IF NOT EXISTS more%d (id INTEGER PRIMARY KEY, text TEXT)`, id%4)
	case 4:
		return fmt.Sprintf(`DROP TABLE IF EXISTS more%d`, id%4)
	}
	return fmt.Sprintf(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)
		INSERT INTO row (text) SELECT hex(randomblob(%d)) FROM n`, rows, size)
}

// anyUpkeep is a statement that moves pages about.
func anyUpkeep(random *rand.Rand) string {
	return []string{`PRAGMA wal_checkpoint(PASSIVE)`, `PRAGMA wal_checkpoint(RESTART)`, `PRAGMA wal_checkpoint(TRUNCATE)`, `VACUUM`,
		`INSERT INTO word (word) VALUES ('optimize')`}[random.IntN(5)]
}

// TestDB_Read_Beside: while others commit and checkpoint, each reader finds all of a commit or nothing of it.
func TestDB_Read_Beside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "beside.db")
	db, other := open(t, path), open(t, path)
	change(t, db, `CREATE TABLE row (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, text TEXT NOT NULL)`)
	change(t, db, `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
		INSERT INTO row SELECT i, 100, hex(randomblob(300)) FROM n`)
	var over atomic.Bool
	var readers, writers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			for !over.Load() {
				var total int
				err := db.Read(t.Context(), func(tx *engine.Tx) error {
					return tx.QueryRow(t.Context(), `SELECT sum(n) FROM row WHERE length(text) > 0`).Scan(&total)
				})
				if err != nil || total != 50_000 {
					t.Errorf("found %d, %v; want 50000", total, err)
					return
				}
			}
		})
	}
	for i, db := range []*sqlite.DB{db, other} {
		writers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i), 9))
			for range 100 {
				from, to := 1+random.IntN(500), 1+random.IntN(500)
				change(t, db, fmt.Sprintf(`UPDATE row SET n = n + CASE id WHEN %d THEN -1 ELSE 1 END
					WHERE id IN (%d, %d) AND %d <> %d`, from, from, to, from, to))
			}
		})
	}
	writers.Wait()
	over.Store(true)
	readers.Wait()
}

// change runs a statement.
func change(t *testing.T, db *sqlite.DB, statement string) {
	t.Helper()
	err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), statement)
		return err
	})
	if err != nil {
		t.Errorf("%s: %v", statement, err)
	}
}

// sum reads all rows.
func sum(t *testing.T, tx *engine.Tx) (length int) {
	t.Helper()
	if err := tx.QueryRow(t.Context(), `SELECT sum(length(text)) FROM row`).Scan(&length); err != nil {
		t.Error(err)
	}
	return length
}

// allFound is what a reader finds: the tables, the rows by the table and by its index, and some words.
func allFound(t *testing.T, db *sqlite.DB) (all string) {
	t.Helper()
	err := db.Read(t.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT (SELECT group_concat(name) FROM sqlite_schema) || '; ' ||
			(SELECT count(*) || ' ' || coalesce(sum(id * length(text)), 0) || ' ' || coalesce(max(text), '') FROM row NOT INDEXED) || '; ' ||
			(SELECT count(*) || ' ' || coalesce(sum(id * length(text)), 0) FROM row INDEXED BY row_text WHERE text > '') || '; ' ||
			(SELECT count(*) || ' ' || coalesce(sum(rowid % 1000), 0) FROM word WHERE word MATCH 'p3 OR p5')`).Scan(&all)
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
