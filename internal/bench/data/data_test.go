package data_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/bench/data"
	"guiche/internal/desk"
	"guiche/internal/keyfile"
	"guiche/internal/permission"
	"guiche/internal/sqlite"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/checksum"
	"guiche/internal/store/damagestore"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/keystore"
)

// cases are enough for each way in which a case ends that is not rare.
const cases = 400

func mustMake(t *testing.T, o data.Options) string {
	t.Helper()
	if err := data.Make(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	folder, err := o.Name(cases)
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestMake: the folder is whole, is not made twice, and takes the place of those of other
// schemas.
func TestMake(t *testing.T) {
	var log bytes.Buffer
	o := data.Options{Folder: t.TempDir(), Sizes: []int{cases}, Seed: 1, Log: &log}
	old := filepath.Join(o.Folder, "schema-00001.1", "1000")
	if err := os.MkdirAll(old, 0o700); err != nil {
		t.Fatal(err)
	}
	folder := mustMake(t, o)
	if _, err := os.Stat(old); !os.IsNotExist(err) {
		t.Errorf("what is of another schema: got %v, want it gone", err)
	}
	facts, err := data.Read(folder)
	if err != nil || facts.Cases != cases || len(facts.Units) != 6 || len(facts.Operators) != 5 || len(facts.Senders) != 8 {
		t.Errorf("facts: got %+v, %v", facts, err)
	}
	before, err := os.Stat(filepath.Join(folder, "bench.json"))
	if err != nil {
		t.Fatal(err)
	}
	mustMake(t, o)
	after, err := os.Stat(filepath.Join(folder, "bench.json"))
	if err != nil || !after.ModTime().Equal(before.ModTime()) || !strings.Contains(log.String(), "stands") {
		t.Errorf("it was made again: %v, %s", err, log.String())
	}
	t.Run("Whole", func(t *testing.T) { wantWhole(t, folder) })
}

// TestRested: the daily check was just done.
func TestRested(t *testing.T) {
	folder := mustMake(t, data.Options{Folder: t.TempDir(), Sizes: []int{cases}, Seed: 2, Log: t.Output()})
	if err := data.Rested(t.Context(), folder); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(folder, "desk", "guiche.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if at, err := damagestore.New(db, nil).LastCheck(t.Context()); err != nil || time.Since(at) > time.Hour {
		t.Errorf("checked last at %s, %v", at, err)
	}
}

// wantWhole looks at what was written as the program does.
func wantWhole(t *testing.T, folder string) {
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(folder, "desk", "guiche.db")})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	keys, err := keyfile.Open(t.Context(), keyfile.InFolder(filepath.Join(folder, "keys")), keystore.New(db))
	if err != nil {
		t.Fatal(err)
	}
	trail := auditlog.New(db, audit.Key(keys.Key(keyfile.Audit)))
	if err := trail.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	err = checksum.Check(t.Context(), db, deskstore.ProtectedTables(), func(r checksum.Row) { t.Errorf("%s is damaged", r) }, nil)
	if err != nil {
		t.Error(err)
	}
	for _, table := range []string{"checksum_pending", "queue_pending", "known_pending"} {
		pending, err := engine.Get(t.Context(), db, func(tx *engine.Tx) (n int, err error) {
			err = tx.QueryRow(t.Context(), `SELECT COUNT(*) FROM `+table).Scan(&n)
			return n, err
		})
		if pending > 0 || err != nil {
			t.Errorf("%s has %d rows, %v: the next start would work on them", table, pending, err)
		}
	}
	counts, err := deskstore.New(db, trail).Cases(t.Context(), permission.Reach{All: true}, desk.Query{Limit: desk.MaxPage})
	if err != nil || len(counts) != desk.MaxPage {
		t.Errorf("got %d cases, %v", len(counts), err)
	}
	groups := map[any]bool{}
	for _, c := range counts {
		groups[c.Group] = true
	}
	if len(groups) < 5 {
		t.Errorf("got the groups %v, want most of them", groups)
	}
}

// TestSpan: a million cases are of three years, and few of two weeks.
func TestSpan(t *testing.T) {
	const day = 24 * time.Hour
	for cases, want := range map[int]time.Duration{1000: 14 * day, 20_000: 21*day + 21*time.Hour + 36*time.Minute, 1_000_000: 3 * 365 * day} {
		if got := data.Span(cases); got != want {
			t.Errorf("%d cases: got %s, want %s", cases, got, want)
		}
	}
}
