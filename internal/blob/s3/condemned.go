package s3

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/blob"
)

// condemnedFolder holds an empty file for each blob that the bucket has yet to be told to remove.
// No Ref begins with its name.
const condemnedFolder = "removing"

// unsettled is how long a removal of which nobody knows what became of it may still happen.
const unsettled = time.Minute

// condemned are blobs that no row names and that are to be removed from the bucket. One that is
// put again is pardoned. The next process asks once more what rows name.
type condemned struct {
	folder string

	mutex   sync.Mutex
	refs    map[blob.Ref]struct{}
	failed  map[blob.Ref]time.Time // when the bucket was last told, without an answer
	waiting chan struct{}
}

// open makes the folder and returns what an earlier process did not remove.
func (c *condemned) open(folder string) (again []blob.Ref, err error) {
	c.folder, c.refs, c.failed, c.waiting = folder, map[blob.Ref]struct{}{}, map[blob.Ref]time.Time{}, make(chan struct{}, 1)
	if err := atomicfile.EnsureFolder(folder, 0o700); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if ref := blob.Ref(e.Name()); ref.Check() == nil {
			again = append(again, ref) // its file stays until the bucket has removed it
		}
	}
	return again, nil
}

// add condemns a blob that nobody holds.
func (c *condemned) add(ref blob.Ref) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if err := os.WriteFile(filepath.Join(c.folder, string(ref)), nil, 0o600); err != nil {
		return err
	}
	c.refs[ref] = struct{}{}
	select {
	case c.waiting <- struct{}{}:
	default: // told already
	}
	return nil
}

func (c *condemned) has(ref blob.Ref) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	_, there := c.refs[ref]
	return there
}

func (c *condemned) all() (refs []blob.Ref) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for ref := range c.refs {
		refs = append(refs, ref)
	}
	return refs
}

var errUnsettled = errors.New("a removal of the same bytes may still be under way")

// pardon takes a blob back that is about to be put. While its removal may still happen, it is
// not put: the removal could come after it.
func (c *condemned) pardon(ref blob.Ref, now time.Time) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if at, told := c.failed[ref]; told && now.Sub(at).Abs() < unsettled {
		return slow.err("put", errUnsettled)
	}
	return c.forget(ref)
}

// removed forgets a blob that the bucket has no more.
func (c *condemned) removed(ref blob.Ref) error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.forget(ref)
}

func (c *condemned) forget(ref blob.Ref) error {
	delete(c.failed, ref)
	delete(c.refs, ref)
	if err := os.Remove(filepath.Join(c.folder, string(ref))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// notRemoved notes that nobody knows whether the bucket has removed a blob.
func (c *condemned) notRemoved(ref blob.Ref, now time.Time) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.failed[ref] = now
}
