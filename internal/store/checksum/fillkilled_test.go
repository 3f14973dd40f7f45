package checksum_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"

	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"
)

// The environment variables by which TestFill_killed starts its own binary again.
const (
	killedAt   = "GUICHE_TEST_KILLED_AT"
	killedPath = "GUICHE_TEST_KILLED_PATH"
)

// stepping is a context that is asked by each read and each commit, and counts that.
type stepping struct {
	context.Context
	asked *atomic.Int64
	at    int64 // the step at which the process is killed; 0 for never
}

// Done implements context.Context.
func (s stepping) Done() <-chan struct{} {
	if s.asked.Add(1) == s.at {
		if self, err := os.FindProcess(os.Getpid()); err == nil && self.Kill() == nil {
			select {} // until it is
		}
	}
	return s.Context.Done()
}

// fillAt fills a database in steps that are counted.
func fillAt(ctx context.Context, path string, at int64) (steps int64, err error) {
	db, err := sqlite.Open(ctx, sqlite.Options{Path: path, Migrations: schema})
	if err != nil {
		return 0, err
	}
	asked := &atomic.Int64{}
	err = checksum.Fill(stepping{ctx, asked, at}, db, tables)
	return asked.Load(), errors.Join(err, db.Close())
}

// TestFill_killed: wherever a process is killed that gives rows their sums, the next one
// gives the others theirs, and no row is damaged.
func TestFill_killed(t *testing.T) {
	if at, err := strconv.ParseInt(os.Getenv(killedAt), 10, 64); err == nil {
		_, err := fillAt(t.Context(), os.Getenv(killedPath), at)
		t.Fatalf("was not killed: %v", err)
	}
	db, path := MustOpen(t)
	fill(t, db, 1203, false)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	steps, err := fillAt(t.Context(), path, 0)
	const kills = 16
	if err != nil || steps < kills {
		t.Fatalf("%d steps, %v, want more", steps, err)
	}
	filled := map[int]bool{}
	for n := range int64(kills) {
		copied := filepath.Join(t.TempDir(), "rows.db")
		if err := os.WriteFile(copied, before, 0o600); err != nil {
			t.Fatal(err)
		}
		mustBeKilled(t, copied, 1+n*(steps-1)/(kills-1))
		filled[checkHalf(t, copied)] = true
	}
	if len(filled) < 4 {
		t.Errorf("so many rows were without a sum: %v, want several stages", filled)
	}
}

// mustBeKilled fills a database in another process, which is killed at a step.
func mustBeKilled(t *testing.T, path string, at int64) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFill_killed$") //nolint:gosec // this test
	cmd.Env = append(os.Environ(), killedAt+"="+fmt.Sprint(at), killedPath+"="+path)
	if out, err := cmd.CombinedOutput(); err == nil || cmd.ProcessState.String() != "signal: killed" {
		t.Fatalf("step %d: got %v, want it killed: %s", at, err, out)
	}
}

// checkHalf looks at what a killed process left, completes it, and returns how many rows
// were without a sum.
func checkHalf(t *testing.T, path string) (left int) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: path, Migrations: schema})
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
