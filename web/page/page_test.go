package page_test

import (
	"bytes"
	"context"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
)

// MustRender returns a component as a document.
func MustRender(tb testing.TB, c templ.Component) *goquery.Document {
	tb.Helper()
	var html bytes.Buffer
	if err := c.Render(context.Background(), &html); err != nil {
		tb.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&html)
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

// MustIcons returns the icons of the sprite.
func MustIcons(tb testing.TB) []string {
	tb.Helper()
	list, err := os.ReadFile("../../static/icons.txt")
	if err != nil {
		tb.Fatal(err)
	}
	return strings.Fields(string(list))
}

// wantCount checks how many elements a selector finds.
func wantCount(tb testing.TB, doc *goquery.Document, selector string, want int) {
	tb.Helper()
	if got := doc.Find(selector).Length(); got != want {
		tb.Errorf("%s: got %d, want %d", selector, got, want)
	}
}

// wantText checks the text of the first element that a selector finds.
func wantText(tb testing.TB, doc *goquery.Document, selector, want string) {
	tb.Helper()
	if got := words(doc.Find(selector).First()); got != want {
		tb.Errorf("%s: got %q, want %q", selector, got, want)
	}
}

// wantAttr checks an attribute of the first element that a selector finds.
func wantAttr(tb testing.TB, doc *goquery.Document, selector, name, want string) {
	tb.Helper()
	if got := doc.Find(selector).First().AttrOr(name, "(none)"); got != want {
		tb.Errorf("%s %s: got %q, want %q", selector, name, got, want)
	}
}

// words is the text of an element with its white space folded.
func words(s *goquery.Selection) string { return strings.Join(strings.Fields(s.Text()), " ") }

func outer(s *goquery.Selection) string {
	html, err := goquery.OuterHtml(s)
	if err != nil {
		return err.Error()
	}
	return html[:min(len(html), 160)]
}

// What every page in every state must hold.
func TestPages(t *testing.T) {
	checks := []struct {
		name  string
		check func(*testing.T, *goquery.Document)
	}{
		{"Frame", checkFrame}, {"Labels", checkLabels}, {"Identifiers", checkIdentifiers}, {"Policy", checkPolicy},
		{"Addresses", checkAddresses}, {"Names", checkNames}, {"Forms", checkForms}, {"ErrorSummary", checkErrorSummary},
	}
	for _, v := range views() {
		doc := MustRender(t, v.page)
		for _, c := range checks {
			t.Run(v.name+"/"+c.name, func(t *testing.T) { c.check(t, doc) })
		}
	}
}

func checkFrame(t *testing.T, doc *goquery.Document) {
	wantCount(t, doc, "h1", 1)
	wantCount(t, doc, "main", 1)
	wantAttr(t, doc, "html", "lang", "pt-BR")
	wantAttr(t, doc, "body > a:first-child", "href", "#conteudo")
	wantCount(t, doc, "#conteudo", 1)
	wantCount(t, doc, `[role="status"]#aviso`, 1)
	if title := doc.Find("title").Text(); !strings.HasSuffix(title, " — Guichê") || strings.HasPrefix(title, " ") {
		t.Errorf("got title %q", title)
	}
	wantCount(t, doc, `link[rel="icon"]`, 1)
}

func checkLabels(t *testing.T, doc *goquery.Document) {
	doc.Find("input, select, textarea").Each(func(_ int, s *goquery.Selection) {
		if s.AttrOr("type", "") == "hidden" || s.AttrOr("aria-label", "") != "" || s.Closest("label").Length() > 0 {
			return
		}
		if words(doc.Find(`label[for="`+s.AttrOr("id", "?")+`"]`)) == "" {
			t.Errorf("no label: %s", outer(s))
		}
	})
}

func checkIdentifiers(t *testing.T, doc *goquery.Document) {
	seen := map[string]bool{}
	doc.Find("[id]").Each(func(_ int, s *goquery.Selection) {
		id := s.AttrOr("id", "")
		if seen[id] {
			t.Errorf("id %q is used twice", id)
		}
		if !regexp.MustCompile(`^[A-Za-z][A-Za-z0-9-]*$`).MatchString(id) {
			t.Errorf("id %q is not made of letters, digits and hyphens", id)
		}
		seen[id] = true
	})
	for _, name := range []string{"for", "aria-describedby", "aria-controls", "aria-labelledby", "form", "data-depends-on", "data-shown-by"} {
		doc.Find("[" + name + "]").Each(func(_ int, s *goquery.Selection) {
			for _, id := range strings.Fields(s.AttrOr(name, "")) {
				if !seen[id] {
					t.Errorf("%s=%q leads nowhere: %s", name, id, outer(s))
				}
			}
		})
	}
}

func checkPolicy(t *testing.T, doc *goquery.Document) {
	wantCount(t, doc, "style, [style], script:not([src]), object, embed, base", 0)
	doc.Find("*").Each(func(_ int, s *goquery.Selection) {
		for _, a := range s.Nodes[0].Attr {
			if strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Key, "hx-on") || strings.HasPrefix(a.Val, "js:") ||
				strings.HasPrefix(a.Val, "javascript:") {
				t.Errorf("the policy forbids %s=%q", a.Key, a.Val)
			}
			if a.Key == "hx-trigger" && strings.Contains(a.Val, "[") {
				t.Errorf("a trigger filter needs eval: %q", a.Val)
			}
		}
	})
}

func checkAddresses(t *testing.T, doc *goquery.Document) {
	for _, name := range []string{"href", "src", "action", "formaction", "hx-get", "hx-post", "data-upload-url", "data-page-url"} {
		doc.Find("[" + name + "]").Each(func(_ int, s *goquery.Selection) {
			address := s.AttrOr(name, "")
			if !strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "#") || strings.HasPrefix(address, "//") {
				t.Errorf("%s=%q is not an address of ours: %s", name, address, outer(s))
			}
		})
	}
	icons := MustIcons(t)
	doc.Find(".icon").Each(func(_ int, s *goquery.Selection) {
		if icon := iconOf(s); !slices.Contains(icons, icon) {
			t.Errorf("icon %q is not in the sprite", icon)
		}
	})
}

func checkNames(t *testing.T, doc *goquery.Document) {
	doc.Find("button, a[href], summary").Each(func(_ int, s *goquery.Selection) {
		if words(s) == "" && s.AttrOr("aria-label", "") == "" && s.Find("img[alt]").AttrOr("alt", "") == "" {
			t.Errorf("no name: %s", outer(s))
		}
	})
	doc.Find("img").Each(func(_ int, s *goquery.Selection) {
		if _, ok := s.Attr("alt"); !ok {
			t.Errorf("no alt: %s", outer(s))
		}
	})
	doc.Find("iframe").Each(func(_ int, s *goquery.Selection) {
		if s.AttrOr("title", "") == "" || s.AttrOr("sandbox", "(none)") != "(none)" {
			t.Errorf("a guide's frame has a title and no sandbox: %s", outer(s))
		}
	})
	tables := doc.Find("table.card-rows").Not(".lean-table") // a script adds those of long lists
	tables.AddSelection(tables.Find("tr, td, th")).Each(func(_ int, s *goquery.Selection) {
		if s.AttrOr("role", "") == "" {
			t.Errorf("no role, which display:block takes away: %s", outer(s))
		}
	})
}

func checkForms(t *testing.T, doc *goquery.Document) {
	doc.Find("form").Each(func(_ int, s *goquery.Selection) {
		if method := s.AttrOr("method", ""); method != "post" && method != "dialog" {
			t.Errorf("got method %q: a search or a password must not stand in an address", method)
		}
	})
	wantCount(t, doc, `form[hx-post]:not([hx-sync="this:drop"])`, 0)
	wantCount(t, doc, `input[type="password"][value]`, 0)
}

func checkErrorSummary(t *testing.T, doc *goquery.Document) {
	summary := doc.Find("#erros")
	if summary.Length() == 0 {
		return
	}
	if !strings.HasPrefix(doc.Find("title").Text(), "Erro: ") {
		t.Errorf("got title %q, want it to begin with Erro", doc.Find("title").Text())
	}
	wantAttr(t, doc, "#erros", "role", "alert")
	wantAttr(t, doc, "#erros", "tabindex", "-1")
	if _, ok := summary.Attr("autofocus"); !ok {
		t.Error("the summary does not take the focus")
	}
	if doc.Find("#erros ~ .title h1").Length() != 1 {
		t.Error("the summary does not stand above the heading")
	}
	summary.Find("a").Each(func(_ int, s *goquery.Selection) {
		target := doc.Find(s.AttrOr("href", "#?"))
		if !target.Is("input:not([type=hidden]), select, textarea") {
			t.Errorf("%q leads to no field", words(s))
		}
		if target.Closest("details").Is(":not([open])") || target.Closest("[hidden]").Length() > 0 {
			t.Errorf("%q leads to a field that is not shown", words(s))
		}
	})
}

// iconOf is the name of an icon in the sprite.
func iconOf(s *goquery.Selection) string {
	_, name, _ := strings.Cut(s.AttrOr("class", ""), "i-")
	name, _, _ = strings.Cut(name, " ")
	return name
}

// The sprite holds no icon that no page shows; check-lg is also what a copy
// button turns to.
func TestPages_Icons(t *testing.T) {
	shown := map[string]bool{}
	for _, v := range views() {
		MustRender(t, v.page).Find(".icon").Each(func(_ int, s *goquery.Selection) { shown[iconOf(s)] = true })
	}
	for _, icon := range MustIcons(t) {
		if !shown[icon] {
			t.Errorf("no page shows icon %q", icon)
		}
	}
}
