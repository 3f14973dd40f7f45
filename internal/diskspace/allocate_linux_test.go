package diskspace_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestDisk_AddLog: of a reserve that is given up a part is the logs' own.
func TestDisk_AddLog(t *testing.T) {
	there, d := open(t, 600*mib)
	var logs []string
	for _, name := range []string{"guiche.db-wal", "service.db-wal"} {
		path := filepath.Join(there.folder, name)
		if err := os.WriteFile(path, []byte("a log"), 0o600); err != nil {
			t.Fatal(err)
		}
		d.AddLog(path)
		logs = append(logs, path)
	}
	d.AddLog(filepath.Join(there.folder, "none-wal"))
	there.size.Store(20 * mib)
	d.MakeRoom()
	for _, path := range logs {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		room := info.Sys().(*syscall.Stat_t).Blocks * 512
		if info.Size() != int64(len("a log")) || room < 8*mib/3 {
			t.Errorf("%s: %d bytes in %d, want a third of 8 MiB behind its end", path, info.Size(), room)
		}
	}
}
