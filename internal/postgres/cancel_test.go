package postgres_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
	"guiche/internal/store/engine"
)

// cancelRequest begins the only message of a connection that asks a server to stop another's statement.
const cancelRequest = 80877102

// slowToCancel stands before a server and answers no request to cancel; it hands on their connections.
func slowToCancel(t *testing.T, url string) (through string, asked <-chan net.Conn) {
	t.Helper()
	_, server, _ := strings.Cut(url, "host=")
	folder, err := os.MkdirTemp("", "slow") // the path of a socket is short
	must(t, err)
	const socket = ".s.PGSQL.5432"
	listener, err := net.Listen("unix", filepath.Join(folder, socket))
	must(t, err)
	t.Cleanup(func() { _ = errors.Join(listener.Close(), os.RemoveAll(folder)) })
	requests := make(chan net.Conn, 1)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			head := make([]byte, 8)
			if _, err := io.ReadFull(client, head); err == nil && binary.BigEndian.Uint32(head[4:]) == cancelRequest {
				_, _ = io.CopyN(io.Discard, client, int64(binary.BigEndian.Uint32(head)-8)) // a dozen
				requests <- client
				continue
			}
			go join(client, filepath.Join(server, socket), head)
		}
	}()
	return strings.Replace(url, server, folder, 1), requests
}

// join hands on what both sides say, after what was read already.
func join(client net.Conn, to string, read []byte) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial("unix", to)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	go func() {
		_, _ = server.Write(read)
		_, _ = io.Copy(server, client)
		_ = server.Close()
	}()
	_, _ = io.Copy(client, server)
}

// lock is a statement that waits for who ran it first.
const lock = `SELECT pg_advisory_xact_lock(7)::text`

// locked runs it, then what follows, and tells when that has ended.
func locked(ctx context.Context, db *postgres.DB, then func()) <-chan error {
	ended := make(chan error, 1)
	go func() {
		ended <- db.Read(ctx, func(tx *engine.Tx) error {
			var nothing string
			err := tx.QueryRow(ctx, lock).Scan(&nothing)
			then()
			return err
		})
	}()
	return ended
}

// awaitWaiting waits until somebody waits for that lock.
func awaitWaiting(t *testing.T, db *postgres.DB) {
	t.Helper()
	for n := 0; n == 0; {
		must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
			return tx.QueryRow(t.Context(), `SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND
				database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&n)
		}))
	}
}

// TestDB_Read_CanceledLate: a statement that ends before the server answers that it was asked to stop it:
// the answer is waited for all the same, and the connection serves again.
func TestDB_Read_CanceledLate(t *testing.T) {
	t.Parallel()
	url := postgrestest.Database(t)
	through, asked := slowToCancel(t, url)
	holder := opened(t, func(o *postgres.Options) { o.URL, o.Strict = url, false })
	db := opened(t, func(o *postgres.Options) { o.URL, o.Strict = through, false })
	holds, release := make(chan struct{}), make(chan struct{})
	held := locked(t.Context(), holder, func() { close(holds); <-release })
	<-holds
	ctx, cancel := context.WithCancel(t.Context())
	read := locked(ctx, db, func() {})
	awaitWaiting(t, holder)
	cancel()
	request := <-asked
	close(release)
	must(t, <-held)
	must(t, request.SetReadDeadline(time.Now().Add(time.Second/2)))
	if _, err := request.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("the request was given up: %v", err)
	}
	must(t, request.Close())
	if err := <-read; err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if n := count(t, db); n != 0 {
		t.Errorf("%d rows, want 0", n)
	}
}
