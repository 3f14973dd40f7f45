package page_test

import (
	"strings"
	"testing"

	"guiche/web/component"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/PuerkitoBio/goquery"
)

// wireNames are the inputs of the form: specification 2.3 and 2.4 without
// guiaPrestador, which the desk makes, and anexos, which are files.
var wireNames = []string{
	"credencialId", "numeroCarteira", "validadeCarteira", "nomeBeneficiario", "planoBeneficiario", "atendimentoRN", "nomeRecemNascido",
	"dataNascimentoRecemNascido", "pacienteNoLocal", "unidadeId", "pontoAtendimentoId", "nomeSolicitante", "ufSolicitante", "crmSolicitante",
	"siglaConselhoSolicitante", "profissionalExecutanteId", "especialidadeExecutanteId", "tipoAcidente",
	"regimeAtendimento", "tipoAtendimento",
	"observacoes", "indicacaoClinica", "retorno", "nomeContato", "dddContato", "telefoneContato", "emailContato",
	"procedimentos[0].codigoProcedimento", "procedimentos[0].nomeProcedimento", "procedimentos[0].quantidade", "versao", "arquivo",
	"Busca", "Quem",
}

func TestFormPage_WireNames(t *testing.T) {
	doc := MustRender(t, page.FormPage(emptyForm()))
	for _, name := range wireNames {
		field := doc.Find(`[name="` + name + `"]`)
		if field.Length() != 1 {
			t.Errorf("%s: got %d inputs, want 1", name, field.Length())
			continue
		}
		if id, want := field.AttrOr("id", ""), component.ID(name); id != want {
			t.Errorf("%s: got id %q, want %q", name, id, want)
		}
	}
	doc.Find("main [name]").Each(func(_ int, s *goquery.Selection) {
		name := s.AttrOr("name", "")
		known := name == "acao"
		for _, wire := range wireNames {
			known = known || wire == name
		}
		if !known {
			t.Errorf("%q is no name of the specification", name)
		}
	})
	for _, box := range []string{"atendimentoRN", "pacienteNoLocal", "retorno"} {
		wantAttr(t, doc, `[name="`+box+`"]`, "value", "S")
	}
}

func TestFormPage_Defaults(t *testing.T) {
	doc := MustRender(t, page.FormPage(emptyForm()))
	for name, want := range map[string]string{"tipoAcidente": "9", "regimeAtendimento": "E", "tipoAtendimento": "05",
		"siglaConselhoSolicitante": "CRM", "ufSolicitante": ""} {
		wantAttr(t, doc, "#"+name+" option[selected]", "value", want)
	}
	wantText(t, doc, "label[for=regimeAtendimento]", "Caráter do atendimento")
	wantText(t, doc, "details summary .muted", "caráter: eletivo · tipo: exames · acidente: não acidente")
	wantCount(t, doc, "#Quem[autofocus]", 1)
	wantCount(t, doc, "[data-shown-by=atendimentoRN][hidden]", 1)
	wantText(t, doc, "#rascunho .js-only", "Vira rascunho ao digitar")
	wantText(t, doc, "#rascunho .no-js", "Use “Salvar rascunho” antes de sair")
	wantAttr(t, doc, "#versao", "value", "0")
}

func TestFormPage_KeepsWhatWasTyped(t *testing.T) {
	m := wrongForm()
	doc := MustRender(t, page.FormPage(m))
	for name, typed := range m.Values {
		field := doc.Find("#" + component.ID(name))
		got := field.AttrOr("value", "")
		if field.Is("select") {
			got = field.Find("option[selected]").AttrOr("value", "")
		}
		if got != typed {
			t.Errorf("%s: got %q, want %q", name, got, typed)
		}
	}
	wantAttr(t, doc, "#procedimentos-1-quantidade", "value", "mil")
	wantCount(t, doc, "[data-row]", len(m.Procedures))
}

func TestFormPage_MessageBesideEachField(t *testing.T) {
	m := wrongForm()
	doc := MustRender(t, page.FormPage(m))
	for _, p := range m.Problems {
		wantText(t, doc, "#"+component.ID(p.Name)+"-error", "Erro: "+p.Message)
	}
	for _, id := range []string{"Busca", "validadeCarteira", "procedimentos-1-quantidade", "tipoAcidente", "atendimentoRN"} {
		wantAttr(t, doc, "#"+id, "aria-invalid", "true")
	}
	wantText(t, doc, "#erros h2", "Corrija 9 campos para enviar")
	wantCount(t, doc, "#erros li a", len(m.Problems))
	one := emptyForm()
	one.Problems = []component.Problem{{Name: "nomeBeneficiario", Message: "Informe o nome."}}
	wantText(t, MustRender(t, page.FormPage(one)), "#erros h2", "Corrija 1 campo para enviar")
}

func TestFormPage_ValueOutsideTheList(t *testing.T) {
	m := emptyForm()
	m.Values["unidadeId"] = "gone"
	doc := MustRender(t, page.FormPage(m))
	wantAttr(t, doc, "#unidadeId option[selected]", "value", "gone")
}

func TestFormPage_WithoutScript(t *testing.T) {
	doc := MustRender(t, page.FormPage(searchedForm()))
	t.Run("ButtonsOfTheForm", func(t *testing.T) {
		for _, action := range []string{"buscar", "escolher", "adicionar", "remover-0", "rascunho"} {
			wantCount(t, doc, `button[name=acao][value="`+action+`"]`, 1)
		}
		wantCount(t, doc, `button[formaction$="/revisar"][form=pedido]`, 1)
		wantCount(t, doc, `button[formaction$="/descartar"]`, 1)
		wantAttr(t, doc, `button[formaction$="/anexos"]`, "formenctype", "multipart/form-data")
		wantCount(t, doc, `button[formaction$="/anexos/a1/remover"]`, 1)
	})
	t.Run("EnterKeeps", func(t *testing.T) {
		first := doc.Find("#pedido button").First()
		if to, found := first.Attr("formaction"); found {
			t.Errorf("Enter leads to %q, want it to keep what was typed and show it again", to)
		}
		if action, found := first.Attr("name"); found {
			t.Errorf("Enter presses the button %q", action)
		}
	})
	t.Run("FoundAsRadios", func(t *testing.T) {
		wantCount(t, doc, "input[type=radio][name=credencialId]", 2)
		wantAttr(t, doc, "input[name=credencialId][checked]", "value", "c1")
		wantCount(t, doc, "input[type=hidden][name=credencialId]", 0)
	})
	t.Run("OptionsUnderTheirOwner", func(t *testing.T) {
		wantCount(t, doc, "#especialidadeExecutanteId optgroup", 2)
		wantAttr(t, doc, "#pontoAtendimentoId optgroup option", "data-for-value", "u1")
	})
	t.Run("Failed", func(t *testing.T) {
		failed := MustRender(t, page.FormPage(failedSearchForm()))
		wantText(t, failed, ".search-results legend", "O serviço não respondeu. Tente de novo.")
		wantCount(t, failed, ".search-results input", 0)
	})
}

func TestFormPage_Review(t *testing.T) {
	doc := MustRender(t, page.FormPage(reviewedForm()))
	wantCount(t, doc, "dialog#revisao[open][data-modal]", 1)
	wantAttr(t, doc, "#enviar", "action", "/nova/"+uid+"/enviar")
	wantAttr(t, doc, "#enviar", "hx-post", "/nova/"+uid+"/enviar")
	wantCount(t, doc, "#enviar button[autofocus]:not([disabled])", 1)
	wantCount(t, doc, "[autofocus]", 1)
	wantText(t, doc, "#enviar .while-idle", "Confirmar e enviar à Vale Sereno Enter")
	wantCount(t, doc, `#revisao form[method="dialog"]`, 1)
	wantText(t, doc, "#revisao .notice a", "Ver pedido")
	wantCount(t, doc, "#revisao tbody tr", 2)
}

func TestDraftSaved(t *testing.T) {
	t.Run("Saved", func(t *testing.T) {
		doc := MustRender(t, page.DraftSaved(filledForm().State, &layout.Alert{Strong: "Falta espaço.", Text: "Arquivos não."}))
		wantAttr(t, doc, "input[name=versao][form=pedido]", "value", "7")
		wantText(t, doc, "body > span", "Rascunho salvo às 14:02")
		wantAttr(t, doc, "hx-partial", "hx-target", "#antes")
		wantCount(t, doc, "hx-partial .with-icon", 3)
		wantText(t, doc, `hx-partial[hx-target="#resumo"]`, "Vale Sereno · 2 procedimentos · 2 anexos")
		wantText(t, doc, `hx-partial[hx-target="#falta-espaco"] .banner`, "Falta espaço. Arquivos não.")
	})
	t.Run("Conflict", func(t *testing.T) {
		doc := MustRender(t, page.DraftSaved(conflictForm().State, nil))
		wantCount(t, doc, "[data-conflict]", 1)
		wantAttr(t, doc, "[data-conflict] a", "href", "/nova/"+uid)
		wantText(t, doc, `hx-partial[hx-target="#falta-espaco"]`, "")
	})
}

func TestCredentialOptions(t *testing.T) {
	found := page.CredentialList{Search: "SAÚ", More: 3, Items: []page.CredentialOption{
		{ID: "c1", Name: "Jequitibá Saude", ProviderCode: "004417", Biometrics: true}, {ID: "c2", Name: "Serena", ProviderCode: "1"},
	}}
	doc := MustRender(t, page.CredentialOptions(found))
	wantCount(t, doc, "[role=option]", 3)
	wantAttr(t, doc, "[role=option]", "data-value", "c1")
	wantAttr(t, doc, "[role=option]", "data-provider-code", "004417")
	wantCount(t, doc, "[data-biometrics]", 1)
	wantText(t, doc, "mark", "Sau")
	wantText(t, doc, "[aria-disabled]", "e mais 3; escreva mais um pouco")
	for name, tt := range map[string]struct {
		list page.CredentialList
		want string
	}{
		"Empty":  {page.CredentialList{Search: "zzz <b>"}, "Nenhuma credencial com “zzz <b>”"},
		"Failed": {page.CredentialList{Search: "x", Problem: "O serviço não respondeu."}, "O serviço não respondeu."},
	} {
		t.Run(name, func(t *testing.T) {
			doc := MustRender(t, page.CredentialOptions(tt.list))
			wantCount(t, doc, "[role=option]", 1)
			wantText(t, doc, "[role=option][aria-disabled=true]", tt.want)
		})
	}
}

// What was typed is marked where it stands, whatever its case and accents.
func TestCredentialOptions_Mark(t *testing.T) {
	for _, tt := range []struct{ name, search, want string }{
		{"Boa Guarida", "guar", "Guar"}, {"São João", "sao", "São"}, {"Sa\u0303o", "são", "Sa\u0303o"}, {"ĲSSEL", "zz",
			""}, {"Vale", "  ", ""},
		{"Vale", "", ""}, {"Ação 😀", "acao 😀", "Ação 😀"}, {"İstanbul", "istan", "İstan"}, {"a", "a\xff", ""},
	} {
		t.Run(tt.name+"/"+tt.search, func(t *testing.T) {
			doc := MustRender(t, page.CredentialOptions(page.CredentialList{Search: tt.search, Items: []page.CredentialOption{{Name: tt.name}}}))
			if got := doc.Find("[role=option] > span").First().Find("mark").Text(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if got := doc.Find("[role=option] > span").First().Text(); strings.TrimSpace(got) != tt.name {
				t.Errorf("got text %q, want %q", got, tt.name)
			}
		})
	}
}

// A search of megabytes is not looked for in each option, which would take seconds.
func TestCredentialOptions_MarkLong(t *testing.T) {
	for size, marks := range map[int]int{1 << 10: 1, 1<<10 + 1: 0} {
		text := strings.Repeat("a", size)
		list := page.CredentialList{Search: text, Items: []page.CredentialOption{{Name: text}}}
		wantCount(t, MustRender(t, page.CredentialOptions(list)), "mark", marks)
	}
}

func TestProcedureOptions(t *testing.T) {
	doc := MustRender(t, page.ProcedureOptions(page.ProcedureList{Search: "409",
		Items: []page.ProcedureOption{{Code: "40901122", Name: "US - Abdome total"}}}))
	wantAttr(t, doc, "[role=option]", "data-value", "40901122")
	wantAttr(t, doc, "[role=option]", "data-label", "US - Abdome total")
	wantText(t, doc, "mark", "409")
	empty := MustRender(t, page.ProcedureOptions(page.ProcedureList{Search: "zz"}))
	wantCount(t, empty, "[role=option][aria-disabled=true]", 1)
	failed := MustRender(t, page.ProcedureOptions(page.ProcedureList{Search: "zz", Problem: "Tente de novo."}))
	wantText(t, failed, "[role=option]", "Tente de novo.")
}

func TestAttachmentItem(t *testing.T) {
	t.Run("Image", func(t *testing.T) {
		doc := MustRender(t, page.AttachmentItem(uid, page.Attachment{ID: "a1", Name: "pedido.jpg", Size: "412 KB", Image: true}))
		wantAttr(t, doc, "img", "src", "/nova/"+uid+"/anexos/a1")
		wantAttr(t, doc, "button", "formaction", "/nova/"+uid+"/anexos/a1/remover")
		wantText(t, doc, "small", "guardado · 412 KB")
	})
	t.Run("PDF", func(t *testing.T) {
		doc := MustRender(t, page.AttachmentItem(uid, page.Attachment{ID: "a1", Name: "laudo.pdf", Size: "4,8 MB"}))
		wantCount(t, doc, "img", 0)
		wantText(t, doc, "a.thumbnail", "Abrir laudo.pdf")
	})
	t.Run("Refused", func(t *testing.T) {
		doc := MustRender(t, page.AttachmentItem(uid, page.Attachment{Name: "exame.tiff", Problem: "exame.tiff é TIFF; envie PDF, JPG ou PNG."}))
		wantCount(t, doc, "li.tone-error", 1)
		wantText(t, doc, ".error", "exame.tiff é TIFF; envie PDF, JPG ou PNG.")
		wantCount(t, doc, "[formaction], a", 0)
	})
}
