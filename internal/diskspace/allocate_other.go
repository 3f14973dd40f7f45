//go:build !linux

package diskspace

import (
	"errors"
	"os"
)

// allocate leaves it to the caller to write the file.
func allocate(*os.File, int64) error { return errors.ErrUnsupported }

// extend is not known here: the log grows into what the reserve has left.
func extend(string, int64) error { return errors.ErrUnsupported }
