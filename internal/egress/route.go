package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
)

// Route is how connections to the service leave. The zero value is a direct one.
type Route struct {
	Proxy       *Proxy       // nil: straight
	Authorities *Authorities // nil: the system's
}

// NewRoute returns the route; an https proxy is held to the same authorities.
func NewRoute(p *Proxy, a *Authorities) Route {
	r := Route{Proxy: p, Authorities: a}
	if p != nil {
		p.roots = func() *tls.Config { return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: r.Roots()} }
	}
	return r
}

// Roots is who may sign certificates now; nil means the system's.
func (r Route) Roots() *x509.CertPool {
	if r.Authorities == nil {
		return nil
	}
	return r.Authorities.Pool()
}

// DialContext opens a connection to addr; dial reaches the proxy, where there is one, or
// addr.
func (r Route) DialContext(ctx context.Context, dial Dialer, network, addr string) (net.Conn, error) {
	if r.Proxy == nil {
		return dial(ctx, network, addr)
	}
	return r.Proxy.DialContext(ctx, dial, network, addr)
}
