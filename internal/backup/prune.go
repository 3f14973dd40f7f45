package backup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// prune removes all but so many backups of an installation, and then the blobs that none in the folder names. The one
// that was just made stays, and the newest of the others: a clock that was put back names it before older ones.
// Those of other installations stay, too.
func prune(ctx context.Context, folder, made string, keep int, foreign []string, now time.Time) (removed int, err error) {
	ids, err := IDs(folder)
	if err != nil {
		return 0, err
	}
	others := slices.DeleteFunc(wrongFirst(ids, now), func(id string) bool { return id == made || slices.Contains(foreign, id) })
	old := others[:max(0, len(others)+1-keep)]
	kept := slices.Concat(others[len(old):], foreign, []string{made})
	for _, id := range old {
		if err := discard(filepath.Join(folder, id)); err != nil {
			return removed, fmt.Errorf("backup: remove an old one: %w", err)
		}
		removed++
	}
	return removed, sweep(ctx, folder, kept)
}

// foreignIn names the backups in a folder that are of another installation: this one's trail never was where theirs
// ends. One that cannot be read is taken for its own.
func foreignIn(ctx context.Context, folder string, own Contents) (foreign []string, err error) {
	ids, err := IDs(folder)
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		m, err := ReadManifest(filepath.Join(folder, id))
		if err != nil {
			continue
		}
		reached, err := own.Reaches(ctx, m.Trail)
		if err != nil {
			return nil, fmt.Errorf("backup: whose is %s: %w", id, err)
		}
		if !reached {
			foreign = append(foreign, id)
		}
	}
	return foreign, nil
}

// discard removes a backup. It loses its name first: half of one is never taken for one.
func discard(path string) error {
	if err := os.Rename(path, path+partial); err != nil {
		return err
	}
	return os.RemoveAll(path + partial)
}

// sweep removes blobs that none of the backups names. When one of the lists cannot be
// read, or is not as it was made, nothing is removed.
func sweep(ctx context.Context, folder string, kept []string) (err error) {
	var lists []*listReader
	defer func() {
		for _, l := range lists {
			l.close()
		}
	}()
	for _, id := range kept {
		some, err := openLists(filepath.Join(folder, id))
		lists = append(lists, some...)
		if err != nil {
			return fmt.Errorf("backup: blobs stay, as a backup cannot be read: %s: %w", id, err)
		}
	}
	for _, shard := range shards() {
		if err := errors.Join(ctx.Err(), sweepShard(folder, shard, lists)); err != nil {
			return fmt.Errorf("backup: remove blobs: %w", err)
		}
	}
	return nil
}

// openLists opens the lists of a backup, and returns those that it opened. It holds them to the
// manifest: one that was cut reads like any other, and names less.
func openLists(path string) (lists []*listReader, err error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	for _, h := range m.Halves {
		list := filepath.Join(path, filepath.FromSlash(h.List))
		s, err := sumFile(list)
		if err == nil && !slices.Contains(m.Files, File{h.List, s.size, s.sum}) {
			err = errList
		}
		if err != nil {
			return lists, err
		}
		l, err := openList(list)
		if err != nil {
			return lists, err
		}
		lists = append(lists, l)
	}
	return lists, nil
}

func sweepShard(folder, shard string, lists []*listReader) error {
	named := map[string]bool{}
	for _, l := range lists {
		lines, err := l.shard(shard)
		if err != nil {
			return err
		}
		for _, line := range lines {
			named[line.file[3:]] = true
		}
	}
	path := filepath.Join(folder, blobsFolder, shard)
	entries, err := os.ReadDir(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		if !named[e.Name()] {
			if err := os.Remove(filepath.Join(path, e.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}
