package app

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificate serves a key pair from files and loads it again when either file
// changes; a pair that does not load leaves the one before in force.
type certificate struct {
	certFile, keyFile string
	logger            *slog.Logger

	mu       sync.Mutex
	pair     *tls.Certificate
	modified time.Time
}

// newCertificate fails at the start when the files are not a pair; later a broken
// renewal keeps the certificate in use.
func newCertificate(certFile, keyFile string, logger *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, logger: logger}
	if err := c.load(c.newest()); err != nil {
		return nil, err
	}
	return c, nil
}

// Get is tls.Config's GetCertificate.
func (c *certificate) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if newest := c.newest(); !newest.Equal(c.modified) {
		if err := c.load(newest); err != nil {
			c.logger.Error("certificate not reloaded", "error", err)
		}
	}
	return c.pair, nil
}

// load notes the files' time even when they do not fit, so that a broken pair is logged
// once and not at each handshake.
func (c *certificate) load(modified time.Time) error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	c.modified = modified
	if err != nil {
		return fmt.Errorf("load certificate: %w", err)
	}
	c.pair = &pair
	return nil
}

// newest returns the later modification time of the two files.
func (c *certificate) newest() time.Time {
	var newest time.Time
	for _, name := range []string{c.certFile, c.keyFile} {
		if info, err := os.Stat(name); err == nil && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	return newest
}
