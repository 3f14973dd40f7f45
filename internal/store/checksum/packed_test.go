package checksum_test

import (
	"slices"
	"strings"
	"testing"

	"guiche/internal/store/checksum"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestReader_Unpack: a row is read from what it was packed into, whatever is in it, and nothing else is.
func TestReader_Unpack(t *testing.T) {
	const odd = "d'Ávila, \x1f\t\"né\" 🫀\n"
	for name, values := range map[string][]any{
		"OK": {int64(1), firstKey[:], "old"}, "Empty": {int64(0), uuid.Nil[:], ""}, "Odd": {int64(-1 << 63), secondKey[:], odd},
	} {
		t.Run(name, func(t *testing.T) {
			packed, err := pairs.Pack(values)
			if err != nil {
				t.Fatal(err)
			}
			var a int64
			var key uuid.UUID
			var text string
			targets := []any{&a, &key, &text}
			whole := pairReader.Unpack(packed, targets)
			if diff := cmp.Diff(values, []any{a, key[:], text}); !whole || diff != "" {
				t.Errorf("got %v (-want +got):\n%s", whole, diff)
			}
			for i := range packed {
				flipped := slices.Clone(packed)
				flipped[i] ^= 1
				if pairReader.Unpack(flipped, targets) || pairReader.Unpack(packed[:i], targets) {
					t.Errorf("read with another byte at %d, or without those behind it", i)
				}
			}
			if pairReader.Unpack(append(packed, 0), targets) {
				t.Error("read with a byte more")
			}
		})
	}
}

// TestReader_Unpack_Other: what was packed of another table, or for other targets, is not read.
func TestReader_Unpack_Other(t *testing.T) {
	packed, err := pairs.Pack([]any{int64(1), firstKey[:], "old"})
	if err != nil {
		t.Fatal(err)
	}
	var a bool
	var key uuid.UUID
	var text string
	if !pairReader.Unpack(packed, []any{&a, &key, &text}) || !a {
		t.Errorf("a truth: got %v", a)
	}
	for name, targets := range map[string][]any{
		"Fewer": {&a, &key}, "More": {&a, &key, &text, &text}, "Text": {&text, &key, &text}, "NoKey": {&a, &key, &key},
		"Other": {new(any), &key, &text},
	} {
		t.Run(name, func(t *testing.T) {
			if pairReader.Unpack(packed, targets) {
				t.Errorf("read")
			}
		})
	}
	t.Run("Table", func(t *testing.T) {
		other := pairs
		other.Name = "pear"
		if checksum.NewReader(other).Unpack(packed, []any{&a, &key, &text}) {
			t.Error("read")
		}
	})
	for name, value := range map[string]any{"ErrNoValue": struct{}{}, "ErrReal": 0.5, "ErrNull": nil} {
		t.Run(name, func(t *testing.T) {
			if _, err := pairs.Pack([]any{int64(1), value, "old"}); err == nil || !strings.Contains(err.Error(), "pair.b") {
				t.Errorf("got %v, want the column named", err)
			}
		})
	}
}
