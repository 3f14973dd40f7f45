//go:build unix

package postgres_test

import (
	"net"
	"testing"
	"time"

	"guiche/internal/postgres"
)

// TestSilent: whether something came is told at once, also while somebody waits for it, as the driver does
// after a write that took long.
func TestSilent(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = listener.Close() }()
	conn, err := net.Dial("tcp", listener.Addr().String())
	must(t, err)
	defer func() { _ = conn.Close() }()
	server, err := listener.Accept()
	must(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = conn.Read(make([]byte, 1)) // until the server hangs up
	}()
	told := make(chan bool)
	go func() {
		silent := true
		for began := time.Now(); time.Since(began) < 100*time.Millisecond; { // who reads has begun by then
			silent = silent && postgres.Silent(conn)
		}
		told <- silent
	}()
	select {
	case silent := <-told:
		if !silent {
			t.Error("something came that nobody sent")
		}
	case <-time.After(time.Minute):
		t.Error("it waits for who reads")
	}
	must(t, server.Close())
	<-ended
	if postgres.Silent(conn) {
		t.Error("the end of the connection is not seen")
	}
}
