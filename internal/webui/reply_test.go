package webui_test

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/apptest"
)

// analysedAnswer is an authorization on which the operator has not decided.
var analysedAnswer = `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"R","guiaId":"g-1","numeroGuia":"70012345",
	"protocolo":"PR991","pdfGuiaAutorizacao":"` + base64.StdEncoding.EncodeToString(apptest.PDF(900)) + `"}`

// startAnalysed starts a desk with one case on which the operator has not decided.
func startAnalysed(t *testing.T, all ...string) (path string, ana, celia *apptest.Client) {
	t.Helper()
	ana = startAnswering(t, authorized("", all...))
	return ana.Submit(ana.NewDraft()).Path, ana, ana.Server.LogIn(t, apptest.Supervision).FailOnServerError()
}

// TestReply_Page: the sentence that names the act leads to it, and whoever may not do it
// reads who does.
func TestReply_Page(t *testing.T) {
	t.Parallel()
	path, ana, celia := startAnalysed(t, analysedAnswer)
	page := celia.Get(path)
	link := `[href="` + path + `/retorno#retorno"]`
	page.Check(t, apptest.Want{Text: map[string]string{"#veredito": "Ao saber de algo, registre o retorno. Registrar retorno"},
		Count: map[string]int{"#veredito " + link: 1, ".btn" + link: 1, "#retorno": 0}})
	form := celia.Get(path + "/retorno")
	form.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"#retorno h2": "Registrar retorno da operadora"},
		Count: map[string]int{"#retorno [name]": 7, "#reenvio": 0, `#retorno [name=visto][value="1"]`: 1, `#retorno a[href="` + path + `"]`: 1}})
	statuses := []string{"Escolha", "Autorizado", "Autorizado em parte", "Em análise", "Negado",
		"Falta anexo", "Falta biometria", "Cancelado"}
	if got := form.Texts("#situacao option"); !slices.Equal(got, statuses) {
		t.Errorf("got the situations %q, want %q", got, statuses)
	}
	ana.Get(path).Check(t, apptest.Want{
		Text:  map[string]string{"#veredito": "Ao saber de algo, avise a supervisão ou quem tem o papel Decisão, que registra o retorno."},
		Count: map[string]int{`[href$="/retorno#retorno"]`: 0}})
	if got := ana.Get(path + "/retorno"); got.Status != http.StatusForbidden {
		t.Errorf("recepção: got %d, want 403", got.Status)
	}
}

// TestReply_Record: what the operator told stands as the answer, with who and when, in the
// case, the queue and the history; the earlier answer stays with its PDF.
func TestReply_Record(t *testing.T) {
	t.Parallel()
	path, ana, celia := startAnalysed(t, analysedAnswer)
	typed := celia.Get(path + "/retorno").Form("#retorno")
	for name, value := range map[string]string{"situacao": "A", "observacao": "vale <hoje>"} {
		typed.Set(name, value)
	}
	wrong := celia.Post(path+"/retorno", typed)
	wrong.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity,
		Text: map[string]string{"#senha-error": "Informe a senha", "#contato-error": "com quem falou"}})
	if got := wrong.Form("#retorno"); got.Encode() != typed.Encode() {
		t.Errorf("kept %v, want %v", got, typed)
	}
	typed.Set("senha", "482017739")
	typed.Set("contato", "Marta")
	page := celia.Post(path+"/retorno", typed)
	page.Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{"#veredito .verdict": "Autorizado", "#veredito .small": "Registro manual de ",
			"#tempo li:first-child":            "Autorizado, retorno da operadora, registrado por ",
			"#tempo li:nth-child(2)":           "Em análise, resposta da operadora",
			"#tempo li:first-child .note-text": "vale <hoje>", "#tempo li:first-child small": "contato: Marta",
			"#anteriores .status-badge": "Em análise",
			".toast, [role=status]":     "Retorno registrado."},
		Count: map[string]int{`[data-copy="482017739"]`: 1, `[data-copy="PR991"]`: 1, "#guia-quadro": 0,
			`#anteriores a[href="` + path + `/guias/1.0"]`: 1}})
	if pdf := ana.Get(path + "/guias/1.0"); pdf.Status != http.StatusOK {
		t.Errorf("the earlier guide: got %d", pdf.Status)
	}
	for _, place := range []string{"0", "1.1", "0.0", "2.0", "3.0", "1.x", "x.0", "1.0.0", "-1.0"} {
		if got := ana.Get(path + "/guias/" + place); got.Status != http.StatusNotFound {
			t.Errorf("guide %s: got %d, want 404", place, got.Status)
		}
	}
	if got := ana.Get("/fila").Text("#fila tbody td:nth-child(4)"); !strings.HasPrefix(got, "Autorizadoregistro manual") {
		t.Errorf("the queue says %q", got)
	}
	found := celia.Post("/historico", url.Values{"texto": {"482017739"}, "situacao": {"A"}})
	if got := found.Count("#historico tbody tr, tbody tr"); got != 1 {
		t.Errorf("the history finds %d cases by the senha, want one: %q", got, found.Text("main"))
	}
	again := celia.Get(path + "/retorno").Form("#retorno")
	if again.Get("senha") != "482017739" || again.Get("situacao") != "A" || again.Get("visto") != "2" || again.Get("contato") != "" {
		t.Errorf("to correct it the form has %v", again)
	}
}

// TestReply_Late: of two persons the second is told what stands now, and nothing typed is
// lost.
func TestReply_Late(t *testing.T) {
	t.Parallel()
	path, _, celia := startAnalysed(t, analysedAnswer)
	first, second := celia.Get(path+"/retorno").Form("#retorno"), celia.Get(path+"/retorno").Form("#retorno")
	first.Set("situacao", "S")
	first.Set("contato", "Marta")
	second.Set("situacao", "A")
	second.Set("senha", "48")
	second.Set("contato", "portal")
	celia.Post(path+"/retorno", first)
	late := celia.Post(path+"/retorno", second)
	late.Check(t, apptest.Want{Status: http.StatusConflict, Text: map[string]string{"#veredito .verdict": "Falta anexo",
		"#caso .notice": "Enquanto isso este pedido teve outra resposta."},
		Count: map[string]int{`#retorno [name=senha][value="48"]`: 1, `#retorno [name=visto][value="2"]`: 1}})
	celia.Post(path+"/retorno", late.Form("#retorno")).Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{"#veredito .verdict": "Autorizado"}})
}

// TestReply_Several: of several authorizations the form asks which one.
func TestReply_Several(t *testing.T) {
	t.Parallel()
	path, _, celia := startAnalysed(t, `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"A","senha":"11"}`,
		`{"numeroAutorizacao":2,"sucesso":true,"situacaoAutorizacao":"R","guiaId":"g-2"}`)
	form := celia.Get(path + "/retorno")
	which := []string{"Escolha", "Autorização 1 (Autorizado)", "Autorização 2 (Em análise)"}
	if got := form.Texts("#autorizacao option"); !slices.Equal(got, which) {
		t.Errorf("got %q", got)
	}
	typed := form.Form("#retorno")
	typed.Set("situacao", "N")
	typed.Set("contato", "Marta")
	wrong := celia.Post(path+"/retorno", typed)
	wrong.Check(t, apptest.Want{Status: http.StatusUnprocessableEntity, Text: map[string]string{"#autorizacao-error": "Escolha de qual"}})
	typed.Set("autorizacao", "1")
	celia.Post(path+"/retorno", typed).Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{`[aria-label="Autorização 2"] .status-badge`: "Negado",
			`[aria-label="Autorização 2"] header`: "registro manual"},
		Count: map[string]int{`[data-copy="11"]`: 1}})
}

// TestReply_Problems: everything that is wrong with a reply is said at once, in the order of its form.
func TestReply_Problems(t *testing.T) {
	t.Parallel()
	path, _, celia := startAnalysed(t, `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"A","senha":"11"}`,
		`{"numeroAutorizacao":2,"sucesso":true,"situacaoAutorizacao":"R","guiaId":"g-2"}`)
	long := strings.Repeat("7", 61)
	for until, typed := range map[string]url.Values{
		"31/02/2027": {"validade": {"31/02/2027"}, "guia": {long}},
		"01/01/2001": {"validade": {"01/01/2001"}, "guia": {long}},
	} {
		t.Run(until, func(t *testing.T) {
			typed.Set("visto", "1")
			page := celia.Post(path+"/retorno", typed)
			want := []string{"#autorizacao", "#situacao", "#validade", "#guia", "#contato"}
			if got := page.Attrs("#erros a", "href"); !slices.Equal(got, want) {
				t.Errorf("got the problems %q, want %q", got, want)
			}
		})
	}
}

// TestReply_Final: a case that is over has no form.
func TestReply_Final(t *testing.T) {
	t.Parallel()
	path, _, celia := startAnalysed(t, `{"numeroAutorizacao":1,"sucesso":true,"situacaoAutorizacao":"N"}`)
	celia.Get(path+"/retorno").Check(t, apptest.Want{Status: http.StatusOK, Path: path, Count: map[string]int{"#retorno": 0}})
	late := celia.Post(path+"/retorno", url.Values{"situacao": {"A"}, "senha": {"1"}, "contato": {"M"}, "visto": {"1"}})
	late.Check(t, apptest.Want{Status: http.StatusConflict, Text: map[string]string{"#caso": "Este pedido já teve um desfecho."},
		Count: map[string]int{"#retorno": 0}})
}

// TestCase_Followed: an open case follows the operator where the service tells, and the
// open page with it; without news nothing but the time of the last look is shown.
func TestCase_Followed(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	var decided atomic.Bool
	service := apptest.StartOtherService(t, func(o *apptest.OtherService) {
		o.Features = []string{"situacao"}
		o.Tokens = map[string]http.HandlerFunc{
			sendPath: func(w http.ResponseWriter, _ *http.Request) {
				answers(w, http.StatusOK, authorized("", analysedAnswer))
			},
			findPath + "/g-1": func(w http.ResponseWriter, _ *http.Request) {
				status := `"R"`
				if decided.Load() {
					status = `"A","senha":"482017739"`
				}
				answers(w, http.StatusOK, `{"sucesso":true,"erros":[],"data":{"guiaId":"g-1","statusAutorizacao":`+status+`}}`)
			},
		}
	})
	server.LogIn(t, apptest.Administration).ConnectTo(t, service, nil)
	ana := server.LogIn(t, apptest.Reception)
	page := ana.SubmitWith(nil)
	page.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Em análise"},
		Count: map[string]int{`#caso[hx-trigger="every 5s"]`: 1}})
	asks := page.Attr("#caso", "hx-get")
	server.Clock.Advance(30 * time.Second)
	apptest.Eventually(t, "the service is asked", func() bool {
		return strings.Contains(ana.Get(page.Path).Text("#veredito"), "Última consulta: hoje, ")
	})
	if got := ana.Get(asks); got.Status != http.StatusNoContent || got.Header.Get("HX-Refresh") != "" {
		t.Errorf("nothing new: the page is answered with %d", got.Status)
	}
	decided.Store(true)
	server.Clock.Advance(time.Minute)
	apptest.Eventually(t, "the case follows", func() bool { return ana.Get(asks).Header.Get("HX-Refresh") == "true" })
	page = ana.Get(page.Path)
	page.Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Autorizado", "#veredito": "Resposta da operadora",
		"#tempo li:first-child": "Autorizado, a operadora atualizou a resposta"},
		Count: map[string]int{`[data-copy="482017739"]`: 1, "#anteriores .status-badge": 1, `#caso[hx-trigger="every 30s"]`: 1}})
}

// TestCase_DoubtEnds: the page of an unknown request follows when its doubt ends; on that
// of somebody who may be typing, only a sentence does.
func TestCase_DoubtEnds(t *testing.T) {
	t.Parallel()
	path, ana, celia := startDoubt(t)
	reading, typing := ana.Get(path).Attr("#caso", "hx-get"), celia.Get(path).Attr(`#caso [role=status][hx-get]`, "hx-get")
	if reading == "" || typing == "" || celia.Get(path).Attr("#caso", "hx-get") != "" {
		t.Fatalf("the pages ask %q and %q", reading, typing)
	}
	for _, address := range []string{reading, typing} {
		if got := ana.Get(address); got.Status != http.StatusNoContent || got.Header.Get("HX-Refresh") != "" {
			t.Errorf("before: %s is answered with %d", address, got.Status)
		}
	}
	celia.Post(path+"/retorno", url.Values{"situacao": {"R"}, "contato": {"Marta"}})
	if got := ana.Get(reading); got.Header.Get("HX-Refresh") != "true" {
		t.Error("the reader's page stays as it is")
	}
	celia.Get(typing).Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"#mudou": "Este pedido mudou agora."},
		Count: map[string]int{`#mudou a[href="` + path + `"]`: 1, "[hx-get]": 0}})
}
