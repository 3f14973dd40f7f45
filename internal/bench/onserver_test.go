package bench_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"guiche/internal/bench"
	"guiche/internal/bench/data"
	"guiche/internal/notrun"
)

// TestOnServer: each figure that is promised of PostgreSQL is printed, as one line of its own.
func TestOnServer(t *testing.T) {
	o := mustOptions(t)
	folder, err := os.MkdirTemp("", "bench") // the user who runs the server comes through
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	made := data.Options{Folder: filepath.Join(folder, "data"), Sizes: []int{120, 400}, Seed: 3, Log: t.Output()}
	if err := os.Chmod(folder, 0o711); err != nil {
		t.Fatal(err)
	}
	server, err := made.Serve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if server == nil {
		notrun.Say(t, "speed on PostgreSQL: pg_ctl and initdb are not found (Debian: apt-get install postgresql)")
		t.SkipNow()
	}
	var out bytes.Buffer
	if err := bench.OnServer(t.Context(), o, server, &bench.Table{Log: &out}); err != nil {
		t.Errorf("%v\n%s", err, out.String())
	}
	if err := server.End(); err != nil {
		t.Error(err)
	}
	for _, line := range []string{
		`history on PostgreSQL at 120, p50 over SQLite's: -?[\d.]+ ms`, `history on PostgreSQL growth 120 to 400: [\d.]+x`,
		`queue on PostgreSQL, ways to the server and back: \d+`, `searches on PostgreSQL at 400, p99: [\d.]+ ms`,
		`history on SQLite at 120, p50: [\d.]+ ms`, `queue on SQLite at 400, p99: [\d.]+ ms`,
		`the history's query in psql at 120, p50: [\d.]+ ms`, `the history's query in psql at 400, p99: [\d.]+ ms`,
		`the deep page's query in psql at 120, p50: [\d.]+ ms`, `the deep page's query in psql at 400, p99: [\d.]+ ms`,
		`authorizations a second with 1 process on PostgreSQL and S3: [\d.]+`,
		`authorizations a second with 2 processes on PostgreSQL and S3: [\d.]+`,
		`authorizations a second with 3 processes on PostgreSQL and S3: [\d.]+`,
		`submission on PostgreSQL at 120, p50: [\d.]+ ms`, `connections of a process after 16 callers: \d+`,
	} {
		if !regexp.MustCompile(`(?m)^` + line + `$`).MatchString(out.String()) {
			t.Errorf("no line like %q", line)
		}
	}
	t.Log(out.String())
}
