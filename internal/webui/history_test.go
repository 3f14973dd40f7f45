package webui_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

// search posts a filter and returns the page it leads to.
func search(v *apptest.Client, form url.Values) *apptest.Page {
	v.T.Helper()
	got := v.Post("/historico", form)
	if got.Status != http.StatusOK || !strings.HasPrefix(got.Path, "/historico/") {
		v.T.Fatalf("POST /historico %v: %d at %s", form, got.Status, got.Path)
	}
	return got
}

// rows returns the names of the history's rows.
func rows(a *apptest.Page) []string {
	a.T.Helper()
	return a.Find("table.history-table tbody td:nth-child(2) a").Map(func(_ int, s *goquery.Selection) string { return s.Text() })
}

func TestHistory(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	v := p.LogIn(t, apptest.Reception)
	one := v.SubmitWith(map[string]string{"nomeBeneficiario": "Marta d'Ávila", "numeroCarteira": "0310 0045 1206 3345"})
	v.SubmitWith(map[string]string{"nomeBeneficiario": "José Ângelo", "numeroCarteira": "99990400"})
	password := one.Text(".key-facts dd")
	if !strings.HasPrefix(password, "SIM") {
		t.Fatalf("the case shows no senha: %q", password)
	}
	password, _, _ = strings.Cut(password, " ")

	t.Run("NewestFirst", func(t *testing.T) {
		got := v.Get("/historico")
		if want := []string{"José Ângelo", "Marta d'Ávila"}; !slices.Equal(rows(got), want) {
			t.Errorf("got %v, want %v", rows(got), want)
		}
		if got.Text("nav[aria-label=Principal] [aria-current]") != "Histórico" {
			t.Error("the tab is not the current one")
		}
		if !strings.Contains(got.Text("body"), "SIMULAÇÃO") {
			t.Error("simulated answers without the banner")
		}
	})
	for name, text := range map[string]string{
		"Apostrophe": "d'Ávila", "WithoutAccent": "avila", "CardInGroups": "0310 0045", "WholeCard": "0310004512063345", "Password": password,
	} {
		t.Run("Text"+name, func(t *testing.T) {
			got := search(v, url.Values{"texto": {text}})
			if rows := rows(got); !slices.Equal(rows, []string{"Marta d'Ávila"}) {
				t.Errorf("%s: got %v, want Marta", text, rows)
			}
			if got.Value("#texto") != text {
				t.Errorf("the field holds %q, want %q", got.Value("#texto"), text)
			}
		})
	}
	t.Run("Filters", func(t *testing.T) {
		page := v.Get("/historico")
		option := func(css, label string) string {
			value, _ := page.Find(css + " option").FilterFunction(func(_ int,
				s *goquery.Selection) bool {
				return s.Text() == label
			}).Attr("value")
			return value
		}
		for _, form := range []url.Values{
			{"situacao": {"neg"}}, {"situacao": {"N"}}, {"situacao": {"neg"}, "usuario": {option("#usuario", "Ana Prado")},
				"operadora": {option("#operadora", "Aroeira Planos")},
				"unidade":   {option("#unidade", page.Find("#unidade option").Eq(1).Text())}},
		} {
			if rows := rows(search(v, form)); !slices.Equal(rows, []string{"José Ângelo"}) {
				t.Errorf("%v: got %v, want José Ângelo", form, rows)
			}
		}
		if rows := rows(search(v, url.Values{"ate": {"31/12/2019"}})); len(rows) != 0 {
			t.Errorf("before the first case: got %v, want none", rows)
		}
	})
	t.Run("NothingAsked", func(t *testing.T) {
		if got := v.Post("/historico", url.Values{"texto": {"  "}, "situacao": {""}}); got.Path != "/historico" || len(rows(got)) != 2 {
			t.Errorf("got %s with %v, want all at /historico", got.Path, rows(got))
		}
	})
	t.Run("Guide", func(t *testing.T) {
		page := search(v, url.Values{"texto": {"avila"}})
		href, _ := page.Find("table.history-table a[download]").Attr("href")
		got := v.Get(href)
		if !strings.HasPrefix(string(got.Body), "%PDF-") || !strings.HasPrefix(got.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("GET %s: %d, %q, want a PDF to save", href, got.Status, got.Header.Get("Content-Disposition"))
		}
		link, _ := page.Find("table.history-table td:nth-child(2) a").Attr("href")
		if link != one.Path {
			t.Errorf("the row leads to %s, want %s", link, one.Path)
		}
	})
	t.Run("NothingTypedLeaks", func(t *testing.T) {
		got := search(v, url.Values{"texto": {"zuleide-marcada"}})
		if strings.Contains(got.Path, "zuleide") || p.Log.Contains("zuleide") {
			t.Errorf("what was typed stands in the address or in a log: %s", got.Path)
		}
	})
}

func TestHistory_WrongFilter(t *testing.T) {
	t.Parallel()
	v := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	got := v.Post("/historico", url.Values{"de": {"31/02/2026"}, "ate": {"20/11/2026"}, "texto": {"Helena"}, "situacao": {"neg"}})
	if got.Status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", got.Status)
	}
	for css, want := range map[string]string{"#de": "31/02/2026", "#ate": "20/11/2026", "#texto": "Helena", "#situacao": "neg"} {
		if got.Value(css) != want {
			t.Errorf("%s holds %q, want %q", css, got.Value(css), want)
		}
	}
	if got.Count("#erros a[href='#de']") != 1 || got.Text("#de-error") == "" || !strings.HasPrefix(got.Text("title"), "Erro: ") {
		t.Errorf("summary %q, message %q, title %q", got.Text("#erros"), got.Text("#de-error"), got.Text("title"))
	}
}

// Whatever is typed is a page, and never ours to blame.
func TestHistory_Typed(t *testing.T) {
	t.Parallel()
	v := apptest.Start(t, apptest.Options{}).LogIn(t, apptest.Reception)
	for _, text := range []string{
		`"`, `'; DROP TABLE history; --`, "NEAR(", "NEAR(a b, 2)", "names : x", "a*b^c", "(((", "AND OR NOT", "🫀🫀",
		"\u202eabc", "a\x00b", "\xff\xfe", "%00", "0011-2233",
		strings.Repeat("á", 5000), strings.Repeat("1 ", 2499) + "1",
	} {
		if got := v.Post("/historico", url.Values{"texto": {text}}); got.Status != http.StatusOK {
			t.Errorf("%.40q: got %d, want 200", text, got.Status)
		}
	}
	for _, text := range []string{strings.Repeat("á", 5001), strings.Repeat("a ", 5000)} {
		if got := v.Post("/historico", url.Values{"texto": {text}}); got.Status != http.StatusUnprocessableEntity {
			t.Errorf("%d characters: got %d, want 422", len([]rune(text)), got.Status)
		}
	}
}

func TestHistory_Rights(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana, celia, rui := p.LogIn(t, apptest.Reception), p.LogIn(t, apptest.Supervision), p.LogIn(t, apptest.Administration)
	ana.SubmitWith(map[string]string{"nomeBeneficiario": "Da unidade dela", "numeroCarteira": "0310004512063345"})
	address, form := celia.NewDraft()
	page := celia.Get(address)
	if page.Status != http.StatusOK {
		page = celia.Get("/nova")
	}
	units := page.Find(`#unidadeId option[value!=""]`)
	if units.Length() < 2 {
		t.Fatal("the demo has one unit only")
	}
	other := units.Eq(1).AttrOr("value", "")
	form.Set("unidadeId", other)
	form.Set("pontoAtendimentoId", page.Find(`#pontoAtendimentoId option[data-for-value="`+other+`"]`).First().AttrOr("value", ""))
	form.Set("nomeBeneficiario", "De outra unidade")
	foreign := celia.Submit(address, form)

	t.Run("UnitsOnly", func(t *testing.T) {
		if rows := rows(ana.Get("/historico")); !slices.Equal(rows, []string{"Da unidade dela"}) {
			t.Errorf("recepção: got %v", rows)
		}
		if rows := rows(search(ana, url.Values{"texto": {"outra"}})); len(rows) != 0 {
			t.Errorf("recepção by words: got %v, want none", rows)
		}
		if rows := rows(search(ana, url.Values{"unidade": {other}})); len(rows) != 0 {
			t.Errorf("recepção by unit: got %v, want none", rows)
		}
		if rows := rows(celia.Get("/historico")); !slices.Equal(rows, []string{"De outra unidade", "Da unidade dela"}) {
			t.Errorf("supervisão: got %v", rows)
		}
	})
	t.Run("CursorBeyondReach", func(t *testing.T) {
		uid := strings.TrimPrefix(foreign.Path, "/casos/")
		for _, query := range []string{uid, "x", "01970000-0000-7000-8000-000000000001"} {
			if got := ana.Get("/historico?antes=" + query); got.Status != http.StatusNotFound {
				t.Errorf("?antes=%s: got %d, want 404", query, got.Status)
			}
		}
	})
	t.Run("FilterOfAnother", func(t *testing.T) {
		path := search(ana, url.Values{"texto": {"dela"}}).Path
		if got := ana.Get(path); got.Status != http.StatusOK {
			t.Errorf("her own again: got %d, want 200", got.Status)
		}
		if got := celia.Get(path); got.Status != http.StatusNotFound {
			t.Errorf("another's: got %d, want 404", got.Status)
		}
	})
	t.Run("Administration", func(t *testing.T) {
		for _, got := range []*apptest.Page{rui.Get("/historico"), rui.Post("/historico", url.Values{"texto": {"dela"}}),
			rui.Get("/historico/01970000-0000-4000-8000-000000000001")} {
			if got.Status != http.StatusForbidden {
				t.Errorf("got %d, want 403", got.Status)
			}
		}
		if got := rui.Get("/ajuda"); got.Count("[role=search], a[href='/historico']") != 0 {
			t.Error("an administrator is offered the history")
		}
	})
	t.Run("Audited", func(t *testing.T) {
		path := search(ana, url.Values{"texto": {"dela"}}).Path
		trail := p.Trail(t)
		got := trail[len(trail)-1]
		if got.Name != "historico.buscado" || "/historico/"+got.ObjectID != path || got.Detail != "" {
			t.Errorf("last entry: got %+v, want the search at %s without words", got, path)
		}
	})
}

// Pages lead through all cases, each shown once.
func TestHistory_Pages(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	p.AddCases(t, 120)
	v := p.LogIn(t, apptest.Reception)
	for name, path := range map[string]string{"All": "/historico", "Filtered": search(v, url.Values{"texto": {"tsh"}}).Path} {
		t.Run(name, func(t *testing.T) {
			var seen []string
			var sizes []int
			for next := path; next != ""; {
				page := v.Get(next)
				hrefs := page.Find(".history-table td:nth-child(2) a").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("href", "") })
				seen, sizes = append(seen, hrefs...), append(sizes, len(hrefs))
				if first := page.Count("nav[aria-label=Páginas] a[href='" + path + "']"); (first == 1) != (len(sizes) > 1) {
					t.Errorf("page %d: %d links to the first page", len(sizes), first)
				}
				next = page.Find("nav[aria-label=Páginas] a[href*='antes=']").AttrOr("href", "")
			}
			slices.Sort(seen)
			if len(slices.Compact(seen)) != 120 || !slices.Equal(sizes, []int{50, 50, 20}) {
				t.Errorf("got %d cases on pages of %v, want 120 on 50, 50, 20", len(seen), sizes)
			}
		})
	}
}
