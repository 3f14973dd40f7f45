package engine_test

import (
	"slices"
	"testing"

	"guiche/internal/store/engine"
)

func TestWords(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"Nothing", " \t", nil},
		{"Apostrophe", "d'Ávila", []string{"d", "Ávila"}},
		{"Hyphen", "0011-2233", []string{"0011", "2233"}},
		{"Quotes", `"Ana" 'Prado'`, []string{"Ana", "Prado"}},
		{"Operators", "NEAR(a, b) OR ^c*", []string{"NEAR", "a", "b", "OR", "c"}},
		{"CombiningMark", "A\u0301vila", []string{"A\u0301vila"}},
		{"AccentAlone", "a \u0301 b", []string{"a", "b"}},
		{"PrivateUse", "a\ue000b", []string{"a\ue000b"}},
		{"Emoji", "Ana 🫀 Lia", []string{"Ana", "Lia"}},
		{"ZeroByteDropped", "hemo\x00grama", []string{"hemograma"}},
		{"BrokenUTF8Separates", "a\xffb", []string{"a", "b"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := engine.Words(tc.text); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestAlternatives(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       [][]string
	}{
		{"Nothing", "", [][]string{nil}},
		{"Words", "ana prado", [][]string{{"ana", "prado"}}},
		{"Number", "0310", [][]string{{"0310"}}},
		{"NumberInGroups", "0310 0045", [][]string{{"0310", "0045"}, {"03100045"}}},
		{"NumberInGroupsBesideWords", "ana 0310-0045 lia 7",
			[][]string{{"ana", "0310", "0045", "lia", "7"}, {"ana", "03100045", "lia", "7"}}},
		{"OtherDigitsAreWords", "٣ ٣", [][]string{{"٣", "٣"}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := engine.Alternatives(engine.Words(tc.text)); !slices.EqualFunc(got, tc.want, slices.Equal) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}
