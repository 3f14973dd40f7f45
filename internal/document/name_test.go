package document_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"guiche/internal/document"
)

func TestCleanName(t *testing.T) {
	long := strings.Repeat("ã", 200)
	for _, tt := range []struct{ name, in, want string }{
		{"Plain", "pedido.pdf", "pedido.pdf"},
		{"Accents", "laudo da Conceição.pdf", "laudo da Conceição.pdf"},
		{"Composed", "laudo da Conceic\u0327a\u0303o.pdf", "laudo da Conceição.pdf"},
		{"Folders", "../../etc/passwd", "passwd"},
		{"WindowsFolders", `C:\Users\ana\foto.jpg`, "foto.jpg"},
		{"MixedSlashes", `a/b\c.png`, "c.png"},
		{"OnlyFolder", "pasta/", "documento"},
		{"Empty", "", "documento"},
		{"Dots", "..", "documento"},
		{"OnlyExtension", ".pdf", "documento.pdf"},
		{"Control", "a\x00b\r\nc.pdf", "ab c.pdf"},
		{"Direction", "laudo\u202efdp.exe", "laudofdp.exe"},
		{"Invisible", "\u200b\ufeff.pdf", "documento.pdf"},
		{"Spaces", "  a \t b .pdf ", "a b.pdf"},
		{"TrailingDots", "a...", "a"},
		{"InvalidBytes", "a\xff\xfeb.pdf", "a_b.pdf"},
		{"Long", long + ".pdf", long[:2*116] + ".pdf"},
		{"LongExtension", "a." + strings.Repeat("x", 200), "a." + strings.Repeat("x", 118)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := document.CleanName(tt.in); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzCleanName(f *testing.F) {
	for _, s := range []string{"a.pdf", "../x", ". .pdf", "a. .b", "\xff.\u202e", strings.Repeat("é.", 99), "A\u030a.p\u0301df"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := document.CleanName(s)
		switch {
		case got == "" || utf8.RuneCountInString(got) > 120 || !utf8.ValidString(got):
			t.Errorf("%q: got %q, want 1 to 120 characters", s, got)
		case strings.ContainsAny(got, "/\\\x00\r\n\u202e"):
			t.Errorf("%q: got %q, want nothing but a plain name", s, got)
		case document.CleanName(got) != got:
			t.Errorf("%q: got %q and then %q, want no change", s, got, document.CleanName(got))
		}
	})
}
