package postgrestest

import (
	"net"
	"strconv"
	"testing"
)

// secured is where a server speaks TLS, and with what.
type secured struct {
	port int
	pair []byte // certificate and key
}

func (s *secured) portText() string {
	if s == nil {
		return ""
	}
	return strconv.Itoa(s.port)
}

// environment hands the pair to the server's user, to whom its file has to belong.
func (s *secured) environment() string {
	if s == nil {
		return "GUICHE_TEST_PAIR="
	}
	return "GUICHE_TEST_PAIR=" + string(s.pair)
}

// StartTLS starts a server for a test alone that speaks TLS at a port of 127.0.0.1, or skips the test. The
// pair is its certificate and key in PEM.
func StartTLS(tb testing.TB, pair []byte) (port string) {
	tb.Helper()
	over := &secured{port: freePort(tb), pair: pair}
	server, err := runOn("", over)
	server = usable(tb, server, err)
	tb.Cleanup(func() { _ = server.End() })
	return over.portText()
}

func freePort(tb testing.TB) int {
	tb.Helper()
	l, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port // it listens on TCP
}
