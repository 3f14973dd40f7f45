package ingress

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// bufferSize is that of the buffer before a connection of net/http. What is as long is its beginning: more follows.
const bufferSize = 4096

// Write implements net.Conn. What more follows leaves with it: a page is one packet's work for the system and wakes
// its reader once, which is a fifteenth of the time of a list.
func (c *conn) Write(p []byte) (n int, err error) {
	if len(p) == bufferSize {
		n = c.hold(p)
	}
	if n == len(p) {
		return n, nil
	}
	c.holds.Store(false)
	rest, err := c.Conn.Write(p[n:])
	return n + rest, err
}

// hold has the system keep bytes until more follow, and returns how many it took: none where it has no room.
func (c *conn) hold(p []byte) (n int) {
	plain, ok := c.Conn.(syscall.Conn)
	if !ok {
		return 0
	}
	raw, err := plain.SyscallConn()
	if err != nil {
		return 0
	}
	c.holds.Store(true)
	err = raw.Write(func(fd uintptr) bool {
		n, _ = unix.SendmsgN(int(fd), p, nil, nil, unix.MSG_MORE|unix.MSG_DONTWAIT|unix.MSG_NOSIGNAL)
		return true
	})
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// Read implements net.Conn. Whoever waits for the next request has nothing more to write: a page that was just as
// long as the buffer leaves now.
func (c *conn) Read(p []byte) (int, error) {
	if c.holds.Swap(false) {
		if tcp, ok := c.Conn.(interface{ SetNoDelay(bool) error }); ok {
			_ = tcp.SetNoDelay(true) // which sends what is held; the system does after a while
		}
	}
	return c.Conn.Read(p)
}
