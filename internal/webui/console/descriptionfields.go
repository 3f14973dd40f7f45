package console

import (
	"slices"
	"strings"

	"guiche/web/page"
)

// typeWords are the types of JSON as the page says them.
var typeWords = map[string]string{
	"string": "texto", "integer": "número inteiro", "boolean": "true ou false", "object": "objeto", "array": "lista", "null": "null",
}

// shapeFields lists the fields of a shape, nested ones under their path, as
// data.items[].id; of what is no object, one field without a name.
func (d *document) shapeFields(schema yamlNode) []page.DescribedField {
	if schema.text("type") == "array" {
		return d.nested("[]", schema.get("items"), false)
	}
	if fields := d.properties("", schema); len(fields) > 0 {
		return fields
	}
	schema = schema.without("description") // the shape itself says it
	return []page.DescribedField{d.field("", schema, false)}
}

// properties lists the fields of an object and all fields within them, with prefix
// before each name; for a choice of shapes it lists those of every shape.
func (d *document) properties(prefix string, schema yamlNode) []page.DescribedField {
	var fields []page.DescribedField
	for _, option := range schema.get("oneOf").items() {
		fields = append(fields, d.properties(prefix, option)...)
	}
	required := schema.get("required").texts()
	for _, p := range schema.get("properties").pairs() {
		fields = append(fields, d.nested(prefix+p.name, p.value, slices.Contains(required, p.name))...)
	}
	return fields
}

// nested is a field with those within it.
func (d *document) nested(path string, schema yamlNode, required bool) []page.DescribedField {
	fields := []page.DescribedField{d.field(path, schema, required)}
	if items := schema.get("items"); items.known() {
		return append(fields, d.properties(path+"[].", items)...)
	}
	return append(fields, d.properties(path+".", schema)...)
}

// field describes one field. A field with a named shape only mentions it: shapes are
// described once, further down the page.
func (d *document) field(path string, schema yamlNode, required bool) page.DescribedField {
	f := page.DescribedField{Path: path, Required: required, Blocks: blocks(schema.text("description"))}
	f.Shape = d.mention(schema)
	if items := schema.get("items"); items.known() {
		if f.Shape = d.mention(items); f.Shape == "" {
			f.Type = "lista de " + typeOf(items)
		} else {
			f.Type = "lista de"
		}
	} else if f.Shape == "" {
		f.Type = typeOf(schema)
	}
	f.Rule = rule(schema)
	return f
}

// typeOf names the type of a value: "texto (uuid) ou null".
func typeOf(schema yamlNode) string {
	var words []string
	for _, option := range schema.get("oneOf").items() {
		words = append(words, typeOf(option))
	}
	types := schema.get("type").texts()
	for _, t := range types {
		words = append(words, typeWords[t])
	}
	word := strings.Join(words, " ou ")
	if format := schema.text("format"); format != "" {
		word += " (" + format + ")"
	}
	return word
}

// rule says what a value must be besides its type: "De 1 a 999; sem ele vale 1".
func rule(schema yamlNode) string {
	var all []string
	if values := schema.get("enum").texts(); len(values) == 1 {
		all = append(all, "só "+values[0])
	} else if len(values) > 1 {
		all = append(all, "um destes: "+strings.Join(quoteEmpty(values), ", "))
	}
	all = append(all, between(schema.text("minimum"), schema.text("maximum"), ""),
		between("", schema.text("maxLength"), " caracteres"), between(schema.text("minItems"), schema.text("maxItems"), " itens"))
	if schema.text("minLength") != "" {
		all = append(all, "não vazio")
	}
	if value := schema.text("default"); value != "" {
		all = append(all, "sem ele vale "+value)
	}
	words := strings.Join(slices.DeleteFunc(all, func(s string) bool { return s == "" }), "; ")
	return strings.ToUpper(words[:min(1, len(words))]) + words[min(1, len(words)):]
}

// between puts limits into words, "" when there are none; either one may be missing.
func between(low, high, unit string) string {
	switch {
	case low == "" && high == "":
		return ""
	case high == "":
		return "a partir de " + low + unit
	case low == "":
		return "até " + high + unit
	}
	return "de " + low + " a " + high + unit
}

// quoteEmpty names the empty text among allowed values, which would otherwise not be
// seen. It changes the given slice.
func quoteEmpty(values []string) []string {
	for i, v := range values {
		if v == "" {
			values[i] = "vazio"
		}
	}
	return values
}
