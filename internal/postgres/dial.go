package postgres

import (
	"context"
	"errors"
	"net"
	"sync"
	"syscall"
	"time"
)

const (
	// goneAfter is how long a machine that acknowledges nothing counts as there.
	goneAfter = 15 * time.Second
	// probeEvery is how often it is asked while nothing else is sent.
	probeEvery = 5 * time.Second
	// answerLate is how much later than its time limit on the server a statement's answer may come.
	answerLate = 5 * time.Second
)

// dial connects to a server. One whose machine is gone, or the way to it, says no word: without the limits
// here who waits for it would do so for up to a quarter of an hour.
func dial(ctx context.Context, network, address string) (net.Conn, error) {
	d := net.Dialer{Control: endUnacknowledged, KeepAliveConfig: net.KeepAliveConfig{
		Enable: true, Idle: probeEvery, Interval: probeEvery, Count: int(goneAfter/probeEvery) - 1}}
	return d.DialContext(ctx, network, address)
}

// dialPatient dials connections whose server is to say something within a time once it was asked: a machine
// may be there and the server, or a pooler before it, hang.
func dialPatient(patience time.Duration) func(ctx context.Context, network, address string) (net.Conn, error) {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return &patient{Conn: c, patience: patience}, nil
	}
}

// patient is a connection on which each read and write has a deadline, unless the driver sets one.
type patient struct {
	net.Conn
	patience time.Duration

	mu     sync.Mutex
	others bool // the deadline in force is the driver's
}

// Read implements net.Conn.
func (p *patient) Read(b []byte) (int, error) {
	if err := p.bound(p.Conn.SetReadDeadline); err != nil {
		return 0, err
	}
	return p.Conn.Read(b)
}

// Write implements net.Conn.
func (p *patient) Write(b []byte) (int, error) {
	if err := p.bound(p.Conn.SetWriteDeadline); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}

func (p *patient) bound(set func(time.Time) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.others {
		return nil
	}
	return set(time.Now().Add(p.patience))
}

// SetDeadline implements net.Conn.
func (p *patient) SetDeadline(t time.Time) error { return p.setOther(p.Conn.SetDeadline, t) }

// SetReadDeadline implements net.Conn.
func (p *patient) SetReadDeadline(t time.Time) error { return p.setOther(p.Conn.SetReadDeadline, t) }

// SetWriteDeadline implements net.Conn.
func (p *patient) SetWriteDeadline(t time.Time) error { return p.setOther(p.Conn.SetWriteDeadline, t) }

func (p *patient) setOther(set func(time.Time) error, t time.Time) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.others = !t.IsZero()
	return set(t)
}

// SyscallConn implements syscall.Conn, see silent.
func (p *patient) SyscallConn() (syscall.RawConn, error) {
	if c, ok := p.Conn.(syscall.Conn); ok {
		return c.SyscallConn()
	}
	return nil, errors.ErrUnsupported
}

// forget gives up the connections that wait for the next transaction, where the server said nothing on one: each of them
// would have somebody wait as long.
func (db *DB) forget(err error) {
	var failed net.Error
	if errors.As(err, &failed) && failed.Timeout() {
		db.reader.Reset()
		db.writer.Reset()
	}
}
