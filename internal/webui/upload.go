package webui

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"

	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/internal/problem"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// upload is what one multipart request brought.
type upload struct {
	draft    uuid.UUID
	fields   url.Values // what was typed, when the whole form came along
	saved    bool
	unsaved  error // why what was typed could not be saved
	cut      bool  // the request passed its limit and was not read to its end
	accepted []desk.Attachment
	refused  []page.Attachment
	passing  error // why no file is taken for now
	store    func(name string, r io.Reader) (desk.Attachment, error)
}

// maxParts bounds a form with files. One with a hundred procedures has half as many fields; each file costs the disk
// some work, however small it is.
const maxParts = 1000

// walkUpload reads a multipart form: its fields are gathered, each file is handed
// on as it passes. No more than the limit of all attachments together is read.
func (s *deskHandlers) walkUpload(c echo.Context, fields url.Values, file func(*multipart.Part) error) error {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, s.Desk.Limits().MaxTotal+maxFormBytes)
	parts, err := r.MultipartReader()
	if err != nil {
		return problem.Wrap(problem.Unreadable, "Não deu para ler o arquivo enviado.", err)
	}
	for room, n := int64(maxFormBytes), 0; ; n++ {
		if n == maxParts {
			return problem.New(problem.TooLarge, "São arquivos demais de uma vez. Volte e escolha só os que vão com o pedido.")
		}
		part, err := parts.NextPart()
		if err == io.EOF { //nolint:errorlint // a wrapped EOF is a form without its end
			return endOfForm(r, fields)
		}
		if err != nil {
			return partError(err)
		}
		if part.FileName() != "" {
			err = file(part)
		} else {
			room, err = readField(part, fields, room)
		}
		if err != nil {
			return err
		}
	}
}

// partError tells a request that is too large from one that is no form.
func partError(err error) error {
	if isTooLarge(err) {
		return problem.Wrap(problem.TooLarge, "", err)
	}
	return unreadable(err, "O envio do arquivo foi interrompido.")
}

// endOfForm reads what comes after a multipart form, which is nothing of ours: at the end of the
// body it is known who sent it.
func endOfForm(r *http.Request, fields url.Values) error {
	if _, err := io.Copy(io.Discard, r.Body); err != nil {
		return partError(err)
	}
	return checkText(fields)
}

// isTooLarge reports whether a request passed the limit that was set for it.
func isTooLarge(err error) bool {
	var tooLarge *http.MaxBytesError
	return errors.As(err, &tooLarge)
}

// readField reads one field and returns how much room is left for others.
func readField(part *multipart.Part, fields url.Values, room int64) (int64, error) {
	value, err := io.ReadAll(io.LimitReader(part, room+1))
	if err != nil {
		return room, partError(err)
	}
	if room -= int64(len(value)); room < 0 {
		return room, textTooLong()
	}
	if part.FormName() != "arquivo" { // an empty file field
		fields.Add(part.FormName(), string(value))
	}
	return room, nil
}

// storeFile hands one file to the desk; a refusal becomes a row that says why.
func (s *deskHandlers) storeFile(part *multipart.Part, up *upload) error {
	stored, err := up.store(part.FileName(), part)
	refuse := func(why string) {
		up.refused = append(up.refused, page.Attachment{Name: document.CleanName(part.FileName()), Problem: why})
	}
	p, ok := asProblem(err)
	switch {
	case problem.Passing(err):
		up.passing = err
		fallthrough
	case ok && (p.Code == problem.Invalid || p.Code == problem.TooLarge || p.Code == problem.Unsupported):
		refuse(p.Message)
		return nil
	case isTooLarge(err):
		refuse("Não coube: os anexos de um pedido somam no máximo " + document.FormatSize(s.Desk.Limits().MaxTotal) + ".")
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return partError(err)
	case err != nil:
		return err
	}
	up.accepted = append(up.accepted, stored)
	return nil
}
