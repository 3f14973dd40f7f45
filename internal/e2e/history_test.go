package e2e_test

import (
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/audit"
	"guiche/internal/keyfile"
	"guiche/internal/store/auditlog"

	"github.com/chromedp/chromedp/kb"
)

// search posts a filter and returns the page it leads to.
func (v *visitor) search(form url.Values) answer {
	v.t.Helper()
	got := v.post("/historico", form)
	if got.status != http.StatusOK || !strings.HasPrefix(got.path, "/historico/") {
		v.t.Fatalf("POST /historico %v: %d at %s", form, got.status, got.path)
	}
	return got
}

// rows returns the names of the history's rows.
func (a answer) rows() []string {
	a.t.Helper()
	return a.doc().Find("table.history-table tbody a.item-name").Map(func(_ int, s *selection) string { return s.Text() })
}

// mustSubmitFor submits a request for a person and returns the case's page.
func (v *visitor) mustSubmitFor(name, card string) answer {
	v.t.Helper()
	address, form := v.newDraft()
	form.Set("nomeBeneficiario", name)
	form.Set("numeroCarteira", card)
	return v.submit(address, form)
}

func TestHistory(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	v := MustVisit(t, p, "recepcao")
	one := v.mustSubmitFor("Marta d'Ávila", "0310 0045 1206 3345")
	v.mustSubmitFor("José Ângelo", "99990400")
	password := one.text(".key-facts dd")
	if !strings.HasPrefix(password, "SIM") {
		t.Fatalf("the case shows no senha: %q", password)
	}
	password, _, _ = strings.Cut(password, " ")

	t.Run("NewestFirst", func(t *testing.T) {
		got := v.get("/historico")
		if want := []string{"José Ângelo", "Marta d'Ávila"}; !slices.Equal(got.rows(), want) {
			t.Errorf("got %v, want %v", got.rows(), want)
		}
		if got.text("nav[aria-label=Principal] [aria-current]") != "Histórico" {
			t.Error("the tab is not the current one")
		}
		if !strings.Contains(got.text("body"), "SIMULAÇÃO") {
			t.Error("simulated answers without the banner")
		}
	})
	for name, text := range map[string]string{
		"Apostrophe": "d'Ávila", "WithoutAccent": "avila", "CardInGroups": "0310 0045", "WholeCard": "0310004512063345", "Password": password,
	} {
		t.Run("Text"+name, func(t *testing.T) {
			got := v.search(url.Values{"texto": {text}})
			if rows := got.rows(); !slices.Equal(rows, []string{"Marta d'Ávila"}) {
				t.Errorf("%s: got %v, want Marta", text, rows)
			}
			if got.value("#texto") != text {
				t.Errorf("the field holds %q, want %q", got.value("#texto"), text)
			}
		})
	}
	t.Run("Filters", func(t *testing.T) {
		page := v.get("/historico")
		option := func(css, label string) string {
			value, _ := page.doc().Find(css + " option").FilterFunction(func(_ int, s *selection) bool { return s.Text() == label }).Attr("value")
			return value
		}
		for _, form := range []url.Values{
			{"situacao": {"neg"}}, {"situacao": {"N"}}, {"situacao": {"neg"}, "usuario": {option("#usuario", "Ana Prado")}, "operadora": {option("#operadora", "Aroeira Planos")},
				"unidade": {option("#unidade", page.doc().Find("#unidade option").Eq(1).Text())}},
		} {
			if rows := v.search(form).rows(); !slices.Equal(rows, []string{"José Ângelo"}) {
				t.Errorf("%v: got %v, want José Ângelo", form, rows)
			}
		}
		if rows := v.search(url.Values{"ate": {"31/12/2019"}}).rows(); len(rows) != 0 {
			t.Errorf("before the first case: got %v, want none", rows)
		}
	})
	t.Run("NothingAsked", func(t *testing.T) {
		if got := v.post("/historico", url.Values{"texto": {"  "}, "situacao": {""}}); got.path != "/historico" || len(got.rows()) != 2 {
			t.Errorf("got %s with %v, want all at /historico", got.path, got.rows())
		}
	})
	t.Run("Guide", func(t *testing.T) {
		page := v.search(url.Values{"texto": {"avila"}})
		href, _ := page.doc().Find("table.history-table a[download]").Attr("href")
		got := v.get(href)
		if !strings.HasPrefix(string(got.body), "%PDF-") || !strings.HasPrefix(got.header.Get("Content-Disposition"), "attachment") {
			t.Errorf("GET %s: %d, %q, want a PDF to save", href, got.status, got.header.Get("Content-Disposition"))
		}
		link, _ := page.doc().Find("table.history-table a.item-name").Attr("href")
		if link != one.path {
			t.Errorf("the row leads to %s, want %s", link, one.path)
		}
	})
	t.Run("NothingTypedLeaks", func(t *testing.T) {
		got := v.search(url.Values{"texto": {"zuleide-marcada"}})
		if strings.Contains(got.path, "zuleide") || strings.Contains(p.logs.String(), "zuleide") {
			t.Errorf("what was typed stands in the address or in a log: %s", got.path)
		}
	})
}

func TestHistory_WrongFilter(t *testing.T) {
	t.Parallel()
	v := MustVisit(t, MustRun(t), "recepcao")
	got := v.post("/historico", url.Values{"de": {"31/02/2026"}, "ate": {"20/11/2026"}, "texto": {"Helena"}, "situacao": {"neg"}})
	if got.status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", got.status)
	}
	for css, want := range map[string]string{"#de": "31/02/2026", "#ate": "20/11/2026", "#texto": "Helena", "#situacao": "neg"} {
		if got.value(css) != want {
			t.Errorf("%s holds %q, want %q", css, got.value(css), want)
		}
	}
	if got.doc().Find("#erros a[href='#de']").Length() != 1 || got.text("#de-e") == "" || !strings.HasPrefix(got.text("title"), "Erro: ") {
		t.Errorf("summary %q, message %q, title %q", got.text("#erros"), got.text("#de-e"), got.text("title"))
	}
}

// Whatever is typed is a page, and never ours to blame.
func TestHistory_Typed(t *testing.T) {
	t.Parallel()
	v := MustVisit(t, MustRun(t), "recepcao")
	for _, text := range []string{
		`"`, `'; DROP TABLE history; --`, "NEAR(", "NEAR(a b, 2)", "names : x", "a*b^c", "(((", "AND OR NOT", "🫀🫀", "\u202eabc", "a\x00b", "\xff\xfe", "%00", "0011-2233",
		strings.Repeat("á", 5000), strings.Repeat("1 ", 2499) + "1",
	} {
		if got := v.post("/historico", url.Values{"texto": {text}}); got.status != http.StatusOK {
			t.Errorf("%.40q: got %d, want 200", text, got.status)
		}
	}
	for _, text := range []string{strings.Repeat("á", 5001), strings.Repeat("a ", 5000)} {
		if got := v.post("/historico", url.Values{"texto": {text}}); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%d characters: got %d, want 422", len([]rune(text)), got.status)
		}
	}
}

func TestHistory_Rights(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := MustRun(t, func(c *app.Config) { c.DataDir = folder })
	ana, celia, rui := MustVisit(t, p, "recepcao"), MustVisit(t, p, "supervisao"), MustVisit(t, p, "administracao")
	ana.mustSubmitFor("Da unidade dela", "0310004512063345")
	address, form := celia.newDraft()
	page := celia.get(address)
	if page.status != http.StatusOK {
		page = celia.get("/nova")
	}
	units := page.doc().Find(`#unidadeId option[value!=""]`)
	if units.Length() < 2 {
		t.Fatal("the demo has one unit only")
	}
	other := units.Eq(1).AttrOr("value", "")
	form.Set("unidadeId", other)
	form.Set("pontoAtendimentoId", page.doc().Find(`#pontoAtendimentoId option[data-for-value="`+other+`"]`).First().AttrOr("value", ""))
	form.Set("nomeBeneficiario", "De outra unidade")
	foreign := celia.submit(address, form)

	t.Run("UnitsOnly", func(t *testing.T) {
		if rows := ana.get("/historico").rows(); !slices.Equal(rows, []string{"Da unidade dela"}) {
			t.Errorf("recepção: got %v", rows)
		}
		if rows := ana.search(url.Values{"texto": {"outra"}}).rows(); len(rows) != 0 {
			t.Errorf("recepção by words: got %v, want none", rows)
		}
		if rows := ana.search(url.Values{"unidade": {other}}).rows(); len(rows) != 0 {
			t.Errorf("recepção by unit: got %v, want none", rows)
		}
		if rows := celia.get("/historico").rows(); !slices.Equal(rows, []string{"De outra unidade", "Da unidade dela"}) {
			t.Errorf("supervisão: got %v", rows)
		}
	})
	t.Run("CursorBeyondReach", func(t *testing.T) {
		uid := strings.TrimPrefix(foreign.path, "/casos/")
		for _, query := range []string{uid, "x", "01970000-0000-7000-8000-000000000001"} {
			if got := ana.get("/historico?antes=" + query); got.status != http.StatusNotFound {
				t.Errorf("?antes=%s: got %d, want 404", query, got.status)
			}
		}
	})
	t.Run("FilterOfAnother", func(t *testing.T) {
		path := ana.search(url.Values{"texto": {"dela"}}).path
		if got := ana.get(path); got.status != http.StatusOK {
			t.Errorf("her own again: got %d, want 200", got.status)
		}
		if got := celia.get(path); got.status != http.StatusNotFound {
			t.Errorf("another's: got %d, want 404", got.status)
		}
	})
	t.Run("Administration", func(t *testing.T) {
		for _, got := range []answer{rui.get("/historico"), rui.post("/historico", url.Values{"texto": {"dela"}}), rui.get("/historico/01970000-0000-4000-8000-000000000001")} {
			if got.status != http.StatusForbidden {
				t.Errorf("got %d, want 403", got.status)
			}
		}
		if got := rui.get("/ajuda"); got.doc().Find("[role=search], a[href='/historico']").Length() != 0 {
			t.Error("an administrator is offered the history")
		}
	})
	t.Run("Audited", func(t *testing.T) {
		path := ana.search(url.Values{"texto": {"dela"}}).path
		key, err := keyfile.Load(filepath.Join(folder, "keys", "audit.key"))
		if err != nil {
			t.Fatal(err)
		}
		entries, err := auditlog.New(mustOpenData(t, folder), audit.Key(key)).List(t.Context(), auditlog.Filter{Limit: 1})
		if err != nil {
			t.Fatal(err)
		}
		got := entries[0].Entry
		if got.Event != audit.HistorySearched || "/historico/"+got.ObjectID.String() != path || got.Detail != "" {
			t.Errorf("last entry: got %+v, want the search at %s without words", got, path)
		}
	})
}

// Pages lead through all cases, each shown once.
func TestHistory_Pages(t *testing.T) {
	t.Parallel()
	v := MustVisit(t, MustRunSeeded(t, t.TempDir(), 120), "recepcao")
	for name, path := range map[string]string{"All": "/historico", "Filtered": v.search(url.Values{"texto": {"tsh"}}).path} {
		t.Run(name, func(t *testing.T) {
			var seen []string
			var sizes []int
			for next := path; next != ""; {
				page := v.get(next)
				hrefs := page.doc().Find("table.history-table a.item-name").Map(func(_ int, s *selection) string { return s.AttrOr("href", "") })
				seen, sizes = append(seen, hrefs...), append(sizes, len(hrefs))
				if first := page.doc().Find("nav[aria-label=Páginas] a[href='" + path + "']").Length(); (first == 1) != (len(sizes) > 1) {
					t.Errorf("page %d: %d links to the first page", len(sizes), first)
				}
				next = page.doc().Find("nav[aria-label=Páginas] a[href*='antes=']").AttrOr("href", "")
			}
			slices.Sort(seen)
			if len(slices.Compact(seen)) != 120 || !slices.Equal(sizes, []int{50, 50, 20}) {
				t.Errorf("got %d cases on pages of %v, want 120 on 50, 50, 20", len(seen), sizes)
			}
		})
	}
}

// TestHistory_Keyboard finds a case from the queue without the mouse.
func TestHistory_Keyboard(t *testing.T) {
	t.Parallel()
	p := MustRun(t)
	v := MustVisit(t, p, "recepcao")
	v.mustSubmitFor("Helena Duarte", "0310004512063345")
	b := MustBrowse(t, p)
	b.logIn("recepcao")
	b.open("/fila")
	b.press(kb.F4)
	b.press("helena\r")
	b.see("table.history-table")
	if got := b.text("table.history-table a.item-name"); got != "Helena Duarte" {
		t.Errorf("found %q", got)
	}
	b.open("/nova")
	b.press(kb.F4)
	if got := b.focused(); got != "Busca" {
		t.Errorf("F4 on the form: focus on %q, want the operator's search", got)
	}
}
