package client

import (
	"context"
	"net"
	"time"

	"guiche/internal/authorization"
)

// ahead is a connection that is made while its request is still being committed.
type ahead struct {
	by   *Client
	made chan connected // gets one, and is closed behind it
	stop context.CancelFunc
}

// connected is how connecting went.
type connected struct {
	conn net.Conn
	err  error
	at   time.Time
}

// aheadLasts is how long a connection may wait for its request. A service hangs up on who says nothing, and of a
// request that meets that nobody knows whether it arrived.
const aheadLasts = time.Second

// Connect implements desk.Service.
func (c *Client) Connect() authorization.Line {
	ctx, stop := context.WithCancel(context.Background())
	a := &ahead{by: c, made: make(chan connected, 1), stop: stop}
	go func() {
		defer close(a.made)
		if addr, ok := c.address(); ok {
			ctx, cancel := context.WithTimeout(ctx, c.cfg.ConnectTimeout)
			defer cancel()
			conn, err := c.connect(ctx, "tcp", addr)
			a.made <- connected{conn, err, time.Now()}
		}
	}()
	return a
}

// address is what net/http dials for the base URL; false where it has to be written in other letters first.
func (c *Client) address() (string, bool) {
	host, port := c.base.Hostname(), c.base.Port()
	for i := range len(host) {
		if host[i] >= 0x80 {
			return "", false
		}
	}
	switch {
	case port != "":
	case c.base.Scheme == "https":
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(host, port), true
}

// Close implements authorization.Line.
func (a *ahead) Close() {
	a.stop() // what is connected by now stays connected
	select {
	case made := <-a.made:
		made.close()
	default:
		go func() { made := <-a.made; made.close() }()
	}
}

func (m connected) close() {
	if m.conn != nil {
		_ = m.conn.Close() // nothing was sent
	}
}

// lineOf is the connection that was made for a request by this client, nil without one.
func (c *Client) lineOf(d authorization.Dispatch) *ahead {
	a, ok := d.Line.(*ahead)
	if !ok || a.by != c {
		return nil
	}
	return a
}

// take waits for the connection; false where there is none that a request could leave by.
func (a *ahead) take(ctx context.Context) (connected, bool) {
	if a == nil {
		return connected{}, false
	}
	select {
	case made, ok := <-a.made:
		if made.conn != nil && time.Since(made.at) > aheadLasts {
			made.close()
			return connected{}, false
		}
		return made, ok
	case <-ctx.Done():
		return connected{err: ctx.Err()}, true
	}
}
