//go:build unix

package diskspace

import (
	"errors"
	"syscall"
)

// IsFull reports whether there was no room on a disk, in a quota or under a limit of the
// process.
func IsFull(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || errors.Is(err, syscall.EFBIG)
}
