package webui_test

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// publicDesk is a desk behind a proxy, at an address that phones reach.
func publicDesk(t *testing.T, o apptest.Options) *apptest.Server {
	t.Helper()
	o.Configure = func(c *app.Config) {
		c.PublicURL, c.TrustedProxies = "https://guiche.example", apptest.Loopback
	}
	return apptest.Start(t, o)
}

// askForPhone presses "Enviar pelo celular" and returns the page and the code.
func askForPhone(t *testing.T, v *apptest.Client, address string, form url.Values) (panel *apptest.Page, code string) {
	t.Helper()
	panel = v.Post(address+"/celular", form)
	base, code, found := strings.Cut(panel.Text("#celular-endereco"), "#")
	if panel.Status != http.StatusOK || !found || base != "https://guiche.example/celular" {
		t.Fatalf("%d, the address is %q", panel.Status, panel.Text("#celular-endereco"))
	}
	return panel, code
}

// TestPhone sends files without a login from the code to the rows of the form.
func TestPhone(t *testing.T) {
	t.Parallel()
	p := publicDesk(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	form.Set("nomeBeneficiario", "Zuleica")
	panel, code := askForPhone(t, v, address, form)
	if !panel.Has("#celular svg[role=img] path") || panel.Value("#nomeBeneficiario") != "Zuleica" || panel.Has("#celular-abrir") {
		t.Errorf("the panel: %s", panel.Text("#celular"))
	}
	phone := p.Client(t)
	if got := phone.Post("/celular", url.Values{"codigo": {code}}); got.Status != http.StatusNoContent {
		t.Fatalf("the code: %d %s", got.Status, got.Body)
	}
	page := phone.Get("/celular")
	page.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"header .muted": "Centro"},
		Count: map[string]int{"#camera[capture]": 1, "#arquivo[multiple]": 1}})
	if strings.Contains(string(page.Body), "Zuleica") {
		t.Error("the phone sees the patient")
	}
	if row := phone.UploadHTMX("/celular/anexos", "pedido.png", bytes.NewReader(apptest.PNG())); row.Status != http.StatusOK ||
		!strings.Contains(row.Text("li"), "recebido") {
		t.Errorf("%d: %s", row.Status, row.Body)
	}
	if row := phone.UploadHTMX("/celular/anexos", "pedido.exe", strings.NewReader("MZ")); row.Status != http.StatusUnprocessableEntity ||
		!row.Has("li.tone-error .error") {
		t.Errorf("%d: %s", row.Status, row.Body)
	}
	large := bytes.NewReader(apptest.PDF(1 << 20)) // more than a stranger may send
	if row := phone.UploadHTMX("/celular/anexos", "laudo.pdf", large); row.Status != http.StatusOK {
		t.Errorf("%d: %s", row.Status, row.Body)
	}
	state := v.GetHTMX(address + "/celular?de=espera")
	if rows := state.Count("[data-attachment]"); rows != 2 || !strings.Contains(state.Text("[role=status]"), "2 arquivos") {
		t.Errorf("%d rows: %s", rows, state.Body)
	}
	if again := v.GetHTMX(address + "/celular?de=2"); again.Status != http.StatusNoContent {
		t.Errorf("nothing new: %d", again.Status)
	}
	ended := v.Post(address+"/celular/encerrar", v.Get(address).Form("#pedido"))
	if ended.Has("#celular") || !ended.Has("#celular-abrir") || ended.Count("#anexos [data-attachment]") != 2 {
		t.Errorf("ended: %d %s", ended.Status, ended.Text("main"))
	}
	if row := phone.UploadHTMX("/celular/anexos", "b.png", bytes.NewReader(apptest.PNG())); row.Status != http.StatusConflict ||
		!strings.Contains(row.Text(".error"), "terminou") {
		t.Errorf("after the end: %d %s", row.Status, row.Body)
	}
	if over := phone.Get("/celular"); !strings.Contains(over.Text("[role=alert]"), "terminou") || over.Has("#arquivo") {
		t.Errorf("after the end: %s", over.Text("main"))
	}
}

// TestPhone_Offered only where a phone reaches the address.
func TestPhone_Offered(t *testing.T) {
	t.Parallel()
	for name, configure := range map[string]func(c *app.Config){
		"Loopback":       func(*app.Config) {},
		"LoopbackPublic": func(c *app.Config) { c.PublicURL, c.TrustedProxies = "https://localhost:8443", apptest.Loopback },
		"AllAddresses":   func(c *app.Config) { c.Addr, c.InsecureHTTP = "0.0.0.0:0", true }, // asked for at its loopback address
	} {
		t.Run(name, func(t *testing.T) {
			v := apptest.Start(t, apptest.Options{Configure: configure}).LogIn(t, apptest.Reception)
			if page := v.Get("/nova"); page.Status != http.StatusOK || page.Has("#celular-abrir") {
				t.Errorf("%d: it is offered", page.Status)
			}
			address, form := v.NewDraft()
			if got := v.Post(address+"/celular", form); got.Status != http.StatusNotFound {
				t.Errorf("asked for all the same: %d", got.Status)
			}
		})
	}
	t.Run("Public", func(t *testing.T) {
		if page := publicDesk(t, apptest.Options{}).LogIn(t, apptest.Reception).Get("/nova"); !page.Has("#celular-abrir") {
			t.Error("it is not offered")
		}
	})
}

// TestPhone_Code: it is good once, for ten minutes, from our own page, and nowhere but in
// the answer that shows it.
func TestPhone_Code(t *testing.T) {
	t.Parallel()
	p := publicDesk(t, apptest.Options{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	_, code := askForPhone(t, v, address, form)
	enter := func(code string) (int, string) {
		got := p.Client(t).Post("/celular", url.Values{"codigo": {code}})
		return got.Status, string(got.Body)
	}
	t.Run("Headers", func(t *testing.T) {
		h := p.Client(t).Get("/celular").Header
		policy := h.Get("Content-Security-Policy")
		if !strings.Contains(policy, "form-action 'none'") || strings.Contains(policy, "frame-src") || h.Get("Cache-Control") != "no-store" ||
			strings.Contains(h.Get("Permissions-Policy"), "self") {
			t.Errorf("got %v", h)
		}
	})
	t.Run("OtherSite", func(t *testing.T) {
		got := p.Client(t).Send(http.MethodPost, "/celular", "application/x-www-form-urlencoded", strings.NewReader("codigo="+code),
			http.Header{"Sec-Fetch-Site": {"cross-site"}, "Origin": {"https://evil.example"}})
		if got.Status != http.StatusForbidden {
			t.Errorf("got %d", got.Status)
		}
	})
	t.Run("Cookie", func(t *testing.T) {
		got := p.Client(t).Post("/celular", url.Values{"codigo": {code}})
		cookie := got.Header.Get("Set-Cookie")
		for _, want := range []string{"__Host-guiche-celular=", "HttpOnly", "Secure", "SameSite=Strict", "Max-Age=600"} {
			if !strings.Contains(cookie, want) {
				t.Errorf("%q lacks %s", cookie, want)
			}
		}
	})
	if status, told := enter(code); status != http.StatusConflict || !strings.Contains(told, "já foi usado") {
		t.Errorf("used: %d %s", status, told)
	}
	if status, told := enter("segredo"); status != http.StatusUnprocessableEntity || !strings.Contains(told, "não vale") {
		t.Errorf("wrong: %d %s", status, told)
	}
	_, code = askForPhone(t, v, address, v.Get(address).Form("#pedido"))
	p.Clock.Advance(10 * time.Minute)
	if status, told := enter(code); status != http.StatusUnprocessableEntity || !strings.Contains(told, "venceu") {
		t.Errorf("late: %d %s", status, told)
	}
	if log := p.Log.String(); strings.Contains(log, code) {
		t.Error("the log holds the code")
	}
}

// TestPhone_Session: the link ends with the session that it was asked for in, and with the
// request.
func TestPhone_Session(t *testing.T) {
	t.Parallel()
	p := publicDesk(t, apptest.Options{})
	for name, end := range map[string]func(v *apptest.Client, address string, form url.Values){
		"LoggedOut": func(v *apptest.Client, _ string, _ url.Values) { v.Post("/sair", nil) },
		"Sent":      func(v *apptest.Client, address string, form url.Values) { v.Submit(address, form) },
	} {
		t.Run(name, func(t *testing.T) {
			v, phone := p.LogIn(t, apptest.Reception), p.Client(t)
			address, form := v.NewDraft()
			panel, code := askForPhone(t, v, address, form)
			phone.Post("/celular", url.Values{"codigo": {code}})
			if !phone.Get("/celular").Has("#arquivo") {
				t.Fatal("the phone is not let in")
			}
			form.Set("versao", panel.Value("#versao"))
			end(v, address, form)
			if phone.Get("/celular").Has("#arquivo") {
				t.Error("the phone may still send")
			}
		})
	}
}

// TestPhone_AfterReview: a file that came after the review is not sent unseen.
func TestPhone_AfterReview(t *testing.T) {
	t.Parallel()
	p := publicDesk(t, apptest.Options{})
	v, phone := p.LogIn(t, apptest.Reception), p.Client(t)
	address, form := v.NewDraft()
	panel, code := askForPhone(t, v, address, form)
	phone.Post("/celular", url.Values{"codigo": {code}})
	form.Set("versao", panel.Value("#versao"))
	review := v.Post(address+"/revisar", form)
	if !review.Has("#revisao") {
		t.Fatalf("no review: %d %s", review.Status, review.Text("main"))
	}
	phone.UploadHTMX("/celular/anexos", "pedido.png", bytes.NewReader(apptest.PNG()))
	again := v.Post(address+"/enviar", review.Form("#enviar"))
	if again.Path != address || !strings.Contains(again.Text("main"), "Os anexos mudaram") {
		t.Errorf("at %s: %s", again.Path, again.Text("main"))
	}
}
