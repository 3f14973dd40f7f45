package client

import "slices"

// featureWords are the words of recursos (row 17).
var featureWords = []struct {
	word string
	of   func(*Features) *bool
}{
	{"idempotencia", func(f *Features) *bool { return &f.Idempotency }},
	{"situacao", func(f *Features) *bool { return &f.Status }},
	{"consulta-por-guia", func(f *Features) *bool { return &f.LookUp }},
	{"anexos", func(f *Features) *bool { return &f.Attachments }},
	{"biometria", func(f *Features) *bool { return &f.Biometrics }},
	{"cancelamento", func(f *Features) *bool { return &f.Cancellation }},
	{"elegibilidade", func(f *Features) *bool { return &f.Eligibility }},
	{"cadastros", func(f *Features) *bool { return &f.Directory }},
}

// FeaturesOf returns the features that the words name; unknown ones count for
// nothing.
func FeaturesOf(words []string) Features {
	var f Features
	for _, w := range featureWords {
		*w.of(&f) = slices.Contains(words, w.word)
	}
	return f
}

// Words returns the features as recursos names them.
func (f Features) Words() []string {
	var words []string
	for _, w := range featureWords {
		if *w.of(&f) {
			words = append(words, w.word)
		}
	}
	return words
}
