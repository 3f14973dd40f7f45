package keyfile

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
)

// Use is what the database says of a key.
type Use struct {
	ID     string // of the key in use, "" where none was noted yet
	Needed bool   // something is stored that rests on the key
}

// Register is where the database notes its keys.
type Register interface {
	// Uses returns what is noted, by name.
	Uses(ctx context.Context) (map[Name]Use, error)
	// Note notes keys in use where none was noted, all of them or none; one that is noted stays.
	Note(ctx context.Context, ids map[Name]string) error
}

// Keys are the keys of an installation. They are safe for concurrent use.
type Keys struct {
	place Place
	used  map[Name]Key

	mu    sync.Mutex
	found map[string]Key // by name and id
}

// Open reads the keys that the database rests on, and creates those of a new
// installation: files with mode 0600, missing folders with 0700. Keys that are missing,
// or are others than those noted, are a *LostError, and nothing is created in their
// place.
func Open(ctx context.Context, place Place, r Register) (*Keys, error) {
	k := At(place)
	uses, err := r.Uses(ctx)
	if err != nil {
		return nil, fmt.Errorf("keyfile: read what is noted: %w", err)
	}
	if err := k.find(uses); err != nil {
		return nil, err
	}
	noted, err := k.complete(ctx, r, uses)
	if err != nil {
		return nil, err
	}
	if noted { // another process may have noted its own at the same moment
		if uses, err = r.Uses(ctx); err != nil {
			return nil, fmt.Errorf("keyfile: read what is noted: %w", err)
		}
		err = k.find(uses)
	}
	if err != nil {
		return nil, err
	}
	return k, nil
}

// At returns the keys of a place without looking at what the database says: Find and Next
// work, Key does not.
func At(place Place) *Keys {
	return &Keys{place: place, used: map[Name]Key{}, found: map[string]Key{}}
}

// find finds the keys in use. Those that are not there are a *LostError, unless nothing
// rests on them yet.
func (k *Keys) find(uses map[Name]Use) error {
	var all LostError
	for _, name := range Names() {
		use := uses[name]
		key, err := k.Find(name, use.ID)
		lost := new(LostError)
		switch {
		case err == nil:
			k.used[name] = key
		case !errors.As(err, &lost):
			return err
		case use.ID != "" || use.Needed:
			all.Keys = append(all.Keys, lost.Keys...)
		}
	}
	if len(all.Keys) > 0 {
		return &all
	}
	return nil
}

// complete creates the keys that there are not yet, and has the database note all of them at once
// before anything rests on them: keys of two places would open nothing together. It reports whether
// there was anything to note.
func (k *Keys) complete(ctx context.Context, r Register, uses map[Name]Use) (noted bool, err error) {
	ids := map[Name]string{}
	for _, name := range Names() {
		key, ok := k.used[name]
		if !ok {
			if key, err = create(k.place.first(name), random()); err != nil {
				return false, err
			}
			k.used[name] = key
		}
		if uses[name].ID == "" {
			ids[name] = key.ID()
		}
	}
	if len(ids) == 0 {
		return false, nil
	}
	if err := r.Note(ctx, ids); err != nil {
		return false, fmt.Errorf("keyfile: note: %w", err)
	}
	return true, nil
}

// Key returns the key that was in use when the keys were opened.
func (k *Keys) Key(name Name) Key { return k.used[name] }

// Find returns the key of that id, which another process may have added since; "" is
// the first key, from before ids were noted. A *LostError when it is not there.
func (k *Keys) Find(name Name, id string) (Key, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if key, ok := k.found[string(name)+id]; ok {
		return key, nil
	}
	key, err := k.search(name, id)
	if err == nil {
		k.found[string(name)+id] = key
	}
	return key, err
}

// search looks for a key in the files that may hold it.
func (k *Keys) search(name Name, id string) (Key, error) {
	lost := Lost{Name: name, ID: id, Path: k.place.first(name)}
	files := []string{k.place.first(name)}
	if id != "" {
		files = append(files, k.place.renewed(name, id))
	}
	var unread error // of a file that may be the one; one that is not is of no matter
	for _, file := range files {
		key, err := read(file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			unread = err
		case id == "" || key.ID() == id:
			return key, nil
		default:
			lost.Other = key.ID()
		}
	}
	if unread != nil {
		return Key{}, unread
	}
	return Key{}, &LostError{Keys: []Lost{lost}}
}

// Unused finds a key that lies there and was never in use, as one that was prepared or that an
// interrupted renewal left behind. known are the ids that were ever noted.
func (k *Keys) Unused(name Name, known []string) (key Key, there bool, err error) {
	ids, err := k.place.ids(name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Key{}, false, fmt.Errorf("keyfile: list: %w", err)
	}
	for _, id := range ids {
		if slices.Contains(known, id) {
			continue
		}
		if key, err := k.Find(name, id); err == nil {
			return key, true, nil
		}
	}
	return Key{}, false, nil
}

// Next returns a key that was never in use: that of Unused, or else a new one.
func (k *Keys) Next(name Name, known []string) (Key, error) {
	key, there, err := k.Unused(name, known)
	if there || err != nil {
		return key, err
	}
	key = random()
	return create(k.place.renewed(name, key.ID()), key)
}

// File is the file that holds a key which is there.
func (k *Keys) File(name Name, id string) string {
	file := k.place.renewed(name, id)
	if _, err := os.Stat(file); err != nil {
		file = k.place.first(name)
	}
	return file
}

// Lost is a key that the database rests on and that is not there.
type Lost struct {
	Name  Name
	ID    string // "" where none was noted
	Path  string // where its file would be
	Other string // id of the key that is in its place, "" for none
}

// LostError says which keys are not there, and what to do.
type LostError struct{ Keys []Lost }

// Error implements error.
func (e *LostError) Error() string {
	var b strings.Builder
	var names []string
	for _, l := range e.Keys {
		if l.Other == "" {
			fmt.Fprintf(&b, "%s is missing, and %s on it; ", l.Path, l.Name.rests())
		} else {
			fmt.Fprintf(&b, "%s is another key (%s), and %s on the key %s; ", l.Path, l.Other, l.Name.rests(), l.ID)
		}
		names = append(names, string(l.Name))
	}
	b.WriteString("nothing was changed: put this installation's keys back from their backup, or from another machine of it. " +
		"If they are lost for good: guiche key replace -name " + strings.Join(names, ","))
	return b.String()
}
