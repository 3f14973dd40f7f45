package e2e_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	fs "guiche/internal/client/faultservice"
)

// TestTrouble_FortyPresses: however often and however much at once "Enviar" is
// pressed, there is one case and one request.
func TestTrouble_FortyPresses(t *testing.T) {
	t.Parallel()
	const presses = 40
	c := MustClinic(t, fs.Config{})
	draft, _ := c.reviewed()
	var (
		wg    sync.WaitGroup
		start = make(chan struct{})
		cases = make([]string, presses)
	)
	for i := range presses {
		wg.Go(func() {
			<-start
			res, err := c.v.client.Post(c.v.p.url+draft+"/enviar", "application/x-www-form-urlencoded", http.NoBody)
			if err != nil {
				cases[i] = err.Error()
				return
			}
			_ = res.Body.Close()
			cases[i] = res.Request.URL.Path
		})
	}
	close(start)
	wg.Wait()
	for _, got := range cases {
		if got != cases[0] || !strings.HasPrefix(got, "/casos/") {
			t.Errorf("a press leads to %q, another to %q, want one case", got, cases[0])
		}
	}
	if rows := c.v.get("/fila").doc().Find("#fila tbody tr").Length(); rows != 1 {
		t.Errorf("%d cases in the list, want 1", rows)
	}
	c.stop()
	c.checkLedger(1, 1)
}

// TestTrouble_BackAndRepeat: after the answer, every old page of the draft leads
// to its case and sends nothing.
func TestTrouble_BackAndRepeat(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{})
	draft, form := c.reviewed()
	sent := c.v.post(draft+"/enviar", nil)
	if sent.text("#veredito .verdict") != authorized {
		t.Fatalf("got %q", sent.text("#veredito"))
	}
	for what, again := range map[string]answer{
		"Enviar":  c.v.post(draft+"/enviar", nil),
		"Revisar": c.v.post(draft+"/revisar", form),
		"form":    c.v.get(draft),
	} {
		if again.path != sent.path || again.status != http.StatusOK {
			t.Errorf("%s again: %d at %s, want %s", what, again.status, again.path, sent.path)
		}
	}
	c.stop()
	c.checkLedger(1, 1)
}

// TestTrouble_TwoTabs: the tab that saves last is told, its text stays on its
// screen, and what the other tab saved is not overwritten.
func TestTrouble_TwoTabs(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{})
	draft, first := c.v.newDraft()
	_, second := c.v.newDraft()
	first.Set("nomeBeneficiario", "Primeira Aba")
	second.Set("nomeBeneficiario", "Segunda Aba")
	c.v.post(draft, first)
	autosave := http.Header{"Hx-Request": {"true"}}

	for what, told := range map[string]answer{
		"autosave": c.v.send(http.MethodPost, draft, "application/x-www-form-urlencoded", strings.NewReader(second.Encode()), autosave),
		"save":     c.v.post(draft, second),
		"review":   c.v.post(draft+"/revisar", second),
	} {
		if told.status != http.StatusConflict || !strings.HasPrefix(told.text("[data-conflict]"), "Outra aba salvou") {
			t.Errorf("%s: %d, told %q, want a conflict", what, told.status, told.text("[data-conflict]"))
		}
		if got := told.value("#nomeBeneficiario"); what != "autosave" && got != "Segunda Aba" {
			t.Errorf("%s: the tab shows %q, want what was typed in it", what, got)
		}
	}
	if got := c.v.get(draft).value("#nomeBeneficiario"); got != "Primeira Aba" {
		t.Errorf("the draft holds %q, want what was saved first", got)
	}

	t.Run("SentInTheOther", func(t *testing.T) {
		first.Set("versao", "1")
		sent := c.v.submit(draft, first)
		late := c.v.send(http.MethodPost, draft, "application/x-www-form-urlencoded", strings.NewReader(second.Encode()), autosave)
		if late.status != http.StatusConflict || late.doc().Find("[data-conflict]").Length() != 1 {
			t.Errorf("autosave after sending: %d", late.status)
		}
		if pressed := c.v.post(draft+"/enviar", nil); pressed.path != sent.path || !strings.Contains(pressed.text("h1"), "Primeira Aba") {
			t.Errorf("Enviar in the other tab: %s, %q", pressed.path, pressed.text("h1"))
		}
		c.checkLedger(1, 1)
	})
}
