// Package report is what is read after the work is done: the history of cases
// with its filters. It only reads what the desk wrote.
package report

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"guiche/internal/audit"
	"guiche/internal/permission"

	"github.com/google/uuid"
)

// Store is where cases are found and filters are kept.
type Store interface {
	// Cases lists at most q.Limit cases within the reach, newest first, and the choices of
	// the same moment. problem.NotFound when q.After is none of them.
	Cases(ctx context.Context, reach permission.Reach, q Query) ([]Row, Choices, error)
	// Choices lists what the cases can be filtered by, each by name; units only
	// within the reach.
	Choices(ctx context.Context, reach permission.Reach) (Choices, error)

	KeepFilter(ctx context.Context, owner, uid uuid.UUID, f Filter) error
	// Filter returns a filter of the owner; problem.NotFound for anybody else's.
	Filter(ctx context.Context, owner, uid uuid.UUID) (Filter, error)
	// UseFilter notes that a filter is in use, which Filter returned, and commits the entry with it.
	UseFilter(ctx context.Context, uid uuid.UUID, entry audit.Entry) error
	// HasFilter and HasCase report whether there is one, whoever's it is.
	HasFilter(ctx context.Context, uid uuid.UUID) (bool, error)
	HasCase(ctx context.Context, uid uuid.UUID) (bool, error)
	AppendAudit(ctx context.Context, entry audit.Entry) error
	// SweepFilters deletes what was not used since and returns how many.
	SweepFilters(ctx context.Context, since time.Time) (int, error)
}

// Config is what a history is made of. Store is required; for everything else
// the zero value is the default named beside it.
type Config struct {
	Store  Store
	Clock  func() time.Time // time.Now
	Zone   *time.Location   // of the days of a filter: America/Sao_Paulo
	Logger *slog.Logger     // slog.Default()
}

// History finds cases. It is safe for concurrent use.
type History struct {
	config Config
}

// New returns the history over its store.
func New(c Config) (*History, error) {
	if c.Store == nil {
		return nil, errors.New("report: a store is required")
	}
	if c.Zone == nil {
		zone, err := time.LoadLocation("America/Sao_Paulo")
		if err != nil {
			return nil, fmt.Errorf("report: default zone: %w", err)
		}
		c.Zone = zone
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &History{config: c}, nil
}

func (h *History) now() time.Time { return h.config.Clock().UTC().Truncate(time.Microsecond) }
