package egress

import (
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// Authority is who may sign the service's certificate, beside those that the system knows.
type Authority struct {
	Name  string
	Until time.Time
}

// Authorities are the system's and those of a file, which is read again when it changes; a
// file that does not fit leaves those before in force.
type Authorities struct {
	file   string
	logger *slog.Logger

	mu       sync.Mutex
	pool     *x509.CertPool
	own      []Authority
	modified time.Time
	size     int64
	said     string // why it was not read again, as the log has it
}

// OpenAuthorities reads a file of certificates in PEM form.
func OpenAuthorities(file string, logger *slog.Logger) (*Authorities, error) {
	a := &Authorities{file: file, logger: logger}
	info, err := os.Stat(file)
	if err != nil {
		return nil, err
	}
	return a, a.load(info)
}

// Pool is who may sign now.
func (a *Authorities) Pool() *x509.CertPool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refresh()
	return a.pool
}

// Own are those of the file now, with the file's name.
func (a *Authorities) Own() (file string, own []Authority) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refresh()
	return a.file, a.own
}

// refresh reads the file again where it is another one than before. One that cannot be read now is tried at the next
// connection; the log says so once.
func (a *Authorities) refresh() {
	info, err := os.Stat(a.file)
	switch {
	case err != nil:
	case info.ModTime().Equal(a.modified) && info.Size() == a.size:
		return
	default:
		err = a.load(info)
	}
	if err == nil {
		a.said = ""
	} else if a.said != err.Error() {
		a.said = err.Error()
		a.logger.Error("GUICHE_SERVICE_CA was not read again", "error", err)
	}
}

// load notes which file it read even when that does not fit: it stays so until it changes.
func (a *Authorities) load(info os.FileInfo) error {
	content, err := os.ReadFile(a.file)
	if err != nil {
		return err
	}
	a.modified, a.size = info.ModTime(), info.Size()
	certificates, err := parse(content)
	if err != nil {
		return fmt.Errorf("%s: %w", a.file, err)
	}
	pool, err := x509.SystemCertPool()
	if err != nil {
		pool = x509.NewCertPool() // a system without any
	}
	own := make([]Authority, len(certificates))
	for i, c := range certificates {
		pool.AddCert(c)
		own[i] = Authority{Name: nameOf(c), Until: c.NotAfter}
	}
	a.pool, a.own = pool, own
	return nil
}

// parse wants certificates and nothing else.
func parse(content []byte) (all []*x509.Certificate, err error) {
	for {
		var block *pem.Block
		if block, content = pem.Decode(content); block == nil {
			break
		}
		if block.Type != "CERTIFICATE" {
			return nil, fmt.Errorf("holds a %s, want certificates alone", block.Type)
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("holds a certificate that cannot be read: %w", err)
		}
		all = append(all, c)
	}
	if len(all) == 0 {
		return nil, errors.New("holds no certificate in PEM form")
	}
	return all, nil
}

// nameOf is what people call an authority.
func nameOf(c *x509.Certificate) string {
	if c.Subject.CommonName != "" {
		return c.Subject.CommonName
	}
	return c.Subject.String()
}
