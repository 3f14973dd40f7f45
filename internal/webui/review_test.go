package webui_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestReview_Panel: what will be sent is shown whole before it is; what is as
// usual is left out.
func TestReview_Panel(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	t.Run("Everything", func(t *testing.T) {
		address, form := ana.NewDraft()
		form = apptest.EveryField(form)
		for _, name := range []string{"b.pdf", "a.png"} {
			content := apptest.PDF(2000)
			if strings.HasSuffix(name, ".png") {
				content = apptest.PNG()
			}
			if got := ana.Upload(address+"/anexos", nil, map[string][]byte{name: content}); got.Status != http.StatusOK {
				t.Fatalf("attach %s: %d", name, got.Status)
			}
		}
		page := ana.Post(address+"/revisar", form)
		page.Check(t, apptest.Want{
			Status: http.StatusOK,
			Text: map[string]string{
				"#revisao h2": "Revisar e enviar à Aroeira Planos", "#enviar button": "Confirmar e enviar à Aroeira Planos",
				"#revisao section:last-of-type p": "b.pdf, a.png",
			},
			Value: map[string]string{"#enviar [name=versao]": page.Value("#versao")},
			Count: map[string]int{"#revisao": 1, `#enviar[hx-post="` + address + `/enviar"][action="` + address + `/enviar"]`: 1,
				"#revisao .notice:not([hidden])": 0, "#erros": 0},
		})
		if got := page.Text("#revisao section:last-of-type span"); !strings.HasSuffix(got, "kB ao todo") {
			t.Errorf("the attachments are %q", got)
		}
		for term, want := range map[string]string{
			"Nome": "Beneficiária de Teste", "Carteira": "0310 0045 1206 3345", "Validade": "31/12/2027", "Plano": "Essencial",
			"Recém-nascido": "RN d'Ávila 😀, 12/11/2026",
			"No balcão":     "Sim", "Solicitante": "Solicitante de Teste, CRM 104552 SP", "Executante": "Dr. Ivo Sampaio",
			"Unidade": "Centro · Balcão 1", "Caráter": "Urgência",
			"Acidente": "Acidente de trânsito", "Observações": "linha 1 linha 2 <b>", "Indicação clínica": "NEAR( dor",
			"Retorno": "Sim", "Contato": "Contato · 11 90000-0000",
		} {
			if got := page.Fact("#revisao dl", term); !strings.Contains(got, want) {
				t.Errorf("%s: got %q, want %q", term, got, want)
			}
		}
		want := []string{"40316521 | Tireoestimulante, hormônio (TSH) | 1", "40304361 | Hemograma | 12"}
		if got := page.Rows("#revisao table"); !slices.Equal(got, want) {
			t.Errorf("got the procedures %q, want %q", got, want)
		}
	})
	t.Run("Usual", func(t *testing.T) {
		address, form := ana.NewDraft()
		page := ana.Post(address+"/revisar", form)
		for _, heading := range page.Texts("#revisao h3") {
			if heading == "Outros campos" {
				t.Error("nothing differs from the usual, and there are other fields")
			}
		}
		if got := page.Text("#revisao section:last-of-type p"); got != "Nenhum." || page.Has("#revisao section:last-of-type span") {
			t.Errorf("without attachments it says %q", got)
		}
	})
}

// TestReview_Warnings: what looks wrong but may be right is told and does not
// hinder.
func TestReview_Warnings(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	form.Set("validadeCarteira", "31/12/2019")
	page := ana.Post(address+"/revisar", form)
	if got := page.Text("#revisao .notice"); page.Status != http.StatusOK || !strings.Contains(got, "31/12/2019") ||
		page.Has("#revisao .notice a") {
		t.Errorf("an expired card: %d, %q", page.Status, got)
	}
	if got := page.Text("#antes"); !strings.Contains(got, "Carteira vencida em 31/12/2019") {
		t.Errorf("the list of checks says %q", got)
	}
	sent := ana.Post(address+"/enviar", nil)
	again, form := ana.NewDraft()
	page = ana.Post(again+"/revisar", form)
	if got := page.Attr("#revisao .notice a", "href"); got != sent.Path || page.Text("#revisao .notice a") != "Ver pedido" {
		t.Errorf("the same request again leads to %q, want %s", got, sent.Path)
	}
}

// TestReview_Letters: letters in a card or a council number are asked about before
// sending, unless the operator's cards are known to have them.
func TestReview_Letters(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for name, tt := range map[string]struct{ card, council, want string }{
		"None":    {"0310 0045-1206.33/45", "104.552-1", ""},
		"Card":    {"0310 A045", "104552", "A carteira tem letras: 0310A045. Confira se está certa."},
		"Council": {"0310", "CRM 104552", "O número no conselho tem letras: CRM 104552. Confira se está certo."},
	} {
		t.Run(name, func(t *testing.T) {
			address, form := ana.NewDraft()
			form.Set("numeroCarteira", tt.card)
			form.Set("crmSolicitante", tt.council)
			page := ana.Post(address+"/revisar", form)
			var asked []string
			for _, notice := range page.Texts("#revisao .notice:not([hidden])") {
				if strings.Contains(notice, "letras") {
					asked = append(asked, notice)
				}
			}
			if page.Status != http.StatusOK || strings.Join(asked, "") != tt.want || !page.Has("#enviar-confirma") {
				t.Errorf("got %d, %q, want %q", page.Status, asked, tt.want)
			}
		})
	}
}

// TestForm_Dates: a month and a year are its last day; a date of a form of ISO 8601 is
// one too.
func TestForm_Dates(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for typed, want := range map[string]string{"12/2027": "31/12/2027", "2027-12-31": "31/12/2027", "02/2028": "29/02/2028"} {
		address, form := ana.NewDraft()
		form.Set("validadeCarteira", typed)
		page := ana.Post(address+"/revisar", form)
		if got := page.Fact("#revisao dl", "Validade"); got != want || !strings.Contains(page.Text("#antes"), "Carteira válida até "+want) {
			t.Errorf("%s: got %q", typed, got)
		}
	}
}

// TestReview_Refused: what is wrong stands beside its field, the summary leads
// there, what was typed stays; nothing is sent.
func TestReview_Refused(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for name, tt := range map[string]struct {
		change map[string]string
		fields []string
	}{
		"NoOperator":      {map[string]string{"credencialId": ""}, []string{"Busca"}},
		"UnknownOperator": {map[string]string{"credencialId": "01a1fd53-a165-77ef-a4fa-dae39f9cda2f"}, []string{"Busca"}},
		"NoName":          {map[string]string{"nomeBeneficiario": " "}, []string{"nomeBeneficiario"}},
		"NoCard":          {map[string]string{"numeroCarteira": ""}, []string{"numeroCarteira"}},
		"Validity":        {map[string]string{"validadeCarteira": "31/13/2027"}, []string{"validadeCarteira"}},
		"Newborn":         {map[string]string{"atendimentoRN": "S"}, []string{"nomeRecemNascido", "dataNascimentoRecemNascido"}},
		"NewbornOfTheFuture": {map[string]string{"atendimentoRN": "S", "nomeRecemNascido": "RN", "dataNascimentoRecemNascido": "01/01/2099"},
			[]string{"dataNascimentoRecemNascido"}},
		"Requester": {map[string]string{"nomeSolicitante": "", "crmSolicitante": "", "ufSolicitante": "", "siglaConselhoSolicitante": " "},
			[]string{"nomeSolicitante", "siglaConselhoSolicitante", "crmSolicitante", "ufSolicitante"}},
		"State": {map[string]string{"ufSolicitante": "XX"}, []string{"ufSolicitante"}},
		"Place": {map[string]string{"unidadeId": "", "pontoAtendimentoId": ""}, []string{"unidadeId", "pontoAtendimentoId"}},
		"Professional": {map[string]string{"profissionalExecutanteId": "", "especialidadeExecutanteId": ""},
			[]string{"profissionalExecutanteId", "especialidadeExecutanteId"}},
		"Quantity": {map[string]string{"procedimentos[0].quantidade": "0"}, []string{"procedimentos-0-quantidade"}},
	} {
		t.Run(name, func(t *testing.T) {
			address, form := ana.NewDraft()
			form = apptest.With(form, tt.change)
			page := ana.Post(address+"/revisar", form)
			if got := page.Count("#erros li"); page.Status != http.StatusUnprocessableEntity || got != len(tt.fields) {
				t.Fatalf("got %d with %d lines: %s", page.Status, got, page.Text("#erros"))
			}
			for i, id := range tt.fields {
				if got := page.Attrs("#erros a", "href")[i]; got != "#"+id {
					t.Errorf("line %d leads to %s, want #%s", i+1, got, id)
				}
				if !page.Has("#" + id + "[aria-invalid=true]") {
					t.Errorf("%s is not marked as invalid", id)
				}
			}
			if page.Has("#revisao") || !strings.HasPrefix(page.Text("title"), "Erro: ") {
				t.Errorf("the page is %q with %d panels", page.Text("title"), page.Count("#revisao"))
			}
			for field, typed := range tt.change {
				if got := page.Value(`[name="` + field + `"]`); got != typed && field != "atendimentoRN" && field != "ufSolicitante" {
					t.Errorf("%s: got %q kept, want %q", field, got, typed)
				}
			}
			if got := ana.Post(address+"/enviar", nil); got.Status != http.StatusUnprocessableEntity || got.Count("#erros li") != len(tt.fields) {
				t.Errorf("sent all the same: %d at %s", got.Status, got.Path)
			}
		})
	}
	t.Run("NoProcedure", func(t *testing.T) {
		address, form := ana.NewDraft()
		apptest.SetProcedure(form, "0", "", "", "")
		ana.Post(address+"/revisar", form).Check(t, apptest.Want{
			Status: http.StatusUnprocessableEntity,
			Text:   map[string]string{"#procedimentos-error": "pelo menos um procedimento", "#antes": "Pelo menos um procedimento"},
			Count:  map[string]int{"#erros li": 1, "#erros a[href='#procedimentos-0-codigoProcedimento']": 1},
		})
	})
	if got := ana.Get("/fila").Count("#fila tbody tr"); got != 0 {
		t.Errorf("%d cases, want none", got)
	}
}

// TestSubmit_Again: what was sent is not sent again, whatever of its draft is
// asked for.
func TestSubmit_Again(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	sent := ana.Submit(address, form)
	form.Set("versao", "1")
	for name, again := range map[string]*apptest.Page{
		"Open": ana.Get(address), "Review": ana.Post(address+"/revisar", form), "Send": ana.Post(address+"/enviar", nil),
		"SendReviewed": ana.Post(address+"/enviar", form),
	} {
		if again.Path != sent.Path || again.Status != http.StatusOK {
			t.Errorf("%s: %d at %s, want the case", name, again.Status, again.Path)
		}
	}
	if got := ana.Post(address, form); got.Status != http.StatusConflict || !got.Has("[data-conflict]") {
		t.Errorf("saving what was sent: %d", got.Status)
	}
	if got := ana.PostHTMX(address+"/enviar", nil); got.Status != http.StatusNoContent ||
		got.Header.Get("Hx-Redirect") != sent.Path+"#veredito" {
		t.Errorf("by htmx: %d to %q", got.Status, got.Header.Get("Hx-Redirect"))
	}
	if got := ana.Get("/fila").Count("#fila tbody tr"); got != 1 {
		t.Errorf("%d cases, want one", got)
	}
}

// TestSubmit_Waits: the page does not come before the answer, up to a point.
func TestSubmit_Waits(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	ana := server.LogIn(t, apptest.Reception)
	page := ana.SubmitWith(map[string]string{"numeroCarteira": "99992400"}) // answers after 8 s
	page.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Enviando…"},
		Count: map[string]int{`#caso[hx-get$="/estado?de=sending"]`: 1}})
	list := ana.Get("/fila")
	if got := list.Text("#fila tbody td:nth-child(6)"); !strings.HasPrefix(got, "Acompanhar") {
		t.Errorf("the next step is %q", got)
	}
}

// TestReview_Foreseen: what the review will warn of stands beside the form as soon as it has a
// procedure, with the way to the earlier case.
func TestReview_Foreseen(t *testing.T) {
	t.Parallel()
	ana := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	sent := ana.Submit(ana.NewDraft())
	address, form := ana.NewDraft()
	ana.PostHTMX(address, form).Check(t, apptest.Want{Status: http.StatusOK})
	shown := ana.Get(address)
	if got := shown.Text("#antes"); !strings.Contains(got, "Pedido repetido") ||
		!strings.Contains(got, "Este mesmo pedido já foi autorizado") {
		t.Errorf("beside the form stands %q", got)
	}
	if got := shown.Attr("#antes a", "href"); got != sent.Path {
		t.Errorf("it leads to %q, want %q", got, sent.Path)
	}
	for name := range form {
		if strings.HasPrefix(name, "procedimentos") {
			form.Del(name)
		}
	}
	form.Set("versao", shown.Value("#versao"))
	ana.PostHTMX(address, form)
	if got := ana.Get(address).Text("#antes"); strings.Contains(got, "repetido") {
		t.Errorf("without a procedure stands %q", got)
	}
}
