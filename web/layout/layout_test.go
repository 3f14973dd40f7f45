package layout_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"guiche/static"
	"guiche/web/layout"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"
)

func MustRender(tb testing.TB, p layout.Page) *goquery.Document {
	tb.Helper()
	var html bytes.Buffer
	ctx := templ.WithChildren(context.Background(), templ.Raw("<h1>corpo</h1>"))
	if err := layout.Base(p, templ.Raw(`<div class="action-bar"></div>`)).Render(ctx, &html); err != nil {
		tb.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&html)
	if err != nil {
		tb.Fatal(err)
	}
	return doc
}

func TestBase_Head(t *testing.T) {
	doc := MustRender(t, layout.Page{Title: "Fila", Failed: true, Theme: "dark"})
	if got, want := doc.Find("title").Text(), "Erro: Fila — Guichê"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := doc.Find("html").AttrOr("data-bs-theme", ""); got != "dark" {
		t.Errorf("got theme %q, want dark", got)
	}
	if _, ok := MustRender(t, layout.Page{}).Find("html").Attr("data-bs-theme"); ok {
		t.Error("without a theme the system chooses")
	}
	for selector, attr := range map[string]string{"link[rel=stylesheet]": "href", "script": "src"} {
		doc.Find(selector).Each(func(_ int, s *goquery.Selection) {
			if got := s.AttrOr(attr, ""); !strings.HasPrefix(got, static.Prefix) {
				t.Errorf("%s: got %q, want an address under %s", selector, got, static.Prefix)
			}
		})
	}
	// Plain scripts, htmx first: with defer it would start before ours.
	doc = MustRender(t, layout.Page{}.As(layout.Live))
	if got := doc.Find("head script").First().AttrOr("src", ""); got != static.Path("htmx.js") ||
		doc.Find("script[defer], script[async]").Length() != 0 {
		t.Errorf("got %q as the first script", got)
	}
	// What htmx 4 would reach for that the oldest browsers lack stays off.
	if got := doc.Find(`meta[name="htmx-config"]`).AttrOr("content", ""); !strings.Contains(got, "history:false") ||
		!strings.Contains(got, "includeIndicatorCSS:false") {
		t.Errorf("got htmx-config %q", got)
	}
}

// A page fetches what its kind can use.
func TestBase_Kinds(t *testing.T) {
	for kind, want := range map[layout.Kind]string{
		layout.Plain: "app.css app.js", layout.Live: "app.css htmx.js app.js", layout.Request: "form.css htmx.js form.js",
	} {
		var got []string
		MustRender(t, layout.Page{}.As(kind)).Find("link[rel=stylesheet], script").Each(func(_ int, s *goquery.Selection) {
			got = append(got, s.AttrOr("href", "")+s.AttrOr("src", ""))
		})
		var addresses []string
		for name := range strings.SplitSeq(want, " ") {
			addresses = append(addresses, static.Path(name))
		}
		if !slices.Equal(got, addresses) {
			t.Errorf("kind %d: got %q, want %q", kind, got, addresses)
		}
	}
}

func TestBase_Person(t *testing.T) {
	clerk := layout.Page{Tab: layout.NewTab, Person: &layout.Person{Name: "Ana Prado", Initials: "AP", Units: "Centro", Desk: true}}
	doc := MustRender(t, clerk)
	if got := doc.Find(".tabs a[aria-current=page]").AttrOr("href", ""); got != "/nova" {
		t.Errorf("got current tab %q, want /nova", got)
	}
	if got := doc.Find(".tabs a[data-shortcut=F2]").Length(); got != 1 {
		t.Errorf("got %d tabs on F2, want 1", got)
	}
	if doc.Find(`details[data-menu] form[method=post][action="/sair"] button`).Length() != 1 {
		t.Error("leaving is a form in the person's menu")
	}
	t.Run("WithoutDesk", func(t *testing.T) {
		clerk.Person.Desk = false
		if got := MustRender(t, clerk).Find(".tabs").Length(); got != 0 {
			t.Errorf("got %d tab bars for who does not work at the desk, want 0", got)
		}
	})
	t.Run("Administration", func(t *testing.T) {
		for standalone, want := range map[bool]string{
			false: "/pessoas /cadastros /servico/conexao /servico /auditoria", true: "/servico /pessoas /auditoria",
		} {
			p := layout.Page{Tab: layout.ServiceTab, Standalone: standalone, Person: &layout.Person{Name: "Rui Barreto", Admin: true}}
			doc := MustRender(t, p)
			hrefs := func(_ int, s *goquery.Selection) string { return s.AttrOr("href", "") }
			if got := strings.Join(doc.Find(".tabs a").Map(hrefs), " "); got != want {
				t.Errorf("standalone %t: got tabs %q, want %q", standalone, got, want)
			}
			if got := doc.Find(".tabs a[aria-current=page]").AttrOr("href", ""); got != "/servico" {
				t.Errorf("standalone %t: got current tab %q, want /servico", standalone, got)
			}
		}
	})
	t.Run("Menu", func(t *testing.T) {
		for admin, want := range map[bool]int{false: 0, true: 1} {
			clerk.Person.Admin = admin
			doc := MustRender(t, clerk)
			if got := doc.Find(`.menu a[href="/pessoas"]`).Length(); got != want {
				t.Errorf("administração %t: got %d links to people, want %d", admin, got, want)
			}
			if doc.Find(`.menu a[href="/conta"]`).Length() != 1 {
				t.Error("nobody gets to their own account")
			}
		}
	})
	t.Run("KeysOff", func(t *testing.T) {
		for off, want := range map[bool]string{false: "", true: "off"} {
			if got := MustRender(t, layout.Page{KeysOff: off}).Find("body").AttrOr("data-shortcuts", ""); got != want {
				t.Errorf("off %t: got data-shortcuts %q, want %q", off, got, want)
			}
		}
	})
	t.Run("Nobody", func(t *testing.T) {
		if got := MustRender(t, layout.Page{}).Find("header, nav").Length(); got != 0 {
			t.Errorf("got %d parts of the lintel outside a session, want 0", got)
		}
	})
}

func TestBase_Banners(t *testing.T) {
	for _, tt := range []struct {
		name string
		page layout.Page
		want string
	}{
		{"Simulated", layout.Page{Simulated: true}, "SIMULAÇÃO — sem valor."},
		{"InsecureHTTP", layout.Page{InsecureHTTP: true}, "Conexão sem proteção."},
		{"NoService", layout.Page{NoService: true}, "Falta configurar o serviço de autorização."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			doc := MustRender(t, tt.page)
			if got := doc.Find(".banner b").Text(); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	if got := MustRender(t, layout.Page{}).Find(".banner, .notice").Length(); got != 0 {
		t.Errorf("got %d banners, want 0", got)
	}
	if got := strings.TrimSpace(MustRender(t,
		layout.Page{Flash: "Rascunho descartado."}).Find("main .notice[role=status]").Text()); got != "Rascunho descartado." {
		t.Errorf("got flash %q", got)
	}
}
