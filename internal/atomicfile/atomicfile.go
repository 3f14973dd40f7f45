// Package atomicfile writes small files that are there whole or not at all, even
// when the machine stops in the middle: a temporary file in the same folder is
// synced and renamed, and the folder is synced after it.
package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// folderMode is the mode of folders that Write and Create add.
const folderMode fs.FileMode = 0o700

// Write puts content in the file, which gets exactly the mode given. A file that
// is there is replaced, and stays as it was when Write fails. Of writers at the
// same moment one wins. Missing folders are created with mode 0700.
func Write(path string, content []byte, mode fs.FileMode) error {
	return publish(path, content, mode, os.Rename)
}

// Create is Write for a file that must never be replaced: the error is
// fs.ErrExist when there is one, which is then safely on disk.
func Create(path string, content []byte, mode fs.FileMode) error {
	return publish(path, content, mode, os.Link) // a link never replaces
}

// publish writes a temporary file and gives it its name.
func publish(path string, content []byte, mode fs.FileMode, name func(temp, path string) error) error {
	folder := filepath.Dir(path)
	if err := EnsureFolder(folder, folderMode); err != nil {
		return err
	}
	temp, err := os.CreateTemp(folder, "."+filepath.Base(path)+"-*")
	if err != nil {
		return fmt.Errorf("create temporary file: %w", err)
	}
	defer func() { _ = os.Remove(temp.Name()) }() // renamed, it is gone already
	if err := fill(temp, content, mode); err != nil {
		return fmt.Errorf("write temporary file: %w", err)
	}
	return errors.Join(name(temp.Name(), path), SyncNames(folder))
}

// fill writes, syncs and closes a new file.
func fill(f *os.File, content []byte, mode fs.FileMode) error {
	_, err := f.Write(content)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}

// MkdirAll is os.MkdirAll for folders that must outlive a crash: each new one is
// synced into its parent.
func MkdirAll(folder string, mode fs.FileMode) error {
	if isFolder(folder) {
		return nil
	}
	parent := filepath.Dir(folder)
	if parent != folder { // a drive that is not there has no parent to create
		if err := MkdirAll(parent, mode); err != nil {
			return err
		}
	}
	// Another process may have been faster: the folder counts, not who made it.
	if err := os.Mkdir(folder, mode); err != nil && !isFolder(folder) {
		return fmt.Errorf("create folder: %w", err)
	}
	return SyncNames(parent)
}

// EnsureFolder is MkdirAll for folders that others rely on: one that is there already is
// synced into its parent, too, for who made it may have been killed before that.
func EnsureFolder(folder string, mode fs.FileMode) error {
	if !isFolder(folder) {
		return MkdirAll(folder, mode)
	}
	err := SyncNames(filepath.Dir(folder))
	if errors.Is(err, fs.ErrPermission) { // somebody else's folder, and therefore theirs to keep
		return nil
	}
	return err
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// SyncNames brings the names in a folder to disk: after a rename, for example.
func SyncNames(folder string) error {
	f, err := os.Open(folder)
	if err != nil {
		return fmt.Errorf("open folder: %w", err)
	}
	return errors.Join(SyncFolder(f), f.Close())
}

// SyncFolder brings the names in an open folder to disk. Windows has no such call
// and does it by itself.
func SyncFolder(folder *os.File) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	if err := folder.Sync(); err != nil {
		return fmt.Errorf("sync folder: %w", err)
	}
	return nil
}
