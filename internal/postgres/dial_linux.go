package postgres

import (
	"strings"
	"syscall"
)

// userTimeout is TCP_USER_TIMEOUT, which package syscall does not name.
const userTimeout = 0x12

// endUnacknowledged ends a connection of which the other machine acknowledges nothing for goneAfter. Probes
// alone do not: none is sent while something waits to be acknowledged.
func endUnacknowledged(network, _ string, c syscall.RawConn) (err error) {
	if !strings.HasPrefix(network, "tcp") {
		return nil
	}
	failed := c.Control(func(fd uintptr) {
		err = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, userTimeout, int(goneAfter.Milliseconds()))
	})
	if failed != nil {
		return failed
	}
	return err
}
