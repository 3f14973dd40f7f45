// Package proxytest is a proxy for tests, which notes what it is asked for: over HTTP
// (CONNECT) or SOCKS 5, with a name server of its own.
package proxytest

import (
	"cmp"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"sync"
	"testing"
)

// Proxy is a running proxy. It is stopped with its test.
type Proxy struct {
	URL            string
	User, Password string            // that it asks for; "" for nobody's
	Hosts          map[string]string // where host:port leads; what is not there is refused
	Granted        string            // the head that says that a connection stands; "" for a plain one
	Greeting       string            // sent together with the word that a connection stands

	mu    sync.Mutex
	asked []string
}

// Start starts an HTTP proxy.
func Start(tb testing.TB, hosts map[string]string) *Proxy {
	tb.Helper()
	p := &Proxy{Hosts: hosts}
	server := httptest.NewServer(p)
	tb.Cleanup(server.Close)
	p.URL = server.URL
	return p
}

// StartTLS starts an HTTP proxy behind TLS, and returns its certificate.
func StartTLS(tb testing.TB, hosts map[string]string) (p *Proxy, certificate []byte) {
	tb.Helper()
	p = &Proxy{Hosts: hosts}
	server := httptest.NewTLSServer(p)
	tb.Cleanup(server.Close)
	p.URL = server.URL
	return p, server.Certificate().Raw
}

// Asked lists host:port of all that was asked for.
func (p *Proxy) Asked() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.asked)
}

func (p *Proxy) note(addr string) (to string, found bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = append(p.asked, addr)
	to, found = p.Hosts[addr]
	return to, found
}

// ServeHTTP implements http.Handler.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	to, found := p.note(r.Host)
	want := "Basic " + base64.StdEncoding.EncodeToString([]byte(p.User+":"+p.Password))
	switch {
	case r.Method != http.MethodConnect:
		http.Error(w, "CONNECT only", http.StatusMethodNotAllowed)
	case p.User != "" && r.Header.Get("Proxy-Authorization") != want:
		http.Error(w, "who?", http.StatusProxyAuthRequired)
	case !found:
		http.Error(w, "no", http.StatusForbidden)
	default:
		p.join(w, to)
	}
}

func (p *Proxy) join(w http.ResponseWriter, to string) {
	far, err := dial(to)
	if err != nil {
		http.Error(w, "nobody there", http.StatusBadGateway)
		return
	}
	near, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		_ = far.Close()
		return
	}
	_, _ = io.WriteString(near, cmp.Or(p.Granted, "HTTP/1.1 200 OK\r\n\r\n")+p.Greeting)
	copyBoth(near, far)
}

// dial connects; what is connected ends with its other end.
func dial(to string) (net.Conn, error) {
	return (&net.Dialer{}).DialContext(context.Background(), "tcp", to)
}

func copyBoth(near, far net.Conn) {
	var both sync.WaitGroup
	for _, pair := range [][2]net.Conn{{near, far}, {far, near}} {
		both.Go(func() {
			_, _ = io.Copy(pair[0], pair[1])
			_ = pair[0].Close()
		})
	}
	both.Wait()
}

// StartSOCKS starts a SOCKS 5 proxy.
func StartSOCKS(tb testing.TB, hosts map[string]string) *Proxy {
	tb.Helper()
	l, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = l.Close() })
	p := &Proxy{Hosts: hosts, URL: "socks5://" + l.Addr().String()}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer func() { _ = conn.Close() }()
				_ = p.socks(conn) // whoever asks sees what went wrong
			}()
		}
	}()
	return p
}

var errSOCKS = errors.New("proxytest: not understood")

// socks is RFC 1928 with names, and RFC 1929 where a user is asked for.
func (p *Proxy) socks(conn net.Conn) error {
	if _, err := readCounted(conn, 1); err != nil { // version; then the methods, counted
		return err
	}
	if err := p.admit(conn); err != nil {
		return err
	}
	head := make([]byte, 4)
	if _, err := io.ReadFull(conn, head); err != nil || head[3] != 3 {
		return errSOCKS
	}
	host, err := readCounted(conn, 0)
	if err != nil {
		return err
	}
	port := make([]byte, 2)
	if _, err := io.ReadFull(conn, port); err != nil {
		return err
	}
	to, found := p.note(net.JoinHostPort(string(host), strconv.Itoa(int(port[0])<<8|int(port[1]))))
	if !found {
		_, err := conn.Write([]byte{5, 2, 0, 1, 0, 0, 0, 0, 0, 0})
		return err
	}
	far, err := dial(to)
	if err != nil {
		return err
	}
	if _, err := conn.Write([]byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0}); err != nil {
		return err
	}
	copyBoth(conn, far)
	return nil
}

// admit asks for user and password, where the proxy wants them.
func (p *Proxy) admit(conn net.Conn) error {
	if p.User == "" {
		_, err := conn.Write([]byte{5, 0})
		return err
	}
	if _, err := conn.Write([]byte{5, 2}); err != nil {
		return err
	}
	user, err := readCounted(conn, 1)
	if err != nil {
		return err
	}
	password, err := readCounted(conn, 0)
	if err != nil {
		return err
	}
	if string(user) != p.User || string(password) != p.Password {
		_, _ = conn.Write([]byte{1, 1})
		return errSOCKS
	}
	_, err = conn.Write([]byte{1, 0})
	return err
}

// readCounted skips some bytes and reads as many as the next one says.
func readCounted(r io.Reader, skip int) ([]byte, error) {
	head := make([]byte, skip+1)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	content := make([]byte, head[skip])
	_, err := io.ReadFull(r, content)
	return content, err
}
