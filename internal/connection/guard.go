package connection

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"

	"guiche/internal/egress"
)

// ErrInternal says that a name or address leads into a local network that nobody
// allowed.
var ErrInternal = errors.New("the address is internal and not allowed")

// ErrLinkLocal is an ErrInternal that nobody can allow: at link-local addresses a cloud's
// machines hand out their own credentials.
var ErrLinkLocal = fmt.Errorf("%w: it is link-local", ErrInternal)

// Guard dials the hosts of the outside world, and one host of a local network
// where an administrator allowed it. The address is looked at after the name was
// resolved, on the very connection: no second resolution comes between.
//
// A proxy resolves names by itself, and reaches what its own rules allow. Then a host is
// judged by what is written alone, and the proxy's address has to be none of link-local.
type Guard struct {
	Internal string        // host that may be internal, "" for none
	Resolver *net.Resolver // nil means the system's
	Route    egress.Route
}

// DialContext connects like a net.Dialer; ErrInternal before a byte is sent.
func (g Guard) DialContext(ctx context.Context, network, addr string) (net.Conn, error) {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, fmt.Errorf("connection: dial: %w", err)
	}
	dialer := net.Dialer{Resolver: g.Resolver, ControlContext: refuseLinkLocal}
	if g.Route.Proxy != nil {
		if err := g.judge(host); err != nil {
			return nil, err
		}
		return g.Route.DialContext(ctx, dialer.DialContext, network, addr)
	}
	if !g.allows(host) {
		dialer.ControlContext = refuseInternal
	}
	return dialer.DialContext(ctx, network, addr)
}

// Resolve returns the addresses of a host, ErrInternal when one of them may not be
// dialled.
func (g Guard) Resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	resolver := g.Resolver
	if resolver == nil {
		resolver = net.DefaultResolver
	}
	found, err := resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, fmt.Errorf("connection: resolve: %w", err)
	}
	for _, addr := range found {
		switch {
		case LinkLocal(addr):
			return found, ErrLinkLocal
		case Internal(addr) && !g.allows(host):
			return found, ErrInternal
		}
	}
	return found, nil
}

// judge refuses a host by what is written.
func (g Guard) judge(host string) error {
	switch {
	case literalLinkLocal(host):
		return ErrLinkLocal
	case !g.allows(host) && (literalInternal(strings.ToLower(host)) || !goodHost(&url.URL{Host: net.JoinHostPort(host, "443")})):
		return ErrInternal
	}
	return nil
}

// allows tells whether a host inside the network was named on purpose by an
// administrator.
func (g Guard) allows(host string) bool {
	return g.Internal != "" && strings.EqualFold(strings.TrimSuffix(host, "."), strings.TrimSuffix(g.Internal, "."))
}

// refuseInternal is asked with the address that a name led to, just before the
// connection: a name that changes between two look-ups gains nothing.
func refuseInternal(ctx context.Context, network, addr string, c syscall.RawConn) error {
	if err := refuseLinkLocal(ctx, network, addr, c); err != nil {
		return err
	}
	to, err := netip.ParseAddrPort(addr)
	if err != nil || Internal(to.Addr()) {
		return ErrInternal
	}
	return nil
}

// refuseLinkLocal is asked about hosts that an administrator allowed.
func refuseLinkLocal(_ context.Context, _, addr string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(addr)
	if err != nil || LinkLocal(to.Addr()) {
		return ErrLinkLocal
	}
	return nil
}

// reserved are the networks, beyond those that package netip knows, that are not
// of the public Internet (IANA special-purpose registries), or that carry an IPv4
// address inside.
var reserved = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
	"240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20", "fec0::/10")

// prefixes parses constants; a mistake in them ends the process at its start.
func prefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, text := range texts {
		all[i] = netip.MustParsePrefix(text)
	}
	return all
}

// LinkLocal reports whether an address is 169.254/16 or fe80::/10, or an IPv6 address
// that carries such an IPv4 address inside.
func LinkLocal(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	return addr.IsLinkLocalUnicast() || addr.Is6() && embedded(addr).IsLinkLocalUnicast()
}

// carriers are the IPv6 networks that carry an IPv4 address, with where it begins.
var carriers = []struct {
	network netip.Prefix
	at      int // byte
}{
	{netip.MustParsePrefix("::/96"), 12}, {netip.MustParsePrefix("64:ff9b::/96"), 12}, {netip.MustParsePrefix("64:ff9b:1::/48"), 12},
	{netip.MustParsePrefix("2002::/16"), 2},
}

// embedded is the IPv4 address inside of an IPv6 address, the zero Addr without one.
func embedded(addr netip.Addr) netip.Addr {
	for _, c := range carriers {
		if c.network.Contains(addr) {
			bytes := addr.As16()
			return netip.AddrFrom4([4]byte(bytes[c.at : c.at+4]))
		}
	}
	return netip.Addr{}
}

// Internal reports whether an address is anything but one of the public Internet:
// loopback, link-local, private, shared, reserved, multicast, IPv4 in IPv6.
func Internal(addr netip.Addr) bool {
	addr = addr.Unmap().WithZone("")
	if !addr.IsValid() || !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLoopback() || addr.IsLinkLocalUnicast() {
		return true
	}
	for _, p := range reserved {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}
