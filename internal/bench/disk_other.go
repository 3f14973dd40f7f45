//go:build !linux

package bench

import "os"

// datasync brings a file's bytes to disk.
func datasync(f *os.File) error { return f.Sync() }
