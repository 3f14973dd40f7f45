package reportstore

import (
	"context"
	"database/sql"

	"guiche/internal/permission"
	"guiche/internal/report"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// shown reads what a list shows of the cases that a query of ids finds.
func shown(ids string) string {
	return `SELECT s.uid, s.created_at, s.beneficiary_name, s.card_number, s.credential_name, s.unit_name, COALESCE(d.name, ''),
	p.code, (SELECT COUNT(*) FROM submission_procedure n WHERE n.submission_id = s.id),
	st.state, st.status, st.queue_group, st.alert, st.reason, st.simulated, st.password,
	EXISTS (SELECT 1 FROM answer a WHERE a.id = (SELECT MAX(l.id) FROM answer l WHERE l.submission_id = s.id) AND (a.guide_pdf <> ''
		OR EXISTS (SELECT 1 FROM authorization z WHERE z.answer_id = a.id AND z.guide_pdf <> '')))
	FROM (` + ids + `) found
	JOIN submission s ON s.id = found.submission_id
	JOIN submission_state st ON st.submission_id = s.id
	JOIN submission_procedure p ON p.submission_id = s.id AND p.position = 0
	LEFT JOIN desk_person d ON d.uid = s.sender
	ORDER BY s.id DESC`
}

func scanCase(rows sqlite.Row) (c report.Row, err error) {
	err = rows.Scan(sqlite.ScanUID(&c.UID), sqlite.ScanTime(&c.CreatedAt), &c.BeneficiaryName, &c.CardNumber, &c.Credential,
		&c.Unit, &c.Sender,
		&c.FirstProcedure, &c.Procedures, &c.State, &c.Status, &c.Group, &c.Alert, &c.Reason, &c.Simulated, &c.Senha, &c.HasGuide)
	return c, err
}

// Cases lists at most q.Limit cases within the reach, newest first.
func (s *Store) Cases(ctx context.Context, reach permission.Reach, q report.Query) (cases []report.Row, err error) {
	err = s.db.Read(ctx, func(tx *sqlite.Tx) error {
		after, err := placeOf(ctx, tx, reach, q.After)
		if err != nil {
			return err
		}
		ids, args := find(reach, q, after)
		cases, err = sqlite.List(ctx, tx, scanCase, shown(ids), args...)
		return err
	})
	return cases, err
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
