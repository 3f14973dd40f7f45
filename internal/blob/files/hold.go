package files

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"guiche/internal/atomicfile"
	"guiche/internal/blob"

	"github.com/gofrs/flock"
)

// The folder of holds has one folder for each process, with an empty file for each
// blob that it holds or has yet to ask about. A process locks the file beside its
// folder for as long as it lives; whoever can lock that file knows that it is dead.
// No Ref begins with the folder's name.
const (
	holdsFolder = "held"
	lockSuffix  = ".lock"
)

// holds are the blobs that must not be removed.
type holds struct {
	folder string       // of all processes
	own    string       // this process's part of it
	alive  *flock.Flock // held while the store is open
	all    *flock.Flock // shared while a hold begins, exclusive while a blob is removed

	mu     sync.Mutex
	count  map[blob.Ref]int      // holds of this process on it
	marked map[blob.Ref]struct{} // has a file in own
	ended  map[blob.Ref]struct{} // no longer held, and nobody has asked yet whether a row names it
	wake   chan struct{}
}

// openHolds begins this process's part of the folder.
func openHolds(folder string) (h *holds, err error) {
	if err := atomicfile.MkdirAll(folder, folderMode); err != nil {
		return nil, err
	}
	own := filepath.Join(folder, rand.Text())
	h = &holds{
		folder: folder, own: own, alive: lockFile(own + lockSuffix), all: lockFile(filepath.Join(folder, "all"+lockSuffix)),
		count: map[blob.Ref]int{}, marked: map[blob.Ref]struct{}{}, ended: map[blob.Ref]struct{}{}, wake: make(chan struct{}, 1),
	}
	if err := h.all.RLock(); err != nil { // or another process takes this one for dead
		return nil, err
	}
	defer func() { err = errors.Join(err, h.all.Unlock()) }()
	locked, err := h.alive.TryLock()
	switch {
	case err != nil:
		return nil, err
	case !locked:
		return nil, errors.New("the lock of a new process is taken")
	}
	return h, os.Mkdir(own, folderMode)
}

func lockFile(path string) *flock.Flock { return flock.New(path, flock.SetPermissions(fileMode)) }

// close leaves what was not asked about to the next process.
func (h *holds) close() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := os.Remove(h.own); err == nil { // it was empty
		_ = os.Remove(h.alive.Path()) // one that stays is adopted
	}
	return h.alive.Close()
}

// begin holds a blob: from then on nobody removes it. marked says that the next process
// is to ask about it if this one is killed, and that others leave it alone.
func (h *holds) begin(ref blob.Ref, marked bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.count[ref]++
	if _, done := h.marked[ref]; done || !marked {
		return nil
	}
	if err := h.mark(ref); err != nil {
		return fmt.Errorf("blob: hold: %w", err)
	}
	h.marked[ref] = struct{}{}
	return nil
}

// mark tells other processes. A removal that is under way ends first.
func (h *holds) mark(ref blob.Ref) (err error) {
	if err := h.all.RLock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.all.Unlock()) }()
	f, err := os.OpenFile(h.marker(ref), os.O_WRONLY|os.O_CREATE, fileMode)
	if err != nil {
		return err
	}
	return f.Close()
}

func (h *holds) marker(ref blob.Ref) string { return filepath.Join(h.own, string(ref)) }

// end lets go of blobs; who waits for wake asks what becomes of them.
func (h *holds) end(refs map[blob.Ref]struct{}) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for ref := range refs {
		if h.count[ref]--; h.count[ref] == 0 {
			delete(h.count, ref)
			h.ended[ref] = struct{}{}
		}
	}
	if len(h.ended) > 0 {
		h.signal()
	}
}

func (h *holds) signal() {
	select {
	case h.wake <- struct{}{}:
	default: // a wake-up is waiting already
	}
}

// whileFree removes a blob that no process holds; no hold on it begins meanwhile.
func (h *holds) whileFree(ref blob.Ref, remove func() error) (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.count[ref] > 0 {
		return blob.ErrHeld
	}
	if err := h.all.Lock(); err != nil {
		return fmt.Errorf("blob: look for holds: %w", err)
	}
	defer func() { err = errors.Join(err, h.all.Unlock()) }()
	if err := h.heldElsewhere(ref); err != nil {
		return err
	}
	return remove()
}

// heldElsewhere returns blob.ErrHeld when another process holds a blob.
func (h *holds) heldElsewhere(ref blob.Ref) error {
	processes, err := os.ReadDir(h.folder)
	if err != nil {
		return fmt.Errorf("blob: look for holds: %w", err)
	}
	for _, process := range processes {
		folder := filepath.Join(h.folder, process.Name())
		if folder == h.own || !process.IsDir() {
			continue
		}
		if _, err := os.Lstat(filepath.Join(folder, string(ref))); !errors.Is(err, fs.ErrNotExist) {
			return errors.Join(blob.ErrHeld, err)
		}
	}
	return nil
}

// process is the name of this process's part of the folder.
func (h *holds) process() string { return filepath.Base(h.own) }

// adopt takes over what dead processes left behind, and has clean remove what they had not
// finished. No process begins or ends meanwhile.
func (h *holds) adopt(clean func(alive map[string]bool) error) (err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.all.Lock(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, h.all.Unlock()) }()
	entries, err := os.ReadDir(h.folder)
	if err != nil {
		return err
	}
	alive, seen := map[string]bool{h.process(): true}, map[string]bool{}
	for _, entry := range entries {
		process, isLock := strings.CutSuffix(entry.Name(), lockSuffix)
		path := filepath.Join(h.folder, process+lockSuffix)
		if !isLock && !entry.IsDir() || path == h.all.Path() || alive[process] || seen[process] {
			continue
		}
		seen[process] = true
		lock := lockFile(path) // a folder without one is nobody's: a process has its lock first and gives it up last
		if dead, lockErr := lock.TryLock(); !dead {
			alive[process] = true
			err = errors.Join(err, lockErr)
			continue
		}
		err = errors.Join(err, h.adoptFrom(lock))
	}
	return errors.Join(err, clean(alive))
}

// adoptFrom takes over from a dead process. Its lock goes last, and stays beside what could not be taken over.
func (h *holds) adoptFrom(lock *flock.Flock) (err error) {
	path := lock.Path()
	folder := strings.TrimSuffix(path, lockSuffix)
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.Join(lock.Close(), removeIfThere(path))
	}
	for _, entry := range entries {
		err = errors.Join(err, h.adoptOne(filepath.Join(folder, entry.Name()), blob.Ref(entry.Name())))
	}
	if err = errors.Join(err, lock.Close(), removeIfThere(folder)); err != nil {
		return err
	}
	return removeIfThere(path)
}

// adoptOne takes over one blob; it is asked about unless this process holds it.
func (h *holds) adoptOne(path string, ref blob.Ref) error {
	if _, err := fileName(ref); err != nil {
		return os.Remove(path) // no marker
	}
	if err := os.Rename(path, h.marker(ref)); err != nil {
		return err
	}
	h.marked[ref] = struct{}{}
	if h.count[ref] == 0 {
		h.ended[ref] = struct{}{}
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// hold is what one upload, request or removal holds.
type hold struct {
	holds  *holds
	marked bool
	mu     sync.Mutex
	refs   map[blob.Ref]struct{}
	ended  bool
}

// holdKey is the context's key of a hold.
type holdKey struct{}

// Hold implements blob.Holder.
func (s *Store) Hold(ctx context.Context) (context.Context, blob.Hold) {
	h := &hold{holds: s.holds, marked: true, refs: map[blob.Ref]struct{}{}}
	return context.WithValue(ctx, holdKey{}, h), h
}

// holdOf returns the hold under which ctx stores.
func (s *Store) holdOf(ctx context.Context) *hold {
	if h, ok := ctx.Value(holdKey{}).(*hold); ok && h.holds == s.holds {
		return h
	}
	return s.always
}

// Add implements blob.Hold. Where the disk is too full for a marker, this process holds
// the blobs all the same: what is thrown away there must go.
func (h *hold) Add(refs ...blob.Ref) {
	for _, ref := range refs {
		_ = h.add(ref)
	}
}

// add holds one blob. What comes after End is held for good: nobody would let go of it.
func (h *hold) add(ref blob.Ref) error { return h.addAs(ref, h.marked) }

// addInProcess is add without a marker for other processes, which costs as much as the file
// itself: for what a row is about to name. If this process is killed before that, the file
// goes when it is as old as all others that nothing names.
func (h *hold) addInProcess(ref blob.Ref) error { return h.addAs(ref, false) }

func (h *hold) addAs(ref blob.Ref, marked bool) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, held := h.refs[ref]; held && !h.ended {
		return nil
	}
	h.refs[ref] = struct{}{}
	return h.holds.begin(ref, marked)
}

// End implements blob.Hold.
func (h *hold) End() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.ended {
		h.ended = true
		h.holds.end(h.refs)
	}
}
