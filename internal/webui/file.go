package webui

import (
	"mime"
	"net/http"
	"strconv"
	"time"

	"guiche/internal/desk"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// serveFile writes a file that people or operators handed in: as it may be shown inside
// our pages, or the original for saving with ?baixar=1.
func (s *deskHandlers) serveFile(c echo.Context, open func(uid uuid.UUID) (desk.File, error)) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	file, err := open(uid)
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	save := c.QueryParam("baixar") == "1"
	if !save {
		shown, err := s.Desk.Showable(c.Request().Context(), file)
		if err != nil {
			return err
		}
		file, save = shown, shown.Download
	}
	h := c.Response().Header()
	fileHeaders(h)
	h.Set("Content-Type", file.ContentType)
	disposition := "inline"
	if save {
		disposition = "attachment"
	}
	h.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": file.Name}))
	if file.Copy { // no two copies have the same bytes, so there are no parts of one
		h.Set("Content-Length", strconv.FormatInt(file.Size, 10))
		return c.Stream(http.StatusOK, file.ContentType, file)
	}
	http.ServeContent(c.Response(), c.Request(), "", time.Time{}, file)
	return nil
}
