package deskstore

import (
	"context"
	"time"

	"guiche/internal/desk"
	"guiche/internal/store/engine"
)

// Standings counts what has not ended, from the indexes of those states alone.
func (s *Store) Standings(ctx context.Context) (desk.Standings, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (all desk.Standings, err error) {
		rows, err := engine.List(ctx, tx, scanStanding, `
			SELECT CASE t.alert WHEN 'held' THEN 'held' ELSE 'queued' END AS kind, count(*), min(s.created_at)
				FROM submission_state t JOIN submission s ON s.id = t.submission_id WHERE t.state = 'queued' GROUP BY kind
			UNION ALL SELECT 'sending', count(*), coalesce(min(s.created_at), 0)
				FROM submission_state t JOIN submission s ON s.id = t.submission_id WHERE t.state = 'sending'
			UNION ALL SELECT 'unknown', count(*), coalesce(min(s.created_at), 0)
				FROM submission_state t JOIN submission s ON s.id = t.submission_id WHERE t.queue_group = 0`)
		kinds := map[string]*desk.Standing{"queued": &all.Queued, "held": &all.Held, "sending": &all.Sending, "unknown": &all.Unknown}
		for _, r := range rows {
			*kinds[r.kind] = r.Standing
		}
		return all, err
	})
}

// standingRow is a standing with the state that it is of.
type standingRow struct {
	desk.Standing
	kind string
}

func scanStanding(row engine.Row) (r standingRow, err error) {
	err = row.Scan(&r.kind, &r.Count, engine.ScanTime(&r.Oldest))
	return r, err
}

// Silences lists who does not answer, as Outages does, the longest silent first and no
// more than the limit.
func (s *Store) Silences(ctx context.Context, after time.Time, limit int) ([]desk.Silence, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.Silence, error) {
		return engine.List(ctx, tx, func(row engine.Row) (o desk.Silence, err error) {
			err = row.Scan(engine.ScanUID(&o.Credential), engine.ScanTime(&o.Since))
			return o, err
		}, `SELECT credential_uid, since FROM outage WHERE failures >= ? AND failed_at > ? ORDER BY since LIMIT ?`,
			desk.OutageAfter, engine.Micros(after), limit)
	})
}
