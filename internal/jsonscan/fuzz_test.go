package jsonscan_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/jsonscan"
)

// FuzzRead holds Read against encoding/json: what is accepted means the same
// with the extracted strings put back, and what is refused as syntax is not JSON.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		``, ` {} `, `[1,-0.5e9,true,false,null]`, `{"a":"QUJDREVGR0g=","b":["QUJDREVGR0h_-_","curto"]}`,
		`{"anexos":[{"base64":"data:image/png;base64,QUJD\/+==","nome":"pedido \u00e7.pdf"}]}`,
		`["\ud83d\ude00","\ud800","\u0000"]`, `{"a":1,"a":2}`, `{"~/":{"":["QUJDREVGR0hJSks"]}}`,
		`[[[[[[[[[]]]]]]]]]`, "\ufeff{}", "[\"\xff\"]", `{"a":1}x`, `"QUJDREVGR0hJ\r\nSktM"`, `[1 2]`, `01`,
	} {
		f.Add([]byte(seed), 8)
		f.Add([]byte(seed), -1)
	}
	f.Fuzz(func(t *testing.T, text []byte, inline int) {
		s := newShelf()
		o := jsonscan.Options{Inline: max(-1, inline%1000), Depth: 9, MaxExtracted: 64}
		doc, err := jsonscan.Read(t.Context(), bytes.NewReader(text), s.sink, o)
		if err != nil {
			var kind *jsonscan.Error
			if !errors.As(err, &kind) {
				t.Fatalf("error of no kind: %v", err)
			}
			if kind.Kind == jsonscan.Syntax && json.Valid(unmarked(text)) && !bytes.Contains(bytes.ToLower(text), []byte(`\ud`)) {
				t.Fatalf("refused valid JSON: %v", err)
			}
			return
		}
		want, rest := unmarshal(t, unmarked(text)), unmarshal(t, doc.Rest())
		compare(t, doc, s, "", rest, want)
	})
}

// unmarked is a text without the byte-order mark before it, which encoding/json refuses.
func unmarked(text []byte) []byte { return bytes.TrimPrefix(text, []byte("\ufeff")) }

func unmarshal(t *testing.T, text []byte) (v any) {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("encoding/json refuses what was accepted: %v", err)
	}
	return v
}

func compare(t *testing.T, doc *jsonscan.Document, s *shelf, pointer string, got, want any) {
	t.Helper()
	if text, ok := got.(string); ok {
		if extracted, ok := doc.Extracted(text); ok {
			compareExtracted(t, extracted, s, want)
			return
		}
	}
	switch want := want.(type) {
	case map[string]any:
		m, _ := got.(map[string]any)
		if len(m) != len(want) {
			t.Fatalf("%s: got %d members, want %d", pointer, len(m), len(want))
		}
		for k := range want {
			compare(t, doc, s, pointer+"/"+k, m[k], want[k])
		}
	case []any:
		a, _ := got.([]any)
		if len(a) != len(want) {
			t.Fatalf("%s: got %d elements, want %d", pointer, len(a), len(want))
		}
		for i := range want {
			compare(t, doc, s, pointer+"/"+strconv.Itoa(i), a[i], want[i])
		}
	default:
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: got %v, want %v", pointer, got, want)
		}
	}
}

func compareExtracted(t *testing.T, extracted jsonscan.Extracted, s *shelf, want any) {
	t.Helper()
	text, _ := want.(string)
	decoded, ok := decode(text)
	switch {
	case ok && len(decoded) > 64:
		if extracted.Err == nil || extracted.Err.Kind != jsonscan.ExtractedTooLarge {
			t.Fatalf("%d bytes were kept: %+v", len(decoded), extracted)
		}
	case ok && (extracted.Err != nil || !bytes.Equal(s.kept[extracted.Ref], decoded)):
		t.Fatalf("base64 %q: got %q, %v, want %q", text, s.kept[extracted.Ref], extracted.Err, decoded)
	case !ok && extracted.Err == nil:
		t.Fatalf("not base64, but kept: %q", text)
	}
}

// decode reads base64 with encoding/base64.
func decode(text string) ([]byte, bool) {
	if len(text) >= 5 && strings.EqualFold(text[:5], "data:") {
		i := strings.IndexByte(text, ',')
		if i < 0 || i > 255 || !strings.HasSuffix(strings.ToLower(text[:i]), ";base64") {
			return nil, false
		}
		text = text[i+1:]
	}
	text = strings.NewReplacer("-", "+", "_", "/", "\r", "", "\n", "").Replace(text)
	encoding := base64.RawStdEncoding
	if strings.Contains(text, "=") {
		encoding = base64.StdEncoding
	}
	b, err := encoding.DecodeString(text)
	return b, err == nil
}
