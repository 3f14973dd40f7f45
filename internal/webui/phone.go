package webui

import (
	"errors"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"guiche/internal/desk"
	"guiche/internal/ingress"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// phoneRoute is the page that a phone without a login opens.
const phoneRoute = "/celular"

// phoneSuffix makes of the session cookie's name that of a phone.
const phoneSuffix = "-celular"

// phonePolicy is pagePolicy for a page that sends files by script and does nothing else.
const phonePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; " +
	"form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// askForPhone serves POST /nova/{uid}/celular: the form with a code that a phone reads.
// The whole form comes along and is kept.
func (s *deskHandlers) askForPhone(c echo.Context) error {
	return s.withForm(c, func(shown *formState) error {
		base := s.phoneBase(c.Request())
		if base == "" {
			return problem.New(problem.NotFound, "Nenhum celular alcança este endereço do Guichê.")
		}
		unit, err := s.draftUnit(c, shown.draft)
		if err != nil {
			return err
		}
		code, link, err := s.Desk.AskForPhone(c.Request().Context(), s.actor(c),
			desk.PhoneLink{Draft: shown.draft.UID, Session: s.sessionUID(c), Unit: unit})
		shown.phone = &phoneShown{PhoneLink: link, address: base + phoneRoute + "#" + code}
		return err
	})
}

// endPhone serves POST /nova/{uid}/celular/encerrar; the form is kept.
func (s *deskHandlers) endPhone(c echo.Context) error {
	return s.withForm(c, func(shown *formState) error {
		shown.attached = true
		return s.Desk.EndPhone(c.Request().Context(), s.actor(c), shown.draft.UID)
	})
}

// withForm keeps the posted form, unless nothing was typed into it, does something and
// shows the form.
func (s *deskHandlers) withForm(c echo.Context, do func(shown *formState) error) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	in, err := readForm(c)
	if err != nil {
		return err
	}
	shown, saved, err := s.keepForm(c, uid, in)
	if err != nil || !saved {
		return err
	}
	if err := do(&shown); err != nil {
		return err
	}
	return s.showForm(c, http.StatusOK, shown)
}

// keepForm saves a form. False says that it could not be saved, and was answered.
func (s *deskHandlers) keepForm(c echo.Context, uid uuid.UUID, in form.Request) (formState, bool, error) {
	shown := formState{draft: desk.Draft{UID: uid, Form: in.Form}}
	untouched, err := s.untouched(c, uid, in)
	if err != nil || untouched {
		return shown, err == nil, err
	}
	shown.draft, err = s.Desk.SaveDraft(c.Request().Context(), s.actor(c), uid, in.Form, in.Version)
	if err != nil {
		return shown, false, s.draftUnsaved(c, uid, in, shown.draft, err)
	}
	return shown, true, nil
}

// phoneBase is the address that a phone's begins with, "" where no other machine reaches
// this one.
func (s *server) phoneBase(r *http.Request) string {
	base := s.LinkAddress(r)
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" || ingress.IsLoopback(u.Hostname()) {
		return ""
	}
	return base
}

// draftUnit is the name of the unit that a draft is for, or of those that the person works in.
func (s *deskHandlers) draftUnit(c echo.Context, d desk.Draft) (string, error) {
	units, err := s.workUnits(c.Request().Context())
	if err != nil {
		return "", err
	}
	for _, u := range units {
		if u.UID.String() == d.Form.Values["unidadeId"] {
			return u.Name, nil
		}
	}
	return s.unitNames(c.Request().Context(), s.current(c))
}

// phoneShown is the link of a draft, with its address only when it has just been made.
type phoneShown struct {
	desk.PhoneLink
	address string
}

// phoneView is what the form shows of phones: whether one can be used, and the one that is.
func (s *deskHandlers) phoneView(c echo.Context, f formState) (page.PhoneView, error) {
	view := page.PhoneView{UID: f.draft.UID.String(), Offered: s.phoneBase(c.Request()) != ""}
	shown := f.phone
	if shown == nil && view.Offered {
		link, err := s.Desk.PhoneLink(c.Request().Context(), s.actor(c), f.draft.UID)
		if problem.Is(err, problem.NotFound) {
			return view, nil
		}
		if err != nil {
			return view, err
		}
		shown = &phoneShown{PhoneLink: link}
	}
	if shown == nil {
		return view, nil
	}
	view = s.phoneProgress(view, shown.PhoneLink)
	view.Address, view.Focused = shown.address, f.phone != nil
	if shown.address != "" {
		var err error
		view.Code, err = qrCode(shown.address)
		return view, err
	}
	return view, nil
}

// phoneProgress adds how far a link has come.
func (s *deskHandlers) phoneProgress(view page.PhoneView, l desk.PhoneLink) page.PhoneView {
	view.Shown, view.Opened, view.Files = true, l.Opened, l.Files
	view.Seconds = max(0, int(l.Expires.Sub(s.clock())/time.Second))
	view.Until = l.Expires.In(s.Zone).Format("15:04")
	return view
}

// phoneState serves GET /nova/{uid}/celular?de=STATE: nothing while the phone is where the
// page says it is, else what has come since.
func (s *deskHandlers) phoneState(c echo.Context) error {
	uid, err := paramUID(c, "uid")
	if err != nil {
		return err
	}
	ctx, actor := c.Request().Context(), s.actor(c)
	draft, err := s.ownOrNone(c, uid)
	if err != nil {
		return err
	}
	view := page.PhoneView{UID: uid.String(), Offered: true, Shown: true, Over: true}
	link, err := s.Desk.PhoneLink(ctx, actor, uid)
	if err == nil {
		view.Over = false
		view = s.phoneProgress(view, link)
	}
	if err = ignoringMissing(err); err != nil {
		return err
	}
	if view.State() == c.QueryParam("de") {
		return c.NoContent(http.StatusNoContent)
	}
	return s.render(c, http.StatusOK, page.PhoneRenewed(view, s.attachments(ctx, draft.Attachments)))
}

// ownOrNone is a draft of the person, or an empty one where nothing was typed and nothing
// came yet.
func (s *deskHandlers) ownOrNone(c echo.Context, uid uuid.UUID) (desk.Draft, error) {
	ctx, actor := c.Request().Context(), s.actor(c)
	draft, err := s.Desk.Draft(ctx, actor, uid)
	if !problem.Is(err, problem.NotFound) {
		return draft, err
	}
	if opened, failed := s.Desk.DraftOpened(ctx, actor, uid); failed != nil || opened {
		return draft, errors.Join(failed, err)
	}
	return desk.Draft{UID: uid}, nil
}

// phoneHeaders sets the headers of what a phone gets.
func (s *deskHandlers) phoneHeaders(c echo.Context) {
	h := c.Response().Header()
	h.Set("Content-Security-Policy", phonePolicy)
	h.Set("X-Robots-Tag", "noindex")
}

// phonePage serves GET /celular: where a phone sends files, or, before it has shown its
// code, the page whose script does that. The code stands in the fragment, which no server
// sees.
func (s *deskHandlers) phonePage(c echo.Context) error {
	s.phoneHeaders(c)
	view := page.PhonePageView{Page: layout.Page{Title: "Enviar arquivos", InsecureHTTP: s.Insecure}}
	secret := s.phoneSecret(c)
	if secret == "" {
		return s.render(c, http.StatusOK, page.PhonePage(view))
	}
	link, err := s.Desk.Phone(c.Request().Context(), secret)
	if over, _ := asProblem(err); problem.Is(err, problem.NotFound) {
		view.Ended = over.Message
		return s.render(c, http.StatusOK, page.PhonePage(view))
	}
	if err != nil {
		return err
	}
	view.Open, view.Unit, view.Limits, view.MaxFile = true, link.Unit, s.uploadWords(), strconv.FormatInt(s.Desk.Limits().MaxFile, 10)
	view.Seconds = int(link.Expires.Sub(s.clock()) / time.Second)
	return s.render(c, http.StatusOK, page.PhonePage(view))
}

// enterPhone serves POST /celular: the code, once, for a cookie that is good for sending
// files to one draft.
func (s *deskHandlers) enterPhone(c echo.Context) error {
	s.phoneHeaders(c)
	values, err := postedValues(c)
	if err != nil {
		return err
	}
	secret, link, err := s.Desk.OpenPhone(c.Request().Context(), values.Get("codigo"))
	if told, ok := asProblem(err); ok && told.Message != "" {
		return c.String(statusOf(err), told.Message)
	}
	if err != nil {
		return err
	}
	http.SetCookie(c.Response(), &http.Cookie{ //nolint:gosec // Secure wherever the pages come over https
		Name: s.sessions.cookie + phoneSuffix, Value: secret, Path: "/", HttpOnly: true, Secure: s.secure,
		SameSite: http.SameSiteStrictMode, MaxAge: max(1, int(link.Expires.Sub(s.clock())/time.Second))})
	return c.NoContent(http.StatusNoContent)
}

// phoneSecret is the secret of the phone that asks, "" for none.
func (s *deskHandlers) phoneSecret(c echo.Context) string {
	cookie, err := c.Cookie(s.sessions.cookie + phoneSuffix)
	if err != nil {
		return ""
	}
	return cookie.Value
}

// sendsFiles reports whether a request without a login may bring files: that of a phone
// whose link stands.
func (s *deskHandlers) sendsFiles(c echo.Context) (bool, error) {
	secret := s.phoneSecret(c)
	if secret == "" || c.Path() != phoneRoute+"/anexos" {
		return false, nil
	}
	_, err := s.Desk.Phone(c.Request().Context(), secret)
	return err == nil, ignoringMissing(err)
}

// attachFromPhone serves POST /celular/anexos: one file, answered with its row.
func (s *deskHandlers) attachFromPhone(c echo.Context) error {
	s.phoneHeaders(c)
	secret := s.phoneSecret(c)
	up := &upload{fields: url.Values{}, store: func(name string, r io.Reader) (desk.Attachment, error) {
		stored, err := s.Desk.AttachFromPhone(c.Request().Context(), secret, name, r)
		if over, _ := asProblem(err); problem.Is(err, problem.NotFound) {
			err = problem.New(problem.Invalid, over.Message)
		}
		return stored, err
	}}
	if _, err := s.Desk.Phone(c.Request().Context(), secret); err != nil {
		if over, ok := asProblem(err); ok && problem.Is(err, problem.NotFound) {
			return s.render(c, http.StatusConflict, page.PhoneItem(page.Attachment{Name: "Arquivo", Problem: over.Message}))
		}
		return err
	}
	err := s.walkUpload(c, up.fields, func(part *multipart.Part) error { return s.storeFile(part, up) })
	if up.cut = isTooLarge(err) && len(up.refused) > 0; err != nil && !up.cut {
		return err
	}
	rows := up.refused
	for _, a := range up.accepted {
		rows = append(rows, attachment(a))
	}
	if len(rows) != 1 {
		return problem.New(problem.Unreadable, "Envie um arquivo de cada vez.")
	}
	return s.render(c, up.status(), page.PhoneItem(rows[0]))
}
