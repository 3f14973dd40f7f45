package webui_test

import (
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

func TestSubmit_OnlyWhatWasReviewed(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	review := v.Post(address+"/revisar", form)
	reviewed := review.Value("#enviar [name=versao]")
	form.Set("versao", reviewed)
	form.Set("nomeBeneficiario", "Outra Pessoa")
	v.Post(address, form) // another tab
	got := v.Post(address+"/enviar", url.Values{"versao": {reviewed}})
	if got.Path != address || !strings.Contains(got.Text("main [role=status]"), "Outra aba") {
		t.Errorf("at %s: %s", got.Path, got.Text("main [role=status]"))
	}
	if rows := v.Get("/fila").Count("#fila tbody tr"); rows != 0 {
		t.Errorf("%d cases, want none", rows)
	}
}

func TestLogin_WithoutService(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Fresh: true})
	if link := p.SetupLink(); link == "" {
		t.Fatal("no one-time link at the first start")
	}
	page := p.Client(t).Get("/entrar")
	if got := page.Text(".banner"); !strings.Contains(got, "Falta configurar o serviço") {
		t.Errorf("the page says %q, want what to configure", got)
	}
}
