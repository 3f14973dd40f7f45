package webui

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// attach serves POST /nova/{uid}/anexos: from the page one file at a time, and
// without a script the whole form with its files. Files are stored as they pass.
func (s *deskHandlers) attach(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	up := &upload{fields: url.Values{}, draft: uid}
	up.store = func(name string, r io.Reader) (desk.Attachment, error) {
		put := s.Desk.Attach
		if up.fields.Has("unico") { // sent by a script, or by the browser itself, until there is an answer
			put = s.Desk.AttachOnce
		}
		return put(c.Request().Context(), s.actor(c), uid, name, r)
	}
	err = s.walkUpload(c, up.fields, func(part *multipart.Part) error {
		if err := s.saveTyped(c, up); err != nil {
			return err
		}
		return s.storeFile(part, up)
	})
	if up.cut = isTooLarge(err) && len(up.refused) > 0; up.cut {
		err = nil
	}
	if err == nil {
		err = s.saveTyped(c, up)
	}
	if err != nil {
		return err
	}
	return s.showUpload(c, up)
}

// saveTyped keeps what was typed before the first file is looked at, so that a
// refused file loses nothing.
func (s *deskHandlers) saveTyped(c echo.Context, up *upload) error {
	if up.saved || !up.fields.Has("versao") {
		return nil
	}
	up.saved = true
	in := form.ReadRequest(up.fields)
	_, err := s.Desk.SaveDraft(c.Request().Context(), s.actor(c), up.draft, in.Form, in.Version)
	if problem.Is(err, problem.Conflict) || problem.Is(err, problem.TooLarge) || problem.Passing(err) {
		up.unsaved = err
		return nil
	}
	return err
}

// status is 413 when the upload was cut at the size limit, that of why a file cannot be
// taken for now (507 when the disk is too full), 422 when a file was refused, and 200
// otherwise: the page that sent it reads the outcome from the status.
func (up *upload) status() int {
	switch {
	case up.cut:
		return http.StatusRequestEntityTooLarge
	case up.passing != nil:
		return statusOf(up.passing)
	case len(up.refused) > 0:
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}

// typedOver is what came before the request was cut, over what had been saved.
func (up *upload) typedOver(saved desk.Form) desk.Form {
	typed := form.ReadRequest(up.fields).Form
	for name, value := range saved.Values {
		if _, came := typed.Values[name]; !came {
			typed.Values[name] = value
		}
	}
	if len(typed.Procedures) == 0 {
		typed.Procedures = saved.Procedures
	}
	return typed
}

// showUpload answers an upload: to htmx with the one row of the file, otherwise with the
// whole form. What could not be saved stays on the screen all the same.
func (s *deskHandlers) showUpload(c echo.Context, up *upload) error {
	status := up.status()
	if isHTMX(c) {
		rows := append(s.attachments(c.Request().Context(), up.accepted), up.refused...)
		if len(rows) != 1 {
			return problem.New(problem.Unreadable, "Envie um arquivo de cada vez.")
		}
		return s.render(c, status, page.AttachmentItem(up.draft.String(), rows[0]))
	}
	draft, err := s.Desk.Draft(c.Request().Context(), s.actor(c), up.draft)
	if problem.Is(err, problem.NotFound) { // nothing was typed and nothing accepted
		draft, err = desk.Draft{UID: up.draft, Form: form.ReadRequest(up.fields).Form}, nil
	}
	if err != nil {
		return err
	}
	if up.cut && !up.saved {
		draft.Form = up.typedOver(draft.Form)
	}
	if up.unsaved != nil {
		return s.draftUnsaved(c, up.draft, form.ReadRequest(up.fields), draft, up.unsaved)
	}
	return s.showForm(c, status, formState{draft: draft, refused: up.refused})
}

// removeAttachment serves POST /nova/{uid}/anexos/{anexo}/remover; without a
// script the whole form comes along and is kept.
func (s *deskHandlers) removeAttachment(c echo.Context) error {
	draft, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	file, err := paramUID(c, "anexo")
	if err != nil {
		return err
	}
	in, err := readForm(c)
	if err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), s.actor(c)
	if err := s.Desk.RemoveAttachment(ctx, actor, draft, file); err != nil && !problem.Is(err, problem.NotFound) {
		return err
	}
	if isHTMX(c) {
		return c.HTML(http.StatusOK, "") // the row goes
	}
	saved, err := s.Desk.SaveDraft(ctx, actor, draft, in.Form, in.Version)
	if err != nil {
		return s.draftUnsaved(c, draft, in, saved, err)
	}
	return s.showForm(c, http.StatusOK, formState{draft: saved})
}

// draftAttachment serves GET /nova/{uid}/anexos/{anexo}: the preview.
func (s *deskHandlers) draftAttachment(c echo.Context) error {
	return s.serveFile(c, func(uid uuid.UUID, use desk.FileUse) (desk.File, error) {
		file, err := paramUID(c, "anexo")
		if err != nil {
			return desk.File{}, err
		}
		return s.Desk.DraftAttachment(c.Request().Context(), s.actor(c), uid, file, use)
	})
}

// caseAttachment serves GET /casos/{uid}/anexos/{anexo}.
func (s *deskHandlers) caseAttachment(c echo.Context) error {
	return s.serveFile(c, func(uid uuid.UUID, use desk.FileUse) (desk.File, error) {
		file, err := paramUID(c, "anexo")
		if err != nil {
			return desk.File{}, err
		}
		return s.Desk.CaseAttachment(c.Request().Context(), s.actor(c), uid, file, use)
	})
}

// guide serves GET /casos/{uid}/guias/{indice}: "0" is a PDF of the answer in force, "2.0"
// one of the second answer, whatever came after it.
func (s *deskHandlers) guide(c echo.Context) error {
	return s.serveFile(c, func(uid uuid.UUID, use desk.FileUse) (desk.File, error) {
		answer, place, past := strings.Cut(c.Param("indice"), ".")
		if !past {
			answer, place = "0", answer
		}
		n, wrong := strconv.Atoi(answer)
		index, err := strconv.Atoi(place)
		if err = errors.Join(wrong, err); err != nil {
			return desk.File{}, problem.New(problem.NotFound, "")
		}
		if past {
			return s.Desk.OpenPastGuide(c.Request().Context(), s.actor(c), uid, n, index, use)
		}
		return s.Desk.OpenGuide(c.Request().Context(), s.actor(c), uid, index, use)
	})
}
