package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// listen binds the address, under TLS where a certificate is configured.
func (c Config) listen(ctx context.Context) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return nil, fmt.Errorf("GUICHE_ADDR: %w", err)
	}
	if !c.tls() {
		return listener, nil
	}
	pair, err := newCertificate(c.TLSCert, c.TLSKey, c.Logger)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("GUICHE_TLS_CERT: %w", err), listener.Close())
	}
	return tls.NewListener(listener, &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: pair.Get,
		NextProtos: []string{"http/1.1"}}), nil
}

// closeListener closes a listener that its server may have closed already.
func closeListener(l net.Listener) error {
	if err := l.Close(); !errors.Is(err, net.ErrClosed) {
		return err
	}
	return nil
}

// newServer sets every time-out; bodies get the time that a scan over a slow
// line takes.
func newServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       10 * time.Minute,
		WriteTimeout:      10 * time.Minute,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		// OPTIONS * is refused by us, as every other method is.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
}

// tls reports whether the program serves TLS itself.
func (c Config) tls() bool { return c.TLSCert != "" && c.TLSKey != "" }

// exposed reports whether other machines may reach the program by plain http.
func (c Config) exposed() bool {
	host, _, err := net.SplitHostPort(c.Addr)
	return err == nil && !isLoopback(host) && !c.tls() && c.PublicURL == ""
}

// url is the address that people open, without a slash at its end; bound is what
// the program listens on.
func (c Config) url(bound net.Addr) string {
	if c.PublicURL != "" {
		return c.PublicURL
	}
	scheme := "http"
	if c.tls() {
		scheme = "https"
	}
	return scheme + "://" + shownAddress(bound.String())
}

// shownAddress turns an address that means "any" into one that a browser takes.
func shownAddress(addr string) string {
	parsed, err := netip.ParseAddrPort(addr)
	if err != nil || !parsed.Addr().IsUnspecified() {
		return addr
	}
	return fmt.Sprintf("localhost:%d", parsed.Port())
}

// isLoopback tells whether only this machine can reach a host name. An empty host is
// every address, so it is not.
func isLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}
