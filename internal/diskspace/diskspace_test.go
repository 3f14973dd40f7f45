package diskspace_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"guiche/internal/diskspace"
	"guiche/internal/problem"
)

const mib = 1 << 20

// disk is one that has so many bytes for the reserve and all that others leave.
type disk struct {
	folder string
	size   atomic.Int64
	lost   atomic.Bool // nobody can say how much is free
}

func (d *disk) reserve() int64 {
	info, err := os.Stat(filepath.Join(d.folder, "space.reserve"))
	if err != nil {
		return 0
	}
	return info.Size()
}

func (d *disk) free(folder string) (int64, error) {
	if d.lost.Load() {
		return 0, errors.New("lost")
	}
	if _, err := os.Stat(folder); err != nil {
		return 0, err
	}
	return d.size.Load() - d.reserve(), nil
}

// open opens a disk of some size of which 512 MiB shall stay free.
func open(t *testing.T, size int64) (*disk, *diskspace.Disk) {
	t.Helper()
	d := &disk{folder: t.TempDir()}
	d.size.Store(size)
	opened := d.open()
	opened.Look(t.Context())
	return d, opened
}

func (d *disk) open() *diskspace.Disk {
	return diskspace.Open(diskspace.Config{Dir: d.folder, MinFree: 512 * mib, Free: d.free, Logger: slog.New(slog.DiscardHandler)})
}

// TestDisk_Levels: files are refused first, then all that is new, each with how much is
// free and how much there must be.
func TestDisk_Levels(t *testing.T) {
	for name, tt := range map[string]struct {
		size            int64
		want            diskspace.State
		files, requests string
	}{
		"Enough":      {528 * mib, diskspace.State{Free: 512 * mib}, "", ""},
		"NoFiles":     {527 * mib, diskspace.State{Level: diskspace.NoFiles, Free: 511 * mib, Needed: 512 * mib}, "há 511 MB livres", ""},
		"JustEnough":  {80 * mib, diskspace.State{Level: diskspace.NoFiles, Free: 64 * mib, Needed: 512 * mib}, "precisos 512 MB", ""},
		"NothingNew":  {63 * mib, diskspace.State{Level: diskspace.NothingNew, Free: 63 * mib, Needed: 64 * mib}, "há 63 MB", "precisos 64 MB"},
		"AlmostEmpty": {1000, diskspace.State{Level: diskspace.NothingNew, Free: 1000, Needed: 64 * mib}, "menos de 1 MB", "menos de 1 MB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, d := open(t, tt.size)
			if got, err := d.State(); got != tt.want || err != nil {
				t.Errorf("got %+v, %v, want %+v", got, err, tt.want)
			}
			wantRefused(t, d.Files(), tt.files)
			wantRefused(t, d.Requests(), tt.requests)
		})
	}
}

// wantRefused wants a refusal for want of space whose sentence holds a text; none for "".
func wantRefused(t *testing.T, err error, text string) {
	t.Helper()
	var p *problem.Error
	if text == "" && err == nil {
		return
	}
	if !errors.As(err, &p) || p.Code != problem.NoSpace || text == "" || !strings.Contains(p.Message, text) {
		t.Errorf("got %+v, want %q", err, text)
	}
}

// TestDisk_Reserve: it is given up before a write that may not fit, at a start too, and
// made again when there is room for it.
func TestDisk_Reserve(t *testing.T) {
	there, d := open(t, 600*mib)
	if got, told := there.reserve(), d.Reserve(); got != 16*mib || told != got {
		t.Fatalf("got a reserve of %d bytes, told %d, want 16 MiB", got, told)
	}
	there.size.Store((16 + 8) * mib)
	d.MakeRoom()
	if there.reserve() == 0 {
		t.Error("it is given up while there is room")
	}
	there.size.Add(-1)
	d.MakeRoom()
	if there.reserve() != 0 {
		t.Error("it is kept although there is no room")
	}
	if got := d.Reserve(); got != 0 {
		t.Errorf("of a reserve that is in use: got %d bytes", got)
	}
	there.size.Store(80*mib - 1)
	d.Look(t.Context())
	if there.reserve() != 0 {
		t.Error("it is made where that leaves no room")
	}
	there.size.Add(1)
	d.Look(t.Context())
	if there.reserve() != 16*mib {
		t.Error("it is not made again")
	}
	there.size.Store(17 * mib)
	there.open()
	if there.reserve() != 0 {
		t.Error("a start on a full disk keeps it")
	}
}

// TestDisk_Full: whoever could not write is told so with the numbers, and the reserve
// makes room for the next one.
func TestDisk_Full(t *testing.T) {
	there, d := open(t, 80*mib)
	there.size.Store(20 * mib)
	err := d.Full(syscall.ENOSPC)
	wantRefused(t, err, "há 20 MB livres. São precisos 64 MB.")
	if !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("got %v, want the cause in it", err)
	}
	if there.reserve() != 0 {
		t.Error("the reserve is kept")
	}
	there.size.Store(600 * mib)
	wantRefused(t, d.Full(syscall.EDQUOT), "não aceita mais dados") // a quota is no matter of the disk
	there.lost.Store(true)
	wantRefused(t, d.Full(syscall.ENOSPC), "não aceita mais dados")
}

// TestDisk_Unknown: that nobody can say how much is free is an error of its own, and
// refuses nothing by its name.
func TestDisk_Unknown(t *testing.T) {
	there, d := open(t, 600*mib)
	there.lost.Store(true)
	d.Look(t.Context())
	for _, err := range []error{d.Files(), d.Requests()} {
		if err == nil || problem.Is(err, problem.NoSpace) {
			t.Errorf("got %v, want what failed", err)
		}
	}
	if there.reserve() == 0 {
		t.Error("the reserve was given up")
	}
}

func TestDisk_Nil(t *testing.T) {
	var d *diskspace.Disk
	d.MakeRoom()
	if state, err := d.State(); state != (diskspace.State{}) || err != nil || d.Files() != nil || d.Requests() != nil {
		t.Errorf("got %+v, %v, want that nothing is refused", state, err)
	}
	wantRefused(t, d.Full(syscall.ENOSPC), "nada foi gravado")
}

// TestDisk_NoReserve: where none can be made all goes on without it.
func TestDisk_NoReserve(t *testing.T) {
	there, d := open(t, 10*mib)
	if err := os.Mkdir(filepath.Join(there.folder, "space.reserve"), 0o700); err != nil {
		t.Fatal(err)
	}
	there.size.Store(600 * mib)
	d.Look(t.Context())
	if d.Files() != nil {
		t.Error("files are refused")
	}
}

// TestDisk_Run looks until its end.
func TestDisk_Run(t *testing.T) {
	there, d := open(t, 10*mib)
	there.size.Store(600 * mib)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d.Run(ctx)
	if there.reserve() == 0 {
		t.Error("there is no reserve")
	}
}

func TestFree(t *testing.T) {
	if free, err := diskspace.Free(t.TempDir()); free <= 0 || err != nil {
		t.Errorf("got %d, %v", free, err)
	}
	if _, err := diskspace.Free(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want that there is no such folder", err)
	}
}

// TestDisk_MakeRoom_Ample: where there is ample room not every transaction asks how much it is,
// and where there is less each one does.
func TestDisk_MakeRoom_Ample(t *testing.T) {
	const times = 2000
	for name, tc := range map[string]struct {
		size int64
		all  bool
	}{"Ample": {8 << 30, false}, "Less": {900 * mib, true}} {
		t.Run(name, func(t *testing.T) {
			d := &disk{folder: t.TempDir()}
			d.size.Store(tc.size)
			asked := 0
			opened := diskspace.Open(diskspace.Config{
				Dir: d.folder, MinFree: 512 * mib, Logger: slog.New(slog.DiscardHandler),
				Free: func(folder string) (int64, error) { asked++; return d.free(folder) },
			})
			opened.Look(t.Context())
			asked = 0
			for range times {
				opened.MakeRoom()
			}
			if (asked >= times) != tc.all {
				t.Errorf("asked %d times", asked)
			}
		})
	}
}
