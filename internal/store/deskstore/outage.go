package deskstore

import (
	"context"
	"slices"
	"time"

	"guiche/internal/desk"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// serviceItself is the credential_uid of the service's own row in outage.
var serviceItself = uuid.Nil

// noteContact keeps what an attempt says about who answers.
func noteContact(ctx context.Context, tx *engine.Tx, submission int64, c desk.Contact) error {
	switch c {
	case desk.ServiceAnswered:
		return endOutage(ctx, tx, serviceItself)
	case desk.OperatorAnswered:
		return endOutages(ctx, tx, submission)
	case desk.ServiceSilent:
		return countSilence(ctx, tx, serviceItself)
	case desk.OperatorSilent:
		if err := endOutage(ctx, tx, serviceItself); err != nil {
			return err
		}
		return countOperatorSilence(ctx, tx, submission)
	}
	return nil
}

// countOperatorSilence counts a silence of the operator that a submission is for.
func countOperatorSilence(ctx context.Context, tx *engine.Tx, submission int64) error {
	var credential uuid.UUID
	err := tx.QueryRow(ctx, `SELECT credential_uid FROM submission WHERE id = ?`, submission).Scan(engine.ScanUID(&credential))
	if err != nil {
		return engine.Error(err)
	}
	return countSilence(ctx, tx, credential)
}

// endOutages ends that of the operator that a submission is for, and that of the service. Mostly there is
// none: to delete nothing takes eight times as long as to look.
func endOutages(ctx context.Context, tx *engine.Tx, submission int64) error {
	some, err := exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM outage)`)
	if err != nil || !some {
		return err
	}
	_, err = exec(ctx, tx, `DELETE FROM outage WHERE credential_uid IN (?, (SELECT credential_uid FROM submission WHERE id = ?))`,
		serviceItself[:], submission)
	return err
}

func endOutage(ctx context.Context, tx *engine.Tx, who uuid.UUID) error {
	_, err := exec(ctx, tx, `DELETE FROM outage WHERE credential_uid = ?`, who[:])
	return err
}

// countSilence counts one more attempt in a row without an answer.
func countSilence(ctx context.Context, tx *engine.Tx, who uuid.UUID) error {
	now, failures := engine.Micros(tx.Now), 0
	err := tx.QueryRow(ctx, `INSERT INTO outage (credential_uid, since, failed_at, failures, retry_at) VALUES (?1, ?2, ?2, 1, ?2)
		ON CONFLICT (credential_uid) DO UPDATE SET failures = outage.failures + 1, failed_at = ?2 RETURNING failures`,
		who[:], now).Scan(&failures)
	if err != nil {
		return engine.Error(err)
	}
	_, err = exec(ctx, tx, `UPDATE outage SET retry_at = ? WHERE credential_uid = ?`,
		engine.Micros(tx.Now.Add(desk.OutagePause(failures))), who[:])
	return err
}

const outagesQuery = `SELECT credential_uid, since, failed_at FROM outage WHERE failures >= ? ORDER BY credential_uid <> ?, since`

// Outages implements desk.OutageStore.
func (s *Store) Outages(ctx context.Context, after time.Time) ([]desk.Outage, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.Outage, error) {
		rows, err := engine.List(ctx, tx, scanOutage, outagesQuery, desk.OutageAfter, serviceItself[:])
		rows = slices.DeleteFunc(rows, func(row outageRow) bool { return !row.failedAt.After(after) })
		outages := make([]desk.Outage, len(rows))
		for i, row := range rows {
			outages[i] = row.Outage
			if err == nil && row.credential != serviceItself {
				err = tx.QueryRow(ctx, `SELECT credential_name FROM submission WHERE credential_uid = ? ORDER BY id DESC LIMIT 1`,
					engine.UID(row.credential)).Scan(&outages[i].Credential)
			}
		}
		return outages, engine.Error(err)
	})
}

// outageRow is an outage with whose it is, and its latest attempt without an answer.
type outageRow struct {
	desk.Outage
	credential uuid.UUID
	failedAt   time.Time
}

func scanOutage(row engine.Row) (o outageRow, err error) {
	err = row.Scan(engine.ScanUID(&o.credential), engine.ScanTime(&o.Since), engine.ScanTime(&o.failedAt))
	return o, err
}

// ServiceAnswers implements desk.OutageStore.
func (s *Store) ServiceAnswers(ctx context.Context) error {
	some, err := engine.Get(ctx, s.db, func(tx *engine.Tx) (bool, error) {
		return exists(ctx, tx, `SELECT EXISTS (SELECT 1 FROM outage WHERE credential_uid = ?)`, serviceItself[:])
	})
	if !some || err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *engine.Tx) error { return endOutage(ctx, tx, serviceItself) })
}

// silences are the outages that a claim has to heed, by credential.
func silences(ctx context.Context, tx *engine.Tx) (map[uuid.UUID]time.Time, error) {
	type silence struct {
		credential uuid.UUID
		retryAt    time.Time
	}
	list, err := engine.List(ctx, tx, func(row engine.Row) (s silence, err error) {
		err = row.Scan(engine.ScanUID(&s.credential), engine.ScanTime(&s.retryAt))
		return s, err
	}, `SELECT credential_uid, retry_at FROM outage WHERE failures >= ?`, desk.OutageAfter)
	retry := make(map[uuid.UUID]time.Time, len(list))
	for _, s := range list {
		retry[s.credential] = s.retryAt
	}
	return retry, err
}
