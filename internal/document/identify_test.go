package document_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"guiche/internal/document"
	"guiche/internal/problem"
)

// TestIdentify: the content says what a file is, and its name follows.
func TestIdentify(t *testing.T) {
	const jpeg, png = "\xff\xd8\xff\xe0", "\x89PNG\r\n\x1a\n"
	for _, tt := range []struct {
		content, name, want string
		kind                document.Kind
	}{
		{"%PDF-1.4 and no more", "pedido.pdf", "pedido.pdf", document.PDF},
		{"\xef\xbb\xbf\r\n%PDF-1.4", "PEDIDO.PDF", "PEDIDO.PDF", document.PDF},
		{jpeg, "foto.jfif", "foto.jfif", document.JPEG},
		{jpeg, "foto.png", "foto.png.jpg", document.JPEG},
		{png, "", "documento.png", document.PNG},
		{png, "../../x.html", "x.html.png", document.PNG},
		{png, "a\x00b\u202e\n.", "ab.png", document.PNG},
		{png, strings.Repeat("ã", 300), strings.Repeat("ã", 116) + ".png", document.PNG},
	} {
		got, err := document.Identify(strings.NewReader(tt.content), tt.name)
		want := document.Info{Name: tt.want, Kind: tt.kind, ContentType: tt.kind.ContentType(), Size: int64(len(tt.content))}
		if err != nil || got != want {
			t.Errorf("%.30q: got %+v, %v, want %+v", tt.name, got, err, want)
		}
	}
	for content, code := range map[string]problem.Code{
		"": problem.Unsupported, "texto": problem.Unsupported, "<html>": problem.Unsupported, "PK\x03\x04": problem.Unsupported,
		"%PDF-1.4 <SCRIPT>": problem.Invalid, jpeg + " %PDF-1.4": problem.Invalid,
		png + "PK\x05\x06" + strings.Repeat("\x00", 18): problem.Invalid,
	} {
		_, err := document.Identify(strings.NewReader(content), "segredo.pdf")
		var p *problem.Error
		if !errors.As(err, &p) || p.Code != code || !strings.HasPrefix(p.Message, "O anexo ") || strings.Contains(p.Message, "segredo") {
			t.Errorf("%q: got %v, want %s without the name", content, err, code)
		}
	}
	if _, err := document.Identify(broken{bytes.NewReader([]byte(png))}, ""); !errors.Is(err, iotest.ErrTimeout) {
		t.Errorf("a disk that fails: got %v", err)
	}
}

// broken can be measured and not read.
type broken struct{ *bytes.Reader }

func (broken) Read([]byte) (int, error) { return 0, iotest.ErrTimeout }
