package e2e_test

import (
	"testing"

	"guiche/internal/apptest"
)

// TestPartner_Reload: the page that shows a new key once makes no second one when it is loaded again.
func TestPartner_Reload(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	address := p.LogIn(t, apptest.Administration).AddPartner("Clínica do Vale")
	b := MustBrowse(t, p)
	b.logIn(apptest.Administration)
	b.open(address)
	b.click("#chaves form:not([action$='/revogar']) button")
	b.see("#segredo")
	if got := b.path(); got != address {
		t.Fatalf("the key is shown at %s, which loads again as another one", got)
	}
	b.open(b.path())
	if rows := eval[int](b, "document.querySelectorAll('#chaves tbody tr').length"); rows != 1 {
		t.Errorf("%d keys after loading again, want one", rows)
	}
}
