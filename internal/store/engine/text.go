package engine

import (
	"database/sql/driver"
	"reflect"
	"strings"
	"unicode/utf8"
)

// Texts returns the values of a statement as Exec and Query bind them: with texts that every
// engine takes, valid UTF-8 without U+0000. What is no text in them becomes U+FFFD, or goes.
func Texts(args []any) []any {
	cleaned := append([]any(nil), args...)
	cleanTexts(cleaned)
	return cleaned
}

// cleanTexts is Texts in place.
func cleanTexts(args []any) {
	for i, arg := range args {
		if text, ok := textOf(arg); ok && !isText(text) {
			args[i] = cleanText(text)
		}
	}
}

// cleanedTexts is Texts for texts.
func cleanedTexts(texts []string) []string {
	cleaned := make([]string, len(texts))
	for i, text := range texts {
		cleaned[i] = cleanText(text)
	}
	return cleaned
}

// textOf returns a value that is bound as a text.
func textOf(arg any) (string, bool) {
	switch v := arg.(type) {
	case string:
		return v, true
	case nil, []byte, int64, int, bool, driver.Valuer:
		return "", false
	}
	v := reflect.ValueOf(arg)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.String {
		return "", false
	}
	return v.String(), true
}

func cleanText(s string) string {
	if isText(s) {
		return s
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
}

func isText(s string) bool { return utf8.ValidString(s) && strings.IndexByte(s, 0) < 0 }
