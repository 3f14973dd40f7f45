package main_test

import (
	"syscall"
	"testing"

	"guiche/internal/postgres/postgrestest"

	"github.com/jackc/pgx/v5"
)

// TestServe_StopsWhileTrailIsHeld: while another process keeps the trail, as one that hangs may, a process
// leaves what has no place in it yet to the others, and ends in order.
func TestServe_StopsWhileTrailIsHeld(t *testing.T) {
	url := postgrestest.Database(t)
	s := serve(t, MustBuild(t), "serve", "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--database", url, "--shutdown", "4s")
	s.line("Ctrl+C")
	holder, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{`BEGIN`, `LOCK TABLE desk.audit_unlinked`} {
		if _, err := holder.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.stop(syscall.SIGTERM); err != nil {
		t.Errorf("it ended with %v", err)
	}
}
