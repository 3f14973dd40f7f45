package diskspace

import "golang.org/x/sys/windows"

// systemFree is how many bytes the program may still write beside a path.
func systemFree(path string) (int64, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return 0, err
	}
	var free uint64
	if err := windows.GetDiskFreeSpaceEx(name, &free, nil, nil); err != nil {
		return 0, err
	}
	return int64(free), nil //nolint:gosec // no disk has as many bytes as an int64
}
