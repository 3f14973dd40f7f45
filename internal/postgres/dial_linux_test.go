package postgres_test

import (
	"net"
	"syscall"
	"testing"

	"guiche/internal/postgres"
)

// TestDial: the system ends a connection whose other machine acknowledges nothing any more.
func TestDial(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = listener.Close() }()
	conn, err := postgres.Dial(t.Context(), "tcp", listener.Addr().String())
	must(t, err)
	defer func() { _ = conn.Close() }()
	raw, err := conn.(syscall.Conn).SyscallConn()
	must(t, err)
	const userTimeout = 0x12 // TCP_USER_TIMEOUT
	var limit, probes int
	must(t, raw.Control(func(fd uintptr) {
		limit, _ = syscall.GetsockoptInt(int(fd), syscall.IPPROTO_TCP, userTimeout)
		probes, _ = syscall.GetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_KEEPALIVE)
	}))
	if limit != 15_000 || probes != 1 {
		t.Errorf("acknowledged within %d ms, probed %d", limit, probes)
	}
}
