package admin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"

	"github.com/google/uuid"
)

func (e *env) mustLedger(q admin.LedgerQuery) []admin.LedgerRow {
	e.tb.Helper()
	q.Limit = 10
	rows, err := e.Admin.Ledger(e.tb.Context(), q)
	e.Must(err)
	return rows
}

// The life of a request is told from its answer to its end, acts of the partner
// included.
func TestAdmin_LedgerEntry(t *testing.T) {
	e := MustEnv(t, limits{})
	guide, _ := e.MustAuthorize("1")
	e.Clock.Move(time.Minute)
	if r := e.Act(guide, "cancelamento", someReason, nil); r.Status != 200 {
		t.Fatalf("cancel: got %d: %s", r.Status, r.Text)
	}
	rows := e.mustLedger(admin.LedgerQuery{Number: guide})
	if len(rows) != 1 || rows[0].Guides[0].ID.String() != guide || rows[0].AnswerSize == 0 || !rows[0].Simulated || rows[0].Failure != "" {
		t.Fatalf("got %+v", rows)
	}
	row, events, err := e.Admin.LedgerEntry(t.Context(), rows[0].ID)
	e.Must(err)
	var told []string
	for _, event := range events {
		told = append(told, strings.TrimSpace(fmt.Sprint(event.Kind, " ", event.Before, event.Code)))
		if byPartner := event.Kind == admin.EventReceived || event.Kind == admin.EventAction; byPartner == (event.Actor != "") ||
			byPartner != (event.Secret != "") || !strings.HasSuffix(e.Key, event.Secret) {
			t.Errorf("%s: got actor %q, secret %q", event.Kind, event.Actor, event.Secret)
		}
		if event.Kind != admin.EventReceived && event.Kind != admin.EventAnswer && event.GuideID.String() != guide {
			t.Errorf("%s is about %s, want the guide", event.Kind, event.GuideID)
		}
	}
	if want := []string{"recebido", "resposta", "situacao A", "ato cancelamento", "ato_resposta",
		string(admin.EventStatus) + " AX"}; row.ID != rows[0].ID || !slices.Equal(told[:min(len(told), 6)], want) {
		t.Errorf("got %q, want first %q", told, want)
	}
	if _, _, err := e.Admin.LedgerEntry(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown request: got %v, want not found", err)
	}
}

// The ledger says by which secret a partner came in, for requests and acts alike.
func TestAdmin_LedgerEntryAccess(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	for method, header := range p.Headers() {
		want := map[access.Method]string{access.MethodAPIKey: p.Key[len(p.Key)-4:], access.MethodPassword: p.User.Name,
			access.MethodOAuth: p.Client.Name}[method]
		answer := e.Post(body(nil), header)
		if answer.Status != 200 {
			t.Fatalf("%s: got %d", method, answer.Status)
		}
		guide := answer.Entry()["guiaId"].(string)
		e.Act(guide, "cancelamento", someReason, header)
		_, events, err := e.Admin.LedgerEntry(t.Context(), e.mustLedger(admin.LedgerQuery{Number: guide})[0].ID)
		e.Must(err)
		noted := 0
		for _, event := range events {
			if event.Method == method && event.Secret == want {
				noted++
			}
		}
		if noted != 2 {
			t.Errorf("%s: %d events of %+v name %q, want the receipt and the act", method, noted, events, want)
		}
	}
}

// A number is found by whole requests, and pages go on behind the last row.
func TestAdmin_Ledger(t *testing.T) {
	e := MustEnv(t, limits{})
	for range 3 {
		e.MustAuthorize("1")
		e.Clock.Move(24 * time.Hour)
	}
	all := e.mustLedger(admin.LedgerQuery{})
	if len(all) != 3 || !all[0].ReceivedAt.After(all[2].ReceivedAt) {
		t.Fatalf("got %d rows", len(all))
	}
	for name, c := range map[string]struct {
		q    admin.LedgerQuery
		want []admin.LedgerRow
	}{
		"Before":      {admin.LedgerQuery{Before: all[0].ID}, all[1:]},
		"BeforeLast":  {admin.LedgerQuery{Before: all[2].ID}, nil},
		"From":        {admin.LedgerQuery{From: all[1].ReceivedAt}, all[:2]},
		"ToExcluded":  {admin.LedgerQuery{To: all[1].ReceivedAt}, all[2:]},
		"Guide":       {admin.LedgerQuery{Number: all[1].Guides[0].Number}, all[1:2]},
		"Provider":    {admin.LedgerQuery{Number: all[2].ProviderGuide}, all[2:]},
		"Failed":      {admin.LedgerQuery{Failed: true}, nil},
		"Status":      {admin.LedgerQuery{Status: "A"}, all},
		"OtherStatus": {admin.LedgerQuery{Status: "N"}, nil},
		"OtherOne":    {admin.LedgerQuery{Profile: uuid.New()}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			var got, want []uuid.UUID
			for _, r := range e.mustLedger(c.q) {
				got = append(got, r.ID)
			}
			for _, r := range c.want {
				want = append(want, r.ID)
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
