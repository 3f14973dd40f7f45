package webui_test

import (
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

// TestShortcuts_Shown: every control that a key presses shows that key, and tells it to
// screen readers.
func TestShortcuts_Shown(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	authorized := ana.SubmitWith(map[string]string{"numeroCarteira": "99990100001"}).Path
	for path, keys := range map[string]string{
		"/fila": "F2 F4 F9", "/fila?grupo=ok": "F2 F4 F9 Escape", "/nova": "F2 F4 F7 F8", authorized: "F2 F4 Escape F9 F8", "/historico": "F2 F4",
		"/ajuda": "F2 F4", "/conta": "F2 F4",
	} {
		page := ana.Get(path)
		controls := page.Find("[data-shortcut]")
		if got := strings.Join(page.Attrs("[data-shortcut]", "data-shortcut"), " "); got != keys {
			t.Errorf("%s: keys %q, want %q", path, got, keys)
		}
		controls.Each(func(_ int, control *goquery.Selection) {
			key := control.AttrOr("data-shortcut", "")
			if got, _, _ := strings.Cut(control.AttrOr("aria-keyshortcuts", ""), " "); got != key {
				t.Errorf("%s: the control of %s tells screen readers %q", path, key, got)
			}
			if got, want := shownKey(page, control), strings.Replace(key, "Escape", "Esc", 1); got != want {
				t.Errorf("%s: the control of %s shows %q, want %q", path, key, got, want)
			}
		})
	}
}

// shownKey is the key that stands on a control, or beside or above a field.
func shownKey(page *apptest.Page, control *goquery.Selection) string {
	for _, where := range []*goquery.Selection{
		control.Find("kbd"), control.SiblingsFiltered("kbd"), page.Find("label[for='" + control.AttrOr("id", "-") + "'] kbd"),
	} {
		if where.Length() > 0 {
			return where.First().Text()
		}
	}
	return ""
}
