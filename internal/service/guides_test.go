package service_test

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestService_guides reads the guides of an answer: one on several pages, two with
// both of them in the aggregated PDF.
func TestService_guides(t *testing.T) {
	e := MustEnv(t, limits{})
	procedures := make([]any, 12)
	for i := range procedures {
		procedures[i] = map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1}
	}
	long := e.Post(body(map[string]any{"procedimentos": procedures}), nil)
	two := e.Post(body(map[string]any{"numeroCarteira": "999919", "procedimentos": procedures[:2]}), nil)
	for name, tt := range map[string]struct {
		encoded any
		want    []string
	}{
		"several pages": {long.Entry()["pdfGuiaAutorizacao"], []string{"Folha 1 de 3", "Folha 2 de 3", "Folha 3 de 3"}},
		"aggregated":    {two.Data()["pdfGuia"], []string{"Folha 1 de 1", "Folha 1 de 1"}},
	} {
		t.Run(name, func(t *testing.T) {
			pages := MustPDF(t, tt.encoded)
			if len(pages) != len(tt.want) {
				t.Fatalf("got %d pages, want %d", len(pages), len(tt.want))
			}
			for i, page := range pages {
				for _, want := range []string{tt.want[i], "SIMULAÇÃO — SEM VALOR", "HELENA DUARTE CANARIO"} {
					if !strings.Contains(page, want) {
						t.Errorf("page %d: got no %q in %q", i+1, want, page)
					}
				}
			}
		})
	}
}

// MustPDF checks a PDF in base64 and returns the text of its pages.
func MustPDF(tb testing.TB, encoded any) []string {
	tb.Helper()
	text, _ := encoded.(string)
	pdf, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		tb.Fatal(err)
	}
	name := filepath.Join(tb.TempDir(), "guide.pdf")
	if err := os.WriteFile(name, pdf, 0o600); err != nil {
		tb.Fatal(err)
	}
	if out, err := exec.CommandContext(tb.Context(), "qpdf", "--check", name).CombinedOutput(); err != nil {
		tb.Fatalf("qpdf --check: %v: %s", err, out)
	}
	out, err := exec.CommandContext(tb.Context(), "pdftotext", "-layout", name, "-").Output()
	if err != nil {
		tb.Fatalf("pdftotext: %v", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\f"), "\f")
}
