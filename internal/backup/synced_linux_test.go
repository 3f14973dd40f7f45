package backup_test

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"syscall"
	"testing"

	"guiche/internal/backup"
)

// opens counts how often each folder below a path is opened, from now on.
func opens(t *testing.T, path string) func() map[string]int {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_NONBLOCK | syscall.IN_CLOEXEC)
	MustDo(t, err)
	t.Cleanup(func() { _ = syscall.Close(fd) })
	_, err = syscall.InotifyAddWatch(fd, path, syscall.IN_OPEN|syscall.IN_CLOSE) // equal ones in a row are one
	MustDo(t, err)
	return func() map[string]int {
		counts, b := map[string]int{}, make([]byte, 1<<20)
		n, err := syscall.Read(fd, b)
		MustDo(t, err)
		for b = b[:n]; len(b) > 0; {
			mask, size := binary.NativeEndian.Uint32(b[4:]), binary.NativeEndian.Uint32(b[12:])
			name := string(bytes.TrimRight(b[syscall.SizeofInotifyEvent:][:size], "\x00"))
			if b = b[syscall.SizeofInotifyEvent+size:]; mask&syscall.IN_ISDIR != 0 && mask&syscall.IN_OPEN != 0 {
				counts[name]++
			}
		}
		return counts
	}
}

// TestMake_Synced: before a backup has its name, each folder of it is opened to be synced: a power cut after that takes
// no file of it, also of those whose process was killed before it synced them.
func TestMake_Synced(t *testing.T) {
	i := MustInstall(t)
	ana, _ := identity(t)
	i.MustMake(t, sealedFor(ana))
	var parts func() map[string]int
	i.looks = func(p backup.Place) error {
		if stages, _ := filepath.Glob(filepath.Join(i.folder, "*.partial")); p.Half == "service" {
			parts = opens(t, stages[0])
		}
		return nil
	}
	blobs := opens(t, filepath.Join(i.folder, "blobs"))
	i.MustMake(t, sealedFor(ana))
	opened := parts()
	for _, name := range []string{"desk", "service", "keys"} {
		if opened[name] == 0 {
			t.Errorf("%s was not opened", name)
		}
	}
	const listed, synced = 1, 1
	if shard := string(i.refs["order"][:2]); blobs()[shard] < listed+synced {
		t.Errorf("%s was opened to be listed alone", shard)
	}
}
