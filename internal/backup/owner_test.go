//go:build unix

package backup_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"guiche/internal/notrun"
)

// TestMake_ByRoot: a backup that root makes leaves nothing in the installation of somebody else that they cannot open.
func TestMake_ByRoot(t *testing.T) {
	if os.Geteuid() != 0 {
		notrun.Say(t, "whose files are that root makes: this is not root")
		return
	}
	i := MustInstall(t)
	const uid, gid = 4711, 4712
	MustDo(t, filepath.WalkDir(i.data, func(path string, _ os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chown(path, uid, gid)
	}))
	i.MustMake(t)
	i.MustMake(t)
	MustDo(t, filepath.WalkDir(i.data, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if of, ok := info.Sys().(*syscall.Stat_t); !ok || of.Uid != uid || of.Gid != gid {
			t.Errorf("%s is of %d:%d, want %d:%d", path, of.Uid, of.Gid, uid, gid)
		}
		return nil
	}))
}
