// Package keyfile keeps the program's secret keys: files of 32 random bytes in a
// folder outside the databases, readable by the program's user alone. The database
// notes the id of each key that it rests on, so that a start without one of them, or
// with another, is refused before it does harm.
package keyfile

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"guiche/internal/atomicfile"
)

// Size is the length of a key in bytes.
const Size = 32

// Key is a secret key.
type Key [Size]byte

// ID names a key and tells nothing about it: 16 hexadecimal digits.
func (k Key) ID() string {
	mac := hmac.New(sha256.New, k[:])
	mac.Write([]byte("guiche key id"))
	return hex.EncodeToString(mac.Sum(nil)[:8])
}

// Name says what a key is for.
type Name string

// The keys of an installation.
const (
	Audit   Name = "audit"   // authenticates the audit trail
	Browser Name = "browser" // signs the cookie of browsers that logged in before
	Seal    Name = "seal"    // seals the secrets of other services
)

// Names lists every key of an installation.
func Names() []Name { return []Name{Audit, Browser, Seal} }

// Known reports whether there is a key of that name.
func (n Name) Known() bool { return slices.Contains(Names(), n) }

// rests says what of an installation rests on the key.
func (n Name) rests() string {
	return map[Name]string{
		Audit:   "the audit trail rests",
		Browser: "the cookies of known browsers rest",
		Seal:    "the stored secrets rest",
	}[n]
}

// read reads a key from its file; fs.ErrNotExist where there is none. A file of
// another length is an error and never replaced: what the old key protects would be
// lost.
func read(path string) (Key, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return Key{}, fmt.Errorf("keyfile: read: %w", err)
	}
	if len(raw) != Size {
		return Key{}, fmt.Errorf("keyfile: %s holds %d bytes, want %d", path, len(raw), Size)
	}
	return Key(raw), nil
}

// random draws a key.
func random() (key Key) {
	_, _ = rand.Read(key[:]) // never fails: it ends the program instead
	return key
}

// create puts a new key on disk. Of several processes at the same moment one wins,
// and all read its key.
func create(path string, key Key) (Key, error) {
	if err := atomicfile.Create(path, key[:], 0o600); err != nil && !errors.Is(err, fs.ErrExist) {
		return Key{}, fmt.Errorf("keyfile: create: %w", err)
	}
	return read(path)
}
