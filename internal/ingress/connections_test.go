package ingress_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"guiche/internal/ingress"
)

// MustServe serves with the bounds; "/known" is somebody whom the program knows.
func MustServe(t *testing.T, bounds ingress.Connections) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, ConnContext: ingress.ConnContext,
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/known" {
				ingress.Known(w, r)
			}
		})}
	go func() { _ = server.Serve(bounds.Listen(l)) }()
	t.Cleanup(func() { _ = server.Close() })
	return l.Addr().String()
}

// dial connects from an address of this machine and asks for a path.
func dial(t *testing.T, from, to, path string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	c, err := dialer.DialContext(t.Context(), "tcp", to)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if !answers(c, path) {
		_ = c.Close()
	}
	return c
}

// answers tells whether a connection still answers.
func answers(c net.Conn, path string) bool {
	if _, err := io.WriteString(c, "GET "+path+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return false
	}
	_ = c.SetReadDeadline(time.Now().Add(time.Minute))
	got := make([]byte, 4096)
	n, err := c.Read(got)
	return err == nil && strings.HasPrefix(string(got[:n]), "HTTP/1.1 200 ")
}

func TestConnections_Listen(t *testing.T) {
	const here, there = "127.0.0.1", "127.0.0.2"
	for name, test := range map[string]struct {
		bounds ingress.Connections
		open   [][2]string // from where, and what is asked for
		want   string      // "+" for each that still answers
	}{
		"NoBound":            {ingress.Connections{}, [][2]string{{here, "/"}, {here, "/"}, {here, "/"}}, "+++"},
		"OldestUnknownGoes":  {ingress.Connections{PerAddress: 2}, [][2]string{{here, "/"}, {here, "/"}, {here, "/"}}, "-++"},
		"EachMorePutsOneOut": {ingress.Connections{PerAddress: 2}, [][2]string{{here, "/"}, {here, "/"}, {here, "/"}, {here, "/"}}, "--++"},
		"KnownStays":         {ingress.Connections{PerAddress: 2}, [][2]string{{here, "/known"}, {here, "/"}, {here, "/"}}, "+-+"},
		"AllKnown":           {ingress.Connections{PerAddress: 2}, [][2]string{{here, "/known"}, {here, "/known"}, {here, "/"}}, "++-"},
		"OtherAddress":       {ingress.Connections{PerAddress: 1}, [][2]string{{here, "/"}, {there, "/"}}, "++"},
		"Total":              {ingress.Connections{Total: 2}, [][2]string{{here, "/"}, {there, "/known"}, {there, "/"}}, "-++"},
		"TotalAllKnown":      {ingress.Connections{Total: 1}, [][2]string{{here, "/known"}, {there, "/"}}, "+-"},
		"AddressBeforeTotal": {ingress.Connections{Total: 2, PerAddress: 1}, [][2]string{{here, "/"}, {there, "/"}, {there, "/"}}, "+-+"},
		"ProxyCountsInAll": {ingress.Connections{Total: 3, PerAddress: 1, Proxies: []netip.Prefix{netip.MustParsePrefix(here + "/32")}},
			[][2]string{{here, "/"}, {here, "/"}, {here, "/"}, {here, "/"}}, "-+++"},
	} {
		t.Run(name, func(t *testing.T) {
			address := MustServe(t, test.bounds)
			conns := make([]net.Conn, len(test.open))
			for i, o := range test.open {
				conns[i] = dial(t, o[0], address, o[1])
			}
			got := ""
			for _, c := range conns {
				got += map[bool]string{true: "+", false: "-"}[answers(c, "/")]
			}
			if got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// What was closed leaves its place to the next.
func TestConnections_Listen_Closed(t *testing.T) {
	address := MustServe(t, ingress.Connections{Total: 2, PerAddress: 2})
	for range 20 {
		c := dial(t, "127.0.0.1", address, "/known")
		if !answers(c, "/known") {
			t.Fatal("a connection found no place")
		}
		if _, err := io.WriteString(c, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, c); err != nil && !errors.Is(err, net.ErrClosed) { // until the server has closed it
			t.Fatal(err)
		}
	}
}
