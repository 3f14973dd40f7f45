//go:build linux || darwin

package diskspace

import "golang.org/x/sys/unix"

// systemFree is how many bytes the program may still write beside a path.
func systemFree(path string) (int64, error) {
	var s unix.Statfs_t
	if err := unix.Statfs(path, &s); err != nil {
		return 0, err
	}
	return int64(s.Bavail) * int64(s.Bsize), nil //nolint:unconvert // types of others on darwin; no disk is too large
}
