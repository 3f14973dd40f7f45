package app

import (
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"strings"

	"guiche/internal/ingress"
)

// hosts are the names under which the program answers.
func (c Config) hosts() ingress.Hosts {
	host, _, err := net.SplitHostPort(c.Addr)
	return ingress.Hosts{Public: c.PublicURL, Loopback: err == nil && ingress.IsLoopback(host)}
}

// linkAddress is the address that links begin with which people hand on, without a slash
// at its end. It is never what a request says in its Host header, which anybody can make
// up: where the program listens on every address, it is the name in the certificate or
// else the one of this machine that the request came to.
func (s *baseServer) linkAddress(r *http.Request) string {
	bound, err := netip.ParseAddrPort(s.listener.Addr().String())
	if s.config.PublicURL != "" || err != nil || !bound.Addr().IsUnspecified() {
		return s.URL()
	}
	if name := s.config.certificateName(); name != "" {
		return fmt.Sprintf("https://%s:%d", name, bound.Port())
	}
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		return s.config.url(local)
	}
	return s.URL()
}

// certificateName is the first name in the certificate that is no pattern, "" for none.
func (c Config) certificateName() string {
	if !c.tls() {
		return ""
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil || pair.Leaf == nil {
		return ""
	}
	for _, name := range pair.Leaf.DNSNames {
		if !strings.Contains(name, "*") {
			return name
		}
	}
	return ""
}
