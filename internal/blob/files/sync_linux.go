package files

import (
	"os"

	"golang.org/x/sys/unix"
)

// syncAll brings the whole file system of a folder to disk: one wait for many files.
func syncAll(folder *os.File) error { return unix.Syncfs(int(folder.Fd())) }
