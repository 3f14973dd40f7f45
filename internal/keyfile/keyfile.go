// Package keyfile keeps the program's secret keys: one file of 32 random bytes
// each, in a folder outside the databases, readable by the program's user alone.
package keyfile

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"guiche/internal/atomicfile"
)

// Size is the length of a key in bytes.
const Size = 32

// Load reads the key in the file and creates it first when there is none: the file
// with mode 0600, missing folders with 0700. A file of another length is refused
// and never replaced: what the old key protects would be lost.
func Load(path string) ([Size]byte, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := create(path); err != nil {
			return [Size]byte{}, fmt.Errorf("keyfile: create: %w", err)
		}
		raw, err = os.ReadFile(path)
	}
	if err != nil {
		return [Size]byte{}, fmt.Errorf("keyfile: read: %w", err)
	}
	if len(raw) != Size {
		return [Size]byte{}, fmt.Errorf("keyfile: %s holds %d bytes, want %d", path, len(raw), Size)
	}
	return [Size]byte(raw), nil
}

// create puts a new key on disk. Of several processes at the same moment one wins,
// and all read its key.
func create(path string) error {
	var key [Size]byte
	_, _ = rand.Read(key[:]) // never fails: it ends the program instead
	if err := atomicfile.Create(path, key[:], 0o600); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
