package servicestore

import (
	"context"
	"slices"
	"strings"
	"time"

	"guiche/internal/service"
	"guiche/internal/sqlite"

	"github.com/google/uuid"
)

// PutCredential implements service.DirectoryStore.
func (s *Store) PutCredential(ctx context.Context, c service.Credential) error {
	return s.write(ctx, func(tx *sqlite.Tx) error {
		err := exec(ctx, tx, `INSERT INTO credential (uid, eligibility_uid, name, provider_code, operator, ans_register, contractor, cnes,
				indication, biometrics, validity_required, card_pattern, attachments_for, timeout, disabled, sort_name, searched)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
			ON CONFLICT (uid) DO UPDATE SET eligibility_uid = excluded.eligibility_uid, name = excluded.name,
				provider_code = excluded.provider_code, operator = excluded.operator, ans_register = excluded.ans_register,
				contractor = excluded.contractor, cnes = excluded.cnes, indication = excluded.indication,
				biometrics = excluded.biometrics, validity_required = excluded.validity_required,
				card_pattern = excluded.card_pattern, attachments_for = excluded.attachments_for,
				timeout = excluded.timeout, disabled = excluded.disabled,
				sort_name = excluded.sort_name, searched = excluded.searched`,
			sqlite.UID(c.ID), sqlite.UID(c.EligibilityID), c.Name, c.ProviderCode, c.Operator, c.ANSRegister, c.Contractor, c.CNES,
			c.Indication, c.Biometrics, c.ValidityRequired, c.CardPattern, strings.Join(c.AttachmentsFor, " "), c.Timeout.Microseconds(), c.Disabled,
			fold(c.Name), fold(c.Name+" "+c.ProviderCode))
		if err != nil {
			return err
		}
		return raiseChanges(ctx, tx)
	})
}

//nolint:gosec // names of columns, no secret
const credentialColumns = `uid, eligibility_uid, name, provider_code, operator, ans_register, contractor, cnes,
	indication, biometrics, validity_required, card_pattern, attachments_for, timeout, disabled`

// scanCredential reads a credential with the operator's own settings.
func scanCredential(r sqlite.Row) (c service.Credential, err error) {
	var timeout int64
	var codes string
	err = r.Scan(sqlite.ScanUID(&c.ID), sqlite.ScanUID(&c.EligibilityID), &c.Name, &c.ProviderCode, &c.Operator, &c.ANSRegister,
		&c.Contractor, &c.CNES, &c.Indication, &c.Biometrics, &c.ValidityRequired, &c.CardPattern, &codes, &timeout, &c.Disabled)
	c.AttachmentsFor = slices.Collect(strings.FieldsSeq(codes))
	c.Timeout = time.Duration(timeout) * time.Microsecond
	return c, err
}

// Credential implements service.DirectoryStore.
func (s *Store) Credential(ctx context.Context, id uuid.UUID) (c service.Credential, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		c, err = scanCredential(tx.QueryRow(ctx, `SELECT `+credentialColumns+` FROM credential WHERE uid = ?`, sqlite.UID(id)))
		return err
	})
	return c, err
}

// CredentialByEligibility implements service.DirectoryStore.
func (s *Store) CredentialByEligibility(ctx context.Context, id uuid.UUID) (c service.Credential, err error) {
	err = s.read(ctx, func(tx *sqlite.Tx) error {
		c, err = scanCredential(tx.QueryRow(ctx, `SELECT `+credentialColumns+` FROM credential
			WHERE eligibility_uid = ? AND disabled = 0 ORDER BY id LIMIT 1`, sqlite.UID(id)))
		return err
	})
	return c, err
}
