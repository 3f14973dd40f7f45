package console

import (
	"strings"

	"guiche/web/page"

	"go.yaml.in/yaml/v3"
)

// blocks reads the little Markdown that the description is written in: paragraphs
// with `code`, and fenced examples.
func blocks(text string) []page.DescribedBlock {
	var all []page.DescribedBlock
	for i, part := range strings.Split(text, "```") {
		if i%2 == 1 {
			_, example, _ := strings.Cut(part, "\n") // the first line names the language
			all = append(all, page.DescribedBlock{Example: strings.TrimSuffix(example, "\n")})
			continue
		}
		for paragraph := range strings.SplitSeq(part, "\n\n") {
			if words := spans(strings.TrimSpace(paragraph)); len(words) > 0 {
				all = append(all, page.DescribedBlock{Spans: words})
			}
		}
	}
	return all
}

// spans splits a paragraph at its backquotes into plain text and code; every second part
// is code, as in Markdown.
func spans(paragraph string) []page.DescribedSpan {
	var all []page.DescribedSpan
	for i, part := range strings.Split(paragraph, "`") {
		if part != "" {
			all = append(all, page.DescribedSpan{Text: part, Code: i%2 == 1})
		}
	}
	return all
}

// yamlNode is a node of a YAML document whose order matters; what is not there is
// a node that has nothing.
type yamlNode struct{ *yaml.Node }

// pair is one entry of a mapping.
type pair struct {
	name  string
	value yamlNode
}

// known reports whether the document has this node.
func (n yamlNode) known() bool { return n.Node != nil }

// first is the first node within, as the content of a document is; an empty document has
// a node that is not known.
func (n yamlNode) first() yamlNode {
	if len(n.Content) == 0 {
		return yamlNode{}
	}
	return yamlNode{n.Content[0]}
}

// pairs returns the entries of a mapping in their order.
func (n yamlNode) pairs() []pair {
	if !n.known() || n.Kind != yaml.MappingNode {
		return nil
	}
	var all []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := n.Content[i+1]
		if value.Kind == yaml.AliasNode {
			value = value.Alias
		}
		all = append(all, pair{n.Content[i].Value, yamlNode{value}})
	}
	return all
}

// get is the value under a name, a node that is not known when there is none, so that
// lookups can be chained without a check at each step.
func (n yamlNode) get(name string) yamlNode {
	for _, p := range n.pairs() {
		if p.name == name {
			return p.value
		}
	}
	return yamlNode{}
}

// items returns the entries of a list.
func (n yamlNode) items() []yamlNode {
	if !n.known() || n.Kind != yaml.SequenceNode {
		return nil
	}
	all := make([]yamlNode, len(n.Content))
	for i, item := range n.Content {
		all[i] = yamlNode{item}
	}
	return all
}

// text returns a scalar of a mapping, "" for none.
func (n yamlNode) text(name string) string {
	if found := n.get(name); found.known() && found.Kind == yaml.ScalarNode {
		return found.Value
	}
	return ""
}

// texts returns the scalars of a list, or the only one.
func (n yamlNode) texts() []string {
	if n.known() && n.Kind == yaml.ScalarNode {
		return []string{n.Value}
	}
	var all []string
	for _, item := range n.items() {
		all = append(all, item.Value)
	}
	return all
}

// without returns a mapping without one of its entries.
func (n yamlNode) without(name string) yamlNode {
	rest := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; n.known() && i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value != name {
			rest.Content = append(rest.Content, n.Content[i], n.Content[i+1])
		}
	}
	return yamlNode{rest}
}
