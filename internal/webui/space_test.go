package webui_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// TestSpace_Again: a form for which there is no space comes back to be sent once more as
// it was typed, but for passwords.
func TestSpace_Again(t *testing.T) {
	t.Parallel()
	var free atomic.Int64
	free.Store(1 << 40)
	server := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}, Configure: func(c *app.Config) {
		c.Free = func(string) (int64, error) { return free.Load(), nil }
	}})
	ana, celia := server.LogIn(t, apptest.Reception), server.LogIn(t, apptest.Supervision)
	remove := server.Faults.Add(faultservice.Rule{Path: faultservice.SubmitPath, Fault: faultservice.Cut(20)})
	path := ana.Submit(ana.NewDraft()).Path
	remove()
	form := celia.Get(path).Form("#reenvio")
	typed := apptest.With(form, map[string]string{"reenvio-contato": "Marta <Souza>", "reenvio-confirmo": "S"})
	free.Store(5 << 20)
	refused := celia.Post(path+"/reenviar", typed)
	refused.Check(t, apptest.Want{Status: http.StatusInsufficientStorage, Text: map[string]string{"main": "há 5 MB livres"},
		Count: map[string]int{"main form button": 1, "main .code": 0}})
	again := refused.Form("main form")
	if again.Encode() != typed.Encode() {
		t.Errorf("got %v, want %v", again, typed)
	}
	free.Store(1 << 40)
	if got := celia.Post(refused.Attr("main form", "action"), again); got.Status != http.StatusOK || got.Path == path {
		t.Errorf("once more: got %d at %s, want the new case", got.Status, got.Path)
	}
}

// TestSpace_OpenForm: the header of a form that stays open says how the disk stands at each
// save, and no longer how it stood when the form was opened.
func TestSpace_OpenForm(t *testing.T) {
	t.Parallel()
	var free atomic.Int64
	server := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Free = func(string) (int64, error) { return free.Load(), nil }
	}})
	ana := server.LogIn(t, apptest.Reception)
	for _, step := range []struct {
		free   int64 // MiB
		status int
		want   string
	}{
		{100, http.StatusOK, "Arquivos não são recebidos"}, {10, http.StatusInsufficientStorage, "Nada novo pode ser guardado"},
		{1 << 20, http.StatusOK, ""},
	} {
		free.Store(step.free << 20)
		address, form := ana.NewDraft()
		const header = "hx-partial[hx-target='#falta-espaco']"
		saved := ana.PostHTMX(address, form)
		saved.Check(t, apptest.Want{Status: step.status, Count: map[string]int{header: 1}})
		if got := saved.Text(header); !strings.Contains(got, step.want) || (got == "") != (step.want == "") {
			t.Errorf("with %d MB: got %q, want %q", step.free, got, step.want)
		}
		if shown := ana.Get(address); shown.Text("#falta-espaco") != saved.Text(header) {
			t.Errorf("the page says %q, its save %q", shown.Text("#falta-espaco"), saved.Text(header))
		}
	}
}

// TestSpace_Standalone: the service alone speaks of what there is without a desk.
func TestSpace_Standalone(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{Standalone: true, Configure: func(c *app.Config) {
		c.Free = func(string) (int64, error) { return 10 << 20, nil }
	}})
	banner := server.LogIn(t, apptest.Administration).Get("/servico").Text(".banner[aria-label^='Falta espaço']")
	if !strings.Contains(banner, "nem pedidos de parceiros") || strings.Contains(banner, "rascunhos") {
		t.Errorf("got %q", banner)
	}
}
