package auditlog

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"guiche/internal/audit"
)

// KeeperConfig is what a keeper watches over. Log and Path are required.
type KeeperConfig struct {
	Log        *Log
	Path       string           // file of the head: see WriteHead
	HeadEvery  time.Duration    // pause between two notes of the head: 5 min
	CheckEvery time.Duration    // pause between two checks of the whole trail: 24 h
	Clock      func() time.Time // time.Now
	Logger     *slog.Logger     // slog.Default()
}

// Keeper is a trail that is watched over: its chain is checked as a whole, its
// head noted outside the database, and what the latest check found is at hand. It
// is safe for concurrent use.
type Keeper struct {
	*Log
	config KeeperConfig
	heads  sync.Mutex // one writer of the file at a time

	mu    sync.Mutex
	state audit.State
}

// NewKeeper returns a keeper; nothing is checked before Run or Check.
func NewKeeper(c KeeperConfig) *Keeper {
	if c.HeadEvery <= 0 {
		c.HeadEvery = 5 * time.Minute
	}
	if c.CheckEvery <= 0 {
		c.CheckEvery = 24 * time.Hour
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &Keeper{Log: c.Log, config: c}
}

// Run checks the trail, then notes its head and checks it again from time to time
// until ctx is done. Trouble is logged; the program goes on.
func (k *Keeper) Run(ctx context.Context) {
	heads, checks := time.NewTicker(k.config.HeadEvery), time.NewTicker(k.config.CheckEvery)
	defer heads.Stop()
	defer checks.Stop()
	k.tryCheck(ctx)
	for k.KeepHead(ctx); ; {
		select {
		case <-ctx.Done():
			return
		case <-heads.C:
			k.KeepHead(ctx)
		case <-checks.C:
			k.tryCheck(ctx)
		}
	}
}

func (k *Keeper) tryCheck(ctx context.Context) {
	if _, err := k.Check(ctx); err != nil && ctx.Err() == nil {
		k.config.Logger.ErrorContext(ctx, "the audit trail could not be checked", "err", err)
	}
}

// Check reads the whole trail and holds it against its chain and its head. A
// broken trail is no error: the state says so, and so does the log.
func (k *Keeper) Check(ctx context.Context) (audit.State, error) {
	head, err := k.verify(ctx)
	if err == nil {
		err = k.CheckHead(ctx, k.config.Path)
	}
	state := audit.State{At: k.config.Clock().UTC(), Head: head}
	if err != nil && !errors.As(err, &state.Broken) {
		return k.State(), err
	}
	k.remember(ctx, state)
	return state, nil
}

// State returns what the latest check found.
func (k *Keeper) State() audit.State {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.state
}

// KeepHead notes the head in the file now. What goes wrong is logged; a trail
// that no longer holds the head before is broken.
func (k *Keeper) KeepHead(ctx context.Context) {
	k.heads.Lock()
	defer k.heads.Unlock()
	err := k.WriteHead(ctx, k.config.Path)
	state := k.State()
	switch {
	case err == nil || ctx.Err() != nil:
	case errors.As(err, &state.Broken):
		state.At = k.config.Clock().UTC()
		k.remember(ctx, state)
	default:
		k.config.Logger.ErrorContext(ctx, "the head of the audit trail was not noted", "err", err)
	}
}

func (k *Keeper) remember(ctx context.Context, state audit.State) {
	if b := state.Broken; b != nil {
		k.config.Logger.ErrorContext(ctx, "the audit trail is broken", "entry", b.Position, "reason", b.Reason)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.state = state
}
