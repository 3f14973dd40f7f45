package app_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"guiche/internal/app"
)

// file is a database of which an index may be damaged, as somebody meets it.
type file struct {
	met     chan struct{}
	damaged atomic.Bool
	looks   atomic.Int64
}

func (f *file) IndexDamaged() <-chan struct{} { return f.met }

// MendIndexes implements app.IndexedFile. While it mends, somebody meets the damage once more.
func (f *file) MendIndexes(_ context.Context, mended func(table string), _ func() error) error {
	f.looks.Add(1)
	if f.damaged.Swap(false) {
		f.met <- struct{}{}
		mended("known_text")
	}
	return nil
}

// TestMendMet: what was met is mended at once, whoever mended it the last time; what cannot be mended is left alone for a while.
func TestMendMet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &file{met: make(chan struct{}, 1)}
		ctx, stop := context.WithCancel(t.Context())
		defer synctest.Wait()
		defer stop()
		met, daily := app.Menders(f)
		go met(ctx)
		begun := time.Now()
		f.damaged.Store(true)
		if err := daily(ctx); err != nil { // who met it meanwhile finds it mended
			t.Error(err)
		}
		synctest.Wait()
		for range 2 {
			f.damaged.Store(true)
			f.met <- struct{}{}
			synctest.Wait()
		}
		if took := time.Since(begun); f.damaged.Load() || took > 0 {
			t.Errorf("damaged anew after it was mended twice, and met meanwhile: still damaged %t after %s", f.damaged.Load(), took)
		}
		looks := f.looks.Load()
		for range 3 { // it is met, and nothing is found that could be mended
			f.met <- struct{}{}
			synctest.Wait()
		}
		if n, took := f.looks.Load()-looks, time.Since(begun); n > 3 || took < time.Minute {
			t.Errorf("%d looks in %s at what cannot be mended, want pauses", n, took)
		}
	})
}
