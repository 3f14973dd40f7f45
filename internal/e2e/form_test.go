package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// everyField is a form whose every field was typed.
func everyField(form url.Values) url.Values {
	for name, value := range map[string]string{
		"planoBeneficiario": "Essencial “Enfermaria” & cia", "atendimentoRN": "S", "nomeRecemNascido": "RN d'Ávila 😀", "dataNascimentoRecemNascido": "12/11/26",
		"pacienteNoLocal": "S", "tipoAcidente": "1", "regimeAtendimento": "U", "tipoAtendimento": "23", "observacoes": "linha 1\r\nlinha 2 <b>", "indicacaoClinica": "NEAR( dor",
		"retorno": "S", "nomeContato": "Contato", "dddContato": "11", "telefoneContato": "90000-0000", "emailContato": "contato@example.org",
	} {
		form.Set(name, value)
	}
	setProcedure(form, "1", "40304361", "Hemograma", "12")
	return form
}

func TestForm_KeepsEverythingTyped(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	v := MustVisit(t, p, "recepcao")
	address, form := v.newDraft()
	form = everyField(form)
	form.Set("validadeCarteira", "31/13/2027")
	form.Set("crmSolicitante", "")
	form.Set("procedimentos[1].quantidade", "mil")
	if got := v.upload(address+"/anexos", nil, map[string][]byte{"pedido médico.pdf": pdfBytes(1000)}); got.status != http.StatusOK {
		t.Fatalf("attach: %d %s", got.status, got.text("main"))
	}
	got := v.post(address+"/revisar", form)
	if got.status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", got.status)
	}
	t.Run("Values", func(t *testing.T) {
		for name, values := range form {
			if name == "versao" || name == "credencialId" || strings.HasPrefix(name, "procedimentos") {
				continue
			}
			field := got.doc().Find(`[name="` + name + `"]`)
			if box, _ := field.Attr("type"); box == "checkbox" {
				if _, checked := field.Attr("checked"); !checked {
					t.Errorf("%s is no longer ticked", name)
				}
				continue
			}
			if kept := strings.ReplaceAll(got.value(`[name="`+name+`"]`), "\n", "\r\n"); strings.ReplaceAll(kept, "\r\r", "\r") != values[0] {
				t.Errorf("%s is %q, want %q", name, kept, values[0])
			}
		}
		if kept := got.value(`[name="procedimentos[1].quantidade"]`); kept != "mil" {
			t.Errorf("quantity is %q, want what was typed", kept)
		}
	})
	t.Run("SummaryLeadsToTheFields", func(t *testing.T) {
		var leads []string
		got.doc().Find("#erros a").Each(func(_ int, a *selection) {
			href, _ := a.Attr("href")
			leads = append(leads, href)
			if got.doc().Find(href).Length() != 1 {
				t.Errorf("%s leads nowhere", href)
			}
			if !strings.Contains(got.text(href+"-e"), a.Text()) {
				t.Errorf("beside %s stands %q, want the words of the summary %q", href, got.text(href+"-e"), a.Text())
			}
		})
		if diff := cmp.Diff([]string{"#validadeCarteira", "#crmSolicitante", "#procedimentos-1-quantidade"}, leads); diff != "" {
			t.Errorf("(-want, +got):\n%s", diff)
		}
		if title := got.text("title"); !strings.HasPrefix(title, "Erro: ") {
			t.Errorf("title %q", title)
		}
	})
	t.Run("Attachments", func(t *testing.T) {
		if names := got.text("#anexos"); !strings.Contains(names, "pedido médico.pdf") {
			t.Errorf("attachments: %q", names)
		}
	})
}

func TestForm_WithoutScript(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	v := MustVisit(t, p, "recepcao")
	address, form := v.newDraft()
	credential := form.Get("credencialId")

	t.Run("SearchCredential", func(t *testing.T) {
		form := cloneValues(form)
		form.Del("credencialId")
		form.Set("Busca", "JEQUITIBA")
		form.Set("acao", "buscar")
		got := v.post(address, form)
		if found := got.doc().Find(`input[type=radio][name=credencialId]`).Length(); found != 1 || !strings.Contains(got.text(".search-results"), "Jequitibá Saúde") {
			t.Errorf("found %d: %s", found, got.text(".search-results"))
		}
	})
	t.Run("Rows", func(t *testing.T) {
		form := cloneValues(form)
		form.Set("versao", v.get(address).value("#versao"))
		setProcedure(form, "1", "40304361", "Hemograma", "2")
		form.Set("acao", "remover-0")
		got := v.post(address, form)
		if code := got.value("#procedimentos-0-codigoProcedimento"); code != "40304361" {
			t.Errorf("after removing the first row the first is %q", code)
		}
	})
	t.Run("AttachWithTheForm", func(t *testing.T) {
		form := cloneValues(form)
		form.Set("credencialId", credential)
		form.Set("versao", v.get(address).value("#versao"))
		got := v.upload(address+"/anexos", form, map[string][]byte{"laudo.pdf": pdfBytes(10), "virus.exe": []byte("MZ")})
		if got.status != http.StatusUnprocessableEntity || !strings.Contains(got.text("#anexos"), "laudo.pdf") {
			t.Errorf("%d %s", got.status, got.text("#anexos"))
		}
		if reason := got.text("#anexos .error"); !strings.Contains(got.text("#anexos"), "virus.exe") || reason == "" {
			t.Errorf("the refused file is told as %q", got.text("#anexos"))
		}
		if name := got.value("#nomeBeneficiario"); name != form.Get("nomeBeneficiario") {
			t.Errorf("the name is %q after attaching", name)
		}
	})
	t.Run("Send", func(t *testing.T) {
		form := cloneValues(form)
		form.Set("versao", v.get(address).value("#versao"))
		if got := v.submit(address, form); got.text("#veredito .verdict") != "Autorizado" {
			t.Errorf("%s: %s", got.path, got.text("#veredito"))
		}
	})
}

func TestForm_Draft(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	v := MustVisit(t, p, "recepcao")
	address, _ := v.newDraft()
	if got := v.get(address); got.status != http.StatusNotFound {
		t.Errorf("opening the form stored a draft: %d", got.status)
	}
	saved := v.post(address, url.Values{"nomeBeneficiario": {"M"}, "versao": {"0"}, "acao": {"rascunho"}})
	if saved.path != "/fila" || !strings.Contains(saved.text("main [role=status]"), "Rascunho salvo") {
		t.Errorf("at %s: %s", saved.path, saved.text("main [role=status]"))
	}
	if got := v.get("/fila"); strings.Contains(got.text("main"), "Rascunho salvo.") || got.doc().Find(`aside a[href="`+address+`"]`).Length() != 1 {
		t.Error("the sentence stands twice, or the draft is not listed")
	}
	again := v.get(address)
	if got := again.value("#nomeBeneficiario"); got != "M" {
		t.Errorf("the draft holds %q", got)
	}
	t.Run("TwoTabs", func(t *testing.T) {
		version := again.value("#versao")
		if got := v.post(address, url.Values{"nomeBeneficiario": {"Tab A"}, "versao": {version}}); got.status != http.StatusOK {
			t.Fatalf("first tab: %d", got.status)
		}
		late := v.post(address, url.Values{"nomeBeneficiario": {"Tab B"}, "versao": {version}})
		if late.status != http.StatusConflict || late.value("#nomeBeneficiario") != "Tab B" || late.doc().Find("[data-conflict]").Length() != 1 {
			t.Errorf("second tab: %d, shows %q", late.status, late.value("#nomeBeneficiario"))
		}
		if got := v.get(address).value("#nomeBeneficiario"); got != "Tab A" {
			t.Errorf("the draft holds %q, want the first tab's", got)
		}
	})
	t.Run("Discard", func(t *testing.T) {
		v.post(address+"/descartar", nil)
		if got := v.get(address); got.status != http.StatusNotFound {
			t.Errorf("a discarded draft answers %d", got.status)
		}
	})
}

func cloneValues(form url.Values) url.Values {
	clone := url.Values{}
	for name, values := range form {
		clone[name] = append([]string(nil), values...)
	}
	return clone
}
