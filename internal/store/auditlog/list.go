package auditlog

import (
	"context"
	"slices"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Filter chooses entries.
type Filter = audit.Filter

// List returns a page of entries, newest first.
func (l *Log) List(ctx context.Context, f Filter) ([]audit.Link, error) {
	if err := l.Link(ctx); err != nil {
		return nil, err
	}
	query, args := listQuery(f)
	return engine.Get(ctx, l.db, func(tx *engine.Tx) (page []audit.Link, err error) {
		for link, err := range links(ctx, tx, query, args...) {
			if err != nil {
				return page, err
			}
			page = append(page, link)
		}
		return page, nil
	})
}

// frequent are the events of which most entries tell. They have no index: reading backwards
// finds them soon.
var frequent = []audit.Event{audit.RequestSubmitted, audit.CaseViewed}

// indexed is the condition of the index over the other events, word for word.
const indexed = ` AND event NOT IN ('` + string(audit.RequestSubmitted) + `', '` + string(audit.CaseViewed) + `')`

// listQuery restricts the trail to what the filter sets.
func listQuery(f Filter) (string, []any) {
	var b strings.Builder
	var args []any
	b.WriteString(selectLinks + ` WHERE id > 0`)
	restrict := func(condition string, set bool, value any) {
		if set {
			b.WriteString(condition)
			args = append(args, value)
		}
	}
	restrict(` AND id < ?`, f.Before > 0, f.Before)
	restrict(` AND at >= ?`, !f.From.IsZero(), engine.Micros(f.From))
	restrict(` AND at < ?`, !f.To.IsZero(), engine.Micros(f.To))
	// SQLite's index has the end of the identifier: it is written with each entry, and few people differ only before that.
	restrict(` AND substr(actor, 15) = ?`, f.Actor != uuid.Nil, f.Actor[14:])
	restrict(` AND actor = ?`, f.Actor != uuid.Nil, engine.UID(f.Actor))
	restrict(` AND event = ?`, f.Event != "", string(f.Event))
	if f.Event != "" && !slices.Contains(frequent, f.Event) || f.Denied {
		b.WriteString(indexed)
	}
	if f.Denied {
		events := audit.Denied()
		b.WriteString(` AND event IN (` + strings.TrimSuffix(strings.Repeat(`?, `, len(events)), `, `) + `)`)
		for _, e := range events {
			args = append(args, string(e))
		}
	}
	restrict(` AND id IN (SELECT entry FROM audit_address WHERE address = (SELECT address FROM audit_address WHERE entry = ?))`,
		f.SameAddress > 0, f.SameAddress)
	b.WriteString(` ORDER BY id DESC LIMIT ?`)
	return b.String(), append(args, pageLimit(f))
}

// pageLimit keeps a page between 1 and 500 entries.
func pageLimit(f Filter) int {
	if f.Limit <= 0 {
		return 50
	}
	return min(f.Limit, 500)
}
