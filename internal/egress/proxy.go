// Package egress connects to the authorization service where a network asks for more
// than a plain connection: through a proxy, or to a certificate of a private authority.
// Both come from settings alone, never from the environment: whoever can set HTTP_PROXY
// must not get to see health data.
package egress

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"

	"golang.org/x/net/proxy"
)

// Dialer opens connections.
type Dialer func(ctx context.Context, network, addr string) (net.Conn, error)

// ErrProxyUnreachable says that nobody answers at the proxy's address, or nobody that
// speaks as its scheme says.
var ErrProxyUnreachable = errors.New("egress: the proxy cannot be reached")

// RefusedError says that the proxy answered and opened no connection.
type RefusedError struct {
	Status int // of HTTP; 0 from a SOCKS proxy
}

// Error implements error.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("egress: the proxy opened no connection (status %d)", e.Status)
}

// schemes are those of proxies, with their usual ports.
var schemes = map[string]string{"http": "80", "https": "443", "socks5": "1080"}

// Proxy opens connections through another machine: by CONNECT, or by SOCKS 5. Names are
// resolved there.
type Proxy struct {
	address  *url.URL // without a password
	password string
	roots    func() *tls.Config // for https proxies
}

// NewProxy checks an address such as http://proxy.clinica:3128, with a user where the
// proxy asks for one.
func NewProxy(address, password string) (*Proxy, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil || schemes[u.Scheme] == "" || u.Hostname() == "" || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/":
		return nil, errors.New("want http://, https:// or socks5:// with host and port, such as http://proxy.clinica:3128")
	case hasPassword(u):
		return nil, errors.New("the password does not belong into the address")
	case password != "" && u.User.Username() == "":
		return nil, errors.New("there is a password, and no user in the address (http://user@host:port)")
	}
	return &Proxy{address: u, password: password}, nil
}

func hasPassword(u *url.URL) bool {
	_, found := u.User.Password()
	return found
}

// String is the address without user and password.
func (p *Proxy) String() string { return p.address.Scheme + "://" + p.hostPort() }

func (p *Proxy) hostPort() string {
	port := p.address.Port()
	if port == "" {
		port = schemes[p.address.Scheme]
	}
	return net.JoinHostPort(p.address.Hostname(), port)
}

// DialContext connects to addr through the proxy, which dial reaches. Its errors are
// ErrProxyUnreachable, a RefusedError, or those of dial.
func (p *Proxy) DialContext(ctx context.Context, dial Dialer, network, addr string) (net.Conn, error) {
	if p.address.Scheme == "socks5" {
		return p.socks(ctx, dial, network, addr)
	}
	conn, err := p.reach(ctx, dial, network)
	if err != nil {
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	err = p.connect(conn, addr)
	if !stop() && err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// reach connects to the proxy itself.
func (p *Proxy) reach(ctx context.Context, dial Dialer, network string) (net.Conn, error) {
	conn, err := dial(ctx, network, p.hostPort())
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrProxyUnreachable, err)
	}
	if p.address.Scheme != "https" {
		return conn, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if p.roots != nil {
		config = p.roots()
	}
	config.ServerName, config.NextProtos = p.address.Hostname(), []string{"http/1.1"}
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrProxyUnreachable, err), conn.Close())
	}
	return secured, nil
}

// connect asks an HTTP proxy for a connection. Nothing of the request for the service has
// left before it stands. Any 2xx says that it does; what its head says of a body counts for nothing (RFC 9110, 9.3.6).
func (p *Proxy) connect(conn net.Conn, addr string) error {
	req := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: addr}, Host: addr, Header: http.Header{"User-Agent": {"Guiche"}}}
	if user := p.address.User.Username(); user != "" {
		req.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user+":"+p.password)))
	}
	if err := req.Write(conn); err != nil {
		return fmt.Errorf("%w: %w", ErrProxyUnreachable, err)
	}
	reader := bufio.NewReader(conn)
	res, err := http.ReadResponse(reader, req)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrProxyUnreachable, err)
	}
	switch {
	case res.StatusCode/100 != 2:
		_ = res.Body.Close() // the connection ends
		return &RefusedError{Status: res.StatusCode}
	case reader.Buffered() > 0:
		return fmt.Errorf("%w: it sent bytes of its own", ErrProxyUnreachable)
	}
	return nil
}

// socks connects through a SOCKS proxy.
func (p *Proxy) socks(ctx context.Context, dial Dialer, network, addr string) (net.Conn, error) {
	var auth *proxy.Auth
	if user := p.address.User.Username(); user != "" {
		auth = &proxy.Auth{User: user, Password: p.password}
	}
	reached := false
	forward := forwarder(func(ctx context.Context, network, addr string) (net.Conn, error) {
		conn, err := dial(ctx, network, addr)
		reached = err == nil
		return conn, err
	})
	dialer, err := proxy.SOCKS5(network, p.hostPort(), auth, forward)
	if err != nil {
		return nil, fmt.Errorf("egress: %w", err)
	}
	conn, err := dialer.(proxy.ContextDialer).DialContext(ctx, network, addr)
	switch {
	case err == nil:
		return conn, nil
	case reached && ctx.Err() == nil:
		return nil, fmt.Errorf("%w: %w", &RefusedError{}, err)
	}
	return nil, fmt.Errorf("%w: %w", ErrProxyUnreachable, err)
}

// forwarder is a Dialer as package proxy has them.
type forwarder Dialer

// Dial implements proxy.Dialer.
func (f forwarder) Dial(network, addr string) (net.Conn, error) {
	return f(context.Background(), network, addr)
}

// DialContext implements proxy.ContextDialer.
func (f forwarder) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	return f(ctx, network, addr)
}
