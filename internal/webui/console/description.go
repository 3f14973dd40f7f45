package console

import (
	"fmt"
	"net/http"

	"guiche/internal/service"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// description serves GET /servico/descricao: the service's own document, as a page
// that needs nobody else's host.
func (k *console) description(c echo.Context) error {
	view, err := describe(service.OpenAPI())
	if err != nil {
		return fmt.Errorf("console: read the description of the service: %w", err)
	}
	if view.Page, err = k.door.Frame(c, "Descrição do serviço"); err != nil {
		return err
	}
	return k.door.Render(c, http.StatusOK, page.DescriptionPage(view))
}
