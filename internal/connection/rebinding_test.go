package connection_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"slices"
	"sync"
	"testing"

	"guiche/internal/connection"
)

// names is a name server whose answers change: each question for an IPv4 address
// gets the next one, the last one again and again.
type names struct {
	mu      sync.Mutex
	answers []netip.Addr
}

func (n *names) next() netip.Addr {
	n.mu.Lock()
	defer n.mu.Unlock()
	addr := n.answers[0]
	if len(n.answers) > 1 {
		n.answers = n.answers[1:]
	}
	return addr
}

// MustName starts the server and returns a resolver that asks it alone.
func MustName(tb testing.TB, answers ...string) *net.Resolver {
	tb.Helper()
	n := &names{}
	for _, a := range answers {
		n.answers = append(n.answers, netip.MustParseAddr(a))
	}
	socket, err := net.ListenPacket("udp", "127.0.0.1:0")
	MustDo(tb, err)
	tb.Cleanup(func() { _ = socket.Close() })
	go n.serve(socket)
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", socket.LocalAddr().String())
	}}
}

// serve answers until the socket is closed.
func (n *names) serve(socket net.PacketConn) {
	for {
		question := make([]byte, 512)
		size, from, err := socket.ReadFrom(question)
		if err != nil {
			return
		}
		_, _ = socket.WriteTo(n.answer(question[:size]), from)
	}
}

// answer is a DNS message (RFC 1035, section 4.1) to a question: its header and
// question, and one A record where it asks for that.
func (n *names) answer(question []byte) []byte {
	end := 12 + slices.Index(question[12:], 0) + 5 // the name, its type and class
	message := slices.Clone(question[:end])
	message[2], message[3] = 0x84, 0 // an answer, with authority
	copy(message[6:12], make([]byte, 6))
	if question[end-3] != 1 { // not an A: there is none
		return message
	}
	message[7] = 1
	addr := n.next().As4()
	return append(append(message, 0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4), addr[:]...)
}

// A name that leads into the local network is refused, unless that host is allowed.
func TestGuard_Name(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	u, err := url.Parse(server.URL)
	MustDo(t, err)
	const host = "servico.exemplo.com.br"
	resolver := MustName(t, "127.0.0.1")
	if _, err := (connection.Guard{Resolver: resolver}).Resolve(t.Context(), host); !errors.Is(err, connection.ErrInternal) {
		t.Errorf("resolve: got %v, want ErrInternal", err)
	}
	if _, err := (connection.Guard{Resolver: resolver}).DialContext(t.Context(), "tcp",
		net.JoinHostPort(host, u.Port())); !errors.Is(err, connection.ErrInternal) {
		t.Errorf("dial: got %v, want ErrInternal", err)
	}
	if _, err := (connection.Guard{Resolver: resolver, Internal: "outro.exemplo.com.br"}).DialContext(t.Context(), "tcp",
		net.JoinHostPort(host, u.Port())); !errors.Is(err, connection.ErrInternal) {
		t.Errorf("another host allowed: got %v, want ErrInternal", err)
	}
	for _, named := range []string{host, host + "."} { // with the dot at the root of all names, or without
		for _, allowed := range []string{host, host + "."} {
			conn, err := connection.Guard{Resolver: resolver, Internal: allowed}.DialContext(t.Context(), "tcp", net.JoinHostPort(named, u.Port()))
			if err != nil {
				t.Errorf("%s, allowed %s: got %v", named, allowed, err)
				continue
			}
			MustDo(t, conn.Close())
		}
	}
}

// A name that changes its address between the look and the connection gains nothing:
// what is looked at is the address that is dialled.
func TestGuard_Rebinding(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	MustDo(t, err)
	defer func() { MustDo(t, listener.Close()) }()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	MustDo(t, err)
	const host = "servico.exemplo.com.br"
	guard := connection.Guard{Resolver: MustName(t, "8.8.8.8", "127.0.0.1")}
	found, err := guard.Resolve(t.Context(), host)
	if err != nil || !slices.Equal(found, []netip.Addr{netip.MustParseAddr("8.8.8.8")}) {
		t.Fatalf("the look: got %v, error %v", found, err)
	}
	if conn, err := guard.DialContext(t.Context(), "tcp", net.JoinHostPort(host, port)); !errors.Is(err, connection.ErrInternal) {
		if err == nil {
			_ = conn.Close()
		}
		t.Errorf("the connection: got %v, want ErrInternal", err)
	}
}
