package console

import (
	"fmt"
	"net/http"
	"sync"

	"guiche/internal/service/api"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// described reads the document once: it is part of the program.
var described = sync.OnceValues(func() (page.DescriptionView, error) { return describe(api.OpenAPI()) })

// description serves GET and POST /servico/descricao: the service's own document,
// as a page that needs nobody else's host, whole or narrowed to some words.
func (k *console) description(c echo.Context) error {
	view, err := described()
	if err != nil {
		return fmt.Errorf("console: read the description of the service: %w", err)
	}
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	text := form.ReadSearch(values).Text
	if view = narrowed(view, text); view.Search != "" {
		view.Page, err = k.web.Frame(c, "Descrição do serviço: busca")
	} else {
		view.Page, err = k.web.Frame(c, "Descrição do serviço")
	}
	if err != nil {
		return err
	}
	return k.web.Render(c, http.StatusOK, page.DescriptionPage(view))
}
