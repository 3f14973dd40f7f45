package console

import (
	"net/http"
	"strconv"

	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// traffic serves GET /servico/trafego; to htmx the part that refreshes itself.
func (k *console) traffic(c echo.Context) (err error) {
	found, err := k.Traffic(c.Request().Context())
	if err != nil {
		return err
	}
	view := page.TrafficView{Since: k.web.When(found.Since), InFlight: found.InFlight}
	for _, r := range found.Routes {
		row := page.TrafficRow{Route: r.Route, Total: r.Total}
		if r.Route == "/" {
			row.Route = "endereço desconhecido"
		}
		for _, s := range r.Statuses {
			row.Statuses = append(row.Statuses, page.TrafficStatus{Status: statusWord(s.Status), Count: count(s.Count, "vez", "vezes")})
		}
		view.Rows = append(view.Rows, row)
	}
	if c.Request().Header.Get("HX-Request") == "true" {
		return k.web.Render(c, http.StatusOK, page.TrafficBody(view))
	}
	if view.Page, err = k.web.Frame(c, "Tráfego"); err != nil {
		return err
	}
	return k.web.Render(c, http.StatusOK, page.TrafficPage(view))
}

// statusWord is a status as people read it.
func statusWord(status int) string {
	if status == 0 {
		return "cortado"
	}
	return strconv.Itoa(status)
}
