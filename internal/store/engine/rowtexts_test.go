package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/store/engine"
)

// TestRowTexts_String: texts stay what they were when the bytes are those of the next row, short or
// long, and many of them take few allocations.
func TestRowTexts_String(t *testing.T) {
	var texts engine.RowTexts
	var got, want []string
	buffer := make([]byte, 1<<14)
	for i := range 3000 {
		text := strings.Repeat(fmt.Sprintf("né %d ", i), i%7)
		if i%500 == 0 {
			text = strings.Repeat("longo", 2000)
		}
		got, want = append(got, texts.String(buffer[:copy(buffer, text)])), append(want, text)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("text %d: got %.20q, want %.20q", i, got[i], want[i])
		}
	}
	row := []byte("uma palavra")
	allocations := testing.AllocsPerRun(10, func() {
		var texts engine.RowTexts
		for range 100 {
			_ = texts.String(row)
		}
	})
	if allocations > 10 {
		t.Errorf("100 texts took %v allocations", allocations)
	}
}
