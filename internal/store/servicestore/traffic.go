package servicestore

import (
	"cmp"
	"context"
	"slices"
	"time"

	"guiche/internal/service"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

var _ service.TrafficStore = (*Store)(nil)

// AddTraffic implements service.TrafficStore.
func (s *Store) AddTraffic(ctx context.Context, news service.TrafficNews) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		if err := noteProcess(ctx, tx, news); err != nil {
			return err
		}
		inOrder := slices.SortedFunc(slices.Values(news.Counts), func(a, b service.TrafficCount) int {
			return cmp.Or(cmp.Compare(a.Route, b.Route), cmp.Compare(a.Status, b.Status))
		})
		for _, c := range inOrder {
			err := exec(ctx, tx, `INSERT INTO traffic (route, status, count) VALUES (?, ?, ?)
				ON CONFLICT (route, status) DO UPDATE SET count = traffic.count + excluded.count`, c.Route, c.Status, c.Count)
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// noteProcess notes that a process runs, or no longer does. The first one after all others
// ended begins the counts anew; any other counts on since the first.
func noteProcess(ctx context.Context, tx *engine.Tx, news service.TrafficNews) error {
	err := exec(ctx, tx, `DELETE FROM traffic_process WHERE uid <> ? AND seen_at <= ?`,
		engine.UID(news.Process), engine.Micros(tx.Now.Add(-service.ProcessGone)))
	if err != nil {
		return err
	}
	var since time.Time
	if err := tx.QueryRow(ctx, `SELECT MIN(since) FROM traffic_process`).Scan(engine.ScanTime(&since)); err != nil {
		return err
	}
	if since.IsZero() {
		since = news.Since
		if err := exec(ctx, tx, `DELETE FROM traffic`); err != nil {
			return err
		}
	}
	if news.Last {
		return exec(ctx, tx, `DELETE FROM traffic_process WHERE uid = ?`, engine.UID(news.Process))
	}
	return exec(ctx, tx, `INSERT INTO traffic_process (uid, since, open, seen_at) VALUES (?, ?, ?, ?)
		ON CONFLICT (uid) DO UPDATE SET open = excluded.open, seen_at = excluded.seen_at`,
		engine.UID(news.Process), engine.Micros(since), news.Open, engine.Micros(tx.Now))
}

// Traffic implements service.TrafficStore.
func (s *Store) Traffic(ctx context.Context, process uuid.UUID) (sum service.TrafficSum, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		sum = service.TrafficSum{}
		err := tx.QueryRow(ctx, `SELECT MIN(since), COALESCE(SUM(CASE WHEN uid <> ? THEN open ELSE 0 END), 0)
			FROM traffic_process WHERE uid = ? OR seen_at > ?`,
			engine.UID(process), engine.UID(process), engine.Micros(tx.Now.Add(-service.ProcessGone))).
			Scan(engine.ScanTime(&sum.Since), &sum.Open)
		if err != nil || sum.Since.IsZero() {
			return err
		}
		sum.Counts, err = engine.List(ctx, tx, scanTraffic, `SELECT route, status, count FROM traffic ORDER BY route, status`)
		return err
	})
	return sum, err
}

func scanTraffic(row engine.Row) (c service.TrafficCount, err error) {
	return c, row.Scan(&c.Route, &c.Status, &c.Count)
}
