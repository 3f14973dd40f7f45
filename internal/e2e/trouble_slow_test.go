package e2e_test

import (
	"net/http"
	"testing"

	"guiche/internal/apptest"
	fs "guiche/internal/client/faultservice"
)

// TestTrouble_SlowAnswer: while the service thinks, the page says so and asks by
// itself; it is told to load anew once the answer is there.
func TestTrouble_SlowAnswer(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{})
	hold := make(chan struct{})
	c.fault(fs.Rule{Hold: hold})
	draft, _ := c.reviewed()
	c.press(draft)
	waiting := c.becomes(draft, "Enviando…")
	poll, asks := waiting.Find("#caso").Attr("hx-get")
	if !asks {
		t.Fatal("the page does not ask for news")
	}
	if got := c.v.Get(poll); got.Status != http.StatusNoContent || got.Header.Get("Hx-Refresh") != "" {
		t.Errorf("before the answer: %d, refresh %q", got.Status, got.Header.Get("Hx-Refresh"))
	}
	close(hold)
	answered := c.becomes(draft, authorized)
	if got := c.v.Get(poll); got.Header.Get("Hx-Refresh") != "true" {
		t.Errorf("after the answer: %d, refresh %q", got.Status, got.Header.Get("Hx-Refresh"))
	}
	if _, asks := answered.Find("#caso").Attr("hx-get"); asks {
		t.Error("an answered case still asks for news")
	}
	c.stop()
	c.checkLedger(1, 1)
}

// TestTrouble_LargeFileRefusedEarly: a refusal that comes while megabytes are
// still to be sent, on a connection that is dropped at once, is not lost.
func TestTrouble_LargeFileRefusedEarly(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{})
	c.fault(fs.Rule{Unread: true, Fault: fs.Early(http.StatusRequestEntityTooLarge, envelopeOf("grande_demais"))})
	draft, form := c.v.NewDraft()
	if got := c.v.Upload(draft+"/anexos", form, map[string][]byte{"exame.pdf": apptest.PDF(14 << 20)}); got.Status != http.StatusOK {
		t.Fatalf("upload: %d", got.Status)
	}
	form.Set("versao", "1")
	page := c.v.Submit(draft, form)
	if got := page.Text("#veredito .verdict"); got != refused {
		t.Errorf("got %q, want %q", got, refused)
	}
	if got := page.Text("#pedido-enviado a[target]"); got != "exame.pdf" {
		t.Errorf("the case shows the file %q", got)
	}
	c.stop()
	c.checkLedger(1, 0)
}
