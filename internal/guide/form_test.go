package guide_test

import (
	"bytes"
	"fmt"
	"testing"

	"guiche/internal/guide"
)

// TestWrite_sameForm: the form under a guide is drawn once, and the guide is the same as with a
// form that was drawn for it alone.
func TestWrite_sameForm(t *testing.T) {
	for lines := range guide.ProceduresPerPage + 2 {
		for _, simulated := range []bool{false, true} {
			t.Run(fmt.Sprint(lines, simulated), func(t *testing.T) {
				sheet := sample(lines)
				sheet.Simulated = simulated
				first := MustWrite(t, sheet)
				if !bytes.Equal(MustWrite(t, sheet), first) {
					t.Error("the second guide has other bytes")
				}
				if other := sample(lines + 1); bytes.Equal(MustWrite(t, other), first) {
					t.Error("the guide of another request has the same bytes")
				}
			})
		}
	}
}
