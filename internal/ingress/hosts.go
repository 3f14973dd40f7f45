package ingress

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// Hosts are the names under which the program answers. A page that another site's name
// leads to (DNS rebinding), or one that somebody's proxy keeps under a wrong name, is
// not given away. The zero value answers to every name.
type Hosts struct {
	// Public is the address that people use, "" for none; then no other name counts.
	Public string
	// Loopback says that only this machine can reach the program; then only its own
	// names count.
	Loopback bool
}

// health are the paths that are answered under every name: whoever asks there, such as a
// container's health check, knows no name, and learns nothing but a word.
var health = []string{"/healthz", "/readyz"}

// Guard has next answer what is asked under one of the names, and refused anything else.
func (h Hosts) Guard(next, refused http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if h.allows(r.Host) || slices.Contains(health, r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		refused.ServeHTTP(w, r)
	})
}

// allows tells whether the program answers to a Host header.
func (h Hosts) allows(host string) bool {
	switch name, port := splitHost(host); {
	case h.Public != "":
		u, err := url.Parse(h.Public)
		if err != nil {
			return false
		}
		wanted, wantedPort := splitHost(u.Host)
		return name == wanted && (port == wantedPort || wantedPort == "" && port == "443" || wantedPort == "443" && port == "")
	case h.Loopback:
		return IsLoopback(name)
	}
	return true
}

// splitHost separates a host from its port, "" for none; a name is in lower case and has
// no dot at its end, an IPv6 address no brackets.
func splitHost(host string) (name, port string) {
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.TrimSuffix(strings.TrimPrefix(host, "["), "]"), ""
	}
	return strings.TrimSuffix(strings.ToLower(name), "."), port
}

// IsLoopback tells whether a name always means the machine itself (RFC 6761, 6.3).
func IsLoopback(name string) bool {
	if name == "localhost" || strings.HasSuffix(name, ".localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Unmap().IsLoopback()
}
