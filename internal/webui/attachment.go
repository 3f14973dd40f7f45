package webui

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"

	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// upload is what one multipart request brought.
type upload struct {
	fields   url.Values // what was typed, when the whole form came along
	saved    bool
	draft    uuid.UUID
	accepted []desk.Attachment
	refused  []page.Attachment
	conflict bool
}

// attach serves POST /nova/{uid}/anexos: from the page one file at a time, and
// without a script the whole form with its files. Files are stored as they pass.
func (s *server) attach(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, s.Uploads.MaxTotal+maxFormBytes)
	parts, err := r.MultipartReader()
	if err != nil {
		return problem.Wrap(problem.Unreadable, "Não deu para ler o arquivo enviado.", err)
	}
	up := &upload{fields: url.Values{}, draft: uid}
	if err := s.readParts(c, parts, up); err != nil {
		return uploadError(err)
	}
	return s.showUpload(c, up)
}

func uploadError(err error) error {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return problem.Wrap(problem.TooLarge, "", err)
	case errors.Is(err, io.ErrUnexpectedEOF):
		return problem.Wrap(problem.Unreadable, "O envio do arquivo foi interrompido.", err)
	}
	return err
}

func (s *server) readParts(c echo.Context, parts *multipart.Reader, up *upload) error {
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			return s.saveTyped(c, up)
		}
		if err != nil {
			return err
		}
		if part.FileName() == "" {
			err = readField(part, up.fields)
		} else if err = s.saveTyped(c, up); err == nil {
			err = s.storeFile(c, part, up)
		}
		if err != nil {
			return err
		}
	}
}

func readField(part *multipart.Part, fields url.Values) error {
	value, err := io.ReadAll(io.LimitReader(part, maxFormBytes))
	if err != nil {
		return err
	}
	if part.FormName() != "arquivo" { // an empty file field
		fields.Add(part.FormName(), string(value))
	}
	return nil
}

// saveTyped keeps what was typed before the first file is looked at, so that a
// refused file loses nothing.
func (s *server) saveTyped(c echo.Context, up *upload) error {
	if up.saved || !up.fields.Has("versao") {
		return nil
	}
	up.saved = true
	in := fromValues(up.fields)
	_, err := s.Desk.SaveDraft(c.Request().Context(), s.actor(c), up.draft, in.form, in.version)
	if problem.Is(err, problem.Conflict) {
		up.conflict = true
		return nil
	}
	return err
}

// storeFile hands one file to the desk; a refusal becomes a row that says why.
func (s *server) storeFile(c echo.Context, part *multipart.Part, up *upload) error {
	stored, err := s.Desk.Attach(c.Request().Context(), s.actor(c), up.draft, part.FileName(), part)
	if p, ok := asProblem(err); ok && (p.Code == problem.Invalid || p.Code == problem.TooLarge || p.Code == problem.Unsupported) {
		up.refused = append(up.refused, page.Attachment{Name: part.FileName(), Problem: p.Message})
		return nil
	}
	if err != nil {
		return err
	}
	up.accepted = append(up.accepted, stored)
	return nil
}

func (s *server) showUpload(c echo.Context, up *upload) error {
	status := http.StatusOK
	if len(up.refused) > 0 {
		status = http.StatusUnprocessableEntity
	}
	if isHTMX(c) {
		rows := append(attachments(up.accepted), up.refused...)
		if len(rows) != 1 {
			return problem.New(problem.Unreadable, "Envie um arquivo de cada vez.")
		}
		return s.render(c, status, page.AttachmentItem(up.draft.String(), rows[0]))
	}
	draft, err := s.Desk.Draft(c.Request().Context(), s.actor(c), up.draft)
	if problem.Is(err, problem.NotFound) { // nothing was typed and nothing accepted
		draft, err = desk.Draft{UID: up.draft, Form: fromValues(up.fields).form}, nil
	}
	if err != nil {
		return err
	}
	if up.conflict {
		return s.draftConflict(c, up.draft, fromValues(up.fields), draft)
	}
	return s.showForm(c, status, formState{draft: draft, refused: up.refused})
}

// removeAttachment serves POST /nova/{uid}/anexos/{anexo}/remover; without a
// script the whole form comes along and is kept.
func (s *server) removeAttachment(c echo.Context) error {
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
	saved, err := s.Desk.SaveDraft(ctx, actor, draft, in.form, in.version)
	if problem.Is(err, problem.Conflict) {
		return s.draftConflict(c, draft, in, saved)
	}
	if err != nil {
		return err
	}
	return s.showForm(c, http.StatusOK, formState{draft: saved})
}

// draftAttachment serves GET /nova/{uid}/anexos/{anexo}: the preview.
func (s *server) draftAttachment(c echo.Context) error {
	return s.serveFile(c, func(uid uuid.UUID) (desk.File, error) {
		file, err := paramUID(c, "anexo")
		if err != nil {
			return desk.File{}, err
		}
		return s.Desk.DraftAttachment(c.Request().Context(), s.actor(c), uid, file)
	})
}

// caseAttachment serves GET /casos/{uid}/anexos/{anexo}.
func (s *server) caseAttachment(c echo.Context) error {
	return s.serveFile(c, func(uid uuid.UUID) (desk.File, error) {
		file, err := paramUID(c, "anexo")
		if err != nil {
			return desk.File{}, err
		}
		return s.Desk.CaseAttachment(c.Request().Context(), s.actor(c), uid, file)
	})
}

// guide serves GET /casos/{uid}/guias/{indice}.
func (s *server) guide(c echo.Context) error {
	return s.serveFile(c, func(uid uuid.UUID) (desk.File, error) {
		index, err := strconv.Atoi(c.Param("indice"))
		if err != nil {
			return desk.File{}, problem.New(problem.NotFound, "")
		}
		return s.Desk.OpenGuide(c.Request().Context(), s.actor(c), uid, index)
	})
}
