package webui

import (
	"net/http"
	"regexp"

	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// openForm serves GET /casos/{uid}/{name}: the case with that form open, without it where
// there is nothing to be written in it.
func (s *deskHandlers) openForm(name string) echo.HandlerFunc {
	return func(c echo.Context) error {
		uid, err := paramUID(c, "uid")
		if err != nil {
			return err
		}
		typed, err := s.takeWritten(c)
		if err != nil {
			return err
		}
		if typed != nil {
			return s.reopenWritten(c, uid, typed, name)
		}
		found, err := s.Desk.Case(c.Request().Context(), s.actor(c), uid, 0)
		if err != nil {
			return err
		}
		if name != page.NoteForm && !found.CanReview() {
			return redirect(c, "/casos/"+uid.String())
		}
		view, err := s.caseView(c, found, found.OnScreen(0))
		if err != nil {
			return err
		}
		view.Notes.Open = name
		return s.showView(c, http.StatusOK, view, found)
	}
}

// addNote serves POST /casos/{uid}/anotar.
func (s *deskHandlers) addNote(c echo.Context) error {
	return s.write(c, page.NoteForm, func(uid uuid.UUID, f *form.Form) error {
		return s.Desk.AddNote(c.Request().Context(), s.actor(c), uid, f.Text(page.NoteForm+"-observacao"), f.Events())
	}, func(uid uuid.UUID) error { return s.backTo(c, uid, "Anotação guardada.") })
}

// recordReview serves POST /casos/{uid}/reanalise: that the operator was asked to look at a
// denial again.
func (s *deskHandlers) recordReview(c echo.Context) error {
	return s.write(c, page.ReviewForm, func(uid uuid.UUID, f *form.Form) error {
		return s.Desk.RecordReview(c.Request().Context(), s.actor(c), uid, f.Review(), f.Events())
	}, func(uid uuid.UUID) error {
		return s.backTo(c, uid, "Pedido de reanálise anotado. O caso espera a operadora em Aguardar; quando ela responder, registre o retorno.")
	})
}

// concludePrivate serves POST /casos/{uid}/particular: the patient pays, and the case leaves
// the queue.
func (s *deskHandlers) concludePrivate(c echo.Context) error {
	return s.write(c, page.PrivateForm, func(uid uuid.UUID, f *form.Form) error {
		return s.Desk.ConcludePrivate(c.Request().Context(), s.actor(c), uid, f.Text(page.PrivateForm+"-observacao"), f.Events())
	}, func(uid uuid.UUID) error { return s.afterConcluding(c, uid) })
}

// concludeCase serves POST /casos/{uid}/concluir, and leads on to the queue; to the case where it stands otherwise than
// was seen.
func (s *deskHandlers) concludeCase(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	err = s.Desk.ConcludeSeen(c.Request().Context(), s.actor(c), uid, c.FormValue(page.SeenField))
	if problem.Is(err, problem.Conflict) {
		return s.tooLate(c, uid, err)
	}
	if err != nil {
		return err
	}
	return s.afterConcluding(c, uid)
}

// rowOfQueue is what names a row of the queue in an address.
var rowOfQueue = regexp.MustCompile(`^c[A-Za-z0-9_-]{1,40}$`)

// queuePlace is the address of the queue from which a case was concluded, where it goes on.
func queuePlace(c echo.Context) string {
	to, group := "/fila", c.FormValue("grupo")
	if groupOf(group) != 0 {
		to += "?grupo=" + group
	}
	if row := c.FormValue("linha"); rowOfQueue.MatchString(row) {
		to += "#" + row
	}
	return to
}

// afterConcluding leads to the queue, which says what was done and how to take it back.
func (s *deskHandlers) afterConcluding(c echo.Context, uid uuid.UUID) error {
	const words = "Pedido concluído e fora da fila. Ele está em Encerrado e no histórico."
	if err := s.flashUndo(c, words, "/casos/"+uid.String()+"/reabrir"); err != nil {
		return err
	}
	return redirect(c, queuePlace(c))
}

// reopenCase serves POST /casos/{uid}/reabrir: it was concluded by mistake.
func (s *deskHandlers) reopenCase(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	if err := s.Desk.Reopen(c.Request().Context(), s.actor(c), uid); err != nil {
		return err
	}
	return s.backTo(c, uid, "Conclusão desfeita. O pedido está de volta na fila.")
}

// backTo leads to a case, which says what was done.
func (s *deskHandlers) backTo(c echo.Context, uid uuid.UUID, words string) error {
	return s.redirectTelling(c, "/casos/"+uid.String(), words)
}

// write does what a form on a case says. A form in which something is wrong is shown again as
// it was typed; where the case stands otherwise by now, as a note.
func (s *deskHandlers) write(c echo.Context, name string, do func(uuid.UUID, *form.Form) error, then func(uuid.UUID) error) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	f, err := posted(c)
	if err != nil {
		return err
	}
	err = do(uid, f)
	for _, p := range problem.FieldsOf(err) {
		p.Path = name + "-" + p.Path
		f.Add(p)
	}
	switch {
	case f.Invalid():
		return s.showWritten(c, uid, f, name, http.StatusUnprocessableEntity)
	case problem.Is(err, problem.Conflict):
		return s.showAsNote(c, uid, f, name)
	case err != nil:
		return err
	}
	return then(uid)
}

// showAsNote offers to keep as a note what was typed into a form that the case no longer takes.
func (s *deskHandlers) showAsNote(c echo.Context, uid uuid.UUID, f *form.Form, name string) error {
	f.Refuse("", string(problem.Conflict), "Este pedido mudou, e isso já não cabe. O que foi digitado pode ser guardado como anotação.")
	f.Set(page.NoteForm+"-observacao", f.Text(name+"-observacao"))
	return s.showWritten(c, uid, f, page.NoteForm, http.StatusConflict)
}

// showWritten shows a case with a form as it was typed.
func (s *deskHandlers) showWritten(c echo.Context, uid uuid.UUID, f *form.Form, name string, status int) error {
	found, err := s.Desk.Case(c.Request().Context(), s.actor(c), uid, 0)
	if err != nil {
		return err
	}
	view, err := s.caseView(c, found, found.OnScreen(0))
	if err != nil {
		return err
	}
	view.Notes.Fields, view.Notes.Open = fieldsOf(f), name
	return s.showView(c, status, view, found)
}
