package oneline_test

import (
	"testing"

	"guiche/internal/oneline"
)

func TestClean(t *testing.T) {
	for given, want := range map[string]string{
		"  Ana \t Prado\r\n":               "Ana Prado",
		"\ufeffUni\u00admed\u200b \u202eX": "Unimed X",
		"\u200b\u202e":                     "",
		"a\x00b\xffc\u00a0d":               "a b c d",
		"São José":                         "São José",
	} {
		if got := oneline.Clean(given); got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
}
