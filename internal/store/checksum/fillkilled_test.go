package checksum_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"
	"guiche/internal/store/storetest"
)

// The environment variables by which TestFill_killed starts its own binary again.
const (
	killedAt   = "GUICHE_TEST_KILLED_AT"
	killedPath = "GUICHE_TEST_KILLED_PATH"
)

// moment is one at which a process is killed: "step 7", "statement 501".
type moment struct {
	what string
	n    int64
}

// stepping is a context that kills its process at a moment. Each read asks whether it is done,
// each write and each of its statements whether it has ended.
type stepping struct {
	context.Context
	at                moment
	steps, statements *atomic.Int64
}

func newStepping(ctx context.Context, at moment) stepping {
	return stepping{ctx, at, &atomic.Int64{}, &atomic.Int64{}}
}

// Done implements context.Context.
func (s stepping) Done() <-chan struct{} {
	s.count(s.steps, "step")
	return s.Context.Done()
}

// Err implements context.Context.
func (s stepping) Err() error {
	s.count(s.statements, "statement")
	return s.Context.Err()
}

func (s stepping) count(counter *atomic.Int64, what string) {
	if n := counter.Add(1); s.at != (moment{what, n}) {
		return
	}
	self, err := os.FindProcess(os.Getpid())
	if err := errors.Join(err, self.Kill()); err != nil {
		panic(err)
	}
	select {} // until it is
}

// fillAt fills a database until the moment, or to the end.
func fillAt(ctx context.Context, path string, at moment) (steps, statements int64, err error) {
	db, err := sqlite.Open(ctx, sqlite.Options{Strict: true, Path: path, Migrations: schema})
	if err != nil {
		return 0, 0, err
	}
	counting := newStepping(ctx, at)
	err = checksum.Fill(counting, db, tables)
	return counting.steps.Load(), counting.statements.Load(), errors.Join(err, db.Close())
}

// killedFill is what the started process does.
func killedFill(t *testing.T, at string) {
	t.Helper()
	var m moment
	if _, err := fmt.Sscan(at, &m.what, &m.n); err != nil {
		t.Fatal(err)
	}
	steps, statements, err := fillAt(t.Context(), os.Getenv(killedPath), m)
	if m.what == "step" && steps >= m.n || m.what == "statement" && statements >= m.n {
		select {} // the moment was another goroutine's, and the end is on its way
	}
	t.Fatalf("was not killed: %v", err)
}

// TestFill_killed: wherever a process is killed that gives rows their sums, at any of its
// steps and between two statements of one transaction, whole pieces have theirs; the next
// process gives the others theirs, and no row is damaged.
func TestFill_killed(t *testing.T) {
	if at := os.Getenv(killedAt); at != "" {
		killedFill(t, at)
	}
	storetest.OfSQLite(t) // the transaction of a process that is killed is the server's to end
	const rows, statementsKilled = 1203, 40
	db := MustOpen(t)
	fill(t, db, rows, false)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(db.Path())
	if err != nil {
		t.Fatal(err)
	}
	steps, statements, err := fillAt(t.Context(), db.Path(), moment{})
	if err != nil || steps < 8 || statements < 2*rows {
		t.Fatalf("%d steps, %d statements, %v, want more", steps, statements, err)
	}
	var moments []moment
	for n := range steps {
		moments = append(moments, moment{"step", n + 1})
	}
	for n := range int64(statementsKilled) {
		moments = append(moments, moment{"statement", 1 + n*(statements-1)/(statementsKilled-1)})
	}
	left := map[int]bool{}
	for _, at := range moments {
		copied := filepath.Join(t.TempDir(), "rows.db")
		if err := os.WriteFile(copied, before, 0o600); err != nil {
			t.Fatal(err)
		}
		mustBeKilled(t, copied, at)
		left[checkHalf(t, copied)] = true
	}
	if got, want := slices.Sorted(maps.Keys(left)), []int{203, 703, 1203, 1406, 1906, 2406}; !slices.Equal(got, want) {
		t.Errorf("so many rows were without a sum: %d, want whole pieces of both tables: %d", got, want)
	}
}

// mustBeKilled fills a database in another process, which is killed at a moment.
func mustBeKilled(t *testing.T, path string, at moment) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFill_killed$")
	cmd.Env = append(os.Environ(), killedAt+"="+fmt.Sprint(at.what, " ", at.n), killedPath+"="+path)
	if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.String() != "signal: killed" {
		t.Fatalf("%v: got %v, want it killed: %s", at, err, out)
	}
}

// checkHalf looks at what a killed process left, completes it, and returns how many rows
// were without a sum.
func checkHalf(t *testing.T, path string) (left int) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: path, Migrations: schema})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	left = without(t, db, "note") + without(t, db, "pair")
	for _, table := range tables {
		wantDamaged(t, db, table, false)
	}
	if err := checksum.Fill(t.Context(), db, tables); err != nil || without(t, db, "note")+without(t, db, "pair") != 0 {
		t.Errorf("the next fill: %v", err)
	}
	for _, table := range tables {
		wantDamaged(t, db, table, false)
	}
	return left
}
