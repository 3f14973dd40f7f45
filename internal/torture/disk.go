package torture

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

const (
	// diskFull and diskFree are how long the disk is full, and has room, in turn.
	diskFull = 1500 * time.Millisecond
	diskFree = 1500 * time.Millisecond
	// fillPiece is what is written at once, and fillPause between two tries on a full disk:
	// whatever the program gives up is taken as soon as that.
	fillPiece = 64 << 10
	fillPause = 20 * time.Millisecond
)

// disk is a small one of the data folder's own, which is full from time to time.
type disk struct {
	folder string
	fills  int
}

// newDisk makes a disk in memory. That needs the rights of an administrator.
func newDisk(ctx context.Context, folder string, megabytes int) (*disk, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	//nolint:gosec // a number and a folder that whoever runs this has named
	mount := exec.CommandContext(ctx, "mount", "-t", "tmpfs", "-o", "mode=700,size="+strconv.Itoa(megabytes)+"m", "guiche-torture", folder)
	if out, err := mount.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("torture: mount: %w: %s", err, out)
	}
	return &disk{folder: folder}, nil
}

// close takes the disk away, with all that is on it.
func (d *disk) close() error {
	if d == nil {
		return nil
	}
	//nolint:gosec // the same folder
	if out, err := exec.CommandContext(context.Background(), "umount", d.folder).CombinedOutput(); err != nil {
		return fmt.Errorf("torture: umount: %w: %s", err, out)
	}
	return nil
}

// fill fills the disk to its last byte and makes room again, in turn, until ctx is done.
func (d *disk) fill(ctx context.Context) error {
	if d == nil {
		return nil
	}
	path := filepath.Join(d.folder, "others")
	for ctx.Err() == nil {
		pause(ctx, diskFree)
		full, cancel := context.WithTimeout(ctx, diskFull)
		err := fillUp(full, path)
		cancel()
		d.fills++
		if err = errors.Join(err, os.Remove(path)); err != nil {
			return fmt.Errorf("torture: fill the disk: %w", err)
		}
	}
	return nil
}

// fillUp writes a file until ctx is done, also what becomes free meanwhile.
func fillUp(ctx context.Context, path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	piece := make([]byte, fillPiece)
	for ctx.Err() == nil {
		_, err := f.Write(piece)
		if errors.Is(err, syscall.ENOSPC) {
			pause(ctx, fillPause)
		} else if err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}
