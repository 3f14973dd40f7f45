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
	modified pairTimes
}

// pairTimes are when the files of a pair changed: they are renewed one after the other, the key often
// with a time before that of its certificate.
type pairTimes struct{ cert, key time.Time }

// newCertificate fails at the start when the files are not a pair; later a broken
// renewal keeps the certificate in use.
func newCertificate(certFile, keyFile string, logger *slog.Logger) (*certificate, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, logger: logger}
	if err := c.load(c.times()); err != nil {
		return nil, err
	}
	return c, nil
}

// Get is tls.Config's GetCertificate.
func (c *certificate) Get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.times(); now != c.modified {
		if err := c.load(now); err != nil {
			c.logger.Error("certificate not reloaded", "error", err)
		}
	}
	return c.pair, nil
}

// load notes the files' time even when they do not fit, so that a broken pair is logged
// once and not at each handshake.
func (c *certificate) load(modified pairTimes) error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	c.modified = modified
	if err != nil {
		return fmt.Errorf("load certificate: %w", err)
	}
	c.pair = &pair
	return nil
}

// times returns when the files changed, the zero time of one that cannot be read.
func (c *certificate) times() pairTimes {
	return pairTimes{changedAt(c.certFile), changedAt(c.keyFile)}
}

func changedAt(name string) time.Time {
	info, err := os.Stat(name)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}
