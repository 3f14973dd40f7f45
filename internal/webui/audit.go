package webui

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/layout"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// Trail is the audit trail as administração reads it.
type Trail interface {
	// List returns a page of entries, newest first.
	List(ctx context.Context, f audit.Filter) ([]audit.Link, error)
	// OldestFrom returns the position of the oldest entry that is known to be from an
	// address, 0 without one.
	OldestFrom(ctx context.Context, address string) (int64, error)
	Record(ctx context.Context, e audit.Entry) error
	// RecordLook adds an entry about something that was only read.
	RecordLook(ctx context.Context, e audit.Entry) error
	// Check reads the whole trail; a broken one is no error.
	Check(ctx context.Context) (audit.State, error)
	// State returns what the latest check found.
	State() audit.State
	// EndAlarm ends the alarm about the state of that mark; audit.ErrOtherAlarm when it
	// is another one.
	EndAlarm(ctx context.Context, by uuid.UUID, reason audit.Reason, mark string) error
}

// auditRows is how many entries a page shows.
const auditRows = 50

// audit serves GET /auditoria?de=&ate=&pessoa=&evento=&mesmo=&antes=: dates, identifiers
// and fixed words. An address is personal data, so that of an entry stands for it.
func (s *server) audit(c echo.Context) error {
	f := form.New(c.QueryParams())
	filter := readAuditFilter(f, s.now())
	if f.Invalid() {
		return s.showAudit(c, http.StatusUnprocessableEntity, page.AuditView{Fields: fieldsOf(f)})
	}
	var err error
	if filter.SameAddress, err = position(c.QueryParam("mesmo")); err != nil {
		return err
	}
	wanted := filter
	before, err := position(c.QueryParam("antes"))
	if err != nil {
		return err
	}
	filter.Before, filter.Limit = before, auditRows+1
	links, err := s.Trail.List(c.Request().Context(), filter)
	if err != nil {
		return err
	}
	if err := s.tellRead(c, filter); err != nil {
		return err
	}
	if wanted.SameAddress > 0 && len(links) > 0 {
		f.Set("endereco", links[0].Entry.Origin.Address)
	}
	view := page.AuditView{Fields: fieldsOf(f), Query: auditQuery(wanted, 0), Filtered: wanted != audit.Filter{}}
	if before > 0 {
		view.First = auditAddress(wanted, 0)
	}
	if len(links) > auditRows {
		links = links[:auditRows]
		view.Older = auditAddress(wanted, links[auditRows-1].Position)
	}
	if view.Entries, err = s.auditEntries(c.Request().Context(), links); err != nil {
		return err
	}
	return s.showAudit(c, http.StatusOK, view)
}

// filterAudit serves POST /auditoria: the filter goes into the address.
func (s *server) filterAudit(c echo.Context) error {
	f, err := posted(c)
	if err != nil {
		return err
	}
	filter := readAuditFilter(f, s.now())
	if filter.SameAddress, err = s.sameAddress(c.Request().Context(), f); err != nil {
		return err
	}
	if f.Invalid() {
		return s.showAudit(c, http.StatusUnprocessableEntity, page.AuditView{Fields: fieldsOf(f)})
	}
	return redirect(c, auditAddress(filter, 0))
}

// sameAddress returns an entry from the address that was typed, 0 where none was.
func (s *server) sameAddress(ctx context.Context, f *form.Form) (int64, error) {
	typed := f.Text("endereco")
	if typed == "" {
		return 0, nil
	}
	address := audit.Address(typed)
	if address == "" {
		f.Refuse("endereco", authorization.CodeFormat, "Informe um endereço IP, como 192.0.2.7.")
		return 0, nil
	}
	position, err := s.Trail.OldestFrom(ctx, address)
	if err == nil && position == 0 {
		f.Refuse("endereco", authorization.CodeDomain, "Nenhum registro tem este endereço, ou ele já foi apagado.")
	}
	return position, err
}

// checkTrail serves POST /auditoria/conferir?…: the whole chain, now. It leads back to what was listed.
func (s *server) checkTrail(c echo.Context) error {
	ctx := c.Request().Context()
	listed := readAuditFilter(form.New(c.QueryParams()), s.now())
	var err error
	if listed.SameAddress, err = position(c.QueryParam("mesmo")); err != nil {
		return err
	}
	state, err := s.Trail.Check(ctx)
	if err != nil {
		return err
	}
	told, words := "inteira", "Corrente conferida: está inteira."
	if state.Broken != nil {
		told, words = "rompida="+strconv.FormatInt(state.Broken.Position, 10), "Corrente conferida: há um problema."
	}
	if err := s.Trail.Record(ctx, audit.Entry{Actor: s.current(c).UID, Event: audit.TrailChecked, Detail: told}); err != nil {
		return err
	}
	return s.redirectTelling(c, auditAddress(listed, 0), words)
}

// tellRead tells the trail that somebody read it, and by which filter.
func (s *server) tellRead(c echo.Context, f audit.Filter) error {
	e := audit.Entry{Actor: s.current(c).UID, Event: audit.TrailRead}
	if f.Actor != e.ObjectID {
		e.Object, e.ObjectID = audit.ObjectPerson, f.Actor
	}
	e.Detail = filterWords(f)
	return s.Trail.RecordLook(c.Request().Context(), e)
}

// filterWords is a filter as the trail tells it: by an entry in place of an address.
func filterWords(f audit.Filter) string {
	var words []string
	switch {
	case f.Event != "":
		words = append(words, "evento="+string(f.Event))
	case f.Denied:
		words = append(words, "evento="+deniedChoice)
	}
	if f.SameAddress > 0 {
		words = append(words, "endereco-do-registro="+strconv.FormatInt(f.SameAddress, 10))
	}
	return strings.Join(words, " ")
}

// showAudit renders the audit page with its filters and whether the chain of entries was
// found intact, which the reader must know before relying on the rows.
func (s *server) showAudit(c echo.Context, status int, view page.AuditView) error {
	frame, err := s.frame(c, "Auditoria", layout.AuditTab)
	if err != nil {
		return err
	}
	frame.Failed = len(view.Problems) > 0 || view.Alarm != nil
	people, err := s.Accounts.Users(c.Request().Context())
	if err != nil {
		return err
	}
	state := s.Trail.State()
	view.Page, view.Chain, view.AddressDays = frame, s.chainNotice(state, people), s.AuditAddressDays
	if state.Broken != nil {
		view.Alarm = alarmView(view.Alarm, state)
	}
	view.People, view.Events = peopleChoices(people), eventChoices()
	if s.current(c).May(permission.ManageBackups) {
		view.Backups, view.Integrity = backupsPath, integrityPath
	}
	return s.render(c, status, page.AuditPage(view))
}

// position reads ?antes=, 0 without one.
func position(word string) (int64, error) {
	if word == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || n < 1 {
		return 0, problem.New(problem.NotFound, "")
	}
	return n, nil
}
