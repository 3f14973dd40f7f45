package page_test

import (
	"strings"
	"testing"

	"guiche/web/page"
)

// TestPhonePanel: the code and its address while they are of use, and what came.
func TestPhonePanel(t *testing.T) {
	for name, tc := range map[string]struct {
		view        page.PhoneView
		says        string
		codes, asks int
	}{
		"Offered": {page.PhoneView{Offered: true}, "Enviar pelo celular", 0, 0},
		"Nowhere": {page.PhoneView{}, "", 0, 0},
		"Waiting": {page.PhoneView{Offered: true, Shown: true, Code: page.QRCode{Size: 1, Path: "M0 0"}, Address: "https://a.example/celular#x"},
			"https://a.example/celular#x", 1, 1},
		"Reloaded": {page.PhoneView{Offered: true, Shown: true}, "só aparece uma vez", 0, 1},
		"Opened":   {page.PhoneView{Offered: true, Shown: true, Opened: true}, "Nenhum arquivo ainda", 0, 1},
		"One":      {page.PhoneView{Offered: true, Shown: true, Opened: true, Files: 1}, "1 arquivo chegou", 0, 1},
		"Over":     {page.PhoneView{Offered: true, Shown: true, Over: true}, "Terminou", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			m := filledForm()
			tc.view.UID, m.Phone = m.UID, tc.view
			doc := MustRender(t, page.FormPage(m))
			wantCount(t, doc, "#celular svg", tc.codes)
			wantCount(t, doc, "#celular-estado[hx-get]", tc.asks)
			if text := doc.Find("#celular,#celular-abrir").Text(); !strings.Contains(text, tc.says) || tc.says == "" && text != "" {
				t.Errorf("it says %q", text)
			}
		})
	}
}
