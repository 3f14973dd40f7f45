package connection_test

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"testing"

	"guiche/internal/connection"
	"guiche/internal/egress"
	"guiche/internal/egress/proxytest"
)

func TestInternal(t *testing.T) {
	for text, want := range map[string]bool{
		"127.0.0.1": true, "127.8.9.1": true, "0.0.0.0": true, "0.1.2.3": true, "10.0.0.1": true, "10.255.255.255": true,
		"172.16.0.1": true, "172.31.255.254": true, "192.168.0.1": true, "169.254.169.254": true, "100.64.0.1": true, "192.0.0.8": true,
		"198.18.0.1": true, "224.0.0.1": true, "240.0.0.1": true, "255.255.255.255": true, "192.0.2.1": true,
		"::": true, "::1": true, "fe80::1": true, "fe80::1%eth0": true, "fc00::1": true, "fd12:3456::1": true, "ff02::1": true, "fec0::1": true,
		"::ffff:127.0.0.1": true, "::ffff:10.0.0.1": true, "::ffff:169.254.169.254": true, "::127.0.0.1": true, "64:ff9b::7f00:1": true,
		"::ffff:100.64.0.1": true, "fec0::1%eth0": true,
		"2002:7f00:1::": true, "2001:0:7f00:1::": true, "2001:db8::1": true,
		"8.8.8.8": false, "200.160.2.3": false, "172.15.0.1": false, "172.32.0.1": false, "100.63.255.255": false, "100.128.0.1": false,
		"169.253.0.1": false, "::ffff:8.8.8.8": false, "2001:4860:4860::8888": false, "2804:14::1": false,
	} {
		if got := connection.Internal(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
	}
	if !connection.Internal(netip.Addr{}) {
		t.Error("no address: got outside")
	}
}

// A number or a name that a resolver turns into a local address does not pass
// either: it is the address of the connection that counts.
func TestGuard_DialContext(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	u, err := url.Parse(server.URL)
	MustDo(t, err)
	for _, host := range []string{"127.0.0.1", "localhost", "LOCALHOST", "::ffff:127.0.0.1", "0.0.0.0", "::1", "127.1",
		"2130706433", "0x7f000001", "0177.0.0.1",
		"169.254.169.254", "10.0.0.1", "fe80::1"} {
		conn, err := connection.Guard{}.DialContext(t.Context(), "tcp", net.JoinHostPort(host, u.Port()))
		if err == nil {
			_ = conn.Close()
			t.Errorf("%s: got a connection", host)
			continue
		}
		if unresolved := new(net.DNSError); !errors.Is(err, connection.ErrInternal) && !errors.As(err, &unresolved) {
			t.Errorf("%s: got %v, want it refused before the connection", host, err)
		}
	}
	t.Run("Allowed", func(t *testing.T) {
		conn, err := connection.Guard{Internal: "127.0.0.1"}.DialContext(t.Context(), "tcp", u.Host)
		MustDo(t, err)
		MustDo(t, conn.Close())
	})
	t.Run("OtherHostAllowed", func(t *testing.T) {
		_, err := connection.Guard{Internal: "localhost"}.DialContext(t.Context(), "tcp", u.Host)
		if !errors.Is(err, connection.ErrInternal) {
			t.Errorf("got %v, want ErrInternal", err)
		}
	})
}

// Link-local addresses are out of reach whatever is allowed, however they are written.
func TestGuard_LinkLocal(t *testing.T) {
	for host, never := range map[string]bool{
		"169.254.169.254": true, "169.254.0.1": true, "fe80::1": true, "febf::1": true, "fe80::1%1": true, "::ffff:169.254.169.254": true,
		"::169.254.169.254": true, "64:ff9b::a9fe:a9fe": true, "64:ff9b:1::a9fe:a9fe": true, "2002:a9fe:a9fe::1": true,
		"64:ff9b::a9fe:a9fe%1": true,
		"169.253.255.255":      false, "10.0.0.1": false, "fec0::1": false, "::ffff:10.0.0.1": false, "2002:a00:1::1": false, "::1": false,
	} {
		addr := netip.MustParseAddr(host)
		if got := connection.LinkLocal(addr); got != never {
			t.Errorf("%s: got %t, want %t", host, got, never)
		}
		if !never {
			continue
		}
		guard := connection.Guard{Internal: host}
		if _, err := guard.DialContext(t.Context(), "tcp", net.JoinHostPort(host, "80")); !errors.Is(err, connection.ErrLinkLocal) {
			t.Errorf("dial %s: got %v, want ErrLinkLocal", host, err)
		}
		if _, err := guard.Resolve(t.Context(), host); !errors.Is(err, connection.ErrLinkLocal) {
			t.Errorf("resolve %s: got %v, want ErrLinkLocal", host, err)
		}
	}
	name := connection.Guard{Internal: "servico.clinica", Resolver: MustName(t, "169.254.169.254")}
	if _, err := name.DialContext(t.Context(), "tcp", "servico.clinica:80"); !errors.Is(err, connection.ErrLinkLocal) {
		t.Errorf("a name that leads there: got %v, want ErrLinkLocal", err)
	}
}

func TestGuard_Resolve(t *testing.T) {
	if _, err := (connection.Guard{}).Resolve(t.Context(), "127.0.0.1"); !errors.Is(err, connection.ErrInternal) {
		t.Errorf("got %v, want ErrInternal", err)
	}
	found, err := connection.Guard{Internal: "localhost"}.Resolve(t.Context(), "localhost")
	if err != nil || len(found) == 0 {
		t.Errorf("got %v, error %v", found, err)
	}
}

// TestGuard_Proxy: what a proxy reaches is for its own rules to say, but nothing that is
// written as local leaves for it, and no proxy is link-local.
func TestGuard_Proxy(t *testing.T) {
	proxy := proxytest.Start(t, nil)
	through, err := egress.NewProxy(proxy.URL, "")
	MustDo(t, err)
	route := egress.NewRoute(through, nil)
	dial := func(g connection.Guard, host string) error {
		_, err := g.DialContext(t.Context(), "tcp", net.JoinHostPort(host, "443"))
		return err
	}
	for _, host := range []string{
		"127.0.0.1", "localhost", "LOCALHOST", "a.localhost.", "::1", "10.0.0.1", "127.1", "2130706433", "0x7f000001",
	} {
		if err := dial(connection.Guard{Route: route}, host); !errors.Is(err, connection.ErrInternal) {
			t.Errorf("%s: got %v, want ErrInternal", host, err)
		}
	}
	for _, host := range []string{"169.254.169.254", "fe80::1", "::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe"} {
		if err := dial(connection.Guard{Internal: host, Route: route}, host); !errors.Is(err, connection.ErrLinkLocal) {
			t.Errorf("%s: got %v, want ErrLinkLocal", host, err)
		}
	}
	if got := proxy.Asked(); len(got) != 0 {
		t.Errorf("the proxy was asked for %v", got)
	}
	for guard, host := range map[connection.Guard]string{
		{Route: route}:                       "servico.exemplo.com.br",
		{Route: route, Internal: "10.0.0.1"}: "10.0.0.1",
	} {
		if err := dial(guard, host); !errors.As(err, new(*egress.RefusedError)) {
			t.Errorf("%s: got %v, want it left to the proxy", host, err)
		}
	}
	cloud, err := egress.NewProxy("http://169.254.169.254", "")
	MustDo(t, err)
	if err := dial(connection.Guard{Route: egress.NewRoute(cloud, nil)}, "servico.exemplo.com.br"); !errors.Is(err, connection.ErrLinkLocal) {
		t.Errorf("a proxy there: got %v, want ErrLinkLocal", err)
	}
}
