package connection

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"guiche/internal/egress"
)

// maxHost is the most characters that a name in the DNS can have.
const maxHost = 253

// Origin is the scheme, host and port that a secret is valid for, "" where BaseURL is
// no address.
func (s Settings) Origin() string {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Host == "" {
		return ""
	}
	return strings.ToLower(u.Scheme) + "://" + hostPort(u)
}

// fullAddress is Origin with the path, a slash at its end: several services may share
// an origin.
func (s Settings) fullAddress() string {
	u, err := url.Parse(s.BaseURL)
	if err != nil {
		return ""
	}
	return s.Origin() + u.JoinPath("/").EscapedPath()
}

// Host is the host of BaseURL as it is dialled, without its port.
func (s Settings) Host() string {
	u, err := url.Parse(s.BaseURL)
	if err != nil {
		return ""
	}
	return dialled(u)
}

// hostPort returns host and port of an address; the port is that of the scheme where
// the address has none.
func hostPort(u *url.URL) string {
	port := u.Port()
	switch {
	case port != "":
	case strings.EqualFold(u.Scheme, "https"):
		port = "443"
	default:
		port = "80"
	}
	return net.JoinHostPort(dialled(u), port)
}

// dialled is the host of an address as it is looked up.
func dialled(u *url.URL) string {
	name, _ := egress.HostName(u.Hostname())
	return name
}

// goodAddress refuses what is more or less than scheme, host, port and path.
func goodAddress(u *url.URL) bool {
	return slices.Contains([]string{"http", "https"}, u.Scheme) && goodHost(u) &&
		u.User == nil && u.RawQuery == "" && !u.ForceQuery && u.Fragment == ""
}

// goodHost refuses hosts that look like numbers and are no plain IP address:
// 2130706433 and 0x7f.1 mean 127.0.0.1 to some resolvers.
func goodHost(u *url.URL) bool {
	host, ok := egress.HostName(strings.TrimSuffix(u.Hostname(), "."))
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	last := host[strings.LastIndex(host, ".")+1:]
	return ok && len(host) <= maxHost && last != "" && (last[0] < '0' || last[0] > '9') && !strings.ContainsFunc(host, unicode.IsSpace)
}

// literalLinkLocal reports whether a host is link-local by what is written.
func literalLinkLocal(host string) bool {
	addr, err := netip.ParseAddr(strings.TrimSuffix(host, "."))
	return err == nil && LinkLocal(addr)
}

// literalInternal reports whether a host is internal by what is written.
func literalInternal(host string) bool {
	host = strings.TrimSuffix(host, ".")
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost")
	}
	return Internal(addr)
}
