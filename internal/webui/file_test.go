package webui_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

func TestGuide_Headers(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	page := v.Submit(address, form)
	guide := v.Get(page.Path + "/guias/0")
	for name, want := range map[string]string{
		"Content-Type": "application/pdf", "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store",
		"Cross-Origin-Resource-Policy": "same-origin",
		"Content-Security-Policy":      "default-src 'none'; form-action 'none'; sandbox; frame-ancestors 'self'",
	} {
		if got := guide.Header.Get(name); got != want {
			t.Errorf("guide: %s is %q, want %q", name, got, want)
		}
	}
	if got := guide.Header.Get("Content-Disposition"); !strings.HasPrefix(got, "inline") {
		t.Errorf("guide: disposition %q, want inline", got)
	}
	if got := v.Get(page.Path + "/guias/0?baixar=1").Header.Get("Content-Disposition"); !strings.HasPrefix(got, "attachment") {
		t.Errorf("guide to save: disposition %q, want attachment", got)
	}
	for _, path := range []string{"/guias/1", "/guias/-1", "/guias/x", "/anexos/x"} {
		if got := v.Get(page.Path + path); got.Status != http.StatusNotFound {
			t.Errorf("GET %s: %d, want 404", path, got.Status)
		}
	}
}
