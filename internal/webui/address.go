package webui

import (
	"net"
	"net/http"
	"net/netip"
	"strings"

	"guiche/internal/audit"

	"github.com/labstack/echo/v4"
)

// origin tells the audit trail where the acts of a request come from.
func origin(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		c.SetRequest(c.Request().WithContext(audit.WithAddress(c.Request().Context(), c.RealIP())))
		return next(c)
	}
}

// ClientAddress returns who asks: the connection's address, or, where that is a
// trusted proxy, the right-most address in X-Forwarded-For that is not one.
func ClientAddress(r *http.Request, trusted []netip.Prefix) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	if !contains(trusted, host) {
		return host
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0; i-- {
		hop := strings.TrimSpace(hops[i])
		if _, err := netip.ParseAddr(hop); err != nil {
			break
		}
		host = hop
		if !contains(trusted, hop) {
			break
		}
	}
	return host
}

// contains reports whether host is an address within one of the networks. An IPv4
// address written as IPv6 counts as IPv4; anything that is not an address is in none, so
// that a made-up header is never trusted.
func contains(prefixes []netip.Prefix, host string) bool {
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, p := range prefixes {
		if p.Contains(addr.Unmap()) {
			return true
		}
	}
	return false
}
