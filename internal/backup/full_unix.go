//go:build unix

package backup

import (
	"errors"
	"syscall"
)

// isFull reports whether a disk or a quota was full.
func isFull(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }
