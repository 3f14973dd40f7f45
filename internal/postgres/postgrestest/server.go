// Package postgrestest starts a PostgreSQL server of its own on a folder, for tests. It asks
// of the disk what an installation asks, so that a server that is killed keeps what it took; the
// folder is in memory where there is room, which makes that quick.
package postgrestest

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"guiche/internal/notrun"

	"github.com/jackc/pgx/v5"
)

// script runs a server until its input ends: it outlives no test, however that ends. PostgreSQL
// refuses to run as root. Its rows stay where a folder for them is named.
const script = `
set -eu
trap '' INT
place=${TMPDIR:-/tmp}
[ -z "$1" ] && [ "$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 {print $4}')" -ge 2000000 ] 2>/dev/null && place=/dev/shm
dir=$(mktemp -d "$place/guiche-pg.XXXXXX")
data=${1:-$dir/data} mode=immediate log=128MB
[ -z "$1" ] || mode=fast log=1GB
trap 'pg_ctl -D "$data" -m $mode stop >/dev/null 2>&1; rm -rf "$dir"' EXIT
[ -e "$data/PG_VERSION" ] || initdb -D "$data" -A trust -U guiche -E UTF8 --no-locale --no-sync >"$dir/log" 2>&1 || {
	cat "$dir/log" >&2; exit 1; }
settings="-c max_connections=400 -c max_wal_size=$log -c listen_addresses="
[ -z "$2" ] || {
	(umask 077; echo "$GUICHE_TEST_PAIR" >"$dir/pair")
	settings="${settings}127.0.0.1 -p $2 -c ssl=on -c ssl_cert_file=$dir/pair -c ssl_key_file=$dir/pair"
}
start() {
	pg_ctl -D "$data" -l "$dir/log" -w -o "-k $dir $settings" start >/dev/null 2>&1 || {
		cat "$dir/log" >&2; exit 1; }
}
start
echo "$dir"
while read -r wish; do
	case $wish in
	start) start ;;
	kill) pg_ctl -D "$data" -m immediate stop >/dev/null 2>&1 ;;
	standby) pg_ctl -D "$data" -m fast stop >/dev/null 2>&1; touch "$data/standby.signal"; start ;;
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
	ended   chan string // databases of tests that are over
}

// databases counts those that were made.
var databases atomic.Int64

// shared is the server of all tests of a binary; it ends with it.
var shared = sync.OnceValues(func() (*Server, error) {
	server, err := run()
	if server != nil && err == nil {
		server.ended = make(chan string, undropped)
		go server.drop()
	}
	return server, err
})

// undropped is how many databases of 10 MB wait at most for being dropped.
const undropped = 32

// drop drops the databases of tests that are over. No test waits for that: the server looks ten times a
// second only whether who was connected has gone. What fails is left to the end of the server.
func (s *Server) drop() {
	for name := range s.ended {
		_ = s.Do(context.Background(), "postgres", `DROP DATABASE `+name+` WITH (FORCE)`)
	}
}

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
	tb.Cleanup(func() { _ = server.End() })
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
func run() (*Server, error) { return runOn("", nil) }

// OnFolder starts a server with its rows in a folder that stays, nil where there is none on this machine.
// Its user has to be let through to the folder. End ends it.
func OnFolder(folder string) (*Server, error) {
	folder, err := filepath.Abs(folder)
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	if err == nil && os.Geteuid() == 0 {
		err = giveAway(folder)
	}
	if err != nil {
		return nil, err
	}
	return runOn(folder, nil)
}

// giveAway gives a folder to the user as whom root runs the server.
func giveAway(folder string) error {
	to, err := user.Lookup(ordinaryUser)
	if err != nil {
		return err
	}
	uid, _ := strconv.Atoi(to.Uid)
	gid, _ := strconv.Atoi(to.Gid)
	return os.Chown(folder, uid, gid)
}

// End ends the server once it has written down what it holds.
func (s *Server) End() error {
	_ = s.wishes.Close() // it ends with its input
	return s.wait()
}

// Folder is that of the server's socket.
func (s *Server) Folder() string { return s.folder }

// URL is the address of a database.
func (s *Server) URL(database string) string { return s.url(database) }

// runOn is run with rows in a folder that stays, "" for one that goes, and with TLS, nil without.
func runOn(data string, over *secured) (*Server, error) {
	folder := programs()
	if folder == "" {
		return nil, nil
	}
	s := &Server{stderr: new(strings.Builder)}
	command := slices.Concat(asOrdinaryUser(), []string{"sh", "-c", script, "sh", data, over.portText()})
	cmd := exec.Command(command[0], command[1:]...) //nolint:noctx // it ends with its input
	cmd.Dir, cmd.Stderr = string(filepath.Separator), s.stderr
	cmd.Env = append(os.Environ(), "PATH="+folder+string(filepath.ListSeparator)+os.Getenv("PATH"), over.environment())
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

// ordinaryUser is who runs the server that root starts.
const ordinaryUser = "postgres"

// asOrdinaryUser begins a command that root gives.
func asOrdinaryUser() []string {
	if os.Geteuid() != 0 {
		return nil
	}
	return []string{"runuser", "-u", ordinaryUser, "--"}
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

// Standby starts the server again as one that repeats another: it is read, and takes nothing new.
func (s *Server) Standby(tb testing.TB) {
	tb.Helper()
	s.do(tb, "standby")
}

// Promote has a standby take over.
func (s *Server) Promote(tb testing.TB) {
	tb.Helper()
	s.Exec(tb, `SELECT pg_promote()`)
}

// byFile copies the files of a template rather than each of its pages through the log: a tenth of the time.
const byFile = ` STRATEGY file_copy`

// Database returns the URL of an empty database.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	name := fmt.Sprintf("test%d", databases.Add(1))
	s.Exec(tb, `CREATE DATABASE `+name+byFile)
	return s.url(name)
}

// Copy returns the URL of a database of the test, on the server that the tests of a binary share, with
// what another one holds, to which nobody is connected.
func Copy(tb testing.TB, url string) string {
	tb.Helper()
	server, name := copied(tb, url)
	tb.Cleanup(func() { server.ended <- name })
	return server.url(name)
}

// Keep is Copy for a database that outlives the test.
func Keep(tb testing.TB, url string) string {
	tb.Helper()
	server, name := copied(tb, url)
	return server.url(name)
}

func copied(tb testing.TB, url string) (server *Server, name string) {
	tb.Helper()
	server, err := shared()
	server = usable(tb, server, err)
	config, err := pgx.ParseConfig(url)
	if err != nil {
		tb.Fatal(err)
	}
	name = fmt.Sprintf("test%d", databases.Add(1))
	server.Exec(tb, `CREATE DATABASE `+name+` TEMPLATE `+config.Database+byFile)
	return server, name
}

// Exec runs a statement as the owner of the server.
func (s *Server) Exec(tb testing.TB, statement string) {
	tb.Helper()
	if err := s.Do(context.Background(), "postgres", statement); err != nil { // a test has no context when its databases go
		tb.Fatal(err)
	}
}

// Do runs statements on a database as the owner of the server.
func (s *Server) Do(ctx context.Context, database string, statements ...string) (err error) {
	conn, err := pgx.Connect(ctx, s.url(database))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	for _, statement := range statements {
		if _, err := conn.Exec(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}

func (s *Server) url(database string) string {
	return "postgres://guiche@/" + database + "?host=" + s.folder
}
