// Package postgrestest starts a PostgreSQL server of its own on a folder, for tests. It asks
// of the disk what an installation asks, so that a server that is killed keeps what it took; the
// folder is in memory where there is room, which makes that quick.
package postgrestest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"guiche/internal/notrun"

	"github.com/jackc/pgx/v5"
)

// script runs a server until its input ends: it outlives no test, however that ends. PostgreSQL
// refuses to run as root.
const script = `
set -eu
trap '' INT
place=${TMPDIR:-/tmp}
[ "$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 {print $4}')" -ge 2000000 ] 2>/dev/null && place=/dev/shm
dir=$(mktemp -d "$place/guiche-pg.XXXXXX")
trap 'pg_ctl -D "$dir/data" -m immediate stop >/dev/null 2>&1; rm -rf "$dir"' EXIT
initdb -D "$dir/data" -A trust -U guiche -E UTF8 --no-locale --no-sync >"$dir/log" 2>&1 || { cat "$dir/log" >&2; exit 1; }
settings="-c listen_addresses= -c max_connections=400 -c max_wal_size=128MB"
start() {
	pg_ctl -D "$dir/data" -l "$dir/log" -w -o "-k $dir $settings" start >/dev/null 2>&1 || {
		cat "$dir/log" >&2; exit 1; }
}
start
echo "$dir"
while read -r wish; do
	case $wish in
	start) start ;;
	kill) pg_ctl -D "$dir/data" -m immediate stop >/dev/null 2>&1 ;;
	esac
	echo done
done
`

// Server is a running server.
type Server struct {
	folder  string // of its socket
	wishes  io.WriteCloser
	answers *bufio.Reader
	stderr  *strings.Builder
	wait    func() error
}

// databases counts those that were made.
var databases atomic.Int64

// shared is the server of all tests of a binary; it ends with it.
var shared = sync.OnceValues(run)

// Database returns the URL of an empty database on the server that the tests of a binary share.
// Where there is no PostgreSQL that is said and counted, and the test is skipped.
func Database(tb testing.TB) string {
	tb.Helper()
	server, err := shared()
	return usable(tb, server, err).Database(tb)
}

// Start starts a server for a test alone, or skips the test.
func Start(tb testing.TB) *Server {
	tb.Helper()
	server, err := run()
	server = usable(tb, server, err)
	tb.Cleanup(func() {
		_ = server.wishes.Close()
		_ = server.wait()
	})
	return server
}

func usable(tb testing.TB, server *Server, err error) *Server {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
	if server == nil {
		notrun.Say(tb, "PostgreSQL: pg_ctl and initdb are not found (Debian: apt-get install postgresql)")
		tb.SkipNow()
	}
	return server
}

// run starts a server, nil where there is none on this machine.
func run() (*Server, error) {
	folder := programs()
	if folder == "" {
		return nil, nil //nolint:nilnil // as said
	}
	s := &Server{stderr: new(strings.Builder)}
	command := slices.Concat(asOrdinaryUser(), []string{"sh", "-c", script})
	cmd := exec.Command(command[0], command[1:]...) //nolint:gosec,noctx // it ends with its input
	cmd.Dir, cmd.Stderr = string(filepath.Separator), s.stderr
	cmd.Env = append(os.Environ(), "PATH="+folder+string(filepath.ListSeparator)+os.Getenv("PATH"))
	output, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if s.wishes, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	s.answers, s.wait = bufio.NewReader(output), cmd.Wait
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s.folder, err = s.answer()
	return s, err
}

// programs is the folder of PostgreSQL's programs, "" where they are not found. Debian keeps
// those of each version in a folder of its own.
func programs() string {
	if found, err := exec.LookPath("pg_ctl"); err == nil {
		return filepath.Dir(found)
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/pg_ctl")
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[len(found)-1])
}

// asOrdinaryUser begins a command that root gives.
func asOrdinaryUser() []string {
	if os.Geteuid() != 0 {
		return nil
	}
	return []string{"runuser", "-u", "postgres", "--"}
}

func (s *Server) answer() (string, error) {
	line, err := s.answers.ReadString('\n')
	if err != nil {
		return "", fmt.Errorf("the PostgreSQL server: %w: %s", s.wait(), s.stderr)
	}
	return strings.TrimSpace(line), nil
}

func (s *Server) do(tb testing.TB, wish string) {
	tb.Helper()
	_, err := io.WriteString(s.wishes, wish+"\n")
	if err == nil {
		_, err = s.answer()
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// Kill ends the server without letting it finish anything.
func (s *Server) Kill(tb testing.TB) {
	tb.Helper()
	s.do(tb, "kill")
}

// Start starts the server again after Kill.
func (s *Server) Start(tb testing.TB) {
	tb.Helper()
	s.do(tb, "start")
}

// Database returns the URL of an empty database.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	name := fmt.Sprintf("test%d", databases.Add(1))
	s.Exec(tb, `CREATE DATABASE `+name)
	return s.url(name)
}

// Copy returns the URL of a database of the test, on the server that the tests of a binary share, with
// what another one holds, to which nobody is connected.
func Copy(tb testing.TB, url string) string {
	tb.Helper()
	server, err := shared()
	server = usable(tb, server, err)
	config, err := pgx.ParseConfig(url)
	if err != nil {
		tb.Fatal(err)
	}
	name := fmt.Sprintf("test%d", databases.Add(1))
	server.Exec(tb, `CREATE DATABASE `+name+` TEMPLATE `+config.Database)
	tb.Cleanup(func() { server.Exec(tb, `DROP DATABASE `+name+` WITH (FORCE)`) })
	return server.url(name)
}

// Exec runs a statement as the owner of the server.
func (s *Server) Exec(tb testing.TB, statement string) {
	tb.Helper()
	ctx := context.Background() // a test has none any more when its databases go
	conn, err := pgx.Connect(ctx, s.url("postgres"))
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, statement); err != nil {
		tb.Fatal(err)
	}
}

func (s *Server) url(database string) string {
	return "postgres://guiche@/" + database + "?host=" + s.folder
}
