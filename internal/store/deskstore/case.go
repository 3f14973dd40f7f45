package deskstore

import (
	"context"
	"database/sql"

	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Case reads everything about a case within the reach: its own rows with one query, which
// compares them too, and with another what stands in other places.
func (s *Store) Case(ctx context.Context, reach permission.Reach, uid uuid.UUID) (desk.Case, error) {
	where := within(reach)
	where.add(`st.submission_id = (SELECT id FROM submission WHERE uid = ?)`, engine.UID(uid))
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (c desk.Case, err error) {
		ids, err := engine.List(ctx, tx, scanID, `SELECT st.submission_id FROM submission_state st `+where.String(), where.args...)
		if err != nil {
			return c, err
		}
		if len(ids) == 0 {
			return c, s.missing(ctx, tx, where)
		}
		tx.Ahead(surroundingsQuery, ids[0])
		rows, err := s.verified(ctx, tx, ids[0], wholeCase)
		if err != nil {
			return c, err
		}
		around, err := readSurroundings(ctx, tx, ids[0])
		if err != nil {
			return c, err
		}
		err = fillCase(rows, around, &c)
		tx.Ahead(LatestOutcomesQuery, engine.UID(c.Request.CredentialID), c.ProcedureCode, desk.RecordLimit)
		return c, err
	})
}

// missing is the error for a case that is not there: damage where lists within the reach tell of it.
func (s *Store) missing(ctx context.Context, tx *engine.Tx, where *conditions) error {
	listed, err := engine.List(ctx, tx, scanID, `SELECT st.submission_id FROM (SELECT l.submission_id, unit.uid AS unit_uid
		FROM case_summary l JOIN filter_value unit ON unit.id = l.unit) st `+where.String(), where.args...)
	if err == nil && len(listed) == 0 {
		err = engine.Error(sql.ErrNoRows)
	}
	if err != nil {
		return err
	}
	return s.noted(problem.NewDamaged(&checksum.DamagedError{Rows: []checksum.Row{{Table: caselist.LostCase, Key: []any{listed[0]}}}}))
}

// surroundings are what belongs to a case and stands in rows that are not its own.
type surroundings struct {
	names                    map[uuid.UUID]string // that the people of the case have today
	corrections, repetitions []uuid.UUID
	resent                   map[int64]uuid.UUID // by the numbers of decisions' submissions
	resendOf                 uuid.UUID
	followAt, followedAt     int64
}

// Kinds of surroundings, beside those of copies.
const (
	aroundPerson   = "person"
	aroundFollow   = "follow"
	aroundResent   = "resent"
	aroundResendOf = "resend of"
)

// surroundingsQuery finds a name once for each row that has it: to find each once takes longer.
const surroundingsQuery = `
	SELECT '` + aroundPerson + `', n.uid, n.name, 0, 0 FROM submission s JOIN desk_person n ON n.uid = s.sender WHERE s.id = ?1
	UNION ALL SELECT '` + aroundPerson + `', n.uid, n.name, 0, 0 FROM submission_event e JOIN desk_person n ON n.uid = e.actor
		WHERE e.submission_id = ?1
	UNION ALL SELECT '` + aroundPerson + `', n.uid, n.name, 0, 0 FROM decision d JOIN desk_person n ON n.uid = d.actor
		WHERE d.submission_id = ?1
	UNION ALL SELECT '` + aroundPerson + `', n.uid, n.name, 0, 0 FROM act t JOIN desk_person n ON n.uid = t.actor
		WHERE t.submission_id = ?1
	UNION ALL SELECT '` + aroundFollow + `', NULL, '', due_at, told_at FROM follow WHERE submission_id = ?1
	UNION ALL SELECT '` + aroundResent + `', s.uid, '', s.id, 0 FROM decision d JOIN submission s ON s.id = d.resent_id
		WHERE d.submission_id = ?1
	UNION ALL SELECT '` + aroundResendOf + `', s.uid, '', 0, 0 FROM decision d JOIN submission s ON s.id = d.submission_id
		WHERE d.resent_id = ?1
	UNION ALL SELECT * FROM (SELECT copy_kind, uid, '', id, 0 FROM submission
		WHERE previous_uid = (SELECT uid FROM submission WHERE id = ?1) ORDER BY id) copies`

// readSurroundings reads them with one query.
func readSurroundings(ctx context.Context, tx *engine.Tx, id int64) (surroundings, error) {
	s := surroundings{names: map[uuid.UUID]string{}, resent: map[int64]uuid.UUID{}}
	_, err := engine.List(ctx, tx, func(row engine.Row) (none struct{}, err error) {
		var kind, name string
		var uid uuid.UUID
		var first, second int64
		if err = row.Scan(&kind, engine.ScanUID(&uid), &name, &first, &second); err != nil {
			return none, err
		}
		switch kind {
		case aroundPerson:
			s.names[uid] = name
		case aroundFollow:
			s.followAt, s.followedAt = first, second
		case aroundResent:
			s.resent[first] = uid
		case aroundResendOf:
			s.resendOf = uid
		case string(desk.Correction):
			s.corrections = append(s.corrections, uid)
		case string(desk.Repetition):
			s.repetitions = append(s.repetitions, uid)
		}
		return none, nil
	}, surroundingsQuery, id)
	return s, err
}
