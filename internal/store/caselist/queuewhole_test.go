package caselist_test

import (
	"testing"

	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// TestQueue_Read_NotWhole: a row that is not as it was written stands where it stood, and says nothing;
// those beside it say all, as they do without it.
func TestQueue_Read_NotWhole(t *testing.T) {
	within(t, 6, func(tx *engine.Tx, _ caselist.FilterValues, _ []caselist.Row) {
		_, err := tx.Exec(t.Context(), `UPDATE queue_case SET review = 7 WHERE submission_id = 3`)
		must(t, err)
		for _, damaged := range []bool{false, true} {
			if damaged {
				_, err := tx.Exec(t.Context(), `UPDATE case_summary SET card_number = 'another' WHERE submission_id = 2`)
				must(t, err)
			}
			told := 0
			got, err := caselist.Queue{Group: caselist.AnyGroup, Limit: 4}.Read(t.Context(), tx, func(checksum.Row) { told++ })
			must(t, err)
			if len(got) != 4 || (told > 0) != damaged {
				t.Fatalf("damaged %v: got %d rows, told of %d", damaged, len(got), told)
			}
			for i, r := range got {
				wrong := damaged && i == 1
				if r.ID != int64(i+1) || r.Damaged != wrong || (r.BeneficiaryName == "Maria") == wrong || (r.ReviewedAt == 7) != (i == 2) {
					t.Errorf("damaged %v: got %+v at %d", damaged, r, i)
				}
			}
		}
	}, func(r *caselist.Row) { r.Group, r.ChangedAt, r.BeneficiaryName = 1, now, "Maria" })
}
