package engine_test

import (
	"errors"
	"path/filepath"
	"sync"
	"testing"

	"guiche/internal/store/engine"
)

var errTakenBack = errors.New("taken back")

// register is a table that is read as a register, with how often it was.
type register struct {
	t     *testing.T
	db    engine.DB
	mu    sync.Mutex
	reads int
}

func newRegister(t *testing.T) *register {
	t.Helper()
	r := &register{t: t, db: MustOpen(t, filepath.Join(t.TempDir(), "guiche.db"))}
	err := r.db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), `CREATE TABLE entry (id INTEGER PRIMARY KEY)`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// count reads the register in a transaction: how many entries it has.
func (r *register) count(tx *engine.Tx) int {
	r.t.Helper()
	n, err := engine.Register(tx, "entries", func() (n int, err error) {
		r.mu.Lock()
		r.reads++
		r.mu.Unlock()
		err = tx.QueryRow(r.t.Context(), `SELECT count(*) FROM entry`).Scan(&n)
		return n, err
	})
	if err != nil {
		r.t.Error(err)
	}
	return n
}

// look reads the register in a snapshot of its own.
func (r *register) look() (n int) {
	r.t.Helper()
	if err := r.db.Read(r.t.Context(), func(tx *engine.Tx) error { n = r.count(tx); return nil }); err != nil {
		r.t.Error(err)
	}
	return n
}

// add puts one entry more into the register, and ends with an error.
func (r *register) add(end error) {
	r.t.Helper()
	if err := r.db.Write(r.t.Context(), r.adding(end)); !errors.Is(err, end) {
		r.t.Error(err)
	}
}

func (r *register) adding(end error) func(*engine.Tx) error {
	return func(tx *engine.Tx) error {
		tx.Changes()
		if _, err := tx.Exec(r.t.Context(), `INSERT INTO entry DEFAULT VALUES`); err != nil {
			return err
		}
		return end
	}
}

// TestRegister: a register is read once until it changes, and once more after that, whether the
// change was kept or taken back.
func TestRegister(t *testing.T) {
	r := newRegister(t)
	for step, s := range []struct {
		end         error
		want, reads int
	}{{nil, 1, 1}, {errTakenBack, 1, 2}, {nil, 2, 3}} {
		r.add(s.end)
		for range 3 {
			if got := r.look(); got != s.want || r.reads != s.reads {
				t.Errorf("step %d: got %d after %d readings, want %d after %d", step, got, r.reads, s.want, s.reads)
			}
		}
	}
	err := r.db.Write(t.Context(), func(tx *engine.Tx) error {
		if n := r.count(tx); n != 2 || r.reads != 4 {
			t.Errorf("got %d after %d readings: who writes reads for himself", n, r.reads)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestRegister_Snapshot: what is of before a change is neither given to who comes later nor the other
// way round.
func TestRegister_Snapshot(t *testing.T) {
	r := newRegister(t)
	err := r.db.Read(t.Context(), func(tx *engine.Tx) error {
		if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM entry`).Scan(new(int)); err != nil { // it is of now
			return err
		}
		r.add(nil)
		if n := r.look(); n != 1 {
			t.Errorf("got %d, want the entry that was added", n)
		}
		if n := r.count(tx); n != 0 {
			t.Errorf("got %d in the snapshot from before, want none", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if n := r.look(); n != 1 {
		t.Errorf("got %d, want the entry that was added", n)
	}
}

// TestRegister_Meanwhile: nothing is kept from while a change is made, of which nobody knows whether
// it is kept.
func TestRegister_Meanwhile(t *testing.T) {
	r := newRegister(t)
	err := r.db.Write(t.Context(), func(tx *engine.Tx) error {
		if err := r.adding(nil)(tx); err != nil {
			return err
		}
		if n := r.look(); n != 0 {
			t.Errorf("got %d of what was not committed", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	if n := r.look(); n != 1 {
		t.Errorf("got %d, want the entry that was added", n)
	}
}

// TestRegister_Panic: a change that ends with a panic is over as well.
func TestRegister_Panic(t *testing.T) {
	r := newRegister(t)
	func() {
		defer func() { _ = recover() }()
		_ = r.db.Write(t.Context(), func(tx *engine.Tx) error {
			_ = r.adding(nil)(tx)
			panic("on purpose")
		})
	}()
	reads := r.reads
	for range 2 {
		if n := r.look(); n != 0 {
			t.Errorf("got %d of what was taken back", n)
		}
	}
	if r.reads != reads+1 {
		t.Errorf("read %d times, want once", r.reads-reads)
	}
}

// TestRegister_Together: whoever reads while others change sees no fewer entries than were there before.
func TestRegister_Together(t *testing.T) {
	r := newRegister(t)
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
				n := r.look()
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
				r.add(nil)
			}
		})
	}
	writers.Wait()
	close(done)
	readers.Wait()
	if n := r.look(); n != 80 {
		t.Errorf("got %d, want 80", n)
	}
}
