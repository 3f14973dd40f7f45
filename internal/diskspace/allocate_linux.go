package diskspace

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// allocate gives a file its blocks without writing them; not every file system can.
func allocate(f *os.File, size int64) error {
	return unix.Fallocate(int(f.Fd()), 0, 0, size)
}

// extend gives a file blocks behind its end, into which it grows without the disk.
func extend(path string, by int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		err = unix.Fallocate(int(f.Fd()), unix.FALLOC_FL_KEEP_SIZE, info.Size(), by)
	}
	return errors.Join(err, f.Close())
}
