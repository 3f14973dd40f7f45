package deskstore

import (
	"context"

	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// knownTable names the rows of known: by the request that tells of somebody.
const knownTable = "known"

// pieceOfCheck is how many requests are compared at a time.
const pieceOfCheck = 500

// differingKnown finds, among requests after one and up to another, those of whose beneficiary
// or requester known has no row, an older one, or one that says something else.
const differingKnown = `WITH told AS (
		SELECT s.id, u.id AS unit, c.id || ' ' || s.card_number AS key, s.beneficiary_name || ' ' || s.card_number AS words
		FROM submission s LEFT JOIN filter_value u ON u.kind = 'unit' AND u.uid = s.unit_uid
		LEFT JOIN filter_value c ON c.kind = 'credential' AND c.uid = s.credential_uid WHERE s.id > ?1 AND s.id <= ?2
		UNION ALL SELECT id, ` + requesters + `, requester_council || ' ' || requester_number || ' ' || requester_state,
			requester_name || ' ' || requester_number FROM submission WHERE id > ?1 AND id <= ?2)
	SELECT DISTINCT t.id FROM told t LEFT JOIN known k ON k.unit = t.unit AND k.key = t.key
	WHERE k.id IS NULL OR k.submission_id < t.id OR (k.submission_id = t.id AND k.words <> t.words)`

// checkKnown compares known with the requests. While those from before are being read there is
// nothing to compare.
func (s *Store) checkKnown(ctx context.Context, found func(checksum.Row), next func() error) error {
	for after := int64(0); ; {
		var last, differing []int64
		err := s.db.Read(ctx, func(tx *engine.Tx) (err error) {
			differing = nil
			if last, err = engine.List(ctx, tx, scanID, `SELECT max(id) FROM (SELECT id FROM submission
				WHERE id > ? AND NOT EXISTS (SELECT 1 FROM known_pending) ORDER BY id LIMIT ?) piece
				HAVING count(*) > 0`, after, pieceOfCheck); err != nil ||
				len(last) == 0 {
				return err
			}
			differing, err = engine.List(ctx, tx, scanID, differingKnown, after, last[0])
			return err
		})
		for _, id := range differing {
			found(checksum.Row{Table: knownTable, Key: []any{id}})
		}
		if err != nil || len(last) == 0 {
			return err
		}
		after = last[0]
		if next == nil {
			continue
		}
		if err := next(); err != nil {
			return err
		}
	}
}

// repairKnown notes again whom requests tell of, and has all be found by their words anew.
func (s *Store) repairKnown(ctx context.Context, tx *engine.Tx, differing []checksum.Row) (repaired []checksum.Row, err error) {
	for _, row := range differing {
		id, _ := row.Key[0].(int64) // the key is always a number
		switch err := s.verify(ctx, tx, id, rowOfRequest); {
		case problem.Is(err, problem.Damaged):
			continue
		case err != nil:
			return nil, err
		}
		if _, err := exec(ctx, tx, `DELETE FROM known WHERE submission_id = ?`, id); err != nil {
			return nil, err
		}
		if err := s.keepKnownOf(ctx, tx, id); err != nil {
			return nil, err
		}
		if err := keepUses(ctx, tx, id); err != nil {
			return nil, err
		}
		repaired = append(repaired, row)
	}
	if len(repaired) > 0 {
		err = tx.RebuildText(ctx, knownIndex)
	}
	return repaired, err
}
