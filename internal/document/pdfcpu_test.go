package document_test

import (
	"bytes"
	"os"
	"testing"

	"guiche/internal/document"
)

// TestInert_LeavesNothing: pdfcpu would write settings into the user's home.
func TestInert_LeavesNothing(t *testing.T) {
	if _, err := document.Inert(t.Context(), bytes.NewReader(MustPDF(t, 1))); err != nil {
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
