package console

import (
	"net/http"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/service/admin"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// ledgerRows is how many requests a page shows.
const ledgerRows = 50

// failedWord is the situation of the filter for requests that no operator
// answered.
const failedWord = "falha"

// ledger serves GET and POST /servico/registro: the rows found, or 422 with the filter as typed and no rows. What is
// searched for, and where the page begins, stand in no address. A search that was refused is not noted as a reading.
func (k *console) ledger(c echo.Context) error {
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	f := form.New(values)
	query := readLedgerQuery(f, k.web.Now())
	view := page.LedgerView{Fields: page.Fields{Values: map[string]string{}, Problems: problems(f.Problems())},
		Later: query.Before != uuid.Nil}
	for _, name := range []string{"de", "ate", "parceiro", "situacao", "numero"} {
		view.Values[name] = f.Text(name)
		view.Filtered = view.Filtered || view.Values[name] != ""
	}
	if !f.Invalid() {
		if err := k.findRequests(c, query, &view); err != nil {
			return err
		}
	}
	profiles, err := k.admin.Profiles(c.Request().Context())
	if err != nil {
		return err
	}
	view.Partners, view.Situations = partnerChoices(profiles), situationChoices()
	simulated := view.Simulated
	if view.Page, err = k.web.Frame(c, "Registro"); err != nil {
		return err
	}
	view.Simulated, view.Failed = simulated, f.Invalid()
	return k.web.Render(c, form.Status(f.Problems()), page.LedgerPage(view))
}

// findRequests fills the rows and tells the trail that somebody read them.
func (k *console) findRequests(c echo.Context, query admin.LedgerQuery, view *page.LedgerView) error {
	ctx := c.Request().Context()
	query.Limit = ledgerRows + 1
	rows, err := k.admin.Ledger(ctx, query)
	if err != nil {
		return err
	}
	if len(rows) > ledgerRows {
		rows = rows[:ledgerRows]
		view.Older = rows[ledgerRows-1].ID.String()
	}
	for _, r := range rows {
		view.Rows = append(view.Rows, k.ledgerRow(r))
		view.Simulated = view.Simulated || r.Simulated
	}
	entry := audit.Entry{Actor: k.web.Actor(c).User, Event: audit.LedgerRead}
	if query.Profile != uuid.Nil {
		entry.Object, entry.ObjectID = audit.ObjectPartner, query.Profile
	}
	return k.Trail.RecordLook(ctx, entry)
}

// readLedgerQuery reads the filter; the days are whole ones in the time zone of now.
func readLedgerQuery(f *form.Form, now time.Time) (q admin.LedgerQuery) {
	q.From, q.To = f.Period(now)
	q.Today = authorization.DateOf(now.Date()).In(now.Location())
	q.Profile = f.UUID("parceiro", "Escolha um parceiro da lista.")
	q.Number = f.Text("numero")
	if word := f.Raw("situacao"); word == failedWord {
		q.Failed = true
	} else if q.Status = authorization.Status(word); word != "" && !q.Status.Known() {
		f.Refuse("situacao", authorization.CodeDomain, "Escolha uma situação da lista.")
	}
	before, err := uuid.Parse(f.Raw("antes"))
	if err != nil && f.Raw("antes") != "" {
		f.Refuse("", authorization.CodeDomain, "A página pedida não existe. Comece de novo.")
	}
	q.Before = before
	return q
}

// ledgerEntry serves GET /servico/registro/{uid}.
func (k *console) ledgerEntry(c echo.Context) error {
	uid, err := param(c, "uid")
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	row, events, err := k.admin.LedgerEntry(ctx, uid)
	if err != nil {
		return err
	}
	intent := audit.Entry{Actor: k.web.Actor(c).User, Event: audit.LedgerRead, Object: audit.ObjectServiceRequest, ObjectID: uid}
	if err := k.Trail.RecordLook(ctx, intent); err != nil {
		return err
	}
	view := k.ledgerEntryView(row, events)
	if view.Page, err = k.web.Frame(c, "Pedido "+row.ProviderGuide); err != nil {
		return err
	}
	view.Simulated = row.Simulated
	return k.web.Render(c, http.StatusOK, page.LedgerEntryPage(view))
}
