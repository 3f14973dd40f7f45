package postgrestest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"guiche/internal/notrun"

	"github.com/jackc/pgx/v5"
)

// pooling has each transaction take the next of a few connections, so that what a program told one of
// them is not there in the next.
const pooling = `[databases]
* = host=%s user=guiche
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = %[2]s
auth_type = any
pool_mode = transaction
default_pool_size = 5
max_client_conn = 500
logfile = %[2]s/log
pidfile = %[2]s/pid
`

// Pooled returns the URL of an empty database behind a PgBouncer of the test's own, in transaction mode.
// Where there is none that is said and counted, and the test is skipped.
func Pooled(tb testing.TB) string {
	tb.Helper()
	return Start(tb).Pooled(tb)
}

// Pooled is the same for a database of this server.
func (s *Server) Pooled(tb testing.TB) string {
	tb.Helper()
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		notrun.Say(tb, "PgBouncer: pgbouncer is not found (Debian: apt-get install pgbouncer)")
		tb.SkipNow()
	}
	config, err := pgx.ParseConfig(s.Database(tb))
	if err != nil {
		tb.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "pgb") // the path of a socket is short
	if err == nil {
		err = os.Chmod(folder, 0o777) // the ordinary user writes there, for the time of the test
	}
	file := filepath.Join(folder, "pgbouncer.ini")
	if err == nil {
		err = os.WriteFile(file, fmt.Appendf(nil, pooling, s.folder, folder), 0o644)
	}
	if err != nil {
		tb.Fatal(err)
	}
	command := slices.Concat(asOrdinaryUser(), []string{program, "-q", file})
	cmd := exec.Command(command[0], command[1:]...) //nolint:noctx // ended below
	cmd.Dir = string(filepath.Separator)
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM) // at once; after an interrupt it would wait for its clients
		_ = cmd.Wait()
		if tb.Failed() {
			said, _ := os.ReadFile(filepath.Join(folder, "log")) // the pooler's, made above
			tb.Logf("PgBouncer said:\n%s", said)
		}
		_ = os.RemoveAll(folder)
	})
	awaitPooler(tb, filepath.Join(folder, ".s.PGSQL.6432"))
	return "postgres://guiche@/" + config.Database + "?port=6432&host=" + folder
}

// awaitPooler waits until the pooler answers.
func awaitPooler(tb testing.TB, socket string) {
	tb.Helper()
	for end := time.After(20 * time.Second); ; {
		conn, err := new(net.Dialer).DialContext(context.Background(), "unix", socket)
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-end:
			tb.Fatalf("PgBouncer does not answer: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
