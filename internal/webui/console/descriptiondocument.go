package console

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"guiche/web/page"

	"go.yaml.in/yaml/v3"
)

// document reads the service's own description, OpenAPI 3.1 in YAML, into what
// its page shows, in the order in which it is written.
type document struct {
	root   yamlNode
	shapes []string // those that something refers to, in the order of their mention
}

// describe shapes the whole document.
func describe(text []byte) (page.DescriptionView, error) {
	var parsed yaml.Node
	if err := yaml.Unmarshal(text, &parsed); err != nil {
		return page.DescriptionView{}, err
	}
	d := &document{root: yamlNode{&parsed}.first()}
	info := d.root.get("info")
	view := page.DescriptionView{Summary: info.text("summary"), Version: info.text("version"), Blocks: blocks(info.text("description"))}
	for _, path := range d.root.get("paths").pairs() {
		for _, method := range path.value.pairs() {
			view.Endpoints = append(view.Endpoints, d.endpoint(path.name, method.name, method.value))
		}
	}
	for i := 0; i < len(d.shapes); i++ { // the fields of a shape may mention others
		schema := d.root.get("components").get("schemas").get(d.shapes[i])
		view.Shapes = append(view.Shapes, page.DescribedShape{Name: d.shapes[i], Blocks: blocks(schema.text("description")),
			Fields: d.shapeFields(schema)})
	}
	slices.SortFunc(view.Shapes, func(a, b page.DescribedShape) int { return cmp.Compare(a.Name, b.Name) })
	return view, nil
}

// endpoint describes one operation. The scope is read from the first sentence of its
// description, where readers of the raw document find it too; an empty security list
// means that no access is needed.
func (d *document) endpoint(path, method string, op yamlNode) page.DescribedEndpoint {
	e := page.DescribedEndpoint{ID: op.text("operationId"), Method: strings.ToUpper(method), Path: path,
		Summary: op.text("summary"), Access: "qualquer acesso"}
	text := op.text("description")
	if found := scopeSentence.FindStringSubmatch(text); found != nil {
		text = strings.TrimPrefix(text, found[0])
		if found[1] != "" {
			e.Access = "escopo " + found[1]
		}
	}
	if security := op.get("security"); security.known() && len(security.items()) == 0 {
		e.Access = "aberto a todos"
	}
	e.Blocks = blocks(text)
	for _, parameter := range op.get("parameters").items() {
		e.Parameters = append(e.Parameters, d.parameter(d.follow(parameter)))
	}
	e.BodyType, e.Body = d.body(op.get("requestBody"))
	for _, status := range op.get("responses").pairs() {
		e.Answers = append(e.Answers, d.answer(status.name, d.follow(status.value)))
	}
	return e
}

var scopeSentence = regexp.MustCompile("^Escopo `([a-z:]+)`\\.\\s*|^Qualquer credencial válida\\.\\s*")

var places = map[string]string{"query": "na consulta", "path": "no endereço", "header": "no cabeçalho"}

// parameter describes a parameter of the query, the path or a header; its own text comes
// before that of its type.
func (d *document) parameter(p yamlNode) page.DescribedField {
	f := d.field(p.text("name"), p.get("schema"), p.text("required") == "true")
	f.Place = places[p.text("in")]
	f.Blocks = append(blocks(p.text("description")), f.Blocks...)
	return f
}

// body returns the media type and the fields of a body, "" for none.
func (d *document) body(of yamlNode) (string, []page.DescribedField) {
	for _, media := range of.get("content").pairs() {
		return media.name, d.shapeFields(d.follow(media.value.get("schema")))
	}
	return "", nil
}

// answer shows the fields of a success; refusals all have the same shape, which is
// shown once.
func (d *document) answer(status string, response yamlNode) page.DescribedAnswer {
	a := page.DescribedAnswer{Status: status, Blocks: blocks(response.text("description"))}
	if status == "default" {
		a.Status = "outros"
	}
	if strings.HasPrefix(status, "2") {
		a.Type, a.Fields = d.body(response)
		return a
	}
	for _, media := range response.get("content").pairs() {
		a.Shape = d.mention(media.value.get("schema"))
	}
	return a
}

// follow returns what a reference refers to, and all else as it is.
func (d *document) follow(n yamlNode) yamlNode {
	address, ok := strings.CutPrefix(n.text("$ref"), "#/")
	if !ok {
		return n
	}
	found := d.root
	for step := range strings.SplitSeq(address, "/") {
		found = found.get(step)
	}
	return found
}

// mention returns the name of the shape that a reference names, "" for none, and
// sees to it that the page shows it.
func (d *document) mention(n yamlNode) string {
	name, ok := strings.CutPrefix(n.text("$ref"), "#/components/schemas/")
	if ok && !slices.Contains(d.shapes, name) {
		d.shapes = append(d.shapes, name)
	}
	return name
}
