package webui_test

import (
	"bytes"
	"net/http"
	"net/url"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// TestLook_Untold: neither a case nor what a filter finds is shown to whom the trail cannot tell of.
func TestLook_Untold(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	one := ana.SubmitWith(map[string]string{"nomeBeneficiario": "Marta Nogueira"}).Path
	filter := search(ana, url.Values{"texto": {"nogueira"}}).Path
	name := []byte("Marta Nogueira")
	shown := func() (pages int) {
		for _, path := range []string{one, filter} {
			got := ana.Get(path)
			if bytes.Contains(got.Body, name) != (got.Status == http.StatusOK) {
				t.Errorf("%s: %d, with the name: %t", path, got.Status, bytes.Contains(got.Body, name))
			}
			if got.Status == http.StatusOK {
				pages++
			}
		}
		return pages
	}
	if n := shown(); n != 2 {
		t.Errorf("%d of 2 pages shown", n)
	}
	server.Clock.Advance(lookAgain)
	server.Exec(t, `PRAGMA legacy_alter_table = ON; ALTER TABLE audit_entry RENAME TO out_of_reach`)
	if n := shown(); n != 0 {
		t.Errorf("%d pages shown whose look nobody will know of", n)
	}
}

// lookAgain is after how long the same look is told once more.
const lookAgain = 2 * time.Minute
