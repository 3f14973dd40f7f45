package webui

import (
	"mime"
	"net/http"
	"time"

	"guiche/internal/desk"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// serveFile writes a file that people or operators handed in: shown inside our
// pages, or offered for saving with ?baixar=1.
func (s *deskHandlers) serveFile(c echo.Context, open func(uid uuid.UUID) (desk.File, error)) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	file, err := open(uid)
	if err != nil {
		return err
	}
	defer file.Close()
	h := c.Response().Header()
	fileHeaders(h)
	h.Set("Content-Type", file.ContentType)
	disposition := "inline"
	if c.QueryParam("baixar") == "1" {
		disposition = "attachment"
	}
	h.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": file.Name}))
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, file)
	return nil
}
