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

// serveFile writes a file that people or operators handed in, in the way in which the desk
// hands it out: to be shown inside our pages, or for saving.
func (s *deskHandlers) serveFile(c echo.Context, open func(uuid.UUID, desk.FileUse) (desk.File, error)) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	file, err := open(uid, fileUse(c))
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	h := c.Response().Header()
	fileHeaders(h)
	h.Set("Content-Type", file.ContentType)
	disposition := "inline"
	if file.Download {
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

// fileUse is what an address says of a file: that it is shown in the page of its case,
// offered for saving, or opened by itself.
func fileUse(c echo.Context) desk.FileUse {
	switch {
	case c.QueryParams().Has("baixar"):
		return desk.FileDownload
	case c.QueryParam("tela") == "1":
		return desk.FileOnScreen
	}
	return desk.FileOpen
}
