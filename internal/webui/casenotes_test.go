package webui_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestCase_Note: what a person writes stands in the timeline with name and time, and nowhere
// else: not in the trail, the log or the search.
func TestCase_Note(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	shown := ana.SubmitWith(map[string]string{"numeroCarteira": "99990100"})
	if got := shown.Attr("a[href$='#anotar']", "href"); got != shown.Path+"/anotar#anotar" {
		t.Errorf("the case leads to %q", got)
	}
	open := ana.Get(shown.Path + "/anotar")
	open.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"#tempo form#anotar textarea[autofocus]": 1, "[autofocus]": 1}})
	for name, tt := range map[string]struct{ text, says string }{
		"Empty": {"  ", "Escreva a anotação."},
		"Long":  {strings.Repeat("é", 1001), "Use no máximo 1000 caracteres."},
	} {
		refused := ana.Post(shown.Path+"/anotar", url.Values{"anotar-observacao": {tt.text}})
		if refused.Status != http.StatusUnprocessableEntity || !strings.Contains(refused.Text("#anotar"), tt.says) ||
			!refused.Has("#erros a[href='#anotar-observacao']") {
			t.Errorf("%s: %d, %q", name, refused.Status, refused.Text("#anotar"))
		}
	}
	after := ana.Post(shown.Path+"/anotar", url.Values{"anotar-observacao": {"  Mãe da paciente avisada.\r\nVolta  às 15h "}})
	after.Check(t, apptest.Want{Path: shown.Path, Text: map[string]string{"main > .notice": "Anotação guardada.",
		"#tempo li:first-child b": "Anotação", "#tempo li:first-child .note-text": "Mãe da paciente avisada. Volta às 15h"}})
	if got := after.Text("#tempo li:first-child div"); !strings.Contains(got, "de Ana Prado") {
		t.Errorf("the timeline says %q", got)
	}
	if server.Log.Contains("avisada") {
		t.Error("the log has the note")
	}
	trail := server.Trail(t)
	if last := trail[len(trail)-1]; last.Name != "caso.anotado" || last.Detail != "" {
		t.Errorf("the trail ends with %v", last)
	}
	if found := ana.Post("/historico", url.Values{"texto": {"avisada"}}); found.Has("[href='" + shown.Path + "']") {
		t.Error("the search finds the note")
	}
}

// TestCase_WrittenTwice: without scripts a form can be pressed twice, and is written once; the same words in a form that
// was opened later are others.
func TestCase_WrittenTwice(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	denied := ana.SubmitWith(map[string]string{"numeroCarteira": "99990400"}).Path
	for name, tt := range map[string]struct{ field, wrong, says string }{
		"anotar":    {"anotar-observacao", " ", "Anotação"},
		"reanalise": {"reanalise-contato", " ", "Reanálise pedida"},
	} {
		written := func() (n int) {
			for _, words := range ana.Get(denied).Texts("#tempo li b") {
				if strings.HasPrefix(words, tt.says) {
					n++
				}
			}
			return n
		}
		form := ana.Get(denied + "/" + name).Form("#" + name)
		form.Set(tt.field, tt.wrong)
		form = ana.Post(denied+"/"+name, form).Form("#" + name)
		form.Set(tt.field, "Marta, da central")
		for range 2 {
			ana.Post(denied+"/"+name, form).Check(t, apptest.Want{Path: denied, Count: map[string]int{"main > .notice": 1}})
		}
		if n := written(); n != 1 {
			t.Errorf("%s: %d are written of a form that was pressed twice, want one", name, n)
		}
		later := ana.Get(denied + "/" + name).Form("#" + name)
		later.Set(tt.field, "Marta, da central")
		ana.Post(denied+"/"+name, later)
		if n := written(); n != 2 {
			t.Errorf("%s: %d are written of two forms, want two", name, n)
		}
	}
	private := ana.Get(denied + "/particular").Form("#particular")
	for range 2 {
		ana.Post(denied+"/particular", private).Check(t, apptest.Want{Path: "/fila", Count: map[string]int{"main > .notice": 1}})
	}
}

// TestCase_Denied: a denial says what can be done about it, and keeps what a person did.
func TestCase_Denied(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	denied := ana.SubmitWith(map[string]string{"numeroCarteira": "99990400"})
	denied.Check(t, apptest.Want{Count: map[string]int{"#saida-title": 1, ".outcomes li": 5, "#caso .btn-primary": 1, "[autofocus]": 1},
		Text: map[string]string{".outcomes .btn-primary[autofocus]": "Corrigir e reenviar"}})
	t.Run("Review", func(t *testing.T) {
		open := ana.Get(denied.Path + "/reanalise")
		if got := open.Fact("#reanalise dl", "Guia do prestador"); got == "" || !open.Has("#reanalise-contato[autofocus]") {
			t.Errorf("the form tells the guide %q", got)
		}
		for _, form := range []string{"/reanalise", "/particular", "/anotar"} {
			ana.Get(denied.Path+form).Check(t, apptest.Want{Count: map[string]int{"#caso .btn-primary": 1, "#caso [novalidate] .btn-primary": 1}})
		}
		refused := ana.Post(denied.Path+"/reanalise", url.Values{"reanalise-observacao": {"laudo em anexo"}})
		refused.CheckProblems(t, "reanalise-contato")
		if got := refused.Value("#reanalise-observacao"); got != "laudo em anexo" {
			t.Errorf("what was typed is %q", got)
		}
		after := ana.Post(denied.Path+"/reanalise", url.Values{"reanalise-contato": {"Central, Marta"}, "reanalise-protocolo": {"5512"}})
		first := after.Text("#tempo li:first-child div")
		if !strings.Contains(first, "Reanálise pedida à operadora por Ana Prado") ||
			!strings.Contains(first, "contato: Central, Marta, protocolo 5512") {
			t.Errorf("the timeline says %q", first)
		}
		if !server.LogIn(t, apptest.Supervision).Get(denied.Path).Has(".outcomes a[href$='/retorno#retorno']") {
			t.Error("nobody can record what the operator said then")
		}
		after.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Em reanálise",
			".outcomes li:first-child b": "Acompanhar reanálise", ".outcomes li:first-child": "Pedida por Ana Prado, hoje",
			"#veredito[autofocus] .verdict": "Em reanálise"},
			Count: map[string]int{"#caso .btn-primary": 0, "[autofocus]": 1, ".situation .notice.tone-error": 1}})
		if got := ana.Get("/fila?grupo=esp").Text("#fila tbody tr"); !strings.Contains(got, "Em reanálise") ||
			!strings.Contains(got, "reanálise pedida em ") || !strings.Contains(got, "Acompanhar reanálise") {
			t.Errorf("the row says %q", got)
		}
		if ana.Get("/fila?grupo=neg").Has("#fila tbody a[href='" + denied.Path + "']") {
			t.Error("what waits for the operator stands in Negado too")
		}
	})
	t.Run("Private", func(t *testing.T) {
		after := ana.Post(denied.Path+"/particular", url.Values{"particular-observacao": {"paga na quinta"}})
		after.Check(t, apptest.Want{Path: "/fila", Text: map[string]string{"main > .notice": "Pedido concluído e fora da fila."},
			Count: map[string]int{"main > .notice form[action='" + denied.Path + "/reabrir']": 1}})
		shown := ana.Get(denied.Path)
		if got := shown.Text("#tempo li:first-child div"); !strings.Contains(got, "Atendimento particular.") ||
			!strings.Contains(got, "paga na quinta") {
			t.Errorf("the timeline says %q", got)
		}
		if shown.Has(".outcomes") {
			t.Error("what is concluded still offers its ways out")
		}
	})
	t.Run("Undo", func(t *testing.T) {
		after := ana.Post(denied.Path+"/reabrir", nil)
		after.Check(t, apptest.Want{Path: denied.Path, Text: map[string]string{"main > .notice": "Conclusão desfeita."},
			Count: map[string]int{".outcomes li": 5}})
		if again := ana.Post(denied.Path+"/reabrir", nil); again.Status != http.StatusConflict {
			t.Errorf("a second time: %d, want 409", again.Status)
		}
	})
	t.Run("CorrectedMeanwhile", func(t *testing.T) {
		draft := ana.Post(denied.Path+"/copiar", nil)
		form := draft.Form("#pedido")
		form.Set("numeroCarteira", "99990100")
		ana.Submit(draft.Path, form)
		late := ana.Post(denied.Path+"/reanalise", url.Values{"reanalise-contato": {"Marta"}, "reanalise-observacao": {"era urgente"}})
		if late.Status != http.StatusConflict || late.Value("#anotar-observacao") != "era urgente" {
			t.Errorf("%d, and the note holds %q", late.Status, late.Value("#anotar-observacao"))
		}
		late = ana.Post(denied.Path+"/particular", url.Values{"particular-observacao": {"paga na sexta"}})
		if late.Status != http.StatusConflict || late.Value("#anotar-observacao") != "paga na sexta" {
			t.Errorf("private: %d, and the note holds %q", late.Status, late.Value("#anotar-observacao"))
		}
	})
}
