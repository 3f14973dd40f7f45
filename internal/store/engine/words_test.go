package engine_test

import (
	"slices"
	"strings"
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

func TestMatchQuery(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"Nothing", "", ""},
		{"Word", "ana", `"ana"*`},
		{"Words", "ana prado", `"ana"* "prado"*`},
		{"Number", "0310", `"0310"*`},
		{"NumberInGroups", "0310 0045", `("0310"* "0045"*) OR ("03100045"*)`},
		{"NumberInGroupsBesideWords", "ana 0310-0045 lia 7", `("ana"* "0310"* "0045"* "lia"* "7"*) OR ("ana"* "03100045"* "lia"* "7"*)`},
		{"OtherDigitsAreWords", "٣ ٣", `"٣"* "٣"*`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := engine.MatchQuery(engine.Words(tc.text)); got != tc.want {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
	t.Run("AtMost32Words", func(t *testing.T) {
		if got := strings.Count(engine.MatchQuery(engine.Words(strings.Repeat("a ", 2500))), "*"); got != 32 {
			t.Errorf("got %d words, want 32", got)
		}
	})
}
