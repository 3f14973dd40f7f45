package app

import (
	"context"
	"time"

	"guiche/internal/problem"
	"guiche/internal/store/deskstore"

	"github.com/google/uuid"
)

// presentFor is how long a process that is silent counts as one that runs: as long as a desk's
// lease.
const presentFor = 20 * time.Second

// presence tells commands on the same database that a service without a desk runs. It is a lease
// as that of a desk, under which nothing is sent.
type presence struct {
	store *deskstore.Store
	clock func() time.Time
	id    uuid.UUID
	until time.Time
}

// openPresence says that this service runs, until it is closed.
func (s *Standalone) openPresence(ctx context.Context) error {
	if !s.data.db.Shared() {
		return nil // the lock of the folder says it
	}
	p := &presence{store: s.data.deskStore(), clock: s.config.Clock, id: uuid.New()}
	s.onClose(p.end)
	s.whileShared(s.data.db, presentFor/4, "the database does not say that this process runs", p.hold)
	return p.hold(ctx)
}

// hold says so for some time. A lease that ran out meanwhile may have been ended by a desk.
func (p *presence) hold(ctx context.Context) error {
	until := p.clock().Add(presentFor)
	err := p.store.HoldLease(ctx, p.id, until.UTC())
	if problem.Is(err, problem.Conflict) {
		p.id = uuid.New()
		err = p.store.HoldLease(ctx, p.id, until.UTC())
	}
	if err == nil {
		p.until = until
	}
	return err
}

// end says that the process runs no longer. What cannot be said is over by itself.
func (p *presence) end() error {
	ctx, cancel := context.WithTimeout(context.Background(), presentFor/10)
	defer cancel()
	return p.store.EndLease(ctx, p.id, p.until)
}
