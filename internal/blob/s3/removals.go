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

// removalsFolder holds an empty file for each blob that the bucket has yet to be told to remove.
// No Ref begins with its name.
const removalsFolder = "removing"

// unsettled is how long a removal of which nobody knows what became of it may still happen.
const unsettled = time.Minute

// removals are blobs that no row names and that are to be removed from the bucket. One that is
// put again stays. The next process asks once more what rows name.
type removals struct {
	folder string

	mutex   sync.Mutex
	refs    map[blob.Ref]struct{}
	failed  map[blob.Ref]time.Time // when the bucket was last told, without an answer
	waiting chan struct{}
}

// open makes the folder and returns what an earlier process did not remove.
func (r *removals) open(folder string) (again []blob.Ref, err error) {
	r.folder, r.refs, r.failed, r.waiting = folder, map[blob.Ref]struct{}{}, map[blob.Ref]time.Time{}, make(chan struct{}, 1)
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

// add notes a blob that nobody holds.
func (r *removals) add(ref blob.Ref) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if err := os.WriteFile(filepath.Join(r.folder, string(ref)), nil, 0o600); err != nil {
		return err
	}
	r.refs[ref] = struct{}{}
	select {
	case r.waiting <- struct{}{}:
	default: // told already
	}
	return nil
}

func (r *removals) has(ref blob.Ref) bool {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	_, there := r.refs[ref]
	return there
}

func (r *removals) all() (refs []blob.Ref) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	for ref := range r.refs {
		refs = append(refs, ref)
	}
	return refs
}

var errUnsettled = errors.New("a removal of the same bytes may still be under way")

// cancel takes a blob back that is about to be put. While its removal may still happen, it is
// not put: the removal could come after it.
func (r *removals) cancel(ref blob.Ref, now time.Time) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if at, told := r.failed[ref]; told && now.Sub(at).Abs() < unsettled {
		return slow.err("put", errUnsettled)
	}
	return r.forget(ref)
}

// postpone leaves a blob to whoever asks about it again: this process, or the next one.
func (r *removals) postpone(ref blob.Ref) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	delete(r.refs, ref)
}

// removed forgets a blob that the bucket has no more.
func (r *removals) removed(ref blob.Ref) error {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	return r.forget(ref)
}

func (r *removals) forget(ref blob.Ref) error {
	delete(r.failed, ref)
	delete(r.refs, ref)
	if err := os.Remove(filepath.Join(r.folder, string(ref))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// notRemoved notes that nobody knows whether the bucket has removed a blob.
func (r *removals) notRemoved(ref blob.Ref, now time.Time) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	r.failed[ref] = now
}
