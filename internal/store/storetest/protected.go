package storetest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

func scanText(row engine.Row) (text string, err error) { return text, row.Scan(&text) }

// CheckColumns holds that whatever a protected table holds is in the sums of its rows. A
// new column goes into Columns, at their end, and into Later with the value of rows from
// before.
func CheckColumns(t *testing.T, db engine.DB, protected []checksum.Table) {
	t.Helper()
	var tables []string
	for _, table := range protected {
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
	have := tablesWithSums(t, db)
	slices.Sort(tables)
	slices.Sort(have)
	if !slices.Equal(have, tables) {
		t.Errorf("with sums %q, protected %q", have, tables)
	}
}

// CheckWritten holds that all writing to protected tables in some packages goes through
// their checksum.Table.
func CheckWritten(t *testing.T, protected []checksum.Table, packages ...string) {
	t.Helper()
	var names []string
	for _, table := range protected {
		names = append(names, table.Name)
	}
	writes := regexp.MustCompile(`(?i)(INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE|REPLACE\s+INTO|DELETE\s+FROM)\s+(` +
		strings.Join(names, "|") + `)\b`)
	for _, folder := range packages {
		sources, _ := filepath.Glob(filepath.Join("..", folder, "*.go"))
		if len(sources) == 0 {
			t.Errorf("%s has no sources", folder)
		}
		for _, name := range sources {
			if strings.HasSuffix(name, "_test.go") {
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
}

// errUndo takes back what a transaction did.
var errUndo = errors.New("undo")

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// CheckEveryColumn holds that another value in any column of any protected row is found.
// The database, which is unguarded, has rows in every protected table.
func CheckEveryColumn(t *testing.T, db engine.DB, protected []checksum.Table) {
	t.Helper()
	ctx := t.Context()
	Unguard(t, db)
	for _, table := range protected {
		for _, c := range columnsOf(t, db, table.Name) {
			err := db.Write(ctx, func(tx *engine.Tx) error {
				changeOne(t, db, tx, table, c)
				damaged, err := table.Damaged(ctx, tx, `1 = 1`)
				must(t, err)
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

// dump is what protected rows hold, nil where it cannot be read.
func dump(ctx context.Context, db engine.DB, protected []checksum.Table) []byte {
	var all []byte
	for _, table := range protected {
		lines, err := engine.Get(ctx, db, func(tx *engine.Tx) ([]string, error) {
			return engine.List(ctx, tx, scanText, `SELECT json_array(`+hexed(table.Covered())+`) FROM `+table.Name+`
				ORDER BY `+strings.Join(table.Key, ", "))
		})
		if err != nil {
			return nil
		}
		for _, line := range lines {
			all = append(append(all, line...), '\n')
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

// CheckFlips holds that of bits that flip in the file of a database which nobody has open,
// all that change a protected value are found.
func CheckFlips(t *testing.T, path string, protected []checksum.Table, flips int) {
	t.Helper()
	checkFlips(t, path, path, protected, flips, sqlite.OpenCopy, func(content []byte) []part { return []part{{0, len(content)}} })
}

// CheckLogFlips is CheckFlips for what has been written to a database that is open and
// stands in its log.
func CheckLogFlips(t *testing.T, path string, protected []checksum.Table, flips int) {
	t.Helper()
	checkFlips(t, path, path+"-wal", protected, flips, sqlite.OpenToRead, latestPages)
}

// part is a part of a file.
type part struct{ from, size int }

// latestPages are the pages that a log holds last, each once: older ones are read no more.
func latestPages(log []byte) (parts []part) {
	const header, frameHeader = 32, 24
	size := int(binary.BigEndian.Uint32(log[8:]))
	latest := map[uint32]part{}
	for at := header; at+frameHeader+size <= len(log); at += frameHeader + size {
		if bytes.Equal(log[at+8:at+16], log[16:24]) { // of this log, not of one before
			latest[binary.BigEndian.Uint32(log[at:])] = part{at + frameHeader, size}
		}
	}
	for _, page := range slices.Sorted(maps.Keys(latest)) {
		parts = append(parts, latest[page])
	}
	return parts
}

// checkFlips is CheckFlips for one file of a database.
func checkFlips(t *testing.T, path, file string, protected []checksum.Table, flips int,
	open func(context.Context, string) (*sqlite.DB, error), parts func([]byte) []part) {
	t.Helper()
	ctx := t.Context()
	whole, err := os.ReadFile(file)
	must(t, err)
	look := func() (values []byte, inPages, inRows bool) {
		db, err := open(ctx, path)
		if err != nil {
			return nil, true, false
		}
		defer func() { _ = db.Close() }()
		inPages = db.Check(ctx) != nil
		err = checksum.Check(ctx, db, protected, func(checksum.Row) { inRows = true }, nil)
		return dump(ctx, db, protected), inPages, inRows || err != nil
	}
	want, _, _ := look()
	if want == nil {
		t.Fatal("the database cannot be read")
	}
	random := rand.New(rand.NewPCG(1, 2)) // the same flips each time
	all, different, byPages := parts(whole), 0, 0
	for range flips {
		flipped := slices.Clone(whole)
		p := all[random.IntN(len(all))]
		at := p.from + random.IntN(p.size)
		flipped[at] ^= 1 << random.IntN(8)
		must(t, os.WriteFile(file, flipped, 0o600))
		got, inPages, inRows := look()
		if bytes.Equal(got, want) {
			continue
		}
		different++
		if inPages {
			byPages++
		}
		if !inPages && !inRows {
			t.Errorf("a flip at byte %d changed a protected value and was not found", at)
		}
	}
	must(t, os.WriteFile(file, whole, 0o600))
	t.Logf("%d of %d flips changed a protected value; integrity_check alone found %d of them", different, flips, byPages)
	if different == 0 {
		t.Error("no flip changed anything")
	}
}
