package app_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

const mib = 1 << 20

// spaceBanner is what every page says at its top while space is short.
const spaceBanner = ".banner[aria-label^='Falta espaço']"

// startOnDisk starts a program on a disk with so much free, which the test may change.
func startOnDisk(t *testing.T, free int64) (*apptest.Server, *atomic.Int64) {
	t.Helper()
	var left atomic.Int64
	left.Store(free)
	return apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		c.Free = func(string) (int64, error) { return left.Load(), nil }
	}}), &left
}

// TestSpace_Files: where the disk is nearly full, files are refused with how much is
// missing, and logging in, reading and requests without files go on.
func TestSpace_Files(t *testing.T) {
	t.Parallel()
	p, _ := startOnDisk(t, 100*mib)
	ana := p.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	page := ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(4000)})
	page.Check(t, apptest.Want{Status: http.StatusInsufficientStorage})
	reason := page.Text("#anexos .tone-error .error")
	if !strings.Contains(reason, "há 100 MB livres") || !strings.Contains(reason, "512 MB") {
		t.Errorf("the file's row says %q", reason)
	}
	ana.Get("/fila").Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{spaceBanner: "Falta espaço no disco do servidor. Arquivos não são recebidos por enquanto"}})
	p.LogIn(t, apptest.Administration).Get("/pessoas").Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{spaceBanner: "Livres: 100 MB; necessários: 512 MB."}})

	partner := p.Partner(t, p.APIKey())
	if status := partner.Authorize(); status != http.StatusOK {
		t.Errorf("a request without attachments: got %d, want 200", status)
	}
	request := partner.Request()
	request["anexos"] = pdfAttachment(apptest.PDF(4000))
	wantNoSpace(t, partner, request)
	apptest.Eventually(t, "nothing refused stays", func() bool { return len(stored(t, p, "desk"))+len(unfinished(t, p)) == 0 })
}

// wantNoSpace wants a partner's request refused for want of space, to come again later.
func wantNoSpace(t *testing.T, partner *apptest.Partner, request map[string]any) {
	t.Helper()
	status, answer := partner.Send(http.MethodPost, "/api/v2/autorizar/sp-sadt", "application/json", mustJSON(t, request))
	if status != http.StatusServiceUnavailable || codeIn(answer) != "sem_espaco" {
		t.Errorf("got %d %s, want 503 sem_espaco", status, codeIn(answer))
	}
	if text, err := json.Marshal(answer); err != nil || !strings.Contains(string(text), "MB livres") {
		t.Errorf("got %s, want how much is free", text)
	}
}

// TestSpace_NothingNew: with next to nothing free, whatever is new is refused with how
// much is missing and keeps what was typed; logging in, reading and what was taken before
// go on; all of it is back as soon as there is space.
func TestSpace_NothingNew(t *testing.T) {
	t.Parallel()
	p, free := startOnDisk(t, 1000*mib)
	ana, ready := p.LogIn(t, apptest.Reception), p.Client(t)
	sent := ana.SubmitWith(nil)
	address, form := ana.NewDraft()
	ana.PostHTMX(address, form).Check(t, apptest.Want{Status: http.StatusOK})
	form.Set("versao", "1")
	partner := p.Partner(t, p.APIKey())
	earlier := partner.Request()
	earlier["guiaPrestador"] = "77"
	if status := partner.Ask(earlier); status != http.StatusOK {
		t.Fatalf("got %d, want 200", status)
	}

	free.Store(10 * mib)
	short := "há 10 MB livres. Para guardar algo novo são precisos 64 MB."
	ana.Post(address+"/enviar", nil).Check(t, apptest.Want{Status: http.StatusInsufficientStorage,
		Text:  map[string]string{"#erros": short, "#rascunho": "Rascunho salvo, ainda não enviado."},
		Value: map[string]string{"#nomeBeneficiario": form.Get("nomeBeneficiario")}})
	typed := apptest.With(form, map[string]string{"observacoes": "uma linha a mais"})
	ana.PostHTMX(address, typed).Check(t, apptest.Want{Status: http.StatusInsufficientStorage, Count: map[string]int{"main": 0},
		Text: map[string]string{"[data-unsaved=por-ora]": short}, Value: map[string]string{"#versao": "1"}})
	_, fresh := ana.NewDraft()
	for name, page := range map[string]*apptest.Page{
		"Review": ana.PostHTMX(address+"/revisar", typed), "Plain": ana.Post(address, typed),
		"New":    ana.Post(ana.DraftPath(), apptest.With(fresh, map[string]string{"observacoes": "uma linha a mais"})),
		"Upload": ana.Upload(address+"/anexos", typed, map[string][]byte{"pedido.pdf": apptest.PDF(100)}),
	} {
		t.Run(name, func(t *testing.T) {
			page.Check(t, apptest.Want{Status: http.StatusInsufficientStorage, Text: map[string]string{"#erros": short},
				Value: map[string]string{"#observacoes": "uma linha a mais"}})
		})
	}
	ana.Post(sent.Path+"/copiar", nil).Check(t, apptest.Want{Status: http.StatusInsufficientStorage,
		Text: map[string]string{"main h1": "Falta espaço no disco do servidor", "main": short}, Count: map[string]int{"main .code": 0}})
	wantNoSpace(t, partner, partner.Request())
	if status := partner.Ask(earlier); status != http.StatusOK {
		t.Errorf("what was answered before: got %d, want 200", status)
	}
	for _, path := range []string{"/fila", sent.Path, address, "/historico", "/conta"} {
		p.LogIn(t, apptest.Reception).Get(path).Check(t, apptest.Want{Status: http.StatusOK,
			Text: map[string]string{spaceBanner: "Nada novo pode ser guardado por enquanto"}})
	}
	p.LogIn(t, apptest.Administration).Get("/pessoas").Check(t, apptest.Want{
		Text: map[string]string{spaceBanner: "Livres: 10 MB; necessários: 64 MB."}})
	wantReady(t, ready, "degraded: space\n")

	free.Store(1000 * mib)
	wantReady(t, ready, "ready\n")
	ana.PostHTMX(address, typed).Check(t, apptest.Want{Status: http.StatusOK, Value: map[string]string{"#versao": "2"}})
	ana.Get("/fila").Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{spaceBanner: 0}})
	if status := partner.Authorize(); status != http.StatusOK {
		t.Errorf("a new request: got %d, want 200", status)
	}
	ana.Submit(address, typed)
}

// wantReady wants 200 and a text of /readyz.
func wantReady(t *testing.T, c *apptest.Client, want string) {
	t.Helper()
	if got := c.Get("/readyz"); got.Status != http.StatusOK || string(got.Body) != want {
		t.Errorf("readyz: got %d %q, want 200 %q", got.Status, got.Body, want)
	}
}
