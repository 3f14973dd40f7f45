package deskstore

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"sync"
	"time"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
)

// guideBlock is how many numbers a process takes at once where others number guides as well: those who
// send would wait for one another at one row. What it has left when it ends is never used.
const guideBlock = 100

// guides are the numbers that this process has taken and not given out.
type guides struct {
	reserving sync.Mutex // held by who takes a block, for all who send meanwhile

	mu           sync.Mutex
	installation int
	next, last   int64
}

// take returns a number; ok is false where none is left.
func (g *guides) take() (installation int, number int64, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.next > g.last || g.last == 0 {
		return 0, 0, false
	}
	g.next++
	return g.installation, g.next - 1, true
}

// few reports whether a block should be taken.
func (g *guides) few() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.last-g.next < guideBlock/10
}

// turn waits for whoever takes a block already. If that one failed, nobody waits for another.
func (g *guides) turn() (over func()) {
	if g.reserving.TryLock() {
		return g.reserving.Unlock
	}
	g.reserving.Lock()
	g.reserving.Unlock() //nolint:staticcheck // it was waited for
	return func() {}
}

// put gives the numbers of a block out from now on.
func (g *guides) put(installation int, last int64) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.installation, g.next, g.last = installation, last-guideBlock+1, last
}

// reserveGuides takes a block of numbers where this process has few left.
func (s *Store) reserveGuides(ctx context.Context) error {
	if !s.db.Shared() || !s.guides.few() {
		return nil
	}
	defer s.guides.turn()()
	if !s.guides.few() {
		return nil
	}
	var installation int
	var last int64
	err := s.db.Write(ctx, func(tx *engine.Tx) (err error) {
		installation, last, err = countGuides(ctx, tx, guideBlock)
		return err
	})
	if err == nil {
		s.guides.put(installation, last)
	}
	return err
}

// nextGuide numbers a guide. A number that a rollback takes back is not given out again where this process
// has taken a block.
func (s *Store) nextGuide(ctx context.Context, tx *engine.Tx, at time.Time) (string, error) {
	installation, number, ok := s.guides.take()
	if !ok {
		var err error
		if installation, number, err = countGuides(ctx, tx, 1); err != nil {
			return "", err
		}
	}
	return desk.ProviderGuide(at, installation, number), nil
}

// countGuides takes so many numbers and returns the last; the installation's digits are drawn with
// the first.
func countGuides(ctx context.Context, tx *engine.Tx, n int) (installation int, last int64, err error) {
	count := func() error {
		return engine.Error(tx.QueryRow(ctx, `UPDATE installation SET counter = counter + ? WHERE id = 1 RETURNING number, counter`, n).
			Scan(&installation, &last))
	}
	if err = count(); problem.Is(err, problem.NotFound) {
		if err = drawInstallation(ctx, tx); err == nil {
			err = count()
		}
	}
	return installation, last, err
}

func drawInstallation(ctx context.Context, tx *engine.Tx) error {
	drawn, err := rand.Int(rand.Reader, big.NewInt(1000))
	if err != nil {
		return fmt.Errorf("deskstore: draw installation: %w", err)
	}
	_, err = exec(ctx, tx, `INSERT INTO installation (id, number, counter) VALUES (1, ?, 0)`, drawn.Int64())
	return err
}
