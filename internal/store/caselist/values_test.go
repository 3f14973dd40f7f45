package caselist_test

import (
	"fmt"
	"slices"
	"testing"

	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"
)

// TestReadValues: by name without case and accents, then by identifier, whatever a name has in it; a sender has the
// name of today.
func TestReadValues(t *testing.T) {
	within(t, 1, func(tx *engine.Tx, _ caselist.FilterValues, _ []caselist.Row) {
		for _, v := range []caselist.FilterValue{
			{Kind: caselist.Unit, UID: uidOf(6, 1), Name: "Zona"}, {Kind: caselist.Unit, UID: uidOf(8, 1), Name: "Água\x01 1 Boa"},
			{Kind: caselist.Unit, UID: uidOf(7, 1), Name: "Água\x01 1 Boa"}, {Kind: caselist.Sender, UID: uidOf(5, 1), Name: "Ana"},
		} {
			_, err := caselist.Value(t.Context(), tx, v.Kind, v.UID, v.Name)
			must(t, err)
		}
		_, err := tx.Exec(t.Context(), `INSERT INTO desk_person (uid, name) VALUES (?, ?)`, engine.UID(uidOf(5, 1)), "Ana Prado")
		must(t, err)
		values, err := caselist.ReadValues(t.Context(), tx)
		must(t, err)
		var names []string
		for _, v := range values {
			if v.UID[15] == 1 && v.UID[0] > 5 {
				names = append(names, fmt.Sprint(v.UID[0], v.Name))
			}
			if got := values.Number(v.Kind, v.UID); got != v.Number {
				t.Errorf("%s: got number %d, want %d", v.Name, got, v.Number)
			}
		}
		if want := []string{"8Água\x01 1 Boa", "9Água\x01 1 Boa", "6Ana Prado", "7Zona"}; !slices.Equal(names, want) {
			t.Errorf("got %q, want %q", names, want)
		}
	})
}
