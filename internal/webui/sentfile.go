package webui

import (
	"net/http"

	"guiche/internal/desk"
	"guiche/internal/document"
	"guiche/internal/problem"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// sentFiles shows what went with cases and can be used again in a draft.
func (s *deskHandlers) sentFiles(c echo.Context, d desk.Draft, cases []desk.CaseSummary) (shown []page.SentFile, err error) {
	found, err := s.Desk.SentFiles(c.Request().Context(), s.actor(c), d, cases)
	for _, f := range found {
		shown = append(shown, page.SentFile{Value: f.Case.String() + "/" + f.UID.String(), Name: f.Name, Day: s.day(f.SentAt),
			Size: document.FormatSize(f.Size), Href: "/casos/" + f.Case.String() + "/anexos/" + f.UID.String()})
	}
	return shown, ignoringPassing(err)
}

// attachAgain serves POST /nova/{uid}/anexos/usar: a file of an earlier case goes into the
// draft. The whole form comes along and is kept.
func (s *deskHandlers) attachAgain(c echo.Context) error {
	return s.changeAttachments(c, func(draft uuid.UUID) error {
		file, err := sentFileOf(c)
		if err != nil {
			return err
		}
		_, err = s.Desk.AttachAgain(c.Request().Context(), s.actor(c), draft, file[0], file[1])
		return err
	})
}

// sentFileOf reads which file of which case was chosen: "{case}/{file}".
func sentFileOf(c echo.Context) (file [2]uuid.UUID, err error) {
	values, err := postedValues(c)
	if err != nil {
		return file, err
	}
	const length = 36
	chosen := values.Get("enviado")
	if len(chosen) != 2*length+1 {
		return file, problem.New(problem.NotFound, "")
	}
	for i, text := range []string{chosen[:length], chosen[length+1:]} {
		if file[i], err = uuid.Parse(text); err != nil {
			return file, problem.New(problem.NotFound, "")
		}
	}
	return file, nil
}

// joinPhotos serves POST /nova/{uid}/anexos/juntar: the photos become one PDF.
func (s *deskHandlers) joinPhotos(c echo.Context) error {
	return s.changeAttachments(c, func(draft uuid.UUID) error {
		return s.Desk.JoinPhotos(c.Request().Context(), s.actor(c), draft)
	})
}

// changeAttachments saves the form, changes its attachments and shows it, with what was refused
// beside them.
func (s *deskHandlers) changeAttachments(c echo.Context, change func(draft uuid.UUID) error) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	in, err := readForm(c)
	if err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), s.actor(c)
	saved, err := s.Desk.SaveDraft(ctx, actor, uid, in.Form, in.Version)
	if err != nil {
		return s.draftUnsaved(c, uid, in, saved, err)
	}
	refused := change(uid)
	told, ok := asProblem(refused)
	if refused != nil && (!ok || told.Message == "") {
		return refused
	}
	draft, err := s.Desk.Draft(ctx, actor, uid)
	if err != nil {
		return err
	}
	if refused == nil {
		return s.showForm(c, http.StatusOK, formState{draft: draft, attached: true})
	}
	status := http.StatusUnprocessableEntity
	if problem.Passing(refused) {
		status = statusOf(refused)
	}
	return s.showForm(c, status, formState{draft: draft, problems: []problem.Field{{Path: "anexos", Message: told.Message}}})
}
