// Package diskspace knows how much room there is for the data folder, says what is
// refused while there is little, and keeps a reserve: a file that is given up when space
// runs out, so that what is on the wire can still be settled, people can still log in,
// and each look is still written to the audit trail.
package diskspace

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"sync"
	"time"
)

const (
	// requestsFloor is below what nothing new is taken, not even without a file. What was
	// taken by then, and all that is written for reading, has that much to grow in.
	requestsFloor = 64 << 20
	// largestReserve is enough for the logs of two databases and a day's looks.
	largestReserve = 16 << 20
	// lookEvery is the pause between two looks at the disk while nothing is written.
	lookEvery = 2 * time.Second
)

// Level says what is refused for want of space.
type Level int

// The levels.
const (
	Enough     Level = iota
	NoFiles          // files are refused, and requests at the service that bring some
	NothingNew       // whatever is new is refused; what is there already goes on
)

// State is how the disk stands.
type State struct {
	Level  Level
	Free   int64 // bytes that can still be written
	Needed int64 // bytes that must be free for the next better level
}

// Config says which folder to look at and how much of its disk stays free.
type Config struct {
	Dir     string // the data folder, which is there; parts of it may lie on disks of their own
	MinFree int64  // bytes: below it files are refused; below half of it, at most 64 MiB, whatever is new
	// Free measures how many bytes can still be written to a folder; nil asks the system.
	Free   func(folder string) (int64, error)
	Logger *slog.Logger
}

// Disk watches the disk of one data folder. It is safe for concurrent use. A nil Disk
// refuses nothing.
type Disk struct {
	config  Config
	folders []string

	mu       sync.Mutex
	reserved bool
	wasAmple time.Time // when there was ample room last
	logs     []string  // of databases: see AddLog
	level    Level     // that was logged last
}

// Open gives the reserve up where a start needs it. It makes none: see Look.
func Open(c Config) *Disk {
	if c.Free == nil {
		c.Free = Free
	}
	d := &Disk{config: c, folders: []string{c.Dir, filepath.Join(c.Dir, "desk"), filepath.Join(c.Dir, "service")}}
	d.reserved = d.hasReserve()
	d.MakeRoom()
	return d
}

// Free is how many bytes may still be written to a folder.
func Free(folder string) (int64, error) {
	free, err := systemFree(folder)
	if err != nil {
		return 0, fmt.Errorf("diskspace: free space: %w", err)
	}
	return free, nil
}

// Run looks at the disk again and again until ctx is done, so that the reserve is made
// anew as soon as there is room.
func (d *Disk) Run(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	for {
		d.Look(ctx)
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// State says how the disk stands now.
func (d *Disk) State() (State, error) {
	if d == nil {
		return State{}, nil
	}
	free, err := d.free()
	if err != nil {
		return State{}, err
	}
	switch {
	case free < d.requests():
		return State{Level: NothingNew, Free: free, Needed: d.requests()}, nil
	case free < d.config.MinFree:
		return State{Level: NoFiles, Free: free, Needed: d.config.MinFree}, nil
	}
	return State{Free: free}, nil
}

// Short reports whether anything is refused.
func (d *Disk) Short() bool {
	state, err := d.State()
	return err == nil && state.Level != Enough
}

// requests is the floor for what is new, without files.
func (d *Disk) requests() int64 { return min(requestsFloor, d.config.MinFree/2) }

// free is the room on the fullest of the disks that the folder lies on.
func (d *Disk) free() (least int64, err error) {
	for i, folder := range d.folders {
		free, err := d.config.Free(folder)
		if i > 0 && errors.Is(err, fs.ErrNotExist) {
			continue // not made yet
		}
		if err != nil {
			return 0, err
		}
		if i == 0 || free < least {
			least = free
		}
	}
	return least, nil
}

// Look gives the reserve up or makes it, and logs what has changed.
func (d *Disk) Look(ctx context.Context) {
	d.MakeRoom()
	state, err := d.State()
	d.mu.Lock()
	defer d.mu.Unlock()
	if err != nil {
		d.config.Logger.ErrorContext(ctx, "the free disk space is not known", "error", err)
		return
	}
	if !d.reserved && state.Free >= d.requests()+d.reserve() {
		d.renew(ctx)
	}
	if state.Level == d.level {
		return
	}
	log, text := d.config.Logger.WarnContext, "disk space is short"
	if state.Level == Enough {
		log, text = d.config.Logger.InfoContext, "there is disk space again"
	}
	log(ctx, text, "free", state.Free, "needed", state.Needed)
	d.level = state.Level
}
