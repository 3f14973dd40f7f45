package egress

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
)

// Way is how connections to the service leave. The zero value is the plain one.
type Way struct {
	Proxy       *Proxy       // nil: straight
	Authorities *Authorities // nil: the system's
}

// NewWay returns the way; an https proxy is held to the same authorities.
func NewWay(p *Proxy, a *Authorities) Way {
	w := Way{Proxy: p, Authorities: a}
	if p != nil {
		p.roots = func() *tls.Config { return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: w.Roots()} }
	}
	return w
}

// Roots is who may sign certificates now; nil means the system's.
func (w Way) Roots() *x509.CertPool {
	if w.Authorities == nil {
		return nil
	}
	return w.Authorities.Pool()
}

// DialContext opens a connection to addr; dial reaches the proxy, where there is one, or
// addr.
func (w Way) DialContext(ctx context.Context, dial Dialer, network, addr string) (net.Conn, error) {
	if w.Proxy == nil {
		return dial(ctx, network, addr)
	}
	return w.Proxy.DialContext(ctx, dial, network, addr)
}
