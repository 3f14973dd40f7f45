package servicestore

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"time"

	"guiche/internal/service"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// PutCredential implements service.DirectoryStore.
func (s *Store) PutCredential(ctx context.Context, c service.Credential) error {
	return s.write(ctx, func(tx *engine.Tx) error { return putCredential(ctx, tx, c) })
}

// ChangeCredential implements service.DirectoryStore.
func (s *Store) ChangeCredential(ctx context.Context, id uuid.UUID, change func(service.Credential) (service.Credential, error)) error {
	return s.write(ctx, func(tx *engine.Tx) error {
		kept, err := s.findCredential(ctx, tx, `uid = ?`, engine.UID(id))
		if err != nil {
			return err
		}
		changed, err := change(kept)
		if err != nil {
			return err
		}
		return putCredential(ctx, tx, changed)
	})
}

func putCredential(ctx context.Context, tx *engine.Tx, c service.Credential) error {
	_, err := put(ctx, tx, credentialTable, c.ID, engine.UID(c.EligibilityID), c.Name, c.ProviderCode, c.Operator, c.ANSRegister,
		c.Contractor, c.CNES, c.Indication, c.Biometrics, c.ValidityRequired, c.CardPattern, c.Timeout.Microseconds(), c.Disabled,
		fold(c.Name), fold(c.Name+" "+c.ProviderCode), strings.Join(c.AttachmentsFor, " "))
	if err != nil {
		return err
	}
	return raiseChanges(ctx, tx)
}

var credentialColumns = []string{"uid", "eligibility_uid", "name", "provider_code", "operator", "ans_register", "contractor", "cnes",
	"indication", "biometrics", "validity_required", "card_pattern", "attachments_for", "timeout", "disabled"}

// scanCredential reads a credential with the operator's own settings.
func scanCredential(r engine.Row) (c service.Credential, err error) {
	var timeout int64
	var codes string
	err = r.Scan(engine.ScanUID(&c.ID), engine.ScanUID(&c.EligibilityID), &c.Name, &c.ProviderCode, &c.Operator, &c.ANSRegister,
		&c.Contractor, &c.CNES, &c.Indication, &c.Biometrics, &c.ValidityRequired, &c.CardPattern, &codes, &timeout, &c.Disabled)
	c.AttachmentsFor = slices.Collect(strings.FieldsSeq(codes))
	c.Timeout = time.Duration(timeout) * time.Microsecond
	return c, err
}

// findCredential reads the credential that a condition finds, or says that it is damaged.
func (s *Store) findCredential(ctx context.Context, tx *engine.Tx, where string, args ...any) (c service.Credential, err error) {
	rows, err := credentialTable.Whole(ctx, tx, credentialColumns, `WHERE `+where, args...)
	if err != nil {
		return c, s.noted(err)
	}
	if len(rows) == 0 {
		return c, sql.ErrNoRows
	}
	return scanCredential(rows[0])
}

// Credential implements service.DirectoryStore.
func (s *Store) Credential(ctx context.Context, id uuid.UUID) (c service.Credential, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		c, err = s.findCredential(ctx, tx, `uid = ?`, engine.UID(id))
		return err
	})
	return c, err
}

// CredentialByEligibility implements service.DirectoryStore.
func (s *Store) CredentialByEligibility(ctx context.Context, id uuid.UUID) (c service.Credential, err error) {
	err = s.read(ctx, func(tx *engine.Tx) error {
		c, err = s.findCredential(ctx, tx, `eligibility_uid = ? AND disabled = 0 ORDER BY id LIMIT 1`, engine.UID(id))
		return err
	})
	return c, err
}
