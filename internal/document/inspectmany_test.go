package document_test

import (
	"runtime"
	"strings"
	"testing"

	"guiche/internal/document"
)

// TestInspect_Many: of more packed streams than may be unpacked those that are left cost what it takes to read their
// dictionaries, and no reader each.
func TestInspect_Many(t *testing.T) {
	const some, each = 50_000, 8 << 10
	allocated := func(streams int) uint64 {
		pdf := MustActivePDF(t, "", "", strings.Repeat("9 0 obj<</First 1/Filter/FlateDecode>>stream\n", streams))
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if got := mustInspect(t, pdf); got != (document.Inspection{Unreadable: true}) {
			t.Errorf("got %+v", got)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	if few, many := allocated(some), allocated(2*some); many > few+some*each {
		t.Errorf("got %d bytes for each more", (many-few)/some)
	}
}
