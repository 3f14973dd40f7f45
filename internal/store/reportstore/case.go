package reportstore

import (
	"context"
	"database/sql"

	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/report"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Cases lists at most q.Limit cases within the reach, newest first. Of one whose row is
// damaged it tells that, and nothing else that may not be so.
func (s *Store) Cases(ctx context.Context, reach permission.Reach, q report.Query) (cases []report.Row, c report.Choices, err error) {
	err = s.db.Read(ctx, func(tx *engine.Tx) error {
		caselist.Ahead(tx)
		if q.After != uuid.Nil {
			tx.Ahead(placeQuery, engine.UID(q.After))
		}
		values, err := caselist.ReadValues(ctx, tx)
		if err != nil {
			return err
		}
		after, err := placeOf(ctx, tx, reach, q.After)
		if err != nil {
			return err
		}
		c = choices(values, reach)
		rows, err := find(values, reach, q, after).Find(ctx, tx, s.damaged, q.Limit)
		cases = make([]report.Row, 0, len(rows))
		for i := range rows {
			cases = append(cases, shown(ctx, tx, values, &rows[i]))
		}
		return err
	})
	return cases, c, err
}

// shown is a row as the history shows it.
func shown(ctx context.Context, tx *engine.Tx, values caselist.FilterValues, r *caselist.Row) report.Row {
	if r.Damaged {
		return damagedCase(ctx, tx, r.ID)
	}
	return report.Row{UID: r.UID, CreatedAt: engine.Time(r.CreatedAt), BeneficiaryName: r.BeneficiaryName, CardNumber: r.CardNumber,
		Credential: r.CredentialName, Unit: r.UnitName, Sender: values.Name(r.Sender), FirstProcedure: r.ProcedureCode,
		Procedures: int(r.Procedures), State: r.State.State, Status: authorization.Status(r.Status), Group: authorization.Group(r.Group),
		Alert: r.Alert, Reason: r.Reason, UnknownOutcome: r.Doubtful, Simulated: r.Simulated, Senha: r.Password, HasGuide: r.HasGuide}
}

// damagedCase is what a list tells of a damaged case: its identifier, where it has one.
func damagedCase(ctx context.Context, tx *engine.Tx, id int64) report.Row {
	row := report.Row{Damaged: true}
	if err := tx.QueryRow(ctx, `SELECT uid FROM submission WHERE id = ?`, id).Scan(engine.ScanUID(&row.UID)); err != nil {
		row.UID = uuid.Nil
	}
	return row
}

const placeQuery = `SELECT st.submission_id, st.unit_uid FROM submission s JOIN submission_state st ON st.submission_id = s.id
	WHERE s.uid = ?`

// placeOf returns the number of a case within the reach, 0 of none.
func placeOf(ctx context.Context, tx *engine.Tx, reach permission.Reach, uid uuid.UUID) (id int64, err error) {
	if uid == uuid.Nil {
		return 0, nil
	}
	var unit uuid.UUID
	err = tx.QueryRow(ctx, placeQuery, engine.UID(uid)).Scan(&id, engine.ScanUID(&unit))
	if err == nil && !reach.Covers(unit) {
		err = sql.ErrNoRows
	}
	return id, engine.Error(err)
}

// HasCase reports whether there is a case, whoever's it is.
func (s *Store) HasCase(ctx context.Context, uid uuid.UUID) (bool, error) {
	return s.has(ctx, `SELECT EXISTS (SELECT 1 FROM submission s JOIN submission_state st ON st.submission_id = s.id WHERE s.uid = ?)`, uid)
}

// Choices lists what some case has.
func (s *Store) Choices(ctx context.Context, reach permission.Reach) (c report.Choices, err error) {
	values, err := engine.Get(ctx, s.db, func(tx *engine.Tx) (caselist.FilterValues, error) { return caselist.ReadValues(ctx, tx) })
	return choices(values, reach), err
}

func choices(values caselist.FilterValues, reach permission.Reach) (c report.Choices) {
	for _, v := range values {
		choice := report.Choice{Number: v.Number, UID: v.UID, Name: v.Name}
		switch {
		case v.Kind == caselist.Credential:
			c.Credentials = append(c.Credentials, choice)
		case v.Kind == caselist.Sender:
			c.Senders = append(c.Senders, choice)
		case reach.Covers(v.UID):
			c.Units = append(c.Units, choice)
		}
	}
	return c
}
