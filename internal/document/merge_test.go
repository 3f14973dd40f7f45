package document_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"guiche/internal/document"
)

// MustText returns the text of a PDF as pdftotext reads it.
func MustText(tb testing.TB, pdf []byte) string {
	tb.Helper()
	if _, err := exec.LookPath("pdftotext"); err != nil {
		tb.Fatal("pdftotext is missing: install the package poppler-utils to run this test")
	}
	cmd := exec.Command("pdftotext", "-", "-")
	cmd.Stdin = bytes.NewReader(pdf)
	out, err := cmd.Output()
	if err != nil {
		tb.Fatalf("pdftotext: %v", err)
	}
	return string(out)
}

func TestMerge(t *testing.T) {
	plain := MustPDF(t, 2)
	packed := MustQPDF(t, MustPDF(t, 3), "--object-streams=generate")
	t.Run("OK", func(t *testing.T) {
		var out bytes.Buffer
		if err := document.Merge(&out, bytes.NewReader(plain), bytes.NewReader(packed), bytes.NewReader(plain)); err != nil {
			t.Fatalf("got error %v, want none", err)
		}
		MustQPDF(t, out.Bytes()) // fails on damage
		got := strings.Fields(strings.ReplaceAll(MustText(t, out.Bytes()), "page", ""))
		if want := "A B A B C A B"; strings.Join(got, " ") != want {
			t.Errorf("got pages %v, want %s", got, want)
		}
		info, err := document.Check(bytes.NewReader(out.Bytes()), "a.pdf", document.DefaultLimits())
		if err != nil || info.Pages != 7 {
			t.Errorf("got %d pages, %v, want 7", info.Pages, err)
		}
	})
	t.Run("One", func(t *testing.T) {
		var out bytes.Buffer
		if err := document.Merge(&out, bytes.NewReader(plain)); err != nil || !strings.Contains(MustText(t, out.Bytes()), "page B") {
			t.Errorf("got error %v or lost pages, want the same pages", err)
		}
	})
	t.Run("ErrNothing", func(t *testing.T) {
		if err := document.Merge(io.Discard); !errors.Is(err, document.ErrNothingToMerge) {
			t.Errorf("got %v, want %v", err, document.ErrNothingToMerge)
		}
	})
	locked := MustPDF(t, 1, func(p *fpdf.Fpdf) { p.SetProtection(0, "a", "b") })
	for name, second := range map[string][]byte{"Empty": nil, "Text": []byte("hello"), "Cut": plain[:len(plain)/2], "Locked": locked} {
		t.Run("ErrCannotMerge"+name, func(t *testing.T) {
			err := document.Merge(io.Discard, bytes.NewReader(plain), bytes.NewReader(second))
			if !errors.Is(err, document.ErrCannotMerge) {
				t.Errorf("got %v, want %v", err, document.ErrCannotMerge)
			}
		})
	}
	t.Run("ErrWriter", func(t *testing.T) {
		r, w := io.Pipe()
		if err := r.CloseWithError(errDisk); err != nil {
			t.Fatal(err)
		}
		if err := document.Merge(w, bytes.NewReader(plain)); !errors.Is(err, errDisk) {
			t.Errorf("got %v, want %v", err, errDisk)
		}
	})
}

// TestMerge_LeavesNothing: pdfcpu would write settings into the user's home.
func TestMerge_LeavesNothing(t *testing.T) {
	if err := document.Merge(io.Discard, bytes.NewReader(MustPDF(t, 1))); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(home)
	if err != nil || len(left) > 0 {
		t.Errorf("got %v, error %v in the home folder, want nothing", left, err)
	}
}

// home is the home folder of all tests here.
var home string

func TestMain(m *testing.M) {
	var err error
	if home, err = os.MkdirTemp("", "home-*"); err != nil {
		panic(err)
	}
	for _, name := range []string{"HOME", "XDG_CONFIG_HOME", "AppData"} {
		if err := os.Setenv(name, home); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}

// BenchmarkMerge reports how many times longer a hundred PDFs take than ten
// (expected near 10).
func BenchmarkMerge(b *testing.B) {
	pdf := MustPDF(b, 1)
	merge := func(n int) time.Duration {
		start := b.Elapsed()
		for range b.N {
			readers := make([]io.ReadSeeker, n)
			for i := range readers {
				readers[i] = bytes.NewReader(pdf)
			}
			if err := document.Merge(io.Discard, readers...); err != nil {
				b.Fatal(err)
			}
		}
		return b.Elapsed() - start
	}
	ten := merge(10)
	b.ReportMetric(float64(merge(100))/float64(ten), "ratio")
}
