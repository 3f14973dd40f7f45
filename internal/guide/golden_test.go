package guide_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha256"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write testdata anew; look at the guides before")

// TestWrite_golden: what is drawn changes only when somebody means it. Stored guides
// stay as they are, and two that are printed side by side should look alike.
func TestWrite_golden(t *testing.T) {
	const file = "testdata/whole.txt"
	sheet := whole()
	sheet.Simulated = true
	got := MustDump(t, MustWrite(t, sheet))
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	gotLines, wantLines := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range min(len(gotLines), len(wantLines)) {
		if gotLines[i] != wantLines[i] {
			t.Fatalf("line %d: got %q, want %q", i+1, gotLines[i], wantLines[i])
		}
	}
	if len(gotLines) != len(wantLines) {
		t.Errorf("got %d lines, want %d", len(gotLines), len(wantLines))
	}
}

var (
	streamStart = regexp.MustCompile(`/Length (\d+)\b[^\n]*\n(?:[^\n]*\n){0,3}?stream\n`)
	// sizes depend on how well the Go release at hand compresses.
	sizes = regexp.MustCompile(`/Length \d+|(?s)xref\n0 .*?trailer\n|startxref\n\d+\n`)
)

// MustDump returns a PDF as text: pages as they are drawn, of fonts the digest.
func MustDump(tb testing.TB, pdf []byte) string {
	tb.Helper()
	var b strings.Builder
	for {
		at := streamStart.FindSubmatchIndex(pdf)
		if at == nil {
			break
		}
		length, err := strconv.Atoi(string(pdf[at[2]:at[3]]))
		if err != nil {
			tb.Fatal(err)
		}
		content := MustInflate(tb, pdf[at[1]:at[1]+length])
		if bytes.HasPrefix(content, []byte("\x00\x01\x00\x00")) {
			content = fmt.Appendf(nil, "font %x\n", sha256.Sum256(content))
		}
		quoted := strconv.Quote(string(content))
		fmt.Fprintf(&b, "%s%s", pdf[:at[1]], strings.ReplaceAll(quoted[1:len(quoted)-1], `\n`, "\n"))
		pdf = pdf[at[1]+length:]
	}
	b.Write(pdf)
	text := strings.ToValidUTF8(strings.ReplaceAll(b.String(), "\x00", ""), "?") // UTF-16 in the titles
	return sizes.ReplaceAllString(text, "")
}

// MustInflate unpacks a stream.
func MustInflate(tb testing.TB, packed []byte) []byte {
	tb.Helper()
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		tb.Fatal(err)
	}
	content, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	return content
}
