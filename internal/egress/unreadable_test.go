//go:build unix

package egress_test

import (
	"bytes"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/egress"
	"guiche/internal/limittest"
)

// TestAuthorities_Own_Unreadable: a new file that cannot be read for now is read once it can, and the log says once
// that it was not.
func TestAuthorities_Own_Unreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ca.pem")
	mustWrite(t, file, mustAuthority(t, "Primeira"))
	var log bytes.Buffer
	a, err := egress.OpenAuthorities(file, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		t.Fatal(err)
	}
	mustWrite(t, file, mustAuthority(t, "Segunda de nome longo"))
	limittest.WithoutDescriptors(t, func() {
		for range 2 {
			if _, own := a.Own(); len(own) != 1 || own[0].Name != "Primeira" {
				t.Errorf("while it cannot be read: got %v", own)
			}
		}
	})
	if _, own := a.Own(); len(own) != 1 || own[0].Name != "Segunda de nome longo" {
		t.Errorf("once it can be read: got %v", own)
	}
	if got := strings.Count(log.String(), "GUICHE_SERVICE_CA was not read again"); got != 1 {
		t.Errorf("the log says it %d times:\n%s", got, &log)
	}
}
