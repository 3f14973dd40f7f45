package api_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/service/api"

	"github.com/google/uuid"
)

func (e *env) mustLedger(q admin.LedgerQuery) []admin.LedgerRow {
	e.tb.Helper()
	q.Limit = 10
	rows, err := e.admin.Ledger(e.tb.Context(), q)
	e.must(err)
	return rows
}

// The life of a request is told from its answer to its end, acts of the partner
// included.
func TestAdmin_LedgerEntry(t *testing.T) {
	e := MustEnv(t, limits{})
	guide, _ := e.MustAuthorize("1")
	e.clock.move(time.Minute)
	if r := e.act(guide, "cancelamento", someReason, nil); r.status != 200 {
		t.Fatalf("cancel: got %d: %s", r.status, r.text)
	}
	rows := e.mustLedger(admin.LedgerQuery{Number: guide})
	if len(rows) != 1 || rows[0].Guides[0].ID.String() != guide || rows[0].AnswerSize == 0 || !rows[0].Simulated || rows[0].Failure != "" {
		t.Fatalf("got %+v", rows)
	}
	row, events, err := e.admin.LedgerEntry(t.Context(), rows[0].ID)
	e.must(err)
	var told []string
	for _, event := range events {
		told = append(told, strings.TrimSpace(fmt.Sprint(event.Kind, " ", event.Before, event.Code)))
		if byPartner := event.Kind == admin.EventReceived || event.Kind == admin.EventAction; byPartner == (event.Actor != "") || byPartner != (event.Secret != "") || !strings.HasSuffix(e.key, event.Secret) {
			t.Errorf("%s: got actor %q, secret %q", event.Kind, event.Actor, event.Secret)
		}
		if event.Kind != admin.EventReceived && event.Kind != admin.EventAnswer && event.GuideID.String() != guide {
			t.Errorf("%s is about %s, want the guide", event.Kind, event.GuideID)
		}
	}
	if want := []string{"recebido", "resposta", "situacao A", "ato cancelamento", "ato_resposta", "situacao AX"}; row.ID != rows[0].ID || !slices.Equal(told[:min(len(told), 6)], want) {
		t.Errorf("got %q, want first %q", told, want)
	}
	if _, _, err := e.admin.LedgerEntry(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown request: got %v, want not found", err)
	}
}

// The ledger says by which secret a partner came in, for requests and acts alike.
func TestAdmin_LedgerEntryAccess(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	for method, header := range p.credentials() {
		want := map[access.Method]string{access.MethodAPIKey: p.key[len(p.key)-4:], access.MethodPassword: p.user.Name, access.MethodOAuth: p.client.Name}[method]
		answer := e.post(body(nil), header)
		if answer.status != 200 {
			t.Fatalf("%s: got %d", method, answer.status)
		}
		guide := answer.entry()["guiaId"].(string)
		e.act(guide, "cancelamento", someReason, header)
		_, events, err := e.admin.LedgerEntry(t.Context(), e.mustLedger(admin.LedgerQuery{Number: guide})[0].ID)
		e.must(err)
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
		e.clock.move(24 * time.Hour)
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

// A request counts as in flight until its answer is out, then under its status.
func TestAdmin_Traffic(t *testing.T) {
	e := MustEnv(t, limits{})
	during := make(chan int, 1)
	e.operator.doBefore(func(context.Context, service.OperatorRequest) error {
		during <- e.api.Traffic().InFlight
		return nil
	})
	e.MustAuthorize("1")
	if got := <-during; got != 1 {
		t.Errorf("while the operator is asked: %d in flight, want 1", got)
	}
	e.get("/api/v2/nada")
	e.server.Close() // waits for what runs
	got := e.api.Traffic()
	want := []api.RouteTraffic{
		{Route: "/", Total: 1, Statuses: []api.StatusTraffic{{Status: 404, Count: 1}}},
		{Route: "/api/v2/autorizar/sp-sadt", Total: 1, Statuses: []api.StatusTraffic{{Status: 200, Count: 1}}},
	}
	if fmt.Sprint(got.Routes) != fmt.Sprint(want) || got.InFlight != 0 || !got.Since.Equal(start) {
		t.Errorf("got %+v, want %+v since %v", got, want, start)
	}
}

// The desk's own profile is refused whatever would become of it.
func TestAdmin_CheckProfile(t *testing.T) {
	e := MustEnv(t, limits{})
	own := access.DeskProfile()
	own.Disabled = true
	if err := e.admin.CheckProfile(t.Context(), own); !problem.Is(err, problem.Conflict) {
		t.Errorf("the desk's own: got %v, want a conflict", err)
	}
	fine := access.Profile{ID: uuid.New(), Name: "Parceiro", Methods: access.Methods(), Scopes: access.Scopes(), Rate: 60_000}
	if err := e.admin.CheckProfile(t.Context(), fine); err != nil {
		t.Errorf("a profile that is fine: got %v", err)
	}
}
