//go:build !linux && !darwin && !windows

package diskspace

import "math"

// systemFree does not know: nothing is refused.
func systemFree(string) (int64, error) { return math.MaxInt64, nil }
