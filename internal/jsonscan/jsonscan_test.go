package jsonscan_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"guiche/internal/jsonscan"
)

// shelf is a sink that keeps what it was given.
type shelf struct{ kept map[string][]byte }

func newShelf() *shelf { return &shelf{kept: map[string][]byte{}} }

func (s *shelf) sink(_ context.Context, r io.Reader) (string, int64, error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return "", 0, err
	}
	ref := fmt.Sprintf("blob-%d", len(s.kept))
	s.kept[ref] = b
	return ref, int64(len(b)), nil
}

func mustRead(tb testing.TB, text string, o jsonscan.Options) (*jsonscan.Document, *shelf) {
	tb.Helper()
	s := newShelf()
	doc, err := jsonscan.Read(tb.Context(), strings.NewReader(text), s.sink, o)
	if err != nil {
		tb.Fatalf("Read(%.80q): %v", text, err)
	}
	return doc, s
}

// extracted returns the string that stood at an RFC 6901 pointer, false when none
// was extracted there.
func extracted(doc *jsonscan.Document, pointer string) (jsonscan.Extracted, bool) {
	var at any
	if err := json.Unmarshal(doc.Rest(), &at); err != nil {
		return jsonscan.Extracted{}, false
	}
	for _, name := range strings.Split(pointer, "/")[1:] {
		switch in := at.(type) {
		case map[string]any:
			at = in[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil {
				return jsonscan.Extracted{}, false
			}
			at = in[i]
		}
	}
	text, _ := at.(string)
	return doc.Extracted(text)
}

func TestRead_KeepsShortDocuments(t *testing.T) {
	for _, text := range []string{
		`{}`, `[]`, `null`, `true`, `-1.5e+3`, `"texto"`, `{"a":[1,{"b":null},"ç\u00e7\/"],"c":{}}`,
		"{\n\t\"a\" : [ 1 , 2 ]\r\n}",
	} {
		doc, s := mustRead(t, " \n"+text+"\n ", jsonscan.Options{})
		if got := string(doc.Rest()); got != text {
			t.Errorf("rest: got %q, want %q", got, text)
		}
		if len(s.kept) != 0 {
			t.Errorf("%q: extracted %d strings, want none", text, len(s.kept))
		}
	}
}

// TestRead_Mark: a byte-order mark before the text is no part of it (RFC 8259, 8.1), and one
// anywhere else is no JSON.
func TestRead_Mark(t *testing.T) {
	const mark = "\xef\xbb\xbf"
	doc, _ := mustRead(t, mark+" {\"a\":\""+mark+"\"}", jsonscan.Options{})
	if got := string(doc.Rest()); got != "{\"a\":\""+mark+"\"}" {
		t.Errorf("rest: got %q, want the text behind the mark", got)
	}
	for text, want := range map[string]jsonscan.Error{
		mark:               {Kind: jsonscan.Empty, Offset: 3},
		mark + `{"a":1,}`:  {Kind: jsonscan.Syntax, Offset: 10},
		mark + `{"a":01}`:  {Kind: jsonscan.Syntax, Offset: 9},
		mark + mark + `{}`: {Kind: jsonscan.Syntax, Offset: 3},
		" " + mark + `{}`:  {Kind: jsonscan.Syntax, Offset: 1},
		mark[:2]:           {Kind: jsonscan.Syntax},
	} {
		_, err := jsonscan.Read(t.Context(), strings.NewReader(text), nil, jsonscan.Options{})
		var got *jsonscan.Error
		if !errors.As(err, &got) || *got != want {
			t.Errorf("%q: got %+v, want %+v", text, got, want)
		}
	}
}

func TestRead_ExtractsBase64(t *testing.T) {
	want := bytes.Repeat([]byte("\xfb\xff\xfeguia"), 20_000)
	std, url := base64.StdEncoding.EncodeToString(want), base64.RawURLEncoding.EncodeToString(want)
	wrapped := strings.Join([]string{std[:76], std[76:152], std[152:]}, `\r\n`)
	for name, text := range map[string]string{
		"padded standard":   std,
		"URL without pad":   url,
		"standard, no pad":  strings.TrimRight(std, "="),
		"escaped slashes":   strings.ReplaceAll(std, "/", `\/`),
		"unicode escapes":   strings.ReplaceAll(std[:4000], "/", `\u002f`) + std[4000:],
		"data prefix":       "data:application/pdf;base64," + std,
		"data prefix, case": `DATA:image\/png;name=a;BASE64,` + std,
		"lines of 76":       wrapped,
	} {
		t.Run(name, func(t *testing.T) {
			doc, s := mustRead(t, `{"anexos":["x",{"base64":"`+text+`"}],"z~/":1}`, jsonscan.Options{})
			got, ok := extracted(doc, "/anexos/1/base64")
			if !ok || got.Err != nil {
				t.Fatalf("extracted: got %+v, %v", got, ok)
			}
			if got.Size != int64(len(want)) || !bytes.Equal(s.kept[got.Ref], want) {
				t.Errorf("got %d bytes that differ, want %d", got.Size, len(want))
			}
			if len(doc.Rest()) > 200 || !json.Valid(doc.Rest()) {
				t.Errorf("rest of %d bytes is not short valid JSON", len(doc.Rest()))
			}
		})
	}
}

func TestRead_Length(t *testing.T) {
	t.Run("DecidesAtInline", func(t *testing.T) {
		for _, c := range []struct {
			length    int
			extracted bool
		}{{8, false}, {9, true}, {12, true}} {
			doc, _ := mustRead(t, `["`+strings.Repeat("A", c.length)+`"]`, jsonscan.Options{Inline: 8, Extract: func(string) bool { return true }})
			if _, got := extracted(doc, "/0"); got != c.extracted {
				t.Errorf("%d bytes: extracted %v, want %v", c.length, got, c.extracted)
			}
		}
	})
	t.Run("NegativeExtractsAllButEmpty", func(t *testing.T) {
		doc, s := mustRead(t, `["","QQ"]`, jsonscan.Options{Inline: -1})
		if _, ok := extracted(doc, "/0"); ok {
			t.Error("the empty string was extracted")
		}
		got, _ := extracted(doc, "/1")
		if string(s.kept[got.Ref]) != "A" {
			t.Errorf("got %q, want A", s.kept[got.Ref])
		}
	})
	t.Run("OtherStringsStay", func(t *testing.T) {
		long := strings.Repeat(`justificativa \"longa\" `, 5_000)
		doc, _ := mustRead(t, `{"pdf":"QUJD","justificativa":"`+long+`"}`, jsonscan.Options{
			Inline: -1, Extract: func(p string) bool { return p == "/pdf" },
		})
		var got struct{ Justificativa, PDF string }
		if err := json.Unmarshal(doc.Rest(), &got); err != nil || len(got.Justificativa) != len(long)-10_000 {
			t.Errorf("got %d characters (%v), want %d", len(got.Justificativa), err, len(long)-10_000)
		}
		if l, ok := doc.Extracted(got.PDF); !ok || l.Size != 3 {
			t.Errorf("placeholder: got %+v, %v", l, ok)
		}
		if _, ok := doc.Extracted("QUJD"); ok {
			t.Error("a text of the sender counts as a placeholder")
		}
	})
	t.Run("AsLargeAsItMayBe", func(t *testing.T) {
		file := strings.Repeat("QUJD", 21)
		doc, s := mustRead(t, `["`+file+`"]`, jsonscan.Options{Inline: -1, MaxExtracted: 63})
		if got, _ := extracted(doc, "/0"); got.Err != nil || got.Size != 63 || string(s.kept[got.Ref]) != strings.Repeat("ABC", 21) {
			t.Errorf("got %+v, want all of it", got)
		}
	})
	t.Run("NoSinkExtractsNothing", func(t *testing.T) {
		text := `"` + strings.Repeat("A", 100_000) + `"`
		doc, err := jsonscan.Read(t.Context(), strings.NewReader(text), nil, jsonscan.Options{})
		if err != nil || string(doc.Rest()) != text {
			t.Errorf("got %v, %d bytes", err, len(doc.Rest()))
		}
	})
}

func TestRead_TellsStringsThatAreNotKept(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		kind jsonscan.Kind
	}{
		"character":         {"QUJD!UJD", jsonscan.Base64},
		"one character":     {"QUJDQ", jsonscan.Base64},
		"padding inside":    {"QQ==QUJD", jsonscan.Base64},
		"padding short":     {"QQ=", jsonscan.Base64},
		"padding long":      {"QUI==", jsonscan.Base64},
		"padding alone":     {"====", jsonscan.Base64},
		"accent":            {"QUJDç", jsonscan.Base64},
		"data, not base64":  {"data:text/plain,QUJD", jsonscan.Base64},
		"data without end":  {"data:" + strings.Repeat("x", 500) + ";base64,QUJD", jsonscan.Base64},
		"over its limit":    {strings.Repeat("QUJD", 30), jsonscan.ExtractedTooLarge},
		"just over a limit": {strings.Repeat("QUJD", 21) + "QQ", jsonscan.ExtractedTooLarge},
	} {
		t.Run(name, func(t *testing.T) {
			text := `{"anexos":[{"base64":"` + c.text + `"},{"base64":"QUJD"}],"depois":1}`
			doc, s := mustRead(t, text, jsonscan.Options{Inline: -1, MaxExtracted: 63})
			bad, _ := extracted(doc, "/anexos/0/base64")
			if bad.Err == nil || bad.Err.Kind != c.kind || bad.Err.Path != "anexos[0].base64" || bad.Ref != "" {
				t.Errorf("got %+v (%v), want kind %q", bad, bad.Err, c.kind)
			}
			if good, _ := extracted(doc, "/anexos/1/base64"); string(s.kept[good.Ref]) != "ABC" {
				t.Errorf("the next string: got %q, want ABC", s.kept[good.Ref])
			}
		})
	}
}

func TestRead_Refuses(t *testing.T) {
	long := strings.Repeat("QUJD", 30)
	for name, c := range map[string]struct {
		text   string
		kind   jsonscan.Kind
		path   string
		offset int64
	}{
		"nothing":                   {"", jsonscan.Empty, "", 0},
		"white space":               {" \r\n\t", jsonscan.Empty, "", 4},
		"HTML":                      {" <html>" + strings.Repeat("x", 1<<21), jsonscan.Syntax, "", 1},
		"cut object":                {`{"a":1`, jsonscan.Syntax, "a", 6},
		"cut name":                  {`{"a`, jsonscan.Syntax, "", 3},
		"cut text":                  {`{"a":"b`, jsonscan.Syntax, "a", 5},
		"cut escape":                {`["a\`, jsonscan.Syntax, "[0]", 1},
		"cut extracted":             {`["` + long, jsonscan.Syntax, "[0]", 122},
		"control byte in extracted": {`["` + long + "\n" + long + `"]`, jsonscan.Syntax, "[0]", 122},
		"escape in extracted":       {`["` + long + `\x"]`, jsonscan.Syntax, "[0]", 122},
		"surrogate in extracted":    {`["` + long + `\ud800\u0041"]`, jsonscan.Syntax, "[0]", 134},
		"surrogate, then escape":    {`["` + long + `\ud800\n0041"]`, jsonscan.Syntax, "[0]", 128},
		"surrogate, then text":      {`["` + long + `\ud800xu0041"]`, jsonscan.Syntax, "[0]", 128},
		"surrogate, then none":      {`["` + long + `\ud800\u00zz"]`, jsonscan.Syntax, "[0]", 128},
		"no digits in extracted":    {`["` + long + `\u12x4"]`, jsonscan.Syntax, "[0]", 122},
		"escape cut in extracted":   {`["` + long + `\u12`, jsonscan.Syntax, "[0]", 122},
		"space before":              {" \n\t[01]", jsonscan.Syntax, "", 5},
		"much space before":         {strings.Repeat(" ", 200_000) + "[01]", jsonscan.Syntax, "", 200_002},
		"space and extracted":       {"  [\"" + long + "\" , 01]", jsonscan.Syntax, "", 129},
		"UTF-8 in extracted":        {`["` + long + "\xff\"]", jsonscan.UTF8, "[0]", 122},
		"UTF-8 in text":             {"{\"a\":{\"b\":\"jo\xe3o\"}}", jsonscan.UTF8, "a.b", 10},
		"UTF-8 in name":             {"{\"a\xff\":1}", jsonscan.UTF8, "", 1},
		"byte outside":              {"{\"a\":\xff}", jsonscan.Syntax, "a", 5},
		"control byte in text":      {"[\"a\nb\"]", jsonscan.Syntax, "[0]", 3},
		"escape in text":            {`{"a":"\x"}`, jsonscan.Syntax, "a", 6},
		"number":                    {`{"a":[1,01]}`, jsonscan.Syntax, "a", 9},
		"word":                      {`[nulo]`, jsonscan.Syntax, "[0]", 4},
		"missing comma":             {`[1 2]`, jsonscan.Syntax, "[0]", 3},
		"comma at the end":          {`[1,]`, jsonscan.Syntax, "[1]", 3},
		"comma in object":           {`{"a":1,}`, jsonscan.Syntax, "", 7},
		"wrong bracket":             {`{"a":[1}}`, jsonscan.Syntax, "a[0]", 7},
		"bracket too many":          {`]`, jsonscan.Syntax, "", 0},
		"value without colon":       {`{"a" 1}`, jsonscan.Syntax, "a", 5},
		"member without value":      {`{"a":}`, jsonscan.Syntax, "a", 5},
		"name that is no string":    {`{1:2}`, jsonscan.Syntax, "", 1},
		"second value":              {`{"a":1} {}`, jsonscan.Trailing, "", 8},
		"something after":           {`1 x`, jsonscan.Trailing, "", 2},
		"same name":                 {`{"a":[{"b":1,"c":2,"b":3}]}`, jsonscan.Duplicate, "a[0].b", 19},
		"same name, escaped":        {`{"a":1,"\u0061":2}`, jsonscan.Duplicate, "a", 7},
		"same name of extracted":    {`{"a":"` + long + `","a":"` + long + `"}`, jsonscan.Duplicate, "a", 128},
		"same digits as names":      {`{"1":{"2":1,"2":1}}`, jsonscan.Duplicate, "1.2", 12},
		"nesting":                   {strings.Repeat(`[`, 65) + strings.Repeat(`]`, 65), jsonscan.Depth, strings.Repeat("[0]", 64), 64},
		"rest too large":            {`["` + strings.Repeat("é ", 1<<19) + `"]`, jsonscan.RestTooLarge, "[0]", 983040},
		"path is cut":               {`{"` + strings.Repeat("ã", 300) + `":x}`, jsonscan.Syntax, strings.Repeat("ã", 200), 604},
		"body too large":            {`[` + strings.Repeat(" ", 3<<20) + `]`, jsonscan.TooLarge, "", 2 << 20},
		"body too large in extrd":   {`["` + strings.Repeat("QUJD", 3<<18) + `"]`, jsonscan.TooLarge, "", 2 << 20},
	} {
		t.Run(name, func(t *testing.T) {
			o := jsonscan.Options{Inline: 100, MaxBody: 2 << 20, Extract: func(string) bool { return !strings.Contains(name, "rest") }}
			if strings.HasPrefix(name, "body too large") {
				o.MaxRest = 4 << 20
			}
			_, err := jsonscan.Read(t.Context(), strings.NewReader(c.text), newShelf().sink, o)
			var got *jsonscan.Error
			if !errors.As(err, &got) {
				t.Fatalf("got %v, want kind %q", err, c.kind)
			}
			if got.Kind != c.kind || got.Path != c.path {
				t.Errorf("got %q at %q, want %q at %q", got.Kind, got.Path, c.kind, c.path)
			}
			if c.kind != jsonscan.RestTooLarge && got.Offset != c.offset {
				t.Errorf("offset: got %d, want %d", got.Offset, c.offset)
			}
		})
	}
}

func TestRead_Limits(t *testing.T) {
	nested := strings.Repeat(`[`, 64) + strings.Repeat(`]`, 64)
	mustRead(t, nested, jsonscan.Options{})
	mustRead(t, `[1,2]`, jsonscan.Options{MaxBody: 5})
	mustRead(t, `"`+strings.Repeat("x ", 1<<19-1)+`"`, jsonscan.Options{})

	t.Run("ManyExtractedStringsStayBounded", func(t *testing.T) {
		text := `[` + strings.Repeat(`"QUJD",`, 100_000) + `0]`
		_, err := jsonscan.Read(t.Context(), strings.NewReader(text), newShelf().sink, jsonscan.Options{Inline: -1})
		var got *jsonscan.Error
		if !errors.As(err, &got) || got.Kind != jsonscan.RestTooLarge {
			t.Errorf("got %v, want RestTooLarge", err)
		}
	})
	t.Run("Values", func(t *testing.T) {
		text := `{"a":[1,"b",null,{}]}`
		mustRead(t, text, jsonscan.Options{MaxValues: 6})
		_, err := jsonscan.Read(t.Context(), strings.NewReader(text), newShelf().sink, jsonscan.Options{MaxValues: 5})
		var got *jsonscan.Error
		if !errors.As(err, &got) || got.Kind != jsonscan.TooManyValues || got.Path != "a[3]" || got.Offset != 17 {
			t.Errorf("got %+v, want the sixth value refused where it begins", got)
		}
	})
	t.Run("LongPathsAreNotExtracted", func(t *testing.T) {
		doc, s := mustRead(t, `{"`+strings.Repeat("n", 2000)+`":"QUJD"}`, jsonscan.Options{Inline: -1})
		if len(s.kept) != 0 || !bytes.Contains(doc.Rest(), []byte("QUJD")) {
			t.Errorf("extracted %d strings, want none", len(s.kept))
		}
	})
}

func TestRead_AnyChunks(t *testing.T) {
	text := ` {"a\"":[1,"` + strings.Repeat(`QU\/D`, 40) + `",{"b":"\\"}],"c":"\ud83d\ude00 \u00e7"} `
	want, _ := mustRead(t, text, jsonscan.Options{Inline: 50})
	for name, r := range map[string]io.Reader{
		"one byte":   iotest.OneByteReader(strings.NewReader(text)),
		"half":       iotest.HalfReader(strings.NewReader(text)),
		"data error": iotest.DataErrReader(strings.NewReader(text)),
	} {
		s := newShelf()
		doc, err := jsonscan.Read(t.Context(), r, s.sink, jsonscan.Options{Inline: 50})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got, want := len(doc.Rest()), len(want.Rest()); got != want {
			t.Errorf("%s: rest of %d bytes, want %d", name, got, want)
		}
		if l, _ := extracted(doc, "/a\"/1"); l.Size != 120 {
			t.Errorf("%s: extracted %d bytes, want 120", name, l.Size)
		}
	}
}

func TestRead_Failures(t *testing.T) {
	text := `["` + strings.Repeat("QUJD", 100) + `"]`
	lost := errors.New("disk full")
	for name, sink := range map[string]jsonscan.Sink{
		"SinkFails": func(context.Context, io.Reader) (string, int64, error) { return "", 0, lost },
		"SinkStops": func(_ context.Context, r io.Reader) (string, int64, error) { return "x", 1, nil },
		"SinkMiscounts": func(_ context.Context, r io.Reader) (string, int64, error) {
			_, err := io.ReadAll(r)
			return "x", 1, err
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := jsonscan.Read(t.Context(), strings.NewReader(text), sink, jsonscan.Options{Inline: -1})
			var kind *jsonscan.Error
			if err == nil || errors.As(err, &kind) {
				t.Errorf("got %v, want an internal error", err)
			}
			if name == "SinkFails" && !errors.Is(err, lost) {
				t.Errorf("got %v, want %v inside", err, lost)
			}
		})
	}
	t.Run("ReaderFails", func(t *testing.T) {
		broken := io.MultiReader(strings.NewReader(`["QUJD`), iotest.ErrReader(lost))
		_, err := jsonscan.Read(t.Context(), broken, newShelf().sink, jsonscan.Options{Inline: -1})
		if !errors.Is(err, lost) {
			t.Errorf("got %v, want %v", err, lost)
		}
	})
	t.Run("Cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := jsonscan.Read(ctx, strings.NewReader(text), newShelf().sink, jsonscan.Options{})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want %v", err, context.Canceled)
		}
	})
	t.Run("ErrorsSayKindAndPlace", func(t *testing.T) {
		for text, want := range map[string]string{
			"": "json: empty at byte 0", "[1}": "json: syntax at byte 2", "1 1": "json: trailing at byte 2", "[1,2,3]": "json: too large at byte 6",
		} {
			_, err := jsonscan.Read(t.Context(), strings.NewReader(text), nil, jsonscan.Options{MaxBody: 6})
			if err == nil || err.Error() != want {
				t.Errorf("%q: got %v, want %s", text, err, want)
			}
		}
	})
	t.Run("ErrorsKeepNamesOut", func(t *testing.T) {
		_, err := jsonscan.Read(t.Context(), strings.NewReader(`{"MARIA":x}`), nil, jsonscan.Options{})
		if err == nil || strings.Contains(err.Error(), "MARIA") {
			t.Errorf("got %v, want an error without the sender's words", err)
		}
	})
}
