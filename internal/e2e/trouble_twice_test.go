package e2e_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"guiche/internal/apptest"
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
			res, err := c.v.HTTP.Post(c.URL+draft+"/enviar", "application/x-www-form-urlencoded", http.NoBody)
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
	if rows := c.v.Get("/fila").Count("#fila tbody tr"); rows != 1 {
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
	sent := c.v.Post(draft+"/enviar", nil)
	if sent.Text("#veredito .verdict") != authorized {
		t.Fatalf("got %q", sent.Text("#veredito"))
	}
	for what, again := range map[string]*apptest.Page{
		"Enviar":  c.v.Post(draft+"/enviar", nil),
		"Revisar": c.v.Post(draft+"/revisar", form),
		"form":    c.v.Get(draft),
	} {
		if again.Path != sent.Path || again.Status != http.StatusOK {
			t.Errorf("%s again: %d at %s, want %s", what, again.Status, again.Path, sent.Path)
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
	draft, first := c.v.NewDraft()
	_, second := c.v.NewDraft()
	first.Set("nomeBeneficiario", "Primeira Aba")
	second.Set("nomeBeneficiario", "Segunda Aba")
	c.v.Post(draft, first)
	autosave := http.Header{"Hx-Request": {"true"}}

	for what, told := range map[string]*apptest.Page{
		"autosave": c.v.Send(http.MethodPost, draft, "application/x-www-form-urlencoded", strings.NewReader(second.Encode()), autosave),
		"save":     c.v.Post(draft, second),
		"review":   c.v.Post(draft+"/revisar", second),
	} {
		if told.Status != http.StatusConflict || !strings.HasPrefix(told.Text("[data-conflict]"), "Outra aba salvou") {
			t.Errorf("%s: %d, told %q, want a conflict", what, told.Status, told.Text("[data-conflict]"))
		}
		if got := told.Value("#nomeBeneficiario"); what != "autosave" && got != "Segunda Aba" {
			t.Errorf("%s: the tab shows %q, want what was typed in it", what, got)
		}
	}
	if got := c.v.Get(draft).Value("#nomeBeneficiario"); got != "Primeira Aba" {
		t.Errorf("the draft holds %q, want what was saved first", got)
	}

	t.Run("SentInTheOther", func(t *testing.T) {
		first.Set("versao", "1")
		sent := c.v.Submit(draft, first)
		late := c.v.Send(http.MethodPost, draft, "application/x-www-form-urlencoded", strings.NewReader(second.Encode()), autosave)
		if late.Status != http.StatusConflict || late.Count("[data-conflict]") != 1 {
			t.Errorf("autosave after sending: %d", late.Status)
		}
		if pressed := c.v.Post(draft+"/enviar", nil); pressed.Path != sent.Path || !strings.Contains(pressed.Text("h1"), "Primeira Aba") {
			t.Errorf("Enviar in the other tab: %s, %q", pressed.Path, pressed.Text("h1"))
		}
		c.checkLedger(1, 1)
	})
}
