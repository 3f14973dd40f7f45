//go:build unix

package backup

import (
	"os"
	"path/filepath"
	"syscall"
)

// makeFor makes an empty file that is of the owner of its folder, unless it is there. Made by root it would keep out the
// server that runs as that owner, and whose own backups want the same lock.
func makeFor(path string) {
	info, err := os.Stat(filepath.Dir(path))
	if err != nil || os.Geteuid() != 0 {
		return
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !ok || owner.Uid == 0 {
		return
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDONLY, 0o600) // which follows no link
	if err != nil {
		return
	}
	_ = f.Chown(int(owner.Uid), int(owner.Gid)) // some file systems have no owners
	_ = f.Close()
}
