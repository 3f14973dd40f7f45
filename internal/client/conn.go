package client

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
)

// byteCounter counts what one attempt hands to its connections. It counts before the
// bytes are passed on, so that 0 proves that nothing was sent; once sealed, it
// lets nothing more through, so that the number stays true.
type byteCounter struct {
	progress  func()       // called after every write; may be nil
	ready     func() error // asked before the first byte; nil: always ready
	line      *ahead       // the connection that was made for it; nil: a new one
	connected atomic.Bool

	mu     sync.Mutex
	sent   int64
	sealed bool
}

// add counts n bytes about to be written; false means that they must not be.
func (m *byteCounter) add(n int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.sealed || m.sent == 0 && m.ready != nil && m.ready() != nil {
		return false
	}
	m.sent += int64(n)
	return true
}

// seal ends the attempt and returns what was sent.
func (m *byteCounter) seal() int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.sealed = true
	return m.sent
}

// countingConn is a connection, above TLS, whose writes are counted.
//
// A service may refuse a large body early and hang up while we still write. The
// failing write must then not tear down the connection before the answer that
// already arrived has been read: it is held back until the reading side ends.
type countingConn struct {
	net.Conn
	count *byteCounter
	ended chan struct{} // reading has ended, or the connection was closed
	once  sync.Once
}

func newCountingConn(c net.Conn, m *byteCounter) *countingConn {
	m.connected.Store(true)
	return &countingConn{Conn: c, count: m, ended: make(chan struct{})}
}

func (c *countingConn) Write(p []byte) (int, error) {
	if !c.count.add(len(p)) {
		return 0, net.ErrClosed
	}
	n, err := c.Conn.Write(p)
	if err != nil {
		<-c.ended
	} else if c.count.progress != nil {
		c.count.progress()
	}
	return n, err
}

func (c *countingConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil {
		c.end()
	}
	return n, err
}

func (c *countingConn) Close() error {
	c.end()
	return c.Conn.Close()
}

func (c *countingConn) end() { c.once.Do(func() { close(c.ended) }) }

// Sizes of the buffers that a connection is made with, and cleared: each attempt has a
// connection of its own.
const (
	readBuffer    = 16 << 10
	mostToWrite   = 64 << 10
	roomForHeader = 4 << 10
)

// newTransport returns a transport of its own for requests of at most about that size: no
// proxy from the environment, HTTP/1.1 only, nothing decompressed. A byteCounter, where
// given, counts all that is written through it, and no connection serves a second request.
//
// Keep-alives stay on even there: with "Connection: close" early refusals of
// large bodies get lost.
func (c *Client) newTransport(m *byteCounter, size int64) *http.Transport {
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		return c.dial(ctx, network, addr, m)
	}
	t := &http.Transport{
		DialContext:            dial,
		DialTLSContext:         dial,
		DisableCompression:     true,
		MaxResponseHeaderBytes: 1 << 20,
		WriteBufferSize:        int(min(roomForHeader+size, mostToWrite)),
		ReadBufferSize:         readBuffer,
		Protocols:              http1Only(),
	}
	if m != nil {
		t.MaxIdleConnsPerHost = -1 // nor is what follows an answer read, and logged by net/http
	}
	return t
}

func http1Only() *http.Protocols {
	p := new(http.Protocols)
	p.SetHTTP1(true)
	return p
}

// dial returns a connection for a request: the one that was made ahead, or a new one.
func (c *Client) dial(ctx context.Context, network, addr string, m *byteCounter) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, c.cfg.ConnectTimeout)
	defer cancel()
	if m == nil {
		return c.connect(ctx, network, addr)
	}
	made, ok := m.line.take(ctx)
	if !ok {
		made.conn, made.err = c.connect(ctx, network, addr)
	}
	if made.err != nil {
		return nil, made.err
	}
	return newCountingConn(made.conn, m), nil
}

// connect makes a connection, with TLS where the service wants it.
func (c *Client) connect(ctx context.Context, network, addr string) (net.Conn, error) {
	conn, err := c.cfg.Dial(ctx, network, addr)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	if c.base.Scheme == "https" {
		return c.handshake(ctx, conn, addr)
	}
	return conn, nil
}

// handshake puts TLS on a connection; ALPN offers http/1.1 alone. The name in the certificate is the one that was
// dialled: that of the base URL may have letters that net/http writes in another way.
func (c *Client) handshake(ctx context.Context, conn net.Conn, addr string) (net.Conn, error) {
	cfg := &tls.Config{MinVersion: tls.VersionTLS12}
	if c.cfg.TLS != nil {
		cfg = c.cfg.TLS.Clone()
	}
	if c.cfg.Roots != nil {
		cfg.RootCAs = c.cfg.Roots()
	}
	if cfg.ServerName == "" {
		cfg.ServerName, _, _ = net.SplitHostPort(addr) // which net/http and address have put together
	}
	cfg.NextProtos = []string{"http/1.1"}
	secured := tls.Client(conn, cfg)
	if err := secured.HandshakeContext(ctx); err != nil {
		_ = conn.Close() // the handshake's error says why
		return nil, fmt.Errorf("TLS handshake: %w", err)
	}
	return secured, nil
}
