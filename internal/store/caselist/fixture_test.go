package caselist_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"
)

// Columns of submission that no list shows.
const (
	plainNumbers = `deadline_at newborn specialty follow_up`
	plainUIDs    = `care_point_uid executant_uid`
	plainTexts   = `card_validity beneficiary_plan newborn_name newborn_birth requester_name requester_council requester_number requester_state
		accident_type care_regime care_type contact_name contact_area_code contact_phone contact_email care_point_name executant_name
		specialty_name`
)

// mustSend writes the submissions behind rows: who sent them, when, to whom and for whom.
func mustSend(t *testing.T, tx *engine.Tx, rows []caselist.Row) {
	t.Helper()
	columns := strings.Fields(`id uid token created_at beneficiary_name card_number credential_name unit_name patient_present provider_guide
		idempotency_key unit_uid credential_uid sender ` + plainNumbers + ` ` + plainUIDs + ` ` + plainTexts)
	for _, r := range rows {
		values := []any{r.ID, engine.UID(r.UID), engine.UID(r.UID), r.CreatedAt, r.BeneficiaryName, r.CardNumber, r.CredentialName, r.UnitName,
			r.PatientPresent, fmt.Sprintf("%020d", r.ID), fmt.Sprint(r.ID), engine.UID(uidOf(0, byte(r.Unit))),
			engine.UID(uidOf(1, byte(r.Credential))), engine.UID(uidOf(2, byte(r.Sender)))}
		values = append(values, 0, 0, 0, 0, engine.UID(uidOf(7, 1)), engine.UID(uidOf(7, 2)))
		for range strings.Fields(plainTexts) {
			values = append(values, "")
		}
		must(t, tx.Insert(t.Context(), "submission", columns, values...))
	}
}
