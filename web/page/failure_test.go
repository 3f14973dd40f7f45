package page_test

import (
	"testing"

	"guiche/web/page"
)

func TestFailureOf(t *testing.T) {
	for status, want := range map[int]string{403: "Seu acesso não inclui esta página",
		404: "Não encontramos esta página", 418: "Algo falhou do nosso lado"} {
		got := page.FailureOf(status)
		if got.Heading != want || got.Title != want || got.Text == "" || got.Next.Href == "" {
			t.Errorf("%d: got %+v", status, got)
		}
	}
}

func TestFailurePage_NoDesk(t *testing.T) {
	m := page.NoDesk()
	m.Page = admin("Este endereço não tem balcão")
	doc := MustRender(t, page.FailurePage(m))
	wantText(t, doc, "h1", "Este endereço não tem balcão")
	wantAttr(t, doc, "main .btn", "href", "/conta")
	wantCount(t, doc, "p.code", 0)
}
