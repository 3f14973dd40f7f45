//go:build !linux

package files

import (
	"errors"
	"os"
)

// syncAll leaves it to the caller to sync each file.
func syncAll(*os.File) error { return errors.ErrUnsupported }
