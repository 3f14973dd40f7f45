package e2e_test

import (
	"net/http"
	"strings"

	"guiche/internal/apptest"
)

// requestByKey authorizes something, so that the ledger has an entry.
func (w *world) requestByKey() {
	w.t.Helper()
	if got := w.admin.Server.Partner(w.t, w.admin.Server.APIKey()).Authorize(); got != http.StatusOK {
		w.t.Fatalf("authorize: %d", got)
	}
}

// tabs are the addresses of the lintel, in their order.
func tabs(a *apptest.Page) string {
	a.T.Helper()
	return strings.Join(a.Attrs(".tabs a", "href"), " ")
}

// menu are the addresses of the person's menu, in their order.
func menu(a *apptest.Page) string {
	a.T.Helper()
	return strings.Join(a.Attrs(".menu a", "href"), " ")
}
