package bench

import (
	"os"
	"syscall"
)

// datasync brings a file's bytes to disk.
func datasync(f *os.File) error { return syscall.Fdatasync(int(f.Fd())) }
