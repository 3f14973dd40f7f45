package reportstore_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/report"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/reportstore"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// TestStore_Failures: every query that fails is an error.
func TestStore_Failures(t *testing.T) {
	opened, _, _ := MustOpen(t)
	db := opened.(*storetest.Database) // of the engine that the tests run on
	last := MustAdd(t, db, kase{name: "Pedro", status: "A", group: 5, password: "482", guide: true})
	owner, kept := uuid.New(), uuid.New()
	MustDo(t, newStore(db).KeepFilter(t.Context(), owner, kept, report.Filter{Text: "pedro"}))
	MustDo(t, db.Close())
	all := permission.Reach{All: true}
	on := func(tables string, do func(ctx context.Context, s *reportstore.Store) error) storetest.Operation {
		return storetest.Operation{Tables: tables, Do: func(ctx context.Context, db engine.DB) error { return do(ctx, newStore(db)) }}
	}
	const listed = "case_summary filter_value desk_person"
	db.CheckFailures(t, map[string]storetest.Operation{
		"Cases": on(listed, func(ctx context.Context, s *reportstore.Store) error {
			return third(s.Cases(ctx, all, report.Query{Limit: 10}))
		}),
		"CasesByText": on(listed+" history_text", func(ctx context.Context, s *reportstore.Store) error {
			return third(s.Cases(ctx, all, report.Query{Filter: report.Filter{Text: "pedro"}, Limit: 10}))
		}),
		"CasesAfter": on(listed+" submission", func(ctx context.Context, s *reportstore.Store) error {
			return third(s.Cases(ctx, all, report.Query{After: last, Limit: 10}))
		}),
		"Choices": on("filter_value desk_person", func(ctx context.Context, s *reportstore.Store) error {
			return second(s.Choices(ctx, all))
		}),
		"KeepFilter": on("history_filter", func(ctx context.Context, s *reportstore.Store) error {
			return s.KeepFilter(ctx, owner, uuid.New(), report.Filter{})
		}),
		"UseFilter": on("history_filter audit_entry", func(ctx context.Context, s *reportstore.Store) error {
			return s.UseFilter(ctx, kept, audit.Entry{Event: audit.HistorySearched})
		}),
		"Filter":    on("history_filter", func(ctx context.Context, s *reportstore.Store) error { return second(s.Filter(ctx, owner, kept)) }),
		"HasFilter": on("history_filter", func(ctx context.Context, s *reportstore.Store) error { return second(s.HasFilter(ctx, kept)) }),
		"HasCase": on("submission submission_state", func(ctx context.Context, s *reportstore.Store) error {
			return second(s.HasCase(ctx, kept))
		}),
		"AppendAudit": on("audit_entry", func(ctx context.Context, s *reportstore.Store) error {
			return s.AppendAudit(ctx, audit.Entry{Event: audit.HistorySearched})
		}),
		"SweepFilters": on("history_filter", func(ctx context.Context, s *reportstore.Store) error {
			return second(s.SweepFilters(ctx, time.Now().Add(time.Hour)))
		}),
	})
}

func newStore(db engine.DB) *reportstore.Store {
	return reportstore.New(db, auditlog.New(db, audit.Key{1}), deskstore.New(db, nil))
}

func second[T any](_ T, err error) error { return err }

func third[T, U any](_ T, _ U, err error) error { return err }
