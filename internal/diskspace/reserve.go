package diskspace

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// reserveName is the file of the reserve in the data folder. Whoever finds it on a full
// disk may delete it: it holds nothing.
const reserveName = "space.reserve"

// reserve is the size of the reserve.
func (d *Disk) reserve() int64 { return min(largestReserve, d.requests()/2) }

// Reserve is how much is kept for when space runs out, 0 while that is in use.
func (d *Disk) Reserve() int64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.reserved {
		return 0
	}
	return d.reserve()
}

func (d *Disk) reservePath() string { return filepath.Join(d.config.Dir, reserveName) }

func (d *Disk) hasReserve() bool {
	info, err := os.Stat(d.reservePath())
	return err == nil && info.Size() >= d.reserve()
}

const (
	// ample is more than anybody writes within ampleFor.
	ample = 1 << 30
	// ampleFor is how long nobody asks again how much is free, where there is more than that.
	ampleFor = 50 * time.Millisecond
)

// MakeRoom gives the reserve up when what is about to be written may not fit. It is
// called before every transaction.
func (d *Disk) MakeRoom() {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.reserved || time.Since(d.wasAmple) < ampleFor {
		return
	}
	free, err := d.free()
	switch {
	case err != nil:
	case free >= ample:
		d.wasAmple = time.Now()
	case free < d.reserve()/2:
		d.release()
	}
}

// AddLog names the write-ahead log of a database: half of the reserve becomes room of the
// logs alone when it is given up, for whoever filled the disk may take the other half.
func (d *Disk) AddLog(path string) {
	if d == nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.logs = append(d.logs, path)
}

// release deletes the reserve.
func (d *Disk) release() {
	d.reserved = false
	if err := os.Remove(d.reservePath()); err != nil && !errors.Is(err, fs.ErrNotExist) {
		d.config.Logger.Error("the reserve of disk space could not be given up", "error", err)
		return
	}
	for _, path := range d.logs {
		if err := extend(path, d.reserve()/2/int64(len(d.logs))); err != nil {
			d.config.Logger.Warn("a database's log has no room of its own", "error", err)
		}
	}
	d.config.Logger.Warn("the reserve of disk space is in use", "bytes", d.reserve())
}

// renew makes the reserve. What is written cannot be compressed away. That it cannot be
// made is no error: there is room without it.
func (d *Disk) renew(ctx context.Context) {
	if err := d.writeReserve(); err != nil {
		_ = os.Remove(d.reservePath()) // half a reserve is in the way
		d.config.Logger.WarnContext(ctx, "no reserve of disk space could be made", "error", err)
		return
	}
	d.reserved = true
}

func (d *Disk) writeReserve() error {
	f, err := os.OpenFile(d.reservePath(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	if err = allocate(f, d.reserve()); err != nil {
		_, err = io.CopyN(f, rand.Reader, d.reserve())
	}
	return errors.Join(err, f.Close())
}
