// Package keys keeps the program's secret keys: one file of 32 random bytes each,
// in a folder outside the databases, readable by the program's user alone.
package keys

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Size is the length of a key in bytes.
const Size = 32

// Load reads the key in the file and makes it first when there is none: the file
// with mode 0600, missing folders with 0700. A file of another length is refused,
// never replaced: what the old key protects would be lost.
func Load(path string) ([Size]byte, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if err := create(path); err != nil {
			return [Size]byte{}, fmt.Errorf("keys: create: %w", err)
		}
		raw, err = os.ReadFile(path)
	}
	if err != nil {
		return [Size]byte{}, fmt.Errorf("keys: read: %w", err)
	}
	if len(raw) != Size {
		return [Size]byte{}, fmt.Errorf("keys: %s holds %d bytes, want %d", path, len(raw), Size)
	}
	return [Size]byte(raw), nil
}

// create writes a new key beside the path and links it there: the file appears
// whole or not at all, and of two processes one wins and both read its key.
func create(path string) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, ".key-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	var key [Size]byte
	_, _ = rand.Read(key[:]) // never fails: it ends the program instead
	_, err = temp.Write(key[:])
	if err := errors.Join(err, temp.Sync(), temp.Close()); err != nil {
		return err
	}
	if err := os.Link(temp.Name(), path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncFolder(dir)
}

func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
