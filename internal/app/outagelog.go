package app

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/store/engine"
)

// outage tells of a database server that does not answer once when that begins and once when it
// ends, however often what runs beside the requests tries.
type outage struct {
	log   slog.Handler // the program's
	begun chan struct{}

	mu      sync.Mutex
	since   time.Time // zero without an outage
	leftOut int       // records
}

// outagePause is between two looks whether the server answers again.
const outagePause = time.Second

// quietOutages puts an outage between the program and its log where a server keeps the rows.
func (s *baseServer) quietOutages() {
	if !s.config.onServer() {
		return
	}
	s.outage = &outage{log: s.config.Logger.Handler(), begun: make(chan struct{}, 1)}
	s.config.Logger = slog.New(outageLog{s.outage.log, s.outage})
}

// outageLog is a slog.Handler that leaves out errors of an outage. Those of requests stay: each was
// somebody's.
type outageLog struct {
	slog.Handler
	outage *outage
}

// Handle implements slog.Handler.
func (l outageLog) Handle(ctx context.Context, r slog.Record) error {
	away, request := error(nil), false
	r.Attrs(func(a slog.Attr) bool {
		if err, ok := a.Value.Any().(error); ok && postgres.IsAway(err) {
			away = err
		}
		request = request || a.Key == "status"
		return true
	})
	if away == nil || request {
		return l.Handler.Handle(ctx, r)
	}
	if !l.outage.begins(r.Time) {
		return nil
	}
	told := slog.NewRecord(r.Time, slog.LevelError, "the database does not answer", r.PC)
	told.AddAttrs(slog.Any("error", away))
	return l.Handler.Handle(ctx, told)
}

// WithAttrs implements slog.Handler.
func (l outageLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return outageLog{l.Handler.WithAttrs(attrs), l.outage}
}

// WithGroup implements slog.Handler.
func (l outageLog) WithGroup(name string) slog.Handler {
	return outageLog{l.Handler.WithGroup(name), l.outage}
}

// begins notes an error of an outage, and reports whether it is the first.
func (o *outage) begins(at time.Time) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.since.IsZero() {
		o.leftOut++
		return false
	}
	o.since, o.leftOut = at, 0
	select {
	case o.begun <- struct{}{}:
	default:
	}
	return true
}

// watch waits for outages and tells of their end, until ctx ends.
func (o *outage) watch(ctx context.Context, answers func(context.Context) bool) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-o.begun:
		}
		for !answers(ctx) {
			select {
			case <-ctx.Done():
				return
			case <-time.After(outagePause):
			}
		}
		o.end(ctx)
	}
}

func (o *outage) end(ctx context.Context) {
	o.mu.Lock()
	took, leftOut := time.Since(o.since), o.leftOut
	o.since = time.Time{}
	o.mu.Unlock()
	slog.New(o.log).InfoContext(ctx, "the database answers again", "seconds", int(took.Seconds()), "errors_left_out", leftOut)
}

// databasesAnswer reports whether each half's database does.
func (s *baseServer) databasesAnswer(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, readyTime)
	defer cancel()
	for _, db := range s.integrity.databases {
		if err := db.Read(ctx, func(tx *engine.Tx) error {
			var one int
			return tx.QueryRow(ctx, `SELECT 1`).Scan(&one)
		}); err != nil {
			return false
		}
	}
	return true
}
