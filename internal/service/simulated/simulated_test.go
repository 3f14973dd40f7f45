package simulated_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/simulated"

	"github.com/google/uuid"
)

var now = time.Date(2026, 11, 20, 14, 30, 55, 0, time.FixedZone("SP", -3*60*60))

func clock() time.Time { return now }

func request(card string, quantities ...int) service.OperatorRequest {
	r := service.OperatorRequest{ID: uuid.New(), ReceivedAt: now, Credential: service.Credential{ProviderCode: "004417"}}
	r.Request.CardNumber, r.Request.ProviderGuide = card, "26112014305512300042"
	for i, q := range quantities {
		code := []string{"40316521", "40304361", "40901114"}[i]
		r.Request.Procedures = append(r.Request.Procedures, authorization.Procedure{Code: code, Name: "Exame " + code, Quantity: q})
	}
	return r
}

func mustAuthorize(tb testing.TB, o *simulated.Operator, r service.OperatorRequest) service.Decision {
	tb.Helper()
	d, err := o.Authorize(tb.Context(), r)
	if err != nil {
		tb.Fatalf("Authorize: %v", err)
	}
	return d
}

func TestOperator_AuthorizesOrdinaryCards(t *testing.T) {
	o := simulated.New(simulated.Config{Clock: clock})
	d := mustAuthorize(t, o, request("0310004512063345", 1, 3))
	if !d.Simulated || len(d.Authorizations) != 1 || len(d.Errors) != 0 {
		t.Fatalf("got %+v, want one simulated authorization", d)
	}
	a := d.Authorizations[0]
	if a.Status != authorization.Authorized || !a.Success || a.AuthorizedAt.String() != "2026-11-20T14:30:55" ||
		a.SenhaValidUntil.String() != "2026-12-20T00:00:00" {
		t.Errorf("got %+v", a)
	}
	if !strings.HasPrefix(a.Senha, "SIM") || len(a.Senha) != 12 || len(a.GuideNumber) != 10 || len(a.Protocol) != 12 {
		t.Errorf("numbers: got %q, %q, %q", a.Senha, a.GuideNumber, a.Protocol)
	}
	if len(a.Procedures) != 2 || a.Procedures[1].Authorized != 3 || a.Procedures[1].Executed != 0 {
		t.Errorf("procedures: got %+v", a.Procedures)
	}
	if again := mustAuthorize(t, o, request("0310004512063345", 1, 3)); !reflect.DeepEqual(again, d) {
		t.Errorf("the same request: got %+v, want %+v", again, d)
	}
	if other := mustAuthorize(t, o, request("0310004512063346", 1, 3)); other.Authorizations[0].Senha == a.Senha {
		t.Error("another card has the same password")
	}
}

func TestOperator_AnswersAllStatuses(t *testing.T) {
	o := simulated.New(simulated.Config{Clock: clock})
	seen := map[authorization.Status]bool{}
	for _, example := range simulated.New(simulated.Config{}).Catalogue()[:18] {
		d := mustAuthorize(t, o, request(example.Card+"123 456.78-9", 2))
		if len(d.Authorizations) != 1 {
			t.Fatalf("%s: got %d authorizations, want 1", example.Card, len(d.Authorizations))
		}
		a := d.Authorizations[0]
		seen[a.Status] = true
		refused := a.Status.Group() == authorization.ToFix || a.Status.Group() == authorization.Refusal
		if !strings.HasPrefix(a.Protocol, service.SimulatedPrefix) {
			t.Errorf("%s: the protocol %q does not say that it is simulated", a.Status, a.Protocol)
		}
		if a.Senha != "" && !strings.HasPrefix(a.Senha, service.SimulatedPrefix) {
			t.Errorf("%s: password %q", a.Status, a.Senha)
		}
		if refused && (a.Success || a.GuideNumber != "" || a.Senha != "" || a.Procedures[0].Authorized != 0) {
			t.Errorf("%s: a refusal gives %+v", a.Status, a)
		}
	}
	if len(seen) != 18 {
		t.Errorf("got %d statuses, want 18", len(seen))
	}
}

func TestOperator_Quantities(t *testing.T) {
	o := simulated.New(simulated.Config{Clock: clock})
	for card, want := range map[string][2][2]int{
		"999901": {{5, 0}, {1, 0}}, "999902": {{2, 0}, {0, 0}}, "999907": {{5, 2}, {1, 0}}, "999908": {{5, 5}, {1, 1}},
		"999904": {{0, 0}, {0, 0}},
	} {
		a := mustAuthorize(t, o, request(card, 5, 1)).Authorizations[0]
		for i, p := range a.Procedures {
			if got := [2]int{p.Authorized, p.Executed}; got != want[i] {
				t.Errorf("%s procedure %d: got %v, want %v", card, i, got, want[i])
			}
			if partial := p.Authorized < p.Quantity && (a.Status == "Z" || a.Status == "N"); partial != (p.Justification != "") {
				t.Errorf("%s procedure %d: justification %q", card, i, p.Justification)
			}
		}
	}
}

// TestOperator_HalfOfOne: of one, half is one for the first procedure, so that in
// part is never nothing at all.
func TestOperator_HalfOfOne(t *testing.T) {
	o := simulated.New(simulated.Config{Clock: clock})
	for card, want := range map[string][2][2]int{"999902": {{1, 0}, {0, 0}}, "999907": {{1, 1}, {1, 0}}} {
		for i, p := range mustAuthorize(t, o, request(card, 1, 1)).Authorizations[0].Procedures {
			if got := [2]int{p.Authorized, p.Executed}; got != want[i] {
				t.Errorf("%s procedure %d: got %v authorized and executed, want %v", card, i, got, want[i])
			}
		}
	}
}

func TestOperator_Age(t *testing.T) {
	o := simulated.New(simulated.Config{Clock: clock})
	for days, want := range map[int]authorization.Status{0: "A", 30: "A", 31: "V", 400: "V"} {
		r := request("999927", 1)
		r.Request.Newborn, r.Request.NewbornBirth = true, authorization.NewLocalTime(now.AddDate(0, 0, -days))
		if got := mustAuthorize(t, o, r).Authorizations[0].Status; got != want {
			t.Errorf("%d days: got %q, want %q", days, got, want)
		}
	}
	if got := mustAuthorize(t, o, request("999927", 1)).Authorizations[0].Status; got != "A" {
		t.Errorf("no birth told: got %q, want A", got)
	}
}

func TestOperator_OtherOutcomes(t *testing.T) {
	var slept []time.Duration
	o := simulated.New(simulated.Config{Clock: clock, Sleep: func(_ context.Context, d time.Duration) error {
		slept = append(slept, d)
		return nil
	}})
	t.Run("SeveralGuides", func(t *testing.T) {
		d := mustAuthorize(t, o, request("999919", 1, 1, 1))
		if len(d.Authorizations) != 2 || len(d.Authorizations[0].Procedures) != 1 || len(d.Authorizations[1].Procedures) != 2 {
			t.Fatalf("got %+v", d.Authorizations)
		}
		if d.Authorizations[0].GuideNumber == d.Authorizations[1].GuideNumber {
			t.Error("two guides have one number")
		}
	})
	t.Run("ErrorInside", func(t *testing.T) {
		a := mustAuthorize(t, o, request("999920", 1)).Authorizations[0]
		if a.Status != authorization.Authorized || len(a.Errors) != 1 || !a.Success {
			t.Errorf("got %+v", a)
		}
	})
	t.Run("ErrorOutside", func(t *testing.T) {
		if d := mustAuthorize(t, o, request("999921", 1)); len(d.Authorizations) != 0 || len(d.Errors) != 2 {
			t.Errorf("got %+v", d)
		}
	})
	t.Run("Failure", func(t *testing.T) {
		if _, err := o.Authorize(t.Context(), request("999922", 1)); err == nil {
			t.Error("got no error")
		}
		if _, err := o.LookUp(t.Context(), request("999922", 1)); !errors.Is(err, service.ErrNotKnown) {
			t.Errorf("look-up: got %v, want %v", err, service.ErrNotKnown)
		}
	})
	t.Run("Slow", func(t *testing.T) {
		slept = nil
		mustAuthorize(t, o, request("999924", 1))
		if len(slept) != 1 || slept[0] != 8*time.Second {
			t.Errorf("slept %v, want 8s", slept)
		}
	})
	t.Run("LookUpDoesNotWait", func(t *testing.T) {
		slept = nil
		d, err := o.LookUp(t.Context(), request("999923", 1))
		if err != nil || len(slept) != 0 || d.Authorizations[0].Status != authorization.Authorized {
			t.Errorf("got %+v, %v after %v", d, err, slept)
		}
	})
	t.Run("ByAttachments", func(t *testing.T) {
		r := request("999925", 1)
		if got := mustAuthorize(t, o, r).Authorizations[0].Status; got != authorization.AwaitingAttachment {
			t.Errorf("without: got %q, want S", got)
		}
		r.Request.Attachments = []authorization.Attachment{{Name: "laudo.pdf"}}
		if got := mustAuthorize(t, o, r).Authorizations[0].Status; got != authorization.Authorized {
			t.Errorf("with: got %q, want A", got)
		}
	})
	t.Run("SenhaDays", func(t *testing.T) {
		for card, days := range map[string]int{"999901": 30, "999933": 3} {
			if got := mustAuthorize(t, o, request(card, 1)).Authorizations[0]; got.AuthorizedAt.DaysUntil(got.SenhaValidUntil) != days {
				t.Errorf("%s: got a senha until %s, want %d days", card, got.SenhaValidUntil, days)
			}
		}
	})
	t.Run("ByQuantity", func(t *testing.T) {
		for q, want := range map[int]authorization.Status{10: "A", 11: "Z"} {
			if got := mustAuthorize(t, o, request("999926", 1, q)).Authorizations[0].Status; got != want {
				t.Errorf("%d: got %q, want %q", q, got, want)
			}
		}
	})
}

func TestOperator_TimerEndsWithContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := simulated.New(simulated.Config{}).Authorize(ctx, request("999923", 1))
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want %v", err, context.Canceled)
	}
}

// A file without rules is no reason to use others than its own.
func TestLoad_NoRules(t *testing.T) {
	rules, err := simulated.Load([]byte(`[]`))
	if err != nil {
		t.Fatal(err)
	}
	o := simulated.New(simulated.Config{Rules: rules, Clock: clock})
	if got := mustAuthorize(t, o, request("999920", 1)).Authorizations; len(got) != 1 ||
		got[0].Status != authorization.Authorized || len(o.Catalogue()) > 0 {
		t.Errorf("got %+v and %d cards, want an ordinary answer and none", got, len(o.Catalogue()))
	}
}

func TestLoad_Conditions(t *testing.T) {
	rules, err := simulated.Load([]byte(`[
		{"when": {"card": "77", "newborn": true}, "then": {"authorizations": [{"status": "H"}]}},
		{"when": {"credential": "004417", "procedure": "4090*"}, "then": {"authorizations": [{"status": "R"}]}},
		{"when": {}, "then": {"delay": "1ms", "errors": [{"code": "x", "field": "", "message": "Não."}]}}
	]`))
	if err != nil {
		t.Fatal(err)
	}
	o := simulated.New(simulated.Config{Rules: rules, Clock: clock})
	newborn := request("7-7", 1)
	newborn.Request.Newborn = true
	if got := mustAuthorize(t, o, newborn).Authorizations[0].Status; got != "H" {
		t.Errorf("newborn: got %q, want H", got)
	}
	if got := mustAuthorize(t, o, request("77", 1, 1, 1)).Authorizations[0].Status; got != "R" {
		t.Errorf("procedure: got %q, want R", got)
	}
	if got := mustAuthorize(t, o, request("777", 1)); len(got.Errors) != 1 {
		t.Errorf("last: got %+v", got)
	}
}

func TestLoad_NamesLineAndReason(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no array":     {`{}`, "line 1: want an array"},
		"syntax":       {"[\n  {\"what\": \"x\",\n  }\n]", "line 3: invalid character"},
		"unknown word": {"[\n\n  {\"what\": \"x\", \"wenn\": {}}\n]", `line 3: json: unknown field "wenn"`},
		"unknown status": {"[\n {\"when\": {}, \"then\": {\"authorizations\": [{\"status\": \"A\"}]}},\n {\"when\": {}, \"then\": " +
			"{\"authorizations\": [{\"status\": \"Q\"}]}}]", `line 3: status "Q"`},
		"unknown share":    {`[{"then": {"authorizations": [{"status": "A", "procedures": "half"}]}}]`, `line 1: procedures "half"`},
		"no such validity": {"[{\"then\": {\"authorizations\": [{\"status\": \"A\",\n\"senhaDays\": -1}]}}]", `line 2: senhaDays -1`},
		"bad delay":        {`[{"then": {"delay": "soon", "fails": true}}]`, `line 1: delay: want a duration`},
		"delay, no text":   {`[{"then": {"delay": 8, "fails": true}}]`, `line 1: delay: want a duration`},
		"impossible step": {`[{"then": {"authorizations": [{"status": "N", "next": {"N": {"status": "A"}}}]}}]`,
			`line 1: next: status "A" never follows "N"`},
		"unknown step": {`[{"then": {"authorizations": [{"status": "R", "next": {"R": {"status": "Q"}}}]}}]`,
			`line 1: next: status "Q" never follows "R"`},
		"far down": {"[{\n\"when\": {},\n\"then\": {\"authorizations\": [\n{\"status\": \"A\"},\n{\"procedures\": \"rest\"," +
			"\n\"status\": \"Q\"}]}}]", `line 6: status "Q"`},
		"far down, step": {"[{\"then\": {\"authorizations\": [{\"status\": \"R\", \"next\": {\n\"R\": {\"status\":\n\"A\"," +
			"\n\"after\": \"soon\"}}}]}}]", "line 4: next: after: want a duration"},
		"far down, word":  {"[{\"then\": {\n\"fails\": true,\n\"wenn\": 1}}]", `line 3: json: unknown field "wenn"`},
		"far down, type":  {"[{\"when\": {\n\"minQuantity\":\n\"10\"}}]", "line 3: json: cannot unmarshal string"},
		"missing status":  {"[{\n\"then\": {\"authorizations\": [{}]}}]", `line 2: status ""`},
		"twice":           {"[{\"then\": {\n\"fails\": true,\n\"fails\": true}}]", `line 3: "fails" appears twice`},
		"negative delay":  {"[{\"then\": {\n\"delay\": \"-1s\", \"fails\": true}}]", "line 2: delay: want"},
		"nothing happens": {`[{"then": {}}]`, "line 1: nothing happens"},
		"fails and more":  {`[{"then": {"fails": true, "errors": [{"message": "x"}]}}]`, "line 1: an operator that fails"},
		"cut":             {"[\n{\"then\": {\"fails\": true}}\n", "line 3: "},
		"something after": {`[] []`, "line 1: invalid character"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := simulated.Load([]byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestOperator_Catalogue(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range simulated.New(simulated.Config{}).Catalogue() {
		if len(e.Card) != 6 || !strings.HasPrefix(e.Card, "9999") || e.What == "" || seen[e.Card] {
			t.Errorf("got %+v, want a card of its own that begins with 9999 and two digits", e)
		}
		seen[e.Card] = true
	}
	if len(seen) < 24 {
		t.Errorf("got %d cards, want every rule", len(seen))
	}
}
