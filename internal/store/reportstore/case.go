package reportstore

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"guiche/internal/permission"
	"guiche/internal/report"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// shown reads what a list shows of the cases that a query of ids finds.
func shown(ids string) string {
	return `SELECT s.id, s.uid, s.created_at, s.beneficiary_name, s.card_number, s.credential_name, s.unit_name, COALESCE(d.name, ''),
	p.code, (SELECT COUNT(*) FROM submission_procedure n WHERE n.submission_id = s.id),
	st.state, st.status, st.queue_group, st.alert, st.reason, st.doubtful, st.simulated, st.password,
	EXISTS (SELECT 1 FROM answer a WHERE a.id = (SELECT MAX(l.id) FROM answer l WHERE l.submission_id = s.id) AND (a.guide_pdf <> ''
		OR EXISTS (SELECT 1 FROM authorization z WHERE z.answer_id = a.id AND z.guide_pdf <> '')))
	FROM (` + ids + `) found
	JOIN submission s ON s.id = found.submission_id
	JOIN submission_state st ON st.submission_id = s.id
	JOIN submission_procedure p ON p.submission_id = s.id AND p.position = 0
	LEFT JOIN desk_person d ON d.uid = s.sender
	ORDER BY s.id DESC`
}

// numbered is a case with its place in the database.
type numbered struct {
	id int64
	report.Row
}

func scanCase(rows sqlite.Row) (c numbered, err error) {
	err = rows.Scan(&c.id, sqlite.ScanUID(&c.UID), sqlite.ScanTime(&c.CreatedAt), &c.BeneficiaryName, &c.CardNumber, &c.Credential,
		&c.Unit, &c.Sender,
		&c.FirstProcedure, &c.Procedures, &c.State, &c.Status, &c.Group, &c.Alert, &c.Reason, &c.UnknownOutcome,
		&c.Simulated, &c.Senha, &c.HasGuide)
	return c, err
}

// Cases lists at most q.Limit cases within the reach, newest first.
func (s *Store) Cases(ctx context.Context, reach permission.Reach, q report.Query) (cases []report.Row, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		after, err := placeOf(ctx, tx, reach, q.After)
		if err != nil {
			return err
		}
		query, args := find(reach, q, after)
		ids, err := sqlite.List(ctx, tx, scanID, query, args...)
		if err != nil {
			return err
		}
		cases, err = s.listed(ctx, tx, ids)
		return err
	})
	return cases, err
}

// listed reads cases by their numbers. Of one whose rows are damaged it tells that, and
// nothing else that may not be so.
func (s *Store) listed(ctx context.Context, tx *sqlite.Tx, ids []int64) ([]report.Row, error) {
	damaged, err := s.cases.DamagedCases(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	list, err := json.Marshal(slices.DeleteFunc(append([]int64{}, ids...), func(id int64) bool { return damaged[id] }))
	if err != nil {
		return nil, fmt.Errorf("reportstore: %w", err)
	}
	rows, err := sqlite.List(ctx, tx, scanCase, shown(`SELECT value AS submission_id FROM json_each(?)`), string(list))
	var cases []report.Row
	for _, id := range ids {
		switch {
		case damaged[id]:
			cases = append(cases, damagedCase(ctx, tx, id))
		case len(rows) > 0 && rows[0].id == id:
			cases, rows = append(cases, rows[0].Row), rows[1:]
		}
	}
	return cases, err
}

// damagedCase is what a list tells of a damaged case: its identifier, where it has one.
func damagedCase(ctx context.Context, tx *sqlite.Tx, id int64) report.Row {
	row := report.Row{Damaged: true}
	if err := tx.QueryRow(ctx, `SELECT uid FROM submission WHERE id = ?`, id).Scan(sqlite.ScanUID(&row.UID)); err != nil {
		row.UID = uuid.Nil
	}
	return row
}

func scanID(row sqlite.Row) (id int64, err error) {
	err = row.Scan(&id)
	return id, err
}

// placeOf returns the id of a case within the reach, 0 of none.
func placeOf(ctx context.Context, tx *sqlite.Tx, reach permission.Reach, uid uuid.UUID) (id int64, err error) {
	if uid == uuid.Nil {
		return 0, nil
	}
	var unit uuid.UUID
	err = tx.QueryRow(ctx, `SELECT h.submission_id, h.unit_uid FROM submission s JOIN history h ON h.submission_id = s.id WHERE s.uid = ?`,
		sqlite.UID(uid)).Scan(&id, sqlite.ScanUID(&unit))
	if err == nil && !reach.Covers(unit) {
		err = sql.ErrNoRows
	}
	return id, sqlite.Error(err)
}

// HasCase reports whether there is a case, whoever's it is.
func (s *Store) HasCase(ctx context.Context, uid uuid.UUID) (bool, error) {
	return s.has(ctx, `SELECT EXISTS (SELECT 1 FROM submission s JOIN history h ON h.submission_id = s.id WHERE s.uid = ?)`, uid)
}

// Choices lists what some case has. Each value is one look into its index,
// however many cases have it; the name is that of its newest case.
func (s *Store) Choices(ctx context.Context, reach permission.Reach) (c report.Choices, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		if c.Credentials, err = choices(ctx, tx, `credential_uid`, newest(`credential_uid`, `credential_name`)); err != nil {
			return err
		}
		if c.Senders, err = choices(ctx, tx, `sender`, `COALESCE((SELECT d.name FROM desk_person d WHERE d.uid = v.uid), '')`); err != nil {
			return err
		}
		units, err := choices(ctx, tx, `unit_uid`, newest(`unit_uid`, `unit_name`))
		for _, u := range units {
			if reach.Covers(u.UID) {
				c.Units = append(c.Units, u)
			}
		}
		return err
	})
	return c, err
}

// newest is the name in the newest case with the value.
func newest(column, name string) string {
	return `(SELECT s.` + name + ` FROM submission s WHERE s.id = (SELECT MAX(h.submission_id) FROM history h WHERE h.` + column + ` = v.uid))`
}

func choices(ctx context.Context, tx *sqlite.Tx, column, name string) ([]report.Choice, error) {
	return sqlite.List(ctx, tx, func(rows sqlite.Row) (c report.Choice, err error) {
		err = rows.Scan(sqlite.ScanUID(&c.UID), &c.Name)
		return c, err
	}, `WITH RECURSIVE v (uid) AS (
		SELECT MIN(`+column+`) FROM history
		UNION ALL SELECT (SELECT MIN(h.`+column+`) FROM history h WHERE h.`+column+` > v.uid) FROM v WHERE v.uid IS NOT NULL)
		SELECT v.uid, `+name+` FROM v WHERE v.uid IS NOT NULL ORDER BY 2, 1`)
}
