//go:build !linux && !darwin && !windows

package files

import "math"

// freeSpace does not know: nothing is refused.
func freeSpace(string) (int64, error) { return math.MaxInt64, nil }
