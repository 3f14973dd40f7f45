package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"time"
)

// disk is a file on the disk of what is measured.
type disk struct {
	file  *os.File
	block []byte
}

func newDisk(folder string) (*disk, error) {
	f, err := os.Create(filepath.Join(folder, "bench.block"))
	if err != nil {
		return nil, err
	}
	return &disk{f, bytes.Repeat([]byte("guiche.\n"), 512)}, nil
}

func (d *disk) close() {
	_ = d.file.Close()
	_ = os.Remove(d.file.Name())
}

// p50 is how long it takes to bring the same 4 KiB to disk.
func (d *disk) p50() (time.Duration, error) {
	var all times
	for range 60 {
		start := time.Now()
		if _, err := d.file.WriteAt(d.block, 0); err != nil {
			return 0, err
		}
		if err := datasync(d.file); err != nil {
			return 0, err
		}
		all = append(all, time.Since(start))
	}
	return all.at(50), nil
}
