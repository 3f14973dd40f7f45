package reportstore

import (
	"guiche/internal/permission"
	"guiche/internal/report"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// find returns what finds the cases of a query; after is the number of the last case of the
// page before, 0 for the first page.
func find(values caselist.FilterValues, reach permission.Reach, q report.Query, after int64) *caselist.Finder {
	f := caselist.NewFinder(values)
	f.Units(values.Within(reach))
	f.Since(engine.Micros(q.Since))
	f.Before(engine.Micros(q.Before))
	for _, filter := range []struct {
		kind string
		uid  uuid.UUID
		keep func(int64)
	}{{caselist.Unit, q.Unit, f.Unit}, {caselist.Credential, q.Credential, f.Credential}, {caselist.Sender, q.Sender, f.Sender}} {
		if filter.uid != uuid.Nil {
			filter.keep(values.Number(filter.kind, filter.uid))
		}
	}
	switch {
	case q.Situation.Status != "":
		f.Status(q.Situation.Status)
	case q.Situation.Unknown || q.Situation.Group != 0:
		f.Group(q.Situation.Group)
	}
	if after != 0 {
		f.Below(after)
	}
	if q.Text != "" {
		f.Words(engine.Words(q.Text))
	}
	return f
}
