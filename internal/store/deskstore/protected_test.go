package deskstore_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/sqlite"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"
	"guiche/migrations"

	"github.com/google/uuid"
)

// column is a column as the schema declares it.
type column struct{ name, kind string }

func columnsOf(t testing.TB, db *sqlite.DB, table string) []column {
	t.Helper()
	all, err := sqlite.Get(t.Context(), db, func(tx *sqlite.Tx) ([]column, error) {
		return sqlite.List(t.Context(), tx, func(row sqlite.Row) (c column, err error) {
			err = row.Scan(&c.name, &c.kind)
			return c, err
		}, `SELECT name, type FROM pragma_table_info(?) WHERE name <> 'checksum'`, table)
	})
	if err != nil || len(all) == 0 {
		t.Fatalf("%s: %d columns, error %v", table, len(all), err)
	}
	return all
}

// TestProtected_Columns: whatever a protected table holds is in the sums of its rows. A new
// column goes into Columns, at their end, and into Later with the value of rows from before.
func TestProtected_Columns(t *testing.T) {
	db, _ := MustOpen(t)
	var tables []string
	for _, table := range deskstore.ProtectedTables() {
		var want []string
		for _, c := range columnsOf(t, db, table.Name) {
			want = append(want, c.name)
		}
		covered := table.Covered()
		slices.Sort(want)
		slices.Sort(covered)
		if !slices.Equal(covered, want) {
			t.Errorf("%s: the sum covers %q, the table has %q", table.Name, covered, want)
		}
		tables = append(tables, table.Name)
	}
	have, err := sqlite.Get(t.Context(), db, func(tx *sqlite.Tx) ([]string, error) {
		return sqlite.List(t.Context(), tx, func(row sqlite.Row) (name string, err error) {
			err = row.Scan(&name)
			return name, err
		}, `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c ON c.name = 'checksum' WHERE m.type = 'table'`)
	})
	slices.Sort(tables)
	slices.Sort(have)
	if err != nil || !slices.Equal(have, tables) {
		t.Errorf("%v: with sums %q, protected %q", err, have, tables)
	}
}

// TestProtected_Written: all writing to protected tables goes through their checksum.Table:
// Insert, InsertNumbered, changeState, moveState, changeStates.
func TestProtected_Written(t *testing.T) {
	var names []string
	for _, table := range deskstore.ProtectedTables() {
		names = append(names, table.Name)
	}
	writes := regexp.MustCompile(`(?i)(INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE|REPLACE\s+INTO|DELETE\s+FROM)\s+(` +
		strings.Join(names, "|") + `)\b`)
	sources, _ := filepath.Glob("../*/*.go")
	for _, name := range sources {
		if strings.HasSuffix(name, "_test.go") || strings.Contains(name, "servicestore") || strings.Contains(name, "accessstore") {
			continue
		}
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range writes.FindAllString(string(content), -1) {
			t.Errorf("%s: %q writes a row without its checksum", name, found)
		}
	}
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
		MustDo(t, s.Settle(ctx, claims[0], to))
		if i%2 == 0 {
			again := sub
			again.UID, again.Token, again.IdempotencyKey, again.Attachments = uuid.New(), uuid.New(), uuid.NewString(), nil
			MustDo(t, s.Resend(ctx, sub.UID, again, desk.Decision{By: sub.Sender, At: sub.At, Resent: again.UID}))
			cases = append(cases, again.UID)
			claims, err := s.Claim(ctx, lease, desk.Recipient{Name: "embutido"}, wide(1))
			MustDo(t, err)
			MustDo(t, s.Settle(ctx, claims[0], settlement(desk.Refused, desk.EventRefused)))
		}
	}
	return cases
}

// errUndo takes back what a transaction did.
var errUndo = errors.New("undo")

// unguarded takes away what keeps the schema's own rules, so that only sums are left.
func unguarded(ctx context.Context, tx *sqlite.Tx) error {
	if _, err := tx.Exec(ctx, `PRAGMA ignore_check_constraints = ON`); err != nil {
		return err
	}
	triggers, err := sqlite.List(ctx, tx, func(row sqlite.Row) (name string, err error) {
		err = row.Scan(&name)
		return name, err
	}, `SELECT name FROM sqlite_master WHERE type = 'trigger'`)
	for _, name := range triggers {
		if _, err := tx.Exec(ctx, `DROP TRIGGER `+name); err != nil {
			return err
		}
	}
	return err
}

// changed is a value that no row has, by a column's type.
var changed = map[string]string{"INTEGER": `COALESCE(%c, 0) + 1000003`, "TEXT": `COALESCE(%c, '') || 'x'`, "BLOB": `randomblob(16)`}

// TestProtected_EveryColumn: another value in any column of any protected row is found.
func TestProtected_EveryColumn(t *testing.T) {
	ctx := t.Context()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "guiche.db"), Migrations: migrations.Desk})
	MustDo(t, err)
	t.Cleanup(func() { MustDo(t, db.Close()) })
	mustFillAll(t, newStore(db), 2)
	MustDo(t, db.Write(ctx, func(tx *sqlite.Tx) error { return unguarded(ctx, tx) }))
	for _, table := range deskstore.ProtectedTables() {
		for _, c := range columnsOf(t, db, table.Name) {
			err := db.Write(ctx, func(tx *sqlite.Tx) error {
				_, err := tx.Exec(ctx, `PRAGMA defer_foreign_keys = ON`)
				MustDo(t, err)
				result, err := tx.Exec(ctx, `UPDATE `+table.Name+` SET `+c.name+` = `+strings.ReplaceAll(changed[c.kind], "%c", c.name)+`
					WHERE (`+strings.Join(table.Key, ", ")+`) = (SELECT `+strings.Join(table.Key, ", ")+` FROM `+table.Name+` LIMIT 1)`)
				MustDo(t, err)
				if n, _ := result.RowsAffected(); n != 1 {
					t.Errorf("%s: no row to change", table.Name)
				}
				damaged, err := table.Damaged(ctx, tx, `1 = 1`)
				MustDo(t, err)
				if len(damaged) != 1 {
					t.Errorf("%s.%s: got %v, want the row that was changed", table.Name, c.name, damaged)
				}
				return errUndo
			})
			if !errors.Is(err, errUndo) {
				t.Fatalf("%s.%s: %v", table.Name, c.name, err)
			}
		}
	}
}

// TestStore_Damaged: a damaged case is shown and sent to nobody, and the others go on as
// if it were not there.
func TestStore_Damaged(t *testing.T) {
	ctx := t.Context()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(t.TempDir(), "guiche.db"), Migrations: migrations.Desk})
	MustDo(t, err)
	t.Cleanup(func() { MustDo(t, db.Close()) })
	s := deskstore.New(db, auditlog.New(db, audit.Key{1}))
	var told []string
	s.OnDamage(func(row checksum.Row) { told = append(told, row.String()) })
	bad, good := MustSubmit(t, s), MustSubmit(t, s)
	MustDo(t, db.Write(ctx, func(tx *sqlite.Tx) error { return unguarded(ctx, tx) }))
	MustDo(t, exec(db, `UPDATE submission SET card_number = '9' WHERE uid = ?`, sqlite.UID(bad.UID)))
	MustDo(t, exec(db, `UPDATE case_summary SET card_number = '9' WHERE uid = ?`, sqlite.UID(bad.UID)))

	cases, err := s.Cases(ctx, all, desk.Query{Limit: 10})
	MustDo(t, err)
	if len(cases) != 2 || cases[0].UID != good.UID || cases[0].Damaged ||
		cases[1].UID != bad.UID || !cases[1].Damaged || cases[1].CardNumber != "" {
		t.Errorf("list: got %+v, want the first damaged and nothing else of it", cases)
	}
	if _, err := s.Case(ctx, all, bad.UID); !problem.Is(err, problem.Damaged) {
		t.Errorf("case: got %v", err)
	}
	if !slices.Contains(told, "submission 1") {
		t.Errorf("told of %q", told)
	}
	lease := uuid.New()
	for range 2 {
		claims, err := s.Claim(ctx, lease, desk.Recipient{Name: "embutido"}, wide(1))
		MustDo(t, err)
		if len(claims) == 1 && claims[0].Case == good.UID {
			MustDo(t, s.Settle(ctx, claims[0], settlement(desk.Refused, desk.EventRefused)))
			return
		}
		if len(claims) != 0 {
			t.Fatalf("sent: got %+v", claims)
		}
	}
	t.Error("the other one is not sent")
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

// dump is what protected rows hold, nil where it cannot be read.
func dump(ctx context.Context, db *sqlite.DB) []byte {
	var all []byte
	for _, table := range deskstore.ProtectedTables() {
		err := db.Read(ctx, func(tx *sqlite.Tx) error {
			rows, err := tx.Query(ctx, `SELECT json_array(`+hexed(table.Covered())+`) FROM `+table.Name+` ORDER BY `+strings.Join(table.Key, ", "))
			if err != nil {
				return err
			}
			defer func() { _ = rows.Close() }()
			for rows.Next() {
				var line string
				if err := rows.Scan(&line); err != nil {
					return err
				}
				all = append(append(all, line...), '\n')
			}
			return rows.Err()
		})
		if err != nil {
			return nil
		}
	}
	return all
}

// hexed are columns with their types, whatever bytes are in them.
func hexed(columns []string) string {
	quoted := make([]string, len(columns))
	for i, c := range columns {
		quoted[i] = `typeof(` + c + `), hex(` + c + `)`
	}
	return strings.Join(quoted, ", ")
}

// TestProtected_Flips: of bits that flip in the file of a database, all that change a
// protected value are found.
func TestProtected_Flips(t *testing.T) {
	ctx, folder := t.Context(), t.TempDir()
	path := filepath.Join(folder, "guiche.db")
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Migrations: migrations.Desk})
	MustDo(t, err)
	mustFillAll(t, newStore(db), 30)
	MustDo(t, checksum.Fill(ctx, db, deskstore.ProtectedTables()))
	want := dump(ctx, db)
	MustDo(t, db.Close())
	whole, err := os.ReadFile(path)
	MustDo(t, err)
	copied := filepath.Join(folder, "copy.db")
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same flips each time
	changed, byPages := 0, 0
	for range *flips {
		flipped := slices.Clone(whole)
		at := random.IntN(len(flipped))
		flipped[at] ^= 1 << random.IntN(8)
		MustDo(t, os.WriteFile(copied, flipped, 0o600))
		differs, inPages, inRows := compare(ctx, copied, want)
		if !differs {
			continue
		}
		changed++
		if inPages {
			byPages++
		}
		if !inPages && !inRows {
			t.Errorf("a flip at byte %d changed a protected value and was not found", at)
		}
	}
	t.Logf("%d of %d flips changed a protected value; integrity_check alone found %d of them", changed, *flips, byPages)
	if changed == 0 {
		t.Error("no flip changed anything")
	}
}

var flips = flag.Int("flips", 100, "bits that TestProtected_Flips flips")

// compare says whether protected values of a file differ, and what finds it.
func compare(ctx context.Context, path string, want []byte) (differs, inPages, inRows bool) {
	db, err := sqlite.OpenCopy(ctx, path)
	if err != nil {
		return true, true, false
	}
	defer func() { _ = db.Close() }()
	inPages = db.Check(ctx) != nil
	err = checksum.Check(ctx, db, deskstore.ProtectedTables(), func(checksum.Row) { inRows = true }, nil)
	return !bytes.Equal(dump(ctx, db), want), inPages, inRows || err != nil
}
