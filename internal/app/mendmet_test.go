package app_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"guiche/internal/app"
)

// file is a database of which an index may be damaged, as somebody meets it.
type file struct {
	met     chan struct{}
	look    time.Duration
	damaged bool
}

func (f *file) IndexDamaged() <-chan struct{} { return f.met }

// MendIndexes implements app.IndexedFile.
func (f *file) MendIndexes(ctx context.Context, _ bool, mended func(table string), _ func() error) error {
	select {
	case <-ctx.Done():
	case <-time.After(f.look):
	}
	if f.damaged {
		mended("known_text")
	}
	return nil
}

// TestMendMet: what was met is mended at once; where nothing could be mended, there is a pause that is long
// beside the look, but never long for somebody who comes again.
func TestMendMet(t *testing.T) {
	for name, test := range map[string]struct {
		look, least, most time.Duration
		mended            bool
	}{
		"Mended":  {look: 10 * time.Second, mended: true},
		"Quick":   {look: time.Millisecond, least: 10 * time.Millisecond, most: 100 * time.Millisecond},
		"Slow":    {look: 10 * time.Second, least: time.Minute, most: time.Minute},
		"Endless": {look: 24 * time.Hour, least: time.Minute, most: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &file{met: make(chan struct{}), look: test.look, damaged: test.mended}
				ctx, stop := context.WithCancel(t.Context())
				defer synctest.Wait()
				defer stop()
				go app.MendMet(ctx, f)
				f.met <- struct{}{}
				begun := time.Now()
				f.met <- struct{}{}
				if pause := time.Since(begun) - test.look; pause < test.least || pause > test.most {
					t.Errorf("got a pause of %s, want %s to %s", pause, test.least, test.most)
				}
			})
		})
	}
}
