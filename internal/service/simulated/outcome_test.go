package simulated_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/service"
	"guiche/internal/service/simulated"
)

// mustOperator follows rules, and waits for nothing.
func mustOperator(tb testing.TB, rules string) *simulated.Operator {
	tb.Helper()
	read, err := simulated.Load([]byte(rules))
	if err != nil {
		tb.Fatal(err)
	}
	return simulated.New(simulated.Config{Rules: read, Clock: clock, Sleep: func(context.Context, time.Duration) error { return nil }})
}

// TestCondition: each condition lets those through that it is about and no other; all
// of a rule must hold.
func TestCondition(t *testing.T) {
	with := func(change func(r *service.OperatorRequest)) service.OperatorRequest {
		r := request("123.456-7", 2, 5)
		change(&r)
		return r
	}
	attached := func(n int) func(r *service.OperatorRequest) {
		return func(r *service.OperatorRequest) { r.Request.Attachments = make([]authorization.Attachment, n) }
	}
	born := func(days int) func(r *service.OperatorRequest) {
		return func(r *service.OperatorRequest) {
			r.Request.Newborn, r.Request.NewbornBirth = true, authorization.NewLocalTime(now.AddDate(0, 0, -days))
		}
	}
	plain := func(*service.OperatorRequest) {}
	for name, c := range map[string]struct {
		when   string
		change func(r *service.OperatorRequest)
		want   bool
	}{
		"Nothing":             {`{}`, plain, true},
		"Card":                {`{"card": "1234567"}`, plain, true},
		"CardBeginning":       {`{"card": "123*"}`, plain, true},
		"CardPart":            {`{"card": "123456"}`, plain, false},
		"CardOther":           {`{"card": "9*"}`, plain, false},
		"Procedure":           {`{"procedure": "40304361"}`, plain, true}, // the second
		"ProcedureBeginning":  {`{"procedure": "4031*"}`, plain, true},
		"ProcedureOther":      {`{"procedure": "1*"}`, plain, false},
		"Credential":          {`{"credential": "004417"}`, plain, true},
		"CredentialOther":     {`{"credential": "4417"}`, plain, false},
		"Quantity":            {`{"minQuantity": 5}`, plain, true},
		"QuantityLess":        {`{"minQuantity": 6}`, plain, false},
		"AttachmentsEnough":   {`{"minAttachments": 1}`, attached(1), true},
		"AttachmentsMissing":  {`{"minAttachments": 2}`, attached(1), false},
		"AttachmentsNone":     {`{"maxAttachments": 0}`, attached(0), true},
		"AttachmentsTooMany":  {`{"maxAttachments": 0}`, attached(1), false},
		"Newborn":             {`{"newborn": true}`, born(1), true},
		"NewbornNot":          {`{"newborn": true}`, plain, false},
		"NoNewborn":           {`{"newborn": false}`, plain, true},
		"NoNewbornBut":        {`{"newborn": false}`, born(1), false},
		"AgeReached":          {`{"minAgeDays": 30}`, born(30), true},
		"AgeNotYet":           {`{"minAgeDays": 30}`, born(29), false},
		"AgeUntold":           {`{"minAgeDays": 1}`, plain, false},
		"AllOfThem":           {`{"card": "1*", "procedure": "4*", "minQuantity": 5, "maxAttachments": 3, "newborn": false}`, plain, true},
		"AllButOne":           {`{"card": "1*", "procedure": "4*", "minQuantity": 5, "maxAttachments": 3, "newborn": true}`, plain, false},
		"DifferentProcedures": {`{"procedure": "40316521", "minQuantity": 5}`, plain, true}, // code of one, quantity of another
	} {
		o := mustOperator(t, `[{"when": `+c.when+`, "then": {"authorizations": [{"status": "N"}]}}]`)
		if got := statuses(mustAuthorize(t, o, with(c.change))); (got == "N") != c.want {
			t.Errorf("%s: got %q, the rule was to fit: %t", name, got, c.want)
		}
	}
}

// The first rule that fits counts; where none does, the answer is an ordinary one.
func TestOperator_FirstRule(t *testing.T) {
	o := mustOperator(t, `[{"when": {"card": "1*"}, "then": {"authorizations": [{"status": "R"}]}},
		{"when": {"card": "12*"}, "then": {"authorizations": [{"status": "N"}]}}]`)
	for card, want := range map[string]string{"123": "R", "2": "A"} {
		if got := statuses(mustAuthorize(t, o, request(card, 1))); got != want {
			t.Errorf("%s: got %q, want %q", card, got, want)
		}
	}
}

// A request with one procedure gives it to both parts of an answer.
func TestOperator_Shares(t *testing.T) {
	o := mustOperator(t, `[{"then": {"authorizations": [{"status": "A", "procedures": "first"}, {"status": "N", "procedures": "rest"}]}}]`)
	for asked, want := range map[int][2]string{
		1: {"40316521", "40316521"}, 2: {"40316521", "40304361"}, 3: {"40316521", "40304361 40901114"},
	} {
		d := mustAuthorize(t, o, request("1", []int{1, 1, 1}[:asked]...))
		for i, a := range d.Authorizations {
			var codes []string
			for _, p := range a.Procedures {
				codes = append(codes, p.Code)
			}
			if got := strings.Join(codes, " "); got != want[i] {
				t.Errorf("%d asked, part %d: got %q, want %q", asked, i, got, want[i])
			}
		}
	}
}

// A look-up long afterwards tells of the same authorization, dated in the zone in
// which the request arrived.
func TestOperator_LookUp_Same(t *testing.T) {
	later := now.AddDate(0, 0, 3).Add(10*time.Hour + 29*time.Minute).UTC() // 24/11, 03:59 UTC: 00:59 there
	first := mustAuthorize(t, simulated.New(simulated.Config{Clock: clock}), request("310", 1)).Authorizations[0]
	d, err := simulated.New(simulated.Config{Clock: func() time.Time { return later }}).LookUp(t.Context(), request("310", 1))
	if err != nil || len(d.Authorizations) != 1 {
		t.Fatalf("got %+v, %v", d, err)
	}
	again := d.Authorizations[0]
	if again.Senha != first.Senha || again.GuideNumber != first.GuideNumber || again.Protocol != first.Protocol ||
		again.PartnerGuide != first.PartnerGuide || again.RequestNumber != first.RequestNumber {
		t.Errorf("got %+v, want the numbers of %+v", again, first)
	}
	if again.AuthorizedAt.String() != "2026-11-24T00:59:55" || again.SenhaValidUntil.String() != "2026-12-24T00:00:00" {
		t.Errorf("dated %s until %s", again.AuthorizedAt, again.SenhaValidUntil)
	}
}

// What an operator never decided, or decided otherwise since its rules changed, stays
// as it is.
func TestOperator_Later_Unknown(t *testing.T) {
	o := mustOperator(t, `[{"then": {"authorizations": [{"status": "S"}]}}]`)
	for name, c := range map[string]struct {
		number int
		status authorization.Status
	}{"NoSuchNumber": {2, "R"}, "NoNumber": {0, "R"}, "Settled": {1, "E"}, "NoSuchStatus": {1, "?"}} {
		at := service.OpenAuthorization{OperatorRequest: request("1", 1), Since: now.Add(-time.Hour),
			Authorization: authorization.Authorization{Number: c.number, Status: c.status}}
		polled, err := o.PollStatus(t.Context(), at)
		if err != nil || polled.Authorization.Status != "" || polled.PollAfter != 0 || !polled.Simulated {
			t.Errorf("%s, asked: got %+v, %v", name, polled, err)
		}
		acted, err := o.AddAttachments(t.Context(), at, nil)
		if err != nil || acted.Authorization.Status != "" || !acted.Simulated {
			t.Errorf("%s, acted: got %+v, %v", name, acted, err)
		}
	}
}

// Where a rule says nothing of what follows, an act leads on all the same, and
// cancelling takes its time.
func TestOperator_Later_Default(t *testing.T) {
	for status, want := range map[authorization.Status]struct {
		next  authorization.Status
		after time.Duration
	}{"S": {"R", 0}, "H": {"A", 0}, "T": {"A", 0}, "X": {"C", 5 * time.Second}} {
		o := mustOperator(t, `[{"then": {"authorizations": [{"status": "`+string(status)+`"}]}}]`)
		at := service.OpenAuthorization{OperatorRequest: request("1", 1), Since: now.Add(-want.after),
			Authorization: authorization.Authorization{Number: 1, Status: status}}
		step := o.AddAttachments
		if want.after > 0 {
			step = func(ctx context.Context, at service.OpenAuthorization, _ []authorization.Attachment) (service.Update, error) {
				return o.PollStatus(ctx, at)
			}
		}
		if u, err := step(t.Context(), at, nil); err != nil || u.Authorization.Status != want.next || !u.Simulated {
			t.Errorf("%s: got %+v, %v, want %s", status, u, err, want.next)
		}
	}
}

// TestOperator_Fails: whatever a person does with an operator that fails, it fails after
// the time that it takes; who gives up waiting is told so.
func TestOperator_Fails(t *testing.T) {
	var slept []time.Duration
	rules, err := simulated.Load([]byte(`[{"then": {"delay": "3s", "fails": true}}]`))
	if err != nil {
		t.Fatal(err)
	}
	failing := simulated.New(simulated.Config{Rules: rules, Clock: clock,
		Sleep: func(_ context.Context, d time.Duration) error { slept = append(slept, d); return nil }})
	at := service.OpenAuthorization{OperatorRequest: request("1", 1), Authorization: authorization.Authorization{Number: 1, Status: "S"}}
	calls := map[string]func(ctx context.Context, o *simulated.Operator) error{
		"Authorize": func(ctx context.Context, o *simulated.Operator) error {
			_, err := o.Authorize(ctx, request("1", 1))
			return err
		},
		"CheckEligibility": func(ctx context.Context, o *simulated.Operator) error {
			_, err := o.CheckEligibility(ctx, service.EligibilityRequest{CardNumber: "1"})
			return err
		},
		"AddAttachments": func(ctx context.Context, o *simulated.Operator) error {
			_, err := o.AddAttachments(ctx, at, nil)
			return err
		},
		"CheckBiometrics": func(ctx context.Context, o *simulated.Operator) error {
			_, err := o.CheckBiometrics(ctx, at, nil)
			return err
		},
	}
	for name, call := range calls {
		slept = nil
		if err := call(t.Context(), failing); err == nil || len(slept) != 1 || slept[0] != 3*time.Second {
			t.Errorf("%s: got %v after %v, want a failure after 3s", name, err, slept)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := call(ctx, simulated.New(simulated.Config{Rules: rules})); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, given up: got %v, want %v", name, err, context.Canceled)
		}
	}
}

// TestOperator_CheckEligibility_Rules: what is said about a card is what a rule about
// that card, at that credential, says.
func TestOperator_CheckEligibility_Rules(t *testing.T) {
	o := mustOperator(t, `[
		{"when": {"card": "1*", "minQuantity": 1}, "then": {"authorizations": [{"status": "V"}]}},
		{"when": {"card": "1*", "credential": "77"}, "then": {"authorizations": [{"status": "V", "errors": [{"message": "Não é daqui."}]}]}},
		{"when": {"card": "2*"}, "then": {"errors": [{"message": "Fora do ar."}]}}]`)
	until := authorization.DateOf(2027, 12, 31)
	for name, c := range map[string]struct {
		card, credential, message string
		eligible                  bool
	}{
		"OtherCredential": {"123", "78", "", true},
		"Unknown":         {"1.23", "77", "Não é daqui.", false},
		"Refused":         {"2", "77", "Fora do ar.", false},
	} {
		got, err := o.CheckEligibility(t.Context(), service.EligibilityRequest{CardNumber: c.card, CardValidity: until,
			Credential: service.Credential{ProviderCode: c.credential}})
		if err != nil || got.Eligible != c.eligible || strings.Join(got.Messages, "|") != c.message ||
			c.eligible != (got.Plan != "") || c.eligible != (got.CardValidity == until) || got.Situation == "" {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
}

func TestLoadFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "regras.json")
	if _, err := simulated.LoadFile(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("none: got %v, want %v", err, os.ErrNotExist)
	}
	for text, want := range map[string]string{
		`[{"what": "Negado.", "when": {"card": "7*"}, "then": {"authorizations": [{"status": "N"}]}}]`: "",
		"[\n{}]": name + ": simulated: line 2: nothing happens",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		rules, err := simulated.LoadFile(name)
		if want == "" && (err != nil || len(rules) != 1) || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%s: got %d rules, %v, want %q", text, len(rules), err, want)
		}
		if want == "" {
			cards := simulated.New(simulated.Config{Rules: rules}).Catalogue()
			if len(cards) != 1 || cards[0] != (simulated.Example{Card: "7", What: "Negado."}) {
				t.Errorf("catalogue: got %+v", cards)
			}
		}
	}
}
