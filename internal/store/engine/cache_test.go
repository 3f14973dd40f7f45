package engine_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/store/engine"
)

var errTakenBack = errors.New("taken back")

// list is a table that is kept, with how often it was read.
type list struct {
	t     *testing.T
	db    engine.DB
	mu    sync.Mutex
	reads int
}

func newList(t *testing.T) *list {
	t.Helper()
	l := &list{t: t, db: MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))}
	err := l.db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `CREATE TABLE entry (id INTEGER PRIMARY KEY)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// count reads the list in a transaction: how many entries it has.
func (l *list) count(tx *engine.Tx) int {
	l.t.Helper()
	n, err := engine.Cached(tx, "entries", func() (n int, err error) {
		l.mu.Lock()
		l.reads++
		l.mu.Unlock()
		err = tx.QueryRow(l.t.Context(), `SELECT count(*) FROM entry`).Scan(&n)
		return n, err
	})
	if err != nil {
		l.t.Error(err)
	}
	return n
}

// look reads the list in a snapshot of its own.
func (l *list) look() (n int) {
	l.t.Helper()
	if err := l.db.Read(l.t.Context(), func(tx *engine.Tx) error { n = l.count(tx); return nil }); err != nil {
		l.t.Error(err)
	}
	return n
}

// add puts one entry more into the list, and ends with an error.
func (l *list) add(end error) {
	l.t.Helper()
	if err := l.db.Write(l.t.Context(), l.adding(end)); !errors.Is(err, end) {
		l.t.Error(err)
	}
}

func (l *list) adding(end error) func(*engine.Tx) error {
	return func(tx *engine.Tx) error {
		tx.Invalidate()
		if _, err := tx.Exec(l.t.Context(), `INSERT INTO entry DEFAULT VALUES`); err != nil {
			return err
		}
		return end
	}
}

// TestCached: what is kept is read once until it changes, and once more after that, whether the
// change was kept or taken back.
func TestCached(t *testing.T) {
	l := newList(t)
	for step, s := range []struct {
		end         error
		want, reads int
	}{{nil, 1, 1}, {errTakenBack, 1, 2}, {nil, 2, 3}} {
		l.add(s.end)
		for range 3 {
			if got := l.look(); got != s.want || l.reads != s.reads {
				t.Errorf("step %d: got %d after %d readings, want %d after %d", step, got, l.reads, s.want, s.reads)
			}
		}
	}
	err := l.db.Write(t.Context(), func(tx *engine.Tx) error {
		if n := l.count(tx); n != 2 || l.reads != 4 {
			t.Errorf("got %d after %d readings: who writes reads for himself", n, l.reads)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestCached_Snapshot: what is of before a change is neither given to who comes later nor the other
// way round.
func TestCached_Snapshot(t *testing.T) {
	l := newList(t)
	err := l.db.Read(t.Context(), func(tx *engine.Tx) error {
		if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM entry`).Scan(new(int)); err != nil { // it is of now
			return err
		}
		l.add(nil)
		if n := l.look(); n != 1 {
			t.Errorf("got %d, want the entry that was added", n)
		}
		if n := l.count(tx); n != 0 {
			t.Errorf("got %d in the snapshot from before, want none", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if n := l.look(); n != 1 {
		t.Errorf("got %d, want the entry that was added", n)
	}
}

// TestCached_Meanwhile: nothing is kept from while a change is made, of which nobody knows whether
// it is kept.
func TestCached_Meanwhile(t *testing.T) {
	l := newList(t)
	err := l.db.Write(t.Context(), func(tx *engine.Tx) error {
		if err := l.adding(nil)(tx); err != nil {
			return err
		}
		if n := l.look(); n != 0 {
			t.Errorf("got %d of what was not committed", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if n := l.look(); n != 1 {
		t.Errorf("got %d, want the entry that was added", n)
	}
}

// TestCached_Panic: a change that ends with a panic is over as well.
func TestCached_Panic(t *testing.T) {
	l := newList(t)
	func() {
		defer func() { _ = recover() }()
		_ = l.db.Write(t.Context(), func(tx *engine.Tx) error {
			_ = l.adding(nil)(tx)
			panic("on purpose")
		})
	}()
	reads := l.reads
	for range 2 {
		if n := l.look(); n != 0 {
			t.Errorf("got %d of what was taken back", n)
		}
	}
	if l.reads != reads+1 {
		t.Errorf("read %d times, want once", l.reads-reads)
	}
}

// TestCached_Together: whoever reads while others change sees no fewer entries than were there before.
func TestCached_Together(t *testing.T) {
	l := newList(t)
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for last := 0; ; {
				select {
				case <-done:
					return
				default:
				}
				n := l.look()
				if n < last {
					t.Errorf("got %d after %d", n, last)
				}
				last = n
			}
		})
	}
	for range 4 {
		writers.Go(func() {
			for range 20 {
				l.add(nil)
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	if n := l.look(); n != 80 {
		t.Errorf("got %d, want 80", n)
	}
}
