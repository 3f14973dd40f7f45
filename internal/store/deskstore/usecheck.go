package deskstore

import (
	"context"
	"math"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// useKey is what the latest uses are kept of.
type useKey struct {
	credential int64
	code       string
}

// checkedUse is a procedure that a request asks an operator for.
type checkedUse struct {
	useKey
	submission int64
	differs    bool // it is not noted, or with something else than what the case met
}

// usesFrom reads the procedures of requests from one on, before another one, the latest first.
var usesFrom = `SELECT DISTINCT c.credential, p.code, p.submission_id,
		u.submission_id IS NULL OR u.status <> st.status OR u.queue_group <> st.queue_group
		OR u.answered_after <> ` + useAnswered + ` OR u.reason <> ` + useReason + `
	FROM submission_procedure p CROSS JOIN case_summary c CROSS JOIN submission s CROSS JOIN submission_state st
	LEFT JOIN procedure_use u ON u.credential = c.credential AND u.code = p.code AND u.submission_id = p.submission_id
	WHERE p.submission_id >= ? AND p.submission_id < ? AND c.submission_id = p.submission_id AND s.id = p.submission_id
		AND st.submission_id = p.submission_id
	ORDER BY p.submission_id DESC`

// checkUses compares what is noted of the latest requests for each procedure with the requests, from the
// latest one on. While requests from before are being read there is nothing to compare.
func (s *Store) checkUses(ctx context.Context, found func(checksum.Row), next func() error) error {
	seen := map[useKey]int{}
	for before := int64(math.MaxInt64); ; {
		from, uses, err := s.pieceOfUses(ctx, before)
		if err != nil || from == 0 {
			return err
		}
		told := int64(0) // one row tells of all procedures of a request
		for _, u := range uses {
			if seen[u.useKey]++; !u.differs || seen[u.useKey] > usesKept || told == u.submission {
				continue
			}
			if wanted, err := s.isLatestUse(ctx, u); err != nil {
				return err
			} else if wanted {
				told = u.submission
				found(checksum.Row{Table: knownTable, Key: []any{told}})
			}
		}
		before = from
		if next == nil {
			continue
		}
		if err := next(); err != nil {
			return err
		}
	}
}

// pieceOfUses reads the procedures of some requests before one, and from which one on they are; 0 when there is none.
func (s *Store) pieceOfUses(ctx context.Context, before int64) (from int64, uses []checkedUse, err error) {
	err = s.db.Read(ctx, func(tx *engine.Tx) (err error) {
		if err = tx.QueryRow(ctx, `SELECT coalesce(min(id), 0) FROM (SELECT id FROM submission
			WHERE id < ? AND NOT EXISTS (SELECT 1 FROM known_pending) ORDER BY id DESC LIMIT ?) piece`,
			before, pieceOfCheck).Scan(&from); err != nil || from == 0 {
			return err
		}
		uses, err = engine.List(ctx, tx, scanCheckedUse, usesFrom, from, before)
		return err
	})
	return from, uses, err
}

func scanCheckedUse(row engine.Row) (u checkedUse, err error) {
	return u, row.Scan(&u.credential, &u.code, &u.submission, &u.differs)
}

// isLatestUse reports whether a use is still among the latest: others may have come since the check began.
func (s *Store) isLatestUse(ctx context.Context, u checkedUse) (bool, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (latest bool, err error) {
		return latest, tx.QueryRow(ctx, `SELECT count(*) < ? FROM (SELECT 1 FROM procedure_use
			WHERE credential = ? AND code = ? AND submission_id > ? LIMIT ?) later`,
			usesKept, u.credential, u.code, u.submission, usesKept).Scan(&latest)
	})
}
