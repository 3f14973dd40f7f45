package app

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"guiche/internal/ingress"
)

// listen binds the address, with its bounds, and under TLS where a certificate is
// configured.
func (c Config) listen(ctx context.Context) (net.Listener, error) {
	bound, err := (&net.ListenConfig{}).Listen(ctx, "tcp", c.Addr)
	if err != nil {
		return nil, fmt.Errorf("GUICHE_ADDR: %w", err)
	}
	listener := ingress.Connections{Total: c.MaxConnections, PerAddress: c.MaxConnectionsPerAddress, Proxies: c.TrustedProxies}.Listen(bound)
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

// newServer sets every time-out. Handlers lift that of a request's body once they know
// who sends it.
func newServer(handler http.Handler, logger *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: ingress.HeaderTime,
		ReadTimeout:       ingress.AnonymousTime,
		WriteTimeout:      ingress.KnownTime,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    16 << 10, // net/http adds 4 KiB
		ConnContext:       ingress.ConnContext,
		// OPTIONS * is refused by us, as every other method is.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     log.New(serverLog{logger}, "", 0),
	}
}

// serverLog is what net/http has to say. Of a connection that broke, or that is no HTTP,
// only somebody who looks for it wants to read, and anybody can make thousands.
type serverLog struct{ logger *slog.Logger }

// Write implements io.Writer for one line.
func (l serverLog) Write(line []byte) (int, error) {
	level := slog.LevelDebug
	if bytes.Contains(line, []byte("panic")) || bytes.Contains(line, []byte("Accept error")) {
		level = slog.LevelError
	}
	l.logger.Log(context.Background(), level, string(bytes.TrimSpace(line)))
	return len(line), nil
}

// tls reports whether the program serves TLS itself.
func (c Config) tls() bool { return c.TLSCert != "" && c.TLSKey != "" }

// exposed reports whether other machines may reach the program by plain http.
func (c Config) exposed() bool {
	host, _, err := net.SplitHostPort(c.Addr)
	return err == nil && !ingress.IsLoopback(host) && !c.tls() && c.PublicURL == ""
}

// url is the address that people open, without a slash at its end; bound is what
// the program listens on.
func (c Config) url(bound net.Addr) string {
	if c.PublicURL != "" {
		return strings.TrimSuffix(c.PublicURL, "/")
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
