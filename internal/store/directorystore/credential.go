package directorystore

import (
	"context"

	"guiche/internal/directory"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

const operatorColumns = `SELECT uid, name, provider_code, eligibility_uid, validity_required, card_pattern, indication, biometrics,
	biometrics_how, phone, active
	FROM credential `

// scanCredential reads the columns of operatorColumns, in their order.
func scanCredential(rows engine.Row) (c directory.Credential, err error) {
	err = rows.Scan(engine.ScanUID(&c.UID), &c.Name, &c.ProviderCode, engine.ScanUID(&c.EligibilityID),
		&c.ValidityRequired, &c.CardPattern, &c.Indication, &c.Biometrics, &c.BiometricsHow, &c.Phone, &c.Active)
	return c, err
}

// damagedCredential is what a list tells of a credential that cannot be read.
func damagedCredential(c directory.Credential) directory.Credential {
	return directory.Credential{UID: c.UID, Damaged: true}
}

// Credentials implements directory.Store.
func (s *Store) Credentials(ctx context.Context) ([]directory.Credential, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]directory.Credential, error) {
		return engine.List(ctx, tx, engine.OrDamaged(scanCredential, damagedCredential), operatorColumns+`ORDER BY id`)
	})
}

// Credential implements directory.Store.
func (s *Store) Credential(ctx context.Context, uid uuid.UUID) (directory.Credential, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (directory.Credential, error) { return credential(ctx, tx, uid) })
}

// Credential implements directory.Tx.
func (t *tx) Credential(ctx context.Context, uid uuid.UUID) (directory.Credential, error) {
	return credential(ctx, t.Tx, uid)
}

// credentialKey is that of one credential in the cache.
type credentialKey struct{ uid uuid.UUID }

// credential reads one credential, active or not; ErrNotFound if there is none.
func credential(ctx context.Context, tx *engine.Tx, uid uuid.UUID) (directory.Credential, error) {
	return engine.Cached(tx, credentialKey{uid}, func() (directory.Credential, error) {
		return one(engine.List(ctx, tx, scanCredential, operatorColumns+`WHERE uid = ?`, engine.UID(uid)))
	})
}

const insertCredential = `INSERT INTO credential (uid, name, provider_code, eligibility_uid, validity_required, card_pattern,
	indication, biometrics, biometrics_how, phone, active, edited, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
	ON CONFLICT (uid) DO UPDATE SET `

// credentialValues are the values of an insert or an update. edited says that a person
// changed it here: a synchronisation leaves such a row alone.
func credentialValues(c directory.Credential, edited bool, now int64) []any {
	return []any{
		engine.UID(c.UID), c.Name, c.ProviderCode, engine.UID(c.EligibilityID), c.ValidityRequired, c.CardPattern,
		c.Indication, c.Biometrics, c.BiometricsHow, c.Phone, c.Active, edited, now,
	}
}

// PutCredential implements directory.Tx.
func (t *tx) PutCredential(ctx context.Context, c directory.Credential) error {
	return exec(ctx, t.Tx, insertCredential+`name = excluded.name, provider_code = excluded.provider_code,
		eligibility_uid = excluded.eligibility_uid, validity_required = excluded.validity_required,
		card_pattern = excluded.card_pattern, indication = excluded.indication, biometrics = excluded.biometrics,
		biometrics_how = excluded.biometrics_how, phone = excluded.phone, active = excluded.active, edited = 1, updated_at = excluded.updated_at`,
		credentialValues(c, true, engine.Micros(t.Now))...)
}

// SeeCredential implements directory.Tx.
func (t *tx) SeeCredential(ctx context.Context, c directory.Credential) error {
	return exec(ctx, t.Tx, insertCredential+`name = excluded.name, provider_code = excluded.provider_code,
		eligibility_uid = excluded.eligibility_uid,
		biometrics = CASE credential.edited WHEN 1 THEN credential.biometrics ELSE excluded.biometrics END, updated_at = excluded.updated_at`,
		credentialValues(c, false, engine.Micros(t.Now))...)
}

// News implements directory.Store.
func (s *Store) News(ctx context.Context, seen []directory.Credential) ([]directory.Credential, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]directory.Credential, error) {
		var news []directory.Credential
		for _, c := range seen {
			known, err := engine.List(ctx, tx, func(rows engine.Row) (same bool, err error) {
				err = rows.Scan(&same)
				return same, err
			}, `SELECT name = ? AND provider_code = ? AND eligibility_uid IS NOT DISTINCT FROM ?
				AND (edited = 1 OR biometrics = ?)
				FROM credential WHERE uid = ?`, c.Name, c.ProviderCode, engine.UID(c.EligibilityID), c.Biometrics, engine.UID(c.UID))
			if err != nil {
				return nil, err
			}
			if len(known) == 0 || !known[0] {
				news = append(news, c)
			}
		}
		return news, nil
	})
}

// OldestCredentials lists at most so many credentials, those first that were registered
// first.
func (s *Store) OldestCredentials(ctx context.Context, limit int) ([]string, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]string, error) {
		return engine.List(ctx, tx, func(row engine.Row) (string, error) {
			var uid uuid.UUID
			err := row.Scan(engine.ScanUID(&uid))
			return uid.String(), err
		}, `SELECT uid FROM credential ORDER BY id LIMIT ?`, limit)
	})
}
