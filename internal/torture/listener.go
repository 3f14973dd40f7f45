package torture

import (
	"net"
	"sync"
	"time"
)

// connections is a listener that drops connections at bytes that the dice choose, or makes
// them slow.
type connections struct {
	net.Listener
	service *service
}

// Accept implements net.Listener.
func (l connections) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if kept := l.treat(conn); kept != nil {
			return kept, nil
		}
	}
}

// treat returns the connection as the service is to see it, nil for one that it never
// sees.
func (l connections) treat(conn net.Conn) net.Conn {
	s := l.service
	if !s.dice.chance(s.share(1, 4)) {
		return conn
	}
	faulty := &faultyConn{Conn: conn, readable: -1, writable: -1}
	name := ""
	switch s.dice.between(0, 7) {
	case 0:
		name = "reset before the request is read"
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	case 1:
		name = "closed before the request is read"
		_ = conn.Close()
	case 2:
		name, faulty.readable = "reset in the head of the request", s.dice.between(1, 150)
	case 3:
		name, faulty.readable = "reset in the body of the request", s.dice.between(300, 1600)
	case 4:
		name, faulty.writable = "reset in the head of the answer", s.dice.between(1, 100)
	case 5:
		name, faulty.piece, faulty.rest = "answer in small pieces", 64, 10*time.Millisecond
	default:
		name, faulty.piece, faulty.rest = "answer byte by byte", 1, 10*time.Millisecond
	}
	s.count(name)
	s.struck.Add(1)
	if name == "reset before the request is read" || name == "closed before the request is read" {
		s.unseen.Add(1)
		return nil
	}
	return faulty
}

// faultyConn is reset after so many bytes, or answers slowly.
type faultyConn struct {
	net.Conn
	mu                 sync.Mutex
	readable, writable int // bytes until the reset, negative: never
	piece              int // bytes that are written at a time, 0: all
	rest               time.Duration
}

// Read implements net.Conn.
func (c *faultyConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.spend(&c.readable, n) < n {
		return 0, net.ErrClosed
	}
	return n, err
}

// Write implements net.Conn.
func (c *faultyConn) Write(p []byte) (int, error) {
	if c.piece > 0 {
		return c.writeSlowly(p)
	}
	n, err := c.Conn.Write(p[:c.left(&c.writable, len(p))])
	if c.spend(&c.writable, len(p)) < len(p) {
		return n, net.ErrClosed
	}
	return n, err
}

func (c *faultyConn) writeSlowly(p []byte) (written int, err error) {
	for len(p) > 0 && err == nil {
		var n int
		n, err = c.Conn.Write(p[:min(c.piece, len(p))])
		p, written = p[n:], written+n
		<-time.After(c.rest)
	}
	return written, err
}

// left is how many of n bytes may pass.
func (c *faultyConn) left(limit *int, n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *limit < 0 {
		return n
	}
	return min(n, *limit)
}

// spend counts n bytes and returns how many of them were allowed; beyond that the
// connection is reset.
func (c *faultyConn) spend(limit *int, n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if *limit < 0 || n == 0 {
		return n
	}
	allowed := min(n, *limit)
	*limit -= allowed
	if allowed < n {
		if tcp, ok := c.Conn.(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		_ = c.Close()
	}
	return allowed
}
