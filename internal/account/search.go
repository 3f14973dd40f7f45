package account

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"guiche/internal/problem"
	"guiche/internal/throttle"

	"github.com/google/uuid"
)

// searchBudget is how often a person may search: far more than somebody types, and far less
// than a program that goes through the records.
var searchBudget = throttle.Budget{Kind: "busca", AtOnce: 300, Refill: 200 * time.Millisecond}

// searches count the searches of each person in this process, and of others what they told.
// They keep the database free for others, and decide nothing.
type searches struct {
	mu     sync.Mutex
	byUser map[uuid.UUID]*searched
}

// searched is what a person has used of their budget.
type searched struct {
	used   throttle.Failures
	untold int // of these, what the other processes do not know of yet
}

// CountSearch counts a search of a person at that time. It is a problem.Throttled error when
// they have to wait.
func (s *Service) CountSearch(user uuid.UUID, now time.Time) error {
	b := &s.searches
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.byUser == nil {
		b.byUser = map[uuid.UUID]*searched{}
	}
	if b.byUser[user] == nil {
		b.byUser[user] = &searched{}
	}
	one := b.byUser[user]
	if searchBudget.Spent(one.used, now) {
		return problem.New(problem.Throttled, "Muitas buscas em pouco tempo. Espere alguns segundos e tente de novo.")
	}
	one.used = searchBudget.Use(one.used, 1, now)
	one.untold++
	return nil
}

// ShareSearches tells other processes on the same database of the searches since the last
// time, and learns of theirs by the same people. Without any it asks nothing.
func (s *Service) ShareSearches(ctx context.Context) error {
	told := s.searches.untold()
	if len(told) == 0 {
		return nil
	}
	var all map[uuid.UUID]throttle.Failures
	err := s.store.Write(ctx, func(tx Tx) (err error) {
		all, err = addSearches(ctx, tx, told)
		return err
	})
	if err == nil {
		s.searches.learn(told, all)
	}
	return err
}

// addSearches adds searches to those of all processes, in one order, and returns what these
// have used.
func addSearches(ctx context.Context, tx Tx, told map[uuid.UUID]int) (map[uuid.UUID]throttle.Failures, error) {
	all := map[uuid.UUID]throttle.Failures{}
	for _, user := range slices.SortedFunc(maps.Keys(told), func(a, b uuid.UUID) int { return slices.Compare(a[:], b[:]) }) {
		used, err := searchBudget.Share(ctx, tx, user.String(), told[user], tx.Now())
		if err != nil {
			return nil, err
		}
		all[user] = used
	}
	return all, nil
}

// untold returns the searches that others do not know of, by person.
func (b *searches) untold() map[uuid.UUID]int {
	b.mu.Lock()
	defer b.mu.Unlock()
	untold := map[uuid.UUID]int{}
	for user, one := range b.byUser {
		if one.untold > 0 {
			untold[user] = one.untold
		}
	}
	return untold
}

// learn takes what all processes used in place of what this one knew, with the searches since.
func (b *searches) learn(told map[uuid.UUID]int, all map[uuid.UUID]throttle.Failures) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for user, used := range all {
		one := b.byUser[user]
		one.untold -= told[user]
		one.used = searchBudget.Use(used, one.untold, used.At)
	}
}
