package golden_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"mime"
	"net/http"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// fact is something that an answer says: a label and a value. A label may come
// several times.
type fact struct{ label, value string }

// factsOf reads what an answer says, by its type. Whatever a page looks like, its
// facts are in headings, lists of terms, tables, fields of forms and links; nothing
// here depends on a style.
func factsOf(t *testing.T, a answer) []fact {
	t.Helper()
	all := []fact{{"status", strconv.Itoa(a.status)}}
	kind, _, err := mime.ParseMediaType(a.header.Get("Content-Type"))
	must(t, err)
	switch kind {
	case "text/html":
		doc, err := goquery.NewDocumentFromReader(bytes.NewReader(a.body))
		must(t, err)
		return append(all, pageFacts(doc)...)
	case "application/json":
		var v any
		must(t, json.Unmarshal(a.body, &v))
		if a.status >= http.StatusBadRequest {
			v = v.(map[string]any)["errosDetalhados"].([]any)[0].(map[string]any)["codigo"]
		}
		return append(all, jsonFacts("", v)...)
	}
	return append(all, fact{"tipo", kind}, fact{"sha256", hash(a.body)})
}

func hash(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// pageFacts reads a page.
func pageFacts(doc *goquery.Document) (all []fact) {
	main := doc.Find("main")
	main.Find(".d-md-none, td .visually-hidden, svg, button").Remove()
	add := func(label, value string) {
		if value = folded(value); value != "" && label != "" {
			all = append(all, fact{label, value})
		}
	}
	each := func(css string, read func(s *goquery.Selection)) {
		main.Find(css).Each(func(_ int, s *goquery.Selection) { read(s) })
	}
	each("h1", func(s *goquery.Selection) { add("título", s.Text()) })
	each("#caso h1 ~ span", func(s *goquery.Selection) { add("subtítulo", s.Text()) })
	each("[role=status]", func(s *goquery.Selection) { add("mensagem", s.Text()) })
	each("#veredito strong", func(s *goquery.Selection) { add("veredito", s.Text()) })
	each("#corrente b", func(s *goquery.Selection) { add("corrente", s.Text()) })
	each("section > header h2", func(s *goquery.Selection) { add(folded(s.Text()), s.SiblingsFiltered("span").Text()) })
	each(`section[aria-label="Situação"] p`, func(s *goquery.Selection) { add("aviso", s.Text()) })
	each(`section[aria-label^="Autorização"] p`, func(s *goquery.Selection) { add("aviso da autorização", s.Text()) })
	each("dt", func(s *goquery.Selection) { add(folded(s.Text()), s.NextFiltered("dd").Text()) })
	each("#tempo li", func(s *goquery.Selection) { add("linha do tempo", s.Text()) })
	each(`aside .items > .own-draft`, func(s *goquery.Selection) { add("rascunho", s.ChildrenFiltered("a, span, small").Text()) })
	each("span.user-select-all", func(s *goquery.Selection) { add("identificador", s.Text()) })
	each("table", func(s *goquery.Selection) { tableFacts(s, add) })
	each("form input, form select, form textarea", func(s *goquery.Selection) { fieldFacts(s, add) })
	each("a[href], iframe[src]", func(s *goquery.Selection) { add("arquivo", file(s)) })
	return all
}

// tableFacts gives each cell under the heading of its column. Where a long list has nothing to
// say, the style sheet draws a dash.
func tableFacts(table *goquery.Selection, add func(label, value string)) {
	heads := table.Find("thead th").Map(func(_ int, s *goquery.Selection) string { return folded(s.Text()) })
	table.Find("tbody tr").Each(func(_ int, row *goquery.Selection) {
		row.Find("td").Each(func(i int, cell *goquery.Selection) {
			if i >= len(heads) {
				return
			}
			text := cell.Text()
			if text == "" && table.HasClass("lean-table") && i < len(heads)-1 {
				text = "–"
			}
			add(heads[i], text)
		})
		add("linha", row.Find("td a[href]").First().AttrOr("href", ""))
	})
}

// fieldFacts gives what stands in a field; of a secret, what is said in its place.
func fieldFacts(field *goquery.Selection, add func(label, value string)) {
	name := field.AttrOr("name", "")
	_, checked := field.Attr("checked")
	switch kind := field.AttrOr("type", ""); {
	case kind == "hidden" || kind == "file":
	case kind == "password":
		add(name, field.AttrOr("placeholder", ""))
	case kind == "checkbox" || kind == "radio":
		if checked {
			add(name, field.AttrOr("value", ""))
		}
	case goquery.NodeName(field) == "select":
		add(name, field.Find("option[selected]").AttrOr("value", ""))
	case goquery.NodeName(field) == "textarea":
		add(name, strings.ReplaceAll(field.Text(), "\n", " / "))
	default:
		add(name, field.AttrOr("value", ""))
	}
}

// file is the address of a guide or an attachment that a link leads to.
func file(link *goquery.Selection) string {
	address, _, _ := strings.Cut(link.AttrOr("href", link.AttrOr("src", "")), "#")
	if path, number, ok := strings.Cut(address, "?guia="); ok {
		return path + "/guias/" + number
	}
	address, _, _ = strings.Cut(address, "?")
	if strings.Contains(address, "/guias/") || strings.Contains(address, "/anexos/") {
		return address
	}
	return ""
}

// since is how long ago something was, which says nothing about what is stored.
var since = regexp.MustCompile(`(,? )?(há \d+ (min|h \d\d|dias?)|agora)`)

func folded(text string) string {
	return strings.Join(strings.Fields(since.ReplaceAllString(strings.Join(strings.Fields(text), " "), "")), " ")
}

// jsonFacts reads an answer of the service: the path of each value without the
// places in lists, of a PDF its hash.
func jsonFacts(path string, v any) (all []fact) {
	switch v := v.(type) {
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		sort.Strings(names)
		for _, name := range names {
			all = append(all, jsonFacts(strings.TrimPrefix(path+"."+name, "."), v[name])...)
		}
		return all
	case []any:
		for _, element := range v {
			all = append(all, jsonFacts(path, element)...)
		}
		return all
	case string:
		if pdf, err := base64.StdEncoding.DecodeString(v); err == nil && bytes.HasPrefix(pdf, []byte("%PDF")) {
			return []fact{{path, "PDF " + hash(pdf)}}
		}
		return []fact{{path, v}}
	}
	return []fact{{path, fmt.Sprint(v)}}
}
