package console

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service/admin"
	"guiche/web/page"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// ledgerRows is how many requests a page shows.
const ledgerRows = 50

// failedWord is the situation of the filter for requests that no operator
// answered.
const failedWord = "falha"

// ledger serves GET /servico/registro.
func (k *console) ledger(c echo.Context) error { return k.showLedger(c, url.Values{}) }

// searchLedger serves POST /servico/registro: what is searched for, and where the
// page begins, stand in no address.
func (k *console) searchLedger(c echo.Context) error {
	values, err := k.web.Posted(c)
	if err != nil {
		return err
	}
	return k.showLedger(c, values)
}

func (k *console) showLedger(c echo.Context, values url.Values) error {
	query, fields := k.ledgerQuery(values)
	view := page.LedgerView{Fields: page.Fields{Values: map[string]string{}, Problems: problems(fields)}, Later: query.Before != uuid.Nil}
	for _, name := range []string{"de", "ate", "parceiro", "situacao", "numero"} {
		view.Values[name] = strings.TrimSpace(values.Get(name))
		view.Filtered = view.Filtered || view.Values[name] != ""
	}
	if len(fields) == 0 {
		if err := k.findRequests(c, query, &view); err != nil {
			return err
		}
	}
	profiles, err := k.Admin.Profiles(c.Request().Context())
	if err != nil {
		return err
	}
	view.Partners, view.Situations = partnerChoices(profiles), situationChoices()
	simulated := view.Simulated
	if view.Page, err = k.web.Frame(c, "Registro"); err != nil {
		return err
	}
	view.Simulated, view.Failed = simulated, len(fields) > 0
	return k.web.Render(c, statusOf(fields), page.LedgerPage(view))
}

// findRequests fills the rows and tells the trail that somebody read them.
func (k *console) findRequests(c echo.Context, query admin.LedgerQuery, view *page.LedgerView) error {
	ctx := c.Request().Context()
	query.Limit = ledgerRows + 1
	rows, err := k.Admin.Ledger(ctx, query)
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
	entry := audit.Entry{Actor: k.web.Actor(c), Event: audit.LedgerRead}
	if query.Profile != uuid.Nil {
		entry.Object, entry.ObjectID = audit.ObjectPartner, query.Profile
	}
	return k.Trail.Record(ctx, entry)
}

// ledgerQuery reads the filter; the days are whole ones of the desk's zone.
func (k *console) ledgerQuery(v url.Values) (q admin.LedgerQuery, fields []problem.Field) {
	wrong := func(on bool, path, message string) {
		if on {
			fields = append(fields, problem.Field{Path: path, Code: authorization.CodeFormat, Message: message})
		}
	}
	from, until, err := k.day(v.Get("de")), k.day(v.Get("ate")), error(nil)
	wrong(from.IsZero() && strings.TrimSpace(v.Get("de")) != "", "de", "Informe o começo como DD/MM/AAAA.")
	wrong(until.IsZero() && strings.TrimSpace(v.Get("ate")) != "", "ate", "Informe o fim como DD/MM/AAAA.")
	wrong(!until.IsZero() && until.Before(from), "ate", "O fim vem antes do começo.")
	if q.From = from; !until.IsZero() {
		q.To = until.AddDate(0, 0, 1)
	}
	if text := v.Get("parceiro"); text != "" {
		q.Profile, err = uuid.Parse(text)
		wrong(err != nil, "parceiro", "Escolha um parceiro da lista.")
	}
	if text := v.Get("situacao"); text == failedWord {
		q.Failed = true
	} else {
		q.Status = authorization.Status(text)
		wrong(text != "" && !q.Status.Known(), "situacao", "Escolha uma situação da lista.")
	}
	q.Number = strings.TrimSpace(v.Get("numero"))
	if text := v.Get("antes"); text != "" {
		q.Before, err = uuid.Parse(text)
		wrong(err != nil, "", "A página pedida não existe. Comece de novo.")
	}
	return q, fields
}

// day reads a typed date as the beginning of that day, zero for none.
func (k *console) day(typed string) time.Time {
	now := k.web.Now()
	day, err := authorization.ParseTypedDate(strings.TrimSpace(typed), now)
	if err != nil || day.IsZero() {
		return time.Time{}
	}
	return day.In(now.Location())
}

// ledgerEntry serves GET /servico/registro/{uid}.
func (k *console) ledgerEntry(c echo.Context) error {
	uid, err := param(c, "uid")
	if err != nil {
		return err
	}
	ctx := c.Request().Context()
	row, events, err := k.Admin.LedgerEntry(ctx, uid)
	if err != nil {
		return err
	}
	intent := audit.Entry{Actor: k.web.Actor(c), Event: audit.LedgerRead, Object: audit.ObjectServiceRequest, ObjectID: uid}
	if err := k.Trail.Record(ctx, intent); err != nil {
		return err
	}
	view := k.ledgerEntryView(row, events)
	if view.Page, err = k.web.Frame(c, "Pedido "+row.ProviderGuide); err != nil {
		return err
	}
	view.Simulated = row.Simulated
	return k.web.Render(c, http.StatusOK, page.LedgerEntryPage(view))
}
