package app

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"
)

// Words of /readyz.
const (
	wordReady       = "ready"
	wordDegraded    = "degraded"
	wordStarting    = "starting"
	wordStopping    = "stopping"
	wordUnavailable = "unavailable"
)

// readyTime is how long the databases may take to say that they answer.
const readyTime = 3 * time.Second

// errStarting says that a part is not whole yet.
var errStarting = errors.New("the program is starting")

// degradation is a trouble with which the program goes on as well as it can.
type degradation struct {
	word string
	now  func(context.Context) bool
}

// trailBroken reports whether the latest check found the audit trail broken.
func (s *baseServer) trailBroken(context.Context) bool {
	state := s.monitor.State()
	return state.Broken != nil || state.End != nil
}

// damaged reports whether files or rows are known to be damaged.
func (s *baseServer) damaged(ctx context.Context) bool {
	n, err := s.integrity.Count(ctx)
	return err == nil && n > 0
}

// ready tells whether requests can be answered wholly, in a word: nothing is starting or
// stopping, and the databases answer. What is degraded still is.
func (s *baseServer) ready(ctx context.Context) (word string, ok bool) {
	if s.stopping.Load() {
		return wordStopping, false
	}
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for _, answers := range s.readiness {
		switch err := answers(ctx); {
		case errors.Is(err, errStarting):
			return wordStarting, false
		case err != nil:
			s.config.Logger.WarnContext(ctx, "not ready", "error", err)
			return wordUnavailable, false
		}
	}
	if troubles := s.troubles(ctx); len(troubles) > 0 {
		return wordDegraded + ": " + strings.Join(troubles, " "), true
	}
	return wordReady, true
}

// troubles are the degradations of this moment, in order.
func (s *baseServer) troubles(ctx context.Context) (words []string) {
	for word, now := range s.allTroubles(ctx) {
		if now {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return words
}

// allTroubles tells of each degradation whether it is there.
func (s *baseServer) allTroubles(ctx context.Context) map[string]bool {
	all := map[string]bool{}
	for _, d := range s.degraded {
		all[d.word] = d.now(ctx) || all[d.word]
	}
	return all
}
