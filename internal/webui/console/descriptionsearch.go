package console

import (
	"strings"
	"unicode"

	"guiche/web/page"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// unfolded is up to how many found sections are shown unfolded.
const unfolded = 3

// narrowed keeps the sections that hold every word, without case and accents, and the
// shapes to which they lead. Few of those that were found are unfolded.
func narrowed(all page.DescriptionView, text string) page.DescriptionView {
	words := strings.Fields(folded(text))
	if len(words) == 0 {
		return all
	}
	some := all
	some.Search, some.Endpoints, some.Shapes = text, nil, nil
	for _, e := range all.Endpoints {
		if holdsAll(endpointText(e), words) {
			some.Endpoints = append(some.Endpoints, e)
		}
	}
	for _, s := range all.Shapes {
		if holdsAll(shapeText(s), words) {
			some.Shapes = append(some.Shapes, s)
		}
	}
	few := len(some.Endpoints)+len(some.Shapes) <= unfolded
	for i := range some.Endpoints {
		some.Endpoints[i].Open = few
	}
	for i := range some.Shapes {
		some.Shapes[i].Open = few
	}
	some.Shapes = withMentioned(some, all.Shapes)
	return some
}

// withMentioned returns the shapes of the found sections and, folded and in the order of
// all, those that they or their shapes mention: a link leads somewhere.
func withMentioned(found page.DescriptionView, all []page.DescribedShape) []page.DescribedShape {
	shown := map[string]page.DescribedShape{}
	mentioned := map[string]bool{}
	for _, s := range found.Shapes {
		shown[s.Name] = s
		mention(mentioned, s.Fields)
	}
	for _, e := range found.Endpoints {
		mentionEndpoint(mentioned, e)
	}
	for before := -1; before != len(mentioned); {
		before = len(mentioned)
		for _, s := range all {
			if mentioned[s.Name] {
				mention(mentioned, s.Fields)
			}
		}
	}
	var shapes []page.DescribedShape
	for _, s := range all {
		if kept, ok := shown[s.Name]; ok {
			shapes = append(shapes, kept)
		} else if mentioned[s.Name] {
			s.Open = false
			shapes = append(shapes, s)
		}
	}
	return shapes
}

func mentionEndpoint(names map[string]bool, e page.DescribedEndpoint) {
	mention(names, e.Parameters)
	mention(names, e.Body)
	for _, a := range e.Answers {
		if a.Shape != "" {
			names[a.Shape] = true
		}
		mention(names, a.Fields)
	}
}

// mention adds the shapes of fields to names.
func mention(names map[string]bool, fields []page.DescribedField) {
	for _, f := range fields {
		if f.Shape != "" {
			names[f.Shape] = true
		}
	}
}

// holdsAll reports whether every word occurs in text; the words are already folded.
func holdsAll(text string, words []string) bool {
	text = folded(text)
	for _, word := range words {
		if !strings.Contains(text, word) {
			return false
		}
	}
	return true
}

// folded is text in lower case without accents, so that "autorizacao" finds
// "Autorização".
func folded(text string) string {
	plain, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn))), text)
	if err != nil {
		plain = text
	}
	return strings.ToLower(plain)
}

// endpointText is all that an endpoint's section says.
func endpointText(e page.DescribedEndpoint) string {
	parts := []string{e.Method, e.Path, e.Summary, e.Access, e.BodyType, blocksText(e.Blocks), fieldsText(e.Parameters), fieldsText(e.Body)}
	for _, a := range e.Answers {
		parts = append(parts, a.Status, a.Shape, blocksText(a.Blocks), fieldsText(a.Fields))
	}
	return strings.Join(parts, " ")
}

// shapeText is all that a shape's section says, for the search.
func shapeText(s page.DescribedShape) string {
	return strings.Join([]string{s.Name, blocksText(s.Blocks), fieldsText(s.Fields)}, " ")
}

// fieldsText is all that a table of fields says, for the search.
func fieldsText(fields []page.DescribedField) string {
	var parts []string
	for _, f := range fields {
		parts = append(parts, f.Path, f.Type, f.Shape, f.Rule, blocksText(f.Blocks))
	}
	return strings.Join(parts, " ")
}

// blocksText is all that paragraphs and examples say, for the search.
func blocksText(blocks []page.DescribedBlock) string {
	var parts []string
	for _, b := range blocks {
		parts = append(parts, b.Example)
		for _, w := range b.Spans {
			parts = append(parts, w.Text)
		}
	}
	return strings.Join(parts, " ")
}
