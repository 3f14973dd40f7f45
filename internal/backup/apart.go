package backup

import (
	"errors"
	"os"
	"path/filepath"
)

// errNotApart is a folder of backups that would share files with the installation.
var errNotApart = errors.New("backup: the folder of backups is one that the installation uses itself: " +
	"choose another, better on another machine or disk")

// ownFolders are what an installation has in its folder. Those of a half have the folder of blobs where that of backups
// has it, from which what old backups held is removed.
var ownFolders = []string{"desk", "service", keysFolder, workFolder, "before-update"}

// CheckApart refuses a folder of backups that is the installation's, or lies in one that this uses.
func CheckApart(folder, data string) error {
	folder, err := resolve(folder)
	data, err2 := resolve(data)
	if err := errors.Join(err, err2); err != nil {
		return err
	}
	if same(folder, data) {
		return errNotApart
	}
	for _, own := range ownFolders {
		if within(folder, filepath.Join(data, own)) {
			return errNotApart
		}
	}
	return nil
}

// resolve is where a path leads, of which the end need not be there yet.
func resolve(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for there, rest := path, ""; ; {
		if real, err := filepath.EvalSymlinks(there); err == nil {
			return filepath.Join(real, rest), nil
		}
		parent := filepath.Dir(there)
		if parent == there {
			return path, nil
		}
		there, rest = parent, filepath.Join(filepath.Base(there), rest)
	}
}

// within reports whether a path is that of a folder, or below it.
func within(path, folder string) bool {
	for ; !same(path, folder); path = filepath.Dir(path) {
		if path == filepath.Dir(path) {
			return false
		}
	}
	return true
}

// same reports whether two paths are of one folder, however they are written.
func same(a, b string) bool {
	one, errOne := os.Stat(a)
	other, errOther := os.Stat(b)
	return a == b || errOne == nil && errOther == nil && os.SameFile(one, other)
}
