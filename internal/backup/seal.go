package backup

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"filippo.io/age"
)

// Recipients reads age recipients, each a public key ("age1…").
func Recipients(texts []string) ([]age.Recipient, error) {
	var all []age.Recipient
	for _, text := range texts {
		some, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("%q is no age recipient: %w", text, err)
		}
		all = append(all, some...)
	}
	return all, nil
}

// Identities reads what opens encrypted backups from an age identity file.
func Identities(path string) ([]age.Identity, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("backup: identity: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	all, err := age.ParseIdentities(f)
	if err != nil {
		return nil, fmt.Errorf("backup: identity: %w", err)
	}
	return all, nil
}

// stored is what was written to a file.
type stored struct {
	size int64
	sum  string // SHA-256 of the file, hexadecimal
}

// measure counts and hashes what is written through it.
type measure struct {
	w    io.Writer
	hash hash.Hash
	size int64
}

func newMeasure(w io.Writer) *measure { return &measure{w: w, hash: sha256.New()} }

// Write implements io.Writer.
func (m *measure) Write(p []byte) (int, error) {
	n, err := m.w.Write(p)
	m.hash.Write(p[:n])
	m.size += int64(n)
	return n, err
}

func (m *measure) stored() stored { return stored{m.size, hex.EncodeToString(m.hash.Sum(nil))} }

// store writes content to a new file and syncs it, encrypted where there are recipients.
func store(path string, content io.Reader, to []age.Recipient) (s stored, err error) {
	if err := os.MkdirAll(filepath.Dir(path), folderMode); err != nil {
		return s, err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return s, err
	}
	m := newMeasure(f)
	if err = pour(m, content, to); err == nil {
		err = f.Sync()
	}
	return m.stored(), errors.Join(err, f.Close())
}

func pour(w io.Writer, content io.Reader, to []age.Recipient) error {
	if len(to) == 0 {
		_, err := io.Copy(w, content)
		return err
	}
	sealed, err := age.Encrypt(w, to...)
	if err != nil {
		return err
	}
	_, err = io.Copy(sealed, content)
	return errors.Join(err, sealed.Close())
}

// sumFile hashes a file.
func sumFile(path string) (stored, error) {
	f, err := os.Open(path)
	if err != nil {
		return stored{}, err
	}
	defer func() { _ = f.Close() }() // only read
	m := newMeasure(io.Discard)
	_, err = io.Copy(m, f)
	return m.stored(), err
}

// opener reads stored files as what was put into them.
type opener struct{ identities []age.Identity }

// open opens a stored file.
func (o opener) open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil || !strings.HasSuffix(path, ageSuffix) {
		return f, err
	}
	r, err := age.Decrypt(f, o.identities...)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return struct {
		io.Reader
		io.Closer
	}{r, f}, nil
}

// can reports whether a backup can be opened at all.
func (o opener) can(m Manifest) bool { return !m.Encrypted || len(o.identities) > 0 }
