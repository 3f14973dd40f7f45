package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/getkin/kin-openapi/openapi3"
)

// loadDescription reads the service's own description with another reader.
func loadDescription(t *testing.T, server *apptest.Server) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(server.Client(t).Get("/api/openapi.yaml").Body)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// TestDescription_Fields: a field says its path, its type, where it goes, whether
// it must be there, what it is for and what it may be.
func TestDescription_Fields(t *testing.T) {
	t.Parallel()
	page := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration).Get("/servico/descricao")
	for table, rows := range map[string][]string{
		"buscarCredenciais-p": {
			"Busca | texto, na consulta | Texto; vazio lista todas. Maiúsculas e acentos não contam.",
			"Pagina | número inteiro, na consulta | De 1 a 1000000; sem ele vale 1",
			"TamanhoPagina | número inteiro, na consulta | De 1 a 200; sem ele vale 50",
		},
		"buscarCredenciais-200": {"sucesso | true ou false, sempre | Só true", "erros | Erros, sempre | ",
			"data | objeto, sempre | ", "data.items | lista de objeto, sempre | ", "data.items[].id | texto (uuid), sempre | "},
		"listarUnidades-200": {"data.items[].pontosAtendimento[].nome | texto, sempre | "},
		"listarRecursos-200": {"data.recursos | lista de texto, sempre | "},
		"autorizar-p": {"Idempotency-Key | texto, no cabeçalho | À sua escolha, outra para cada pedido; guardada por 30 dias. " +
			"Até 255 caracteres; não vazio"},
		"autorizar-c": {
			"credencialId | texto (uuid), sempre | O id da busca de credenciais.",
			"validadeCarteira | DataOuNulo | Obrigatória nas credenciais que a exigem.", "planoBeneficiario | texto ou null | ",
			"anexos | lista de Anexo | Pelo menos um nos procedimentos para os quais a credencial exige anexo; " +
				"sem ele, 422 com o campo anexos e os códigos desses procedimentos. Até 20 itens",
			"procedimentos | lista de objeto, sempre | De 1 a 100 itens", "procedimentos[].quantidade | número inteiro, sempre | De 1 a 999",
			"retorno | texto | S para o retorno de uma consulta. Um destes: S, N; sem ele vale N",
			"guiaPrestador | texto | Omitido, o serviço gera um AAMMDDHHMMSS. Até 20 caracteres; não vazio",
		},
		"solicitar-c": {"solicitacao | Pedido, sempre | "}, "solicitar-202": {"data.situacao | texto, sempre | Só R"},
		"consultar-p":   {"guiaId | texto (uuid), no endereço, sempre | O guiaId de uma autorização deste parceiro."},
		"consultar-200": {"data | AutorizacaoConsultada, sempre | "},
		"anexar-c":      {"anexos | lista de Anexo, sempre | A partir de 1 itens"},
		"cancelar-c":    {"motivo | texto ou null | Até 500 caracteres, sem o espaço em volta."},
		"token-200":     {"data | null, sempre | ", "token_type | texto, sempre | Só Bearer"}, "descricao-200": {"o valor | texto | "},
		"forma-Erros-title": {"[] | texto | "}, "forma-ErrosDetalhados-title": {"[] | objeto | ", "[].mensagem | texto, sempre | "},
		"forma-DataOuNulo-title": {"o valor | texto ou null | "},
		"forma-Situacao-title":   {"o valor | texto | Um destes: A, Z, R, N, K, C, P, E, S, M, I, Ç, H, T, X, V, W, -"},
	} {
		shown := page.Rows("table[aria-labelledby='" + table + "']")
		for _, row := range rows {
			if !slices.Contains(shown, row) {
				t.Errorf("%s does not say %q: %q", table, row, shown)
			}
		}
	}
	if got := page.Attr("table[aria-labelledby='autorizar-200'] a[href='#forma-Autorizacao']", "href"); got == "" {
		t.Error("a field with a named shape does not lead to it")
	}
}

// TestDescription_Whole: every operation with its summary, who may use it, its
// parameters, body and answers; every shape that is mentioned, once.
func TestDescription_Whole(t *testing.T) {
	t.Parallel()
	server := apptest.Start(t, apptest.Options{})
	doc := loadDescription(t, server)
	page := server.LogIn(t, apptest.Administration).Get("/servico/descricao")
	page.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Descrição do serviço",
		"h1 + span": "versão " + doc.Info.Version, ".api-section p": doc.Info.Summary}, Count: map[string]int{"#nada[hidden]": 1,
		"details[open]": 0}})
	operations := 0
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			operations++
			id := "#" + op.OperationID
			page.Check(t, apptest.Want{Text: map[string]string{id + " h3": method + " " + path, id + " summary span": op.Summary,
				".toc a[href='" + id + "']": method + " " + op.Summary}, Count: map[string]int{id: 1, ".toc a[href='" + id + "']": 1}})
			var parameters []string
			for _, p := range op.Parameters {
				parameters = append(parameters, p.Value.Name)
			}
			if got := page.Texts("table[aria-labelledby='" + op.OperationID + "-p'] td:first-child"); !slices.Equal(got, parameters) {
				t.Errorf("%s: got the parameters %q, want %q", id, got, parameters)
			}
			if op.RequestBody != nil {
				for media := range op.RequestBody.Value.Content {
					if got := page.Text(id + "-c"); !strings.HasPrefix(got, "Corpo ") || len(op.RequestBody.Value.Content) == 1 &&
						got != "Corpo "+media {
						t.Errorf("%s: the body is %q, want %s", id, got, media)
					}
				}
			} else if page.Has(id + "-c") {
				t.Errorf("%s has a body", id)
			}
			checkAnswers(t, page, op)
		}
	}
	if got := page.Count("#enderecos > details:not([id^=forma-])"); got != operations || operations < 10 {
		t.Errorf("%d operations are shown, want %d", got, operations)
	}
	shapes := page.Texts("#enderecos > details[id^=forma-] h3")
	if !slices.IsSorted(shapes) || len(shapes) < 8 || len(slices.Compact(slices.Clone(shapes))) != len(shapes) {
		t.Errorf("the shapes are %q", shapes)
	}
	for _, mention := range page.Attrs("main a[href^='#forma-']", "href") {
		if page.Count(mention) != 1 {
			t.Errorf("%s leads to %d places", mention, page.Count(mention))
		}
	}
	for _, shape := range shapes {
		schema := doc.Components.Schemas[shape]
		if schema == nil {
			t.Errorf("the description has no shape %s", shape)
			continue
		}
		first, _, _ := strings.Cut(strings.ReplaceAll(schema.Value.Description, "`", ""), "\n")
		if !strings.Contains(page.Text("#forma-"+shape), strings.TrimSpace(first)) {
			t.Errorf("%s: %q is not shown", shape, first)
		}
	}
}

// checkAnswers wants a success with its fields and every other answer in a line.
func checkAnswers(t *testing.T, page *apptest.Page, op *openapi3.Operation) {
	t.Helper()
	lines := page.Texts("#" + op.OperationID + " ul li")
	refusals := 0
	for status, response := range op.Responses.Map() {
		if strings.HasPrefix(status, "2") {
			if !strings.HasPrefix(page.Text("#"+op.OperationID+"-"+status), "Resposta "+status) {
				t.Errorf("%s: no answer %s", op.OperationID, status)
			}
			continue
		}
		refusals++
		word := map[bool]string{true: "outros", false: status}[status == "default"]
		description := strings.Join(strings.Fields(strings.ReplaceAll(*response.Value.Description, "`", "")), " ")
		if !slices.ContainsFunc(lines, func(line string) bool { return strings.HasPrefix(line, word+" "+description) }) {
			t.Errorf("%s: the answers %q lack %s %s", op.OperationID, lines, word, description)
		}
	}
	if len(lines) != refusals {
		t.Errorf("%s: %d other answers are shown, want %d", op.OperationID, len(lines), refusals)
	}
}

// TestDescription_Narrowed: a search keeps what holds every word wherever it
// stands with the shapes that it mentions, unfolds a few, and says what it was for.
func TestDescription_Narrowed(t *testing.T) {
	t.Parallel()
	rui := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Administration)
	all := rui.Get("/servico/descricao")
	for words, want := range map[string]string{
		"cancelamento":                       "#cancelar", // in a path
		"DELETE":                             "",          // no such method
		"escopo autorizacoes:alterar motivo": "#cancelar", // who may, and a field
		"refresh_token 72 horas":             "#entrar",   // in an answer
		"oculto-nada":                        "",
		"Iris palmar":                        "#forma-Biometria", // a rule of a shape
		"credencialElegibilityId":            "#elegibilidade",   // in a text
		"multipart application/json":         "",
		"GUIÁPRESTADOR GET na consulta":      "#procurarPorGuia",
	} {
		got := rui.Post("/servico/descricao", url.Values{"Busca": {words}})
		n := got.Count("#enderecos > details")
		got.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"title": "Descrição do serviço: busca"},
			Value: map[string]string{"#Busca": words}, Count: map[string]int{"form[role=search] a": 1}})
		switch {
		case want == "":
			if n != 0 || !got.Has("#nada:not([hidden])") || got.Has("#enderecos h2") || got.Count(".toc li") != 0 {
				t.Errorf("%q: got %d sections, want none", words, n)
			}
		case !got.Has(want) || n == 0 || n >= all.Count("#enderecos > details") || got.Has("#nada:not([hidden])"):
			t.Errorf("%q: got %q, want %s among fewer", words, got.Attrs("#enderecos > details", "id"), want)
		}
		if open := got.Count("#enderecos > details[open]"); open > 3 || n > 0 && n <= 3 && open == 0 {
			t.Errorf("%q: %d of %d are unfolded", words, open, n)
		}
		for _, to := range got.Attrs("#enderecos a[href^='#']", "href") {
			if got.Count(to) != 1 {
				t.Errorf("%q: %s leads nowhere", words, to)
			}
		}
	}
	blank := rui.Post("/servico/descricao", url.Values{"Busca": {" "}})
	blank.Check(t, apptest.Want{Text: map[string]string{"title": "Descrição do serviço"},
		Count: map[string]int{"#enderecos > details": all.Count("#enderecos > details"), "form[role=search] a": 0}})
	if again := rui.Get("/servico/descricao"); again.Count("details[open]") != 0 {
		t.Error("a search unfolded the whole page for others")
	}
}
