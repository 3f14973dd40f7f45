package page_test

import (
	"testing"

	"guiche/web/page"
)

// descriptionViews lists the pages of the service's description.
func descriptionViews() []view {
	none := description()
	none.Search, none.Endpoints, none.Shapes = "zulmira", nil, nil
	return []view{{"descricao", page.DescriptionPage(description())}, {"descricao-nada", page.DescriptionPage(none)}}
}

func description() page.DescriptionView {
	text := []page.DescribedBlock{{Spans: []page.DescribedSpan{{Text: "Aceita "}, {Text: "application/json", Code: true}}}}
	return page.DescriptionView{Page: admin("Descrição do serviço"), Summary: "Pede autorizações.", Version: "2",
		Blocks: []page.DescribedBlock{{Example: "curl -H 'x-api-key: …'"}},
		Endpoints: []page.DescribedEndpoint{{ID: "cancelar", Method: "POST", Path: "/api/v2/guias/{guiaId}/cancelar",
			Summary: "Cancela uma guia", Access: "escopo guias:cancelar", Blocks: text,
			Parameters: []page.DescribedField{{Path: "guiaId", Type: "texto (uuid)", Place: "no caminho", Required: true, Blocks: text}},
			BodyType:   "application/json", Body: []page.DescribedField{{Path: "anexos[]", Type: "lista de", Shape: "Anexo", Rule: "Até 10"}},
			Answers: []page.DescribedAnswer{{Status: "200", Type: "application/json", Blocks: text,
				Fields: []page.DescribedField{{Type: "texto"}}}, {Status: "outros", Blocks: text, Shape: "Recusa"}}}},
		Shapes: []page.DescribedShape{{Name: "Anexo", Blocks: text, Open: true}, {Name: "Recusa"}}}
}

func TestDescriptionPage(t *testing.T) {
	doc := MustRender(t, page.DescriptionPage(description()))
	wantText(t, doc, ".title .muted", "para quem liga um sistema a ele; versão 2")
	wantText(t, doc, ".api-section .example", "curl -H 'x-api-key: …'")
	wantText(t, doc, ".toc a", "POST Cancela uma guia")
	wantAttr(t, doc, ".toc li:last-child a", "href", "#forma-Recusa")
	wantAttr(t, doc, "form[data-filters]", "data-filters", "enderecos")
	wantCount(t, doc, "#nada[hidden]", 1)
	t.Run("Endpoint", func(t *testing.T) {
		wantCount(t, doc, "#cancelar[open]", 0)
		wantText(t, doc, "#cancelar summary .access", "escopo guias:cancelar")
		wantText(t, doc, "#cancelar p code", "application/json")
		wantText(t, doc, "[aria-labelledby=cancelar-p] tbody td:nth-child(2)", "texto (uuid), no caminho, sempre")
		wantText(t, doc, "[aria-labelledby=cancelar-c] tbody td:nth-child(2)", "lista de Anexo")
		wantAttr(t, doc, "[aria-labelledby=cancelar-c] a", "href", "#forma-Anexo")
		wantText(t, doc, "[aria-labelledby=cancelar-200] tbody .cell-name", "o valor")
		wantText(t, doc, "#cancelar ul li", "outros Aceita application/json Recusa")
	})
	t.Run("Shape", func(t *testing.T) {
		wantCount(t, doc, "#forma-Anexo[open]", 1)
		wantCount(t, doc, "#forma-Recusa:not([open])", 1)
	})
	t.Run("Searched", func(t *testing.T) {
		m := description()
		m.Search, m.Endpoints, m.Shapes = "zulmira", nil, nil
		none := MustRender(t, page.DescriptionPage(m))
		wantCount(t, none, "#nada:not([hidden])", 1)
		wantCount(t, none, ".api-section, #enderecos-title", 0)
		wantAttr(t, none, "form[data-filters] input", "value", "zulmira")
	})
}
