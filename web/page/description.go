package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// DescriptionView is GET /servico/descricao: /api/openapi.yaml as a page.
type DescriptionView struct {
	layout.Page
	Summary   string
	Version   string // "2"
	Blocks    []DescribedBlock
	Endpoints []DescribedEndpoint // in the document's order
	Shapes    []DescribedShape    // those that fields and answers refer to, by name
	Search    string              // what Endpoints and Shapes were narrowed by; "" shows all
}

// DescribedEndpoint is one operation.
type DescribedEndpoint struct {
	ID                    string // operationId, the anchor
	Method, Path, Summary string // "POST", "/api/v2/autorizar/sp-sadt"
	Access                string // who may: "escopo autorizacoes:criar"
	Blocks                []DescribedBlock
	Parameters            []DescribedField
	BodyType              string // "application/json", "" for an operation without a body
	Body                  []DescribedField
	Answers               []DescribedAnswer
	Open                  bool // shown unfolded
}

// DescribedField is a parameter or a field; Type and Shape may both say something:
// "lista de" and "Anexo".
type DescribedField struct {
	Path     string // "data.items[].id"; "" for a value that is no field
	Type     string // "texto (uuid)"
	Shape    string // the shape's name, a link to it
	Place    string // of a parameter: "na consulta"
	Required bool
	Rule     string // "De 1 a 999; sem ele vale 1"
	Blocks   []DescribedBlock
}

// DescribedAnswer is what comes with one status: fields for a success, the shape of
// the refusal for all else.
type DescribedAnswer struct {
	Status string // "200", "outros"
	Blocks []DescribedBlock
	Type   string // media type of a success
	Fields []DescribedField
	Shape  string
}

// DescribedShape is what several fields or answers have in common.
type DescribedShape struct {
	Name   string
	Blocks []DescribedBlock
	Fields []DescribedField
	Open   bool // shown unfolded
}

// DescribedBlock is a paragraph or, where Example is set, a command to copy.
type DescribedBlock struct {
	Spans   []DescribedSpan
	Example string
}

// DescribedSpan is a part of a paragraph; Code is set off.
type DescribedSpan struct {
	Text string
	Code bool
}

// typeText is the text before the shape's name.
func (f DescribedField) typeText() string {
	if f.Type != "" && f.Shape != "" {
		return f.Type + " "
	}
	return f.Type
}

// conditions follow the type: ", na consulta, sempre".
func (f DescribedField) conditions() string {
	var words string
	if f.Place != "" {
		words = ", " + f.Place
	}
	if f.Required {
		words += ", sempre"
	}
	return words
}

func shapeLink(name string) string { return "#forma-" + name }

func (m DescriptionView) searchField() component.Field {
	return component.Field{Name: "Busca", Label: "Endereço, campo ou palavra", Value: m.Search}
}
