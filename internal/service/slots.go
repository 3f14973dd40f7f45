package service

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"
)

// slots bound how many calls of each credential run at once in this process: a slow operator fills
// its own slots and nobody else's. Those that wait get theirs in the order in which they
// came, the ones whose patient waits at the counter (pacienteNoLocal, 2.3) before all
// others.
type slots struct {
	limit int

	mu sync.Mutex
	of map[uuid.UUID]*pool
}

// pool are the slots of one credential. Somebody waits only while all are taken.
type pool struct {
	taken   int
	present []chan struct{} // of calls about a patient at the counter, the first to come first
	others  []chan struct{}
}

func newSlots(limit int) *slots {
	return &slots{limit: limit, of: map[uuid.UUID]*pool{}}
}

// pool returns the slots of a credential; the caller holds the lock.
func (s *slots) pool(credential uuid.UUID) *pool {
	p, ok := s.of[credential]
	if !ok {
		p = &pool{}
		s.of[credential] = p
	}
	return p
}

// free returns how many slots are left at the moment.
func (s *slots) free(credential uuid.UUID) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.limit - s.pool(credential).taken
}

// acquire waits for a slot until wait or ctx is over. What it returns gives the
// slot back and is called once; nil means that there was none.
func (s *slots) acquire(ctx context.Context, credential uuid.UUID, wait time.Duration, present bool) (release func()) {
	turn := s.enter(credential, wait, present)
	if turn == nil {
		return nil
	}
	release = func() { s.leave(credential) }
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	select {
	case <-turn:
		return release
	default:
	}
	select {
	case <-turn:
		return release
	case <-ctx.Done():
	}
	if s.giveUp(credential, turn) {
		return nil
	}
	return release // the turn came at the same moment
}

// enter takes a slot, or a place among those that wait. The channel is closed when the
// slot is there; nil is neither.
func (s *slots) enter(credential uuid.UUID, wait time.Duration, present bool) chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	p, turn := s.pool(credential), make(chan struct{})
	switch {
	case p.taken < s.limit:
		p.taken++
		close(turn)
	case wait <= 0:
		return nil
	case present:
		p.present = append(p.present, turn)
	default:
		p.others = append(p.others, turn)
	}
	return turn
}

// leave hands a slot to whoever is next, or gives it back.
func (s *slots) leave(credential uuid.UUID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pool(credential)
	for _, waiting := range []*[]chan struct{}{&p.present, &p.others} {
		if len(*waiting) > 0 {
			close((*waiting)[0])
			*waiting = (*waiting)[1:]
			return
		}
	}
	p.taken--
}

// giveUp leaves the place among those that wait, false when its turn has come.
func (s *slots) giveUp(credential uuid.UUID, turn chan struct{}) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.pool(credential)
	for _, waiting := range []*[]chan struct{}{&p.present, &p.others} {
		if i := slices.Index(*waiting, turn); i >= 0 {
			*waiting = slices.Delete(*waiting, i, i+1)
			return true
		}
	}
	return false
}
