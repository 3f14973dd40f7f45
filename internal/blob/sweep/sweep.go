// Package sweep removes blobs that no row names: those that were refused or thrown away
// as soon as they are let go, every other one when it was stored a week ago.
package sweep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"guiche/internal/blob"
)

// Files are the blobs on disk.
type Files interface {
	// Released is received from when holds have ended; TakeReleased then returns some
	// of their blobs, each of which is handed to Settle or AskAgain.
	Released() <-chan struct{}
	TakeReleased(limit int) []blob.Ref
	Settle(refs ...blob.Ref)
	AskAgain(refs ...blob.Ref)
	// Adopt takes over the blobs of processes that were killed.
	Adopt() error
	// Older calls each with the blobs that were last stored before a time, at most
	// limit at once.
	Older(ctx context.Context, before time.Time, limit int, each func([]blob.Ref) error) error
	// Delete removes a blob, or returns blob.ErrHeld.
	Delete(ctx context.Context, ref blob.Ref) error
}

// Rows are what may name blobs.
type Rows interface {
	// NamedBlobs returns those of the blobs that a committed row names.
	NamedBlobs(ctx context.Context, refs []blob.Ref) ([]blob.Ref, error)
	// WithUnnamedBlobs calls remove with those of the blobs that no row names. Until it
	// returns, no row can begin to name one.
	WithUnnamedBlobs(ctx context.Context, refs []blob.Ref, remove func([]blob.Ref)) error
}

// Config is what a sweeper is made of. Files and Rows are required.
type Config struct {
	Files  Files
	Rows   Rows
	Clock  func() time.Time // nil means time.Now
	Logger *slog.Logger     // nil means slog.Default

	Grace time.Duration // of what was stored and never let go: 7 days
	Every time.Duration // pause between two sweeps: an hour
}

// Sweeper removes the blobs of one folder that no row of one database names.
type Sweeper struct{ config Config }

// New returns a sweeper.
func New(c Config) *Sweeper {
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	c.Grace = cmp.Or(c.Grace, 7*24*time.Hour)
	c.Every = cmp.Or(c.Every, time.Hour)
	return &Sweeper{config: c}
}

const (
	// batch is how many blobs are asked about at once: writers wait while they are removed.
	batch = 50
	// gather is how long blobs that are let go wait for others: one question for many.
	gather = 100 * time.Millisecond
	// breath is the pause between two batches of a sweep, in which others work.
	breath = 5 * time.Millisecond
)

// Run removes what is let go, and sweeps now and at every interval, until ctx is done.
func (s *Sweeper) Run(ctx context.Context) {
	tick := time.NewTicker(s.config.Every)
	defer tick.Stop()
	s.report(ctx, s.Sweep(ctx))
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			s.report(ctx, s.Sweep(ctx))
		case <-s.config.Files.Released():
			pause(ctx, gather)
			s.report(ctx, s.removeReleased(ctx))
		}
	}
}

func (s *Sweeper) report(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		s.config.Logger.ErrorContext(ctx, "remove files that nothing names", "error", err)
	}
}

// pause waits, or returns when ctx is done.
func pause(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// Sweep removes what was let go, also by processes that were killed, and what was stored
// before the grace and has no name.
func (s *Sweeper) Sweep(ctx context.Context) error {
	err := s.config.Files.Adopt()
	err = errors.Join(err, s.removeReleased(ctx))
	before := s.config.Clock().Add(-s.config.Grace)
	return errors.Join(err, s.config.Files.Older(ctx, before, batch, func(refs []blob.Ref) error {
		defer pause(ctx, breath)
		_, err := s.removeUnnamed(ctx, refs)
		return err
	}))
}

// removeReleased asks about all that was let go. What could not be asked about, or not
// be removed, waits for the next sweep.
func (s *Sweeper) removeReleased(ctx context.Context) error {
	var later []blob.Ref
	defer func() { s.config.Files.AskAgain(later...) }()
	for {
		refs := s.config.Files.TakeReleased(batch)
		if len(refs) == 0 {
			return nil
		}
		failed, err := s.removeUnnamed(ctx, refs)
		if err != nil {
			s.config.Files.AskAgain(refs...)
			return err
		}
		later = append(later, failed...)
		s.config.Files.Settle(slices.DeleteFunc(refs, func(r blob.Ref) bool { return slices.Contains(failed, r) })...)
	}
}

// removeUnnamed removes those of the blobs that no row names and returns those that could
// not be removed. It looks without the writer first: most have a name.
func (s *Sweeper) removeUnnamed(ctx context.Context, refs []blob.Ref) (failed []blob.Ref, err error) {
	named, err := s.config.Rows.NamedBlobs(ctx, refs)
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	unnamed := slices.DeleteFunc(slices.Clone(refs), func(r blob.Ref) bool { return slices.Contains(named, r) })
	if len(unnamed) == 0 {
		return nil, nil
	}
	err = s.config.Rows.WithUnnamedBlobs(ctx, unnamed, func(unnamed []blob.Ref) { failed = s.remove(ctx, unnamed) })
	if err != nil {
		return nil, fmt.Errorf("sweep: %w", err)
	}
	return failed, nil
}

// remove removes blobs and returns those that could not be. One that is held again is
// asked about when that hold ends.
func (s *Sweeper) remove(ctx context.Context, refs []blob.Ref) (failed []blob.Ref) {
	for _, ref := range refs {
		err := s.config.Files.Delete(ctx, ref)
		if err != nil && !errors.Is(err, blob.ErrHeld) {
			s.config.Logger.WarnContext(ctx, "file not removed", "error", err)
			failed = append(failed, ref)
		}
	}
	return failed
}
