package document

import (
	"path/filepath"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	maxName      = 120 // characters
	maxExtension = 12  // characters, dot included; a longer one is part of the name
	unnamed      = "documento"
)

// CleanName returns the name of a file as it may be stored and shown: the last
// part of a path (of either kind of slash), composed, without control, direction
// and other invisible characters, at most 120 characters with its extension
// kept, and never empty. Cleaning a clean name changes nothing.
func CleanName(name string) string {
	clean := name[strings.LastIndexAny(name, `/\`)+1:]
	clean = strings.Map(visible, norm.NFC.String(strings.ToValidUTF8(clean, "_")))
	clean = shorten(strings.Join(strings.Fields(clean), " "))
	if clean == name {
		return clean
	}
	return CleanName(clean) // shortening may have uncovered another extension
}

// shorten cuts the name before its extension and trims spaces and dots there.
func shorten(name string) string {
	extension := filepath.Ext(name)
	if len([]rune(extension)) > maxExtension || extension == "." {
		extension = ""
	}
	stem := strings.Trim(strings.TrimSuffix(name, extension), " .")
	if runes, room := []rune(stem), maxName-len([]rune(extension)); len(runes) > room {
		stem = strings.TrimRight(string(runes[:room]), " .")
	}
	if stem == "" {
		stem = unnamed
	}
	return stem + extension
}

// visible drops invisible characters: "laudo\u202efdp.exe" would be read as
// "laudoexe.pdf".
func visible(r rune) rune {
	switch {
	case unicode.IsSpace(r):
		return ' '
	case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Co, unicode.Cs):
		return -1
	}
	return r
}
