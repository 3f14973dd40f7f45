package console_test

import (
	"net/http"
	"strings"
	"testing"

	"guiche/internal/apptest"

	"github.com/PuerkitoBio/goquery"
)

func TestConsole_Traffic(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	admin := p.LogIn(t, apptest.Administration)
	key := admin.Mint(t, admin.AddPartner("Contador")+"/chaves", nil, 1)[0]
	p.Partner(t, key).Credentials()
	p.Partner(t, "gch_errada").Credentials()
	p.Partner(t, key).Send(http.MethodGet, "/api/v9/nada", "", "")
	got := admin.Get("/servico/trafego")
	rows := map[string]string{}
	got.Find("tbody tr").Each(func(_ int, s *goquery.Selection) {
		rows[strings.TrimSpace(s.Find("td").First().Text())] = strings.Join(strings.Fields(s.Find("li").Text()), " ")
	})
	if rows["/api/v2/credenciais"] != "200 1 vez401 1 vez" || rows["endereço desconhecido"] != "404 1 vez" {
		t.Errorf("got %v", rows)
	}
	if piece := admin.Send(http.MethodGet, "/servico/trafego", "", nil,
		http.Header{"Hx-Request": {"true"}}); strings.Contains(string(piece.Body), "<html") || piece.Count("#trafego[hx-get]") != 1 {
		t.Error("htmx gets the whole page, or nothing that refreshes itself")
	}
}
