package webui

import (
	"net/url"
	"strconv"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/webui/form"

	"github.com/google/uuid"
)

// deniedChoice is, in place of an event, all of them that are about refused acts.
const deniedChoice = "recusas"

// readAuditFilter reads what was typed, or what stands in an address; the days
// are whole ones in the time zone of now.
func readAuditFilter(f *form.Form, now time.Time) audit.Filter {
	from, until := f.Period(now)
	filter := audit.Filter{From: from, To: until, Actor: f.UUID("pessoa", "Escolha uma pessoa da lista."), Event: audit.Event(f.Raw("evento"))}
	if filter.Event == deniedChoice {
		filter.Event, filter.Denied = "", true
	}
	if filter.Event != "" && !filter.Event.Known() {
		f.Refuse("evento", authorization.CodeDomain, "Escolha da lista o que a pessoa fez.")
	}
	return filter
}

// auditAddress is the page of a filter with the entries before a position, 0 for
// the newest.
func auditAddress(f audit.Filter, before int64) string { return "/auditoria" + auditQuery(f, before) }

// auditQuery is the end of that address: "" or "?…".
func auditQuery(f audit.Filter, before int64) string {
	query := url.Values{}
	set := func(on bool, name, value string) {
		if on {
			query.Set(name, value)
		}
	}
	set(!f.From.IsZero(), "de", f.From.Format("02/01/2006"))
	set(!f.To.IsZero(), "ate", f.To.AddDate(0, 0, -1).Format("02/01/2006"))
	set(f.Actor != uuid.Nil, "pessoa", f.Actor.String())
	set(f.Event != "", "evento", string(f.Event))
	set(f.Denied, "evento", deniedChoice)
	set(f.SameAddress > 0, "mesmo", strconv.FormatInt(f.SameAddress, 10))
	set(before > 0, "antes", strconv.FormatInt(before, 10))
	if len(query) == 0 {
		return ""
	}
	return "?" + query.Encode()
}
