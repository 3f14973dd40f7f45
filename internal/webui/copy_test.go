package webui_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestCopy_MissingAttachment: the service wants an attachment for a procedure.
// The case says so, its copy says so beside the attachments and keeps everything
// that was typed, and with the file it goes through.
func TestCopy_MissingAttachment(t *testing.T) {
	t.Parallel()
	const want = "O procedimento 40901122 exige anexo nesta credencial."
	v := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	refused, form := v.SubmitWithoutAttachment()
	if !strings.Contains(refused.Text("main"), want) || !strings.HasPrefix(refused.Path, "/casos/") {
		t.Fatalf("at %s: %s", refused.Path, refused.Text("main"))
	}
	copied := v.Post(refused.Path+"/copiar", nil)
	if got := copied.Text("h1 + span"); got != "cópia corrigida de um pedido anterior" {
		t.Errorf("the copy is a %q", got)
	}
	t.Run("BesideTheAttachments", func(t *testing.T) {
		if got := copied.Text("#anexos-error"); !strings.Contains(got, want) {
			t.Errorf("beside them: got %q", got)
		}
		if copied.Count("#arquivo[aria-invalid=true][aria-describedby~='anexos-error']") != 1 ||
			copied.Count("#erros a[href='#arquivo']") != 1 {
			t.Errorf("the summary %q does not lead to the choice of files", copied.Text("#erros"))
		}
	})
	t.Run("KeepsEverything", func(t *testing.T) {
		for _, name := range []string{"credencialId", "nomeBeneficiario", "crmSolicitante", "unidadeId", "observacoes",
			"procedimentos[0].codigoProcedimento", "procedimentos[0].nomeProcedimento"} {
			if got := copied.Value("[name='" + name + "']"); got != form.Get(name) {
				t.Errorf("%s: got %q, want %q", name, got, form.Get(name))
			}
		}
	})
	t.Run("GoesThroughWithIt", func(t *testing.T) {
		if got := v.Upload(copied.Path+"/anexos", url.Values{},
			map[string][]byte{"pedido.pdf": apptest.PDF(1000)}); got.Status != http.StatusOK {
			t.Fatalf("attach: got %d", got.Status)
		}
		again := v.Get(copied.Path)
		if again.Count("#anexos-error") != 0 {
			t.Errorf("with the file it still says %q", again.Text("#anexos-error"))
		}
		form.Set("versao", again.Value("#versao"))
		got := v.Submit(copied.Path, form)
		if !strings.Contains(got.Text("main"), "Autorizado") {
			t.Errorf("got %s", got.Text("main"))
		}
		if v.Get(refused.Path).Attr(`dt:contains("Substituído por") + dd a`, "href") != got.Path ||
			got.Attr(`dt:contains("Corrige") + dd a`, "href") != refused.Path {
			t.Error("the correction and what it corrects do not lead to each other")
		}
	})
}

// TestCopy_Repeat: "Repetir" of an authorized request is no correction of it, leaves it in
// its place, and the first time already says when it was authorized and with which senha.
func TestCopy_Repeat(t *testing.T) {
	t.Parallel()
	v := startAnswering(t, authorized("", entryOf("A", `,"senha":"482017739"`)))
	first := v.Submit(v.NewDraft())
	copied := v.Post(first.Path+"/copiar", nil)
	review := v.Post(copied.Path+"/revisar", copied.Form("#pedido"))
	warning := review.Text("#revisao .notice")
	if !strings.Contains(warning, "Este mesmo pedido já foi autorizado para esta carteira em ") ||
		!strings.Contains(warning, "com a senha 482017739.") || review.Attr("#revisao .notice a", "href") != first.Path {
		t.Errorf("the first repeat warns %q", warning)
	}
	second := v.Submit(copied.Path, copied.Form("#pedido"))
	for _, page := range []*apptest.Page{second, v.Get(first.Path)} {
		if got := page.Text("#veredito .verdict"); got != "Autorizado" || page.Has(`dt:contains("Substituído")`) {
			t.Errorf("%s: got %q, replaced %v", page.Path, got, page.Has(`dt:contains("Substituído")`))
		}
	}
}

// TestCopy_WhileUndecided: to repeat what the operator has not decided is asked about.
func TestCopy_WhileUndecided(t *testing.T) {
	t.Parallel()
	v := startAnswering(t, authorized("", entryOf("R", "")))
	page := v.Submit(v.NewDraft())
	if got := page.Attr(`form[action$="/copiar"] button`, "data-confirm"); !strings.Contains(got, "pode gerar duas guias") {
		t.Errorf("it asks %q", got)
	}
}

// TestCopy_TwoThings: what was authorized in part can be corrected and repeated; what gave
// nothing is corrected, and what gave everything repeated.
func TestCopy_TwoThings(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]string{"A": "Repetir", "Z": "Corrigir e reenviar, Repetir", "N": "Corrigir e reenviar"} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			v := startAnswering(t, authorized("", entryOf(status, "")))
			sent := v.Submit(v.NewDraft())
			got := slices.Sorted(slices.Values(sent.Texts(`form[action$="/copiar"] button, form[action$="/repetir"] button`)))
			if strings.Join(got, ", ") != want {
				t.Errorf("got %v, want %s", got, want)
			}
			if status == "Z" {
				for path, kind := range map[string]string{"/copiar": "cópia corrigida de um pedido anterior",
					"/repetir": "repete um pedido anterior"} {
					if got := v.Post(sent.Path+path, nil).Text("h1 + span"); got != kind {
						t.Errorf("%s is a %q, want %q", path, got, kind)
					}
				}
			}
		})
	}
}

// TestCopy_BesideItself: beside a form that corrects or repeats a case nothing offers to do that once more.
func TestCopy_BesideItself(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ status, way, others string }{
		"Correction": {"N", "/copiar", ""}, "Repetition": {"A", "/copiar", ""},
		"CorrectionInPart": {"Z", "/copiar", "/repetir"}, "RepetitionInPart": {"Z", "/repetir", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := startAnswering(t, authorized("", entryOf(tt.status, "")))
			sent := v.Submit(v.NewDraft())
			copied, want := v.Post(sent.Path+tt.way, nil), 0
			if tt.others != "" {
				want = 1
			}
			copied.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"#ultimos li": 1, "#ultimos form": want}})
			if want > 0 && copied.Attr("#ultimos form", "action") != sent.Path+tt.others {
				t.Errorf("beside it stands %q", copied.Attr("#ultimos form", "action"))
			}
		})
	}
}

// entryAbout is an authorization that says something about a procedure.
func entryAbout(code, procedure, more string) string {
	return strings.Replace(entryOf(code, more), `"procedimentos":[]`, `"procedimentos":[`+procedure+`]`, 1)
}

// TestCopy_Objections: what the operator objected to stands beside the field that it is about.
func TestCopy_Objections(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ status, procedure, more, css, message, link string }{
		"Procedure": {"N", `{"codigoProcedimento":"40316521","quantidade":1,"quantidadeAutorizada":0,"justificativa":"Sem cobertura"}`,
			"", "#procedimentos-0-codigoProcedimento-error", "Sem cobertura", "#procedimentos-0-codigoProcedimento"},
		"Beneficiary": {"V", "", "", "#numeroCarteira-error", "A operadora não reconhece este beneficiário", "#numeroCarteira"},
		"Attachment":  {"S", "", "", "#anexos-error", "A operadora pede um anexo", "#arquivo"},
		"NamedField": {"N", "", `,"erros":[{"mensagem":"Solicitante desconhecido","campo":"crmSolicitante"}]`,
			"#crmSolicitante-error", "Solicitante desconhecido", "#crmSolicitante"},
		"NoField": {"N", "", `,"erros":["Contrato suspenso"]`, "#erros", "Contrato suspenso", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v := startAnswering(t, authorized("", entryAbout(tt.status, tt.procedure, tt.more)))
			sent := v.Submit(v.NewDraft())
			copied := v.Post(sent.Path+"/copiar", nil)
			if got := copied.Text(tt.css); !strings.Contains(got, tt.message) {
				t.Errorf("%s says %q", tt.css, got)
			}
			if tt.link != "" && copied.Count("#erros a[href='"+tt.link+"']") != 1 {
				t.Errorf("the summary does not lead there: %q", copied.Text("#erros"))
			}
			if !strings.Contains(copied.Text("#erros"), "Apontado no pedido anterior") {
				t.Errorf("the summary does not say whose words they are: %q", copied.Text("#erros"))
			}
		})
	}
}

// TestCopy_Series: beside the repetition of a series stand the sessions authorized, used and
// left, when it was asked for last, and when the next one would be due.
func TestCopy_Series(t *testing.T) {
	t.Parallel()
	v := startAnswering(t, authorized("", entryAbout("P", `{"codigoProcedimento":"40316521",
		"nomeProcedimento":"TSH","quantidade":10,"quantidadeAutorizada":10,"quantidadeExecutada":4}`, `,"senha":"482017739"`)))
	sent := v.Submit(v.NewDraft())
	copied := v.Post(sent.Path+"/copiar", nil)
	got := copied.Text("#serie")
	for _, want := range []string{"40316521", "10 autorizadas", "4 usadas", "6 restam", "senha 482017739", "Último pedido em "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q does not tell %q", got, want)
		}
	}
	if got := copied.Attr("#serie a", "href"); got != sent.Path {
		t.Errorf("it leads to %q", got)
	}
}
