package caselist_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"
)

// plain are values of the columns of submission that no list shows.
var plain = map[string]string{"INTEGER": "0", "TEXT": "''", "BLOB": "randomblob(16)"}

// mustSend writes the submissions behind rows: who sent them, when, to whom and for whom.
func mustSend(t *testing.T, tx *engine.Tx, rows []caselist.Row) {
	t.Helper()
	shown := map[string]string{
		"id": "?1", "uid": "?2", "created_at": "?3", "beneficiary_name": "?4", "card_number": "?5", "credential_name": "?6",
		"unit_name": "?7", "patient_present": "?8", "provider_guide": "printf('%020d', ?1)", "idempotency_key": "?1",
		"unit_uid": "?9", "credential_uid": "?10", "sender": "?11",
	}
	columns, err := engine.List(t.Context(), tx, func(row engine.Row) (c [2]string, err error) {
		err = row.Scan(&c[0], &c[1])
		return c, err
	}, `SELECT name, type FROM pragma_table_info('submission') WHERE "notnull" AND dflt_value IS NULL OR name = 'id'`)
	must(t, err)
	var names, values []string
	for _, c := range columns {
		value, ok := shown[c[0]]
		if !ok {
			value = plain[c[1]]
		}
		names, values = append(names, c[0]), append(values, value)
	}
	insert := fmt.Sprintf(`INSERT INTO submission (%s) VALUES (%s)`, strings.Join(names, ", "), strings.Join(values, ", "))
	for _, r := range rows {
		_, err := tx.Exec(t.Context(), insert, r.ID, engine.UID(r.UID), r.CreatedAt, r.BeneficiaryName, r.CardNumber, r.CredentialName,
			r.UnitName, r.PatientPresent, engine.UID(uidOf(0, byte(r.Unit))), engine.UID(uidOf(1, byte(r.Credential))), //nolint:gosec // small
			engine.UID(uidOf(2, byte(r.Sender)))) //nolint:gosec // small
		must(t, err)
	}
}
