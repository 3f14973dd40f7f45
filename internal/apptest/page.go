package apptest

import (
	"bytes"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// Page is what came back, after redirects.
type Page struct {
	Status int
	Path   string // where it came from in the end
	Header http.Header
	Body   []byte

	T   testing.TB
	doc *goquery.Document
}

// Find returns what a CSS selector finds.
func (p *Page) Find(css string) *goquery.Selection {
	p.T.Helper()
	if p.doc == nil {
		doc, err := goquery.NewDocumentFromReader(bytes.NewReader(p.Body))
		if err != nil {
			p.T.Fatal(err)
		}
		p.doc = doc
	}
	return p.doc.Find(css)
}

// Has reports whether a selector finds anything.
func (p *Page) Has(css string) bool { return p.Count(css) > 0 }

// Count is how many elements a selector finds.
func (p *Page) Count(css string) int {
	p.T.Helper()
	return p.Find(css).Length()
}

// Text is the text of the first match, with single spaces.
func (p *Page) Text(css string) string {
	p.T.Helper()
	return singleSpaced(p.Find(css).First().Text())
}

// Texts are the texts of all matches, with single spaces.
func (p *Page) Texts(css string) []string {
	p.T.Helper()
	return p.Find(css).Map(func(_ int, s *goquery.Selection) string { return singleSpaced(s.Text()) })
}

// singleSpaced is a text as a reader sees it, whatever the line breaks of the template.
func singleSpaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// Attr is an attribute of the first match, "" without it.
func (p *Page) Attr(css, name string) string {
	p.T.Helper()
	return p.Find(css).First().AttrOr(name, "")
}

// Attrs are the values of an attribute of all matches.
func (p *Page) Attrs(css, name string) []string {
	p.T.Helper()
	return p.Find(css).Map(func(_ int, s *goquery.Selection) string { return s.AttrOr(name, "") })
}

// Value is what a field holds: an input, a text area, or the option that is
// selected.
func (p *Page) Value(css string) string {
	p.T.Helper()
	return valueOf(p.Find(css).First())
}

// valueOf is what a browser would send for a field that nobody touched.
func valueOf(field *goquery.Selection) string {
	switch goquery.NodeName(field) {
	case "select":
		return field.Find("option[selected]").AttrOr("value", "")
	case "textarea":
		return field.Text()
	}
	return field.AttrOr("value", "")
}

// Option is the value of the option of a select with that label, "" for none.
func (p *Page) Option(css, label string) string {
	p.T.Helper()
	value := ""
	p.Find(css + " option").Each(func(_ int, s *goquery.Selection) {
		if strings.TrimSpace(s.Text()) == label {
			value = s.AttrOr("value", "")
		}
	})
	return value
}

// Checked are the values of the ticked boxes of a name.
func (p *Page) Checked(name string) []string {
	p.T.Helper()
	return p.Attrs("input[name="+name+"][checked]", "value")
}

// Form is what the form that a selector finds would send as it stands.
func (p *Page) Form(css string) url.Values {
	p.T.Helper()
	form := url.Values{}
	fields := p.Find(css).Find("input[name], select[name], textarea[name]")
	if id := p.Attr(css, "id"); id != "" {
		fields = fields.AddSelection(p.Find(`input[form="` + id + `"]`))
	}
	fields.Each(func(_ int, field *goquery.Selection) {
		switch kind := field.AttrOr("type", ""); {
		case kind == "file", (kind == "checkbox" || kind == "radio") && !field.Is("[checked]"):
		default:
			form.Add(field.AttrOr("name", ""), valueOf(field))
		}
	})
	return form
}

// Rows are the texts of the rows of a table's body, cells joined: "Ana | Recepção".
func (p *Page) Rows(table string) []string {
	p.T.Helper()
	return p.Find(table + " tbody tr").Map(func(_ int, row *goquery.Selection) string {
		cells := row.Find("td").Map(func(_ int, cell *goquery.Selection) string { return singleSpaced(cell.Text()) })
		return strings.Join(cells, " | ")
	})
}

// Fact is what a description list says about a term, "" for nothing.
func (p *Page) Fact(list, term string) string {
	p.T.Helper()
	return p.Text(list + ` dt:contains("` + term + `") + dd`)
}

// Want is what a page is to be. What is left out is not looked at.
type Want struct {
	Status int
	Path   string
	Text   map[string]string // by CSS selector: what the text of the first match contains
	Not    map[string]string // by CSS selector: what the text of no match contains
	Value  map[string]string // by CSS selector: what the field holds
	Count  map[string]int    // by CSS selector: how many there are
}

// Check compares a page with what it is to be.
func (p *Page) Check(t testing.TB, w Want) {
	t.Helper()
	if w.Status != 0 && p.Status != w.Status {
		t.Errorf("got status %d, want %d: %s", p.Status, w.Status, p.Text("main"))
	}
	if w.Path != "" && p.Path != w.Path {
		t.Errorf("got to %s, want %s: %s", p.Path, w.Path, p.Text("main"))
	}
	for css, want := range w.Text {
		if got := p.Text(css); !strings.Contains(got, want) || !p.Has(css) {
			t.Errorf("%s: got %q, want %q in it", css, got, want)
		}
	}
	for css, unwanted := range w.Not {
		if got := singleSpaced(p.Find(css).Text()); strings.Contains(got, unwanted) {
			t.Errorf("%s: got %q, want no %q in it", css, got, unwanted)
		}
	}
	for css, want := range w.Value {
		if got := p.Value(css); got != want {
			t.Errorf("%s: got the value %q, want %q", css, got, want)
		}
	}
	for css, want := range w.Count {
		if got := p.Count(css); got != want {
			t.Errorf("%s: got %d, want %d", css, got, want)
		}
	}
}

// CheckProblems wants 422 with an error beside each of the named fields, marked as
// invalid and linked from the summary, and no other error.
func (p *Page) CheckProblems(t testing.TB, fields ...string) {
	t.Helper()
	if p.Status != http.StatusUnprocessableEntity {
		t.Errorf("got status %d, want 422: %s", p.Status, p.Text("main"))
	}
	if got := p.Count("#erros li"); got != len(fields) {
		t.Errorf("the summary has %d lines, want %d: %s", got, len(fields), p.Text("#erros"))
	}
	for _, id := range fields {
		line := p.Text("#erros a[href='#" + id + "']")
		if beside := p.Text("#" + id + "-error"); line == "" || !strings.Contains(beside, line) {
			t.Errorf("%s: the summary says %q, beside the field stands %q", id, line, beside)
		}
	}
	if title := p.Text("title"); p.Has("title") && !strings.HasPrefix(title, "Erro: ") {
		t.Errorf("the title is %q, want one that begins with Erro", title)
	}
}

// CheckKept wants the fields of the page to hold what was typed into a form.
func (p *Page) CheckKept(t testing.TB, typed url.Values) {
	t.Helper()
	for name, values := range typed {
		field := p.Find(`[name="` + name + `"]`)
		switch kind := field.AttrOr("type", ""); kind {
		case "checkbox", "radio":
			var kept []string
			field.Filter("[checked]").Each(func(_ int, box *goquery.Selection) { kept = append(kept, box.AttrOr("value", "")) })
			if strings.Join(kept, "|") != strings.Join(values, "|") {
				t.Errorf("%s: got %q ticked, want %q", name, kept, values)
			}
		default:
			if got := strings.ReplaceAll(valueOf(field.First()), "\r", ""); got != strings.ReplaceAll(values[0], "\r", "") {
				t.Errorf("%s: got %q kept, want %q", name, got, values[0])
			}
		}
	}
}
