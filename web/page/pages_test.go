package page_test

import (
	"testing"

	"guiche/web/page"
)

func TestPagesOf(t *testing.T) {
	for name, c := range map[string]struct {
		number, total int
		want          page.Pages
	}{
		"None":   {1, 0, page.Pages{}},
		"One":    {1, 50, page.Pages{}},
		"First":  {1, 51, page.Pages{Position: "1 a 50 de 51", Next: 2}},
		"Last":   {2, 51, page.Pages{Position: "51 a 51 de 51", Previous: 1}},
		"Middle": {2, 150, page.Pages{Position: "51 a 100 de 150", Previous: 1, Next: 3}},
		"Beyond": {9, 51, page.Pages{Position: "nada além de 51", Previous: 2}},
	} {
		if got := page.PagesOf(c.number, 50, c.total); got != c.want {
			t.Errorf("%s: got %+v, want %+v", name, got, c.want)
		}
	}
}
