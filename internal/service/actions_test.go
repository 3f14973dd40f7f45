package service_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// acting is an operator that decides on one authorization and answers every action
// with the same update.
type acting struct {
	servicetest.Fixed
	update service.Update
}

func newActing(before, after authorization.Status) acting {
	decision := service.Decision{Authorizations: []authorization.Authorization{{Status: before, Senha: "1", GuideNumber: "7"}}}
	return acting{servicetest.Fixed{Decision: decision}, service.Update{Authorization: authorization.Authorization{Status: after}}}
}

// AddAttachments implements service.AttachmentTaker.
func (a acting) AddAttachments(context.Context, service.OpenAuthorization, []authorization.Attachment) (service.Update, error) {
	return a.update, nil
}

// CheckBiometrics implements service.BiometricChecker.
func (a acting) CheckBiometrics(context.Context, service.OpenAuthorization, []service.Capture) (service.Update, error) {
	return a.update, nil
}

// Cancel implements service.Canceller.
func (a acting) Cancel(context.Context, service.OpenAuthorization, string) (service.Update, error) {
	return a.update, nil
}

// desk is the caller of every environment's key.
func desk() service.Caller {
	return service.Caller{ProfileID: access.DeskProfile().ID, Method: access.MethodAPIKey, AccessID: uuid.New()}
}

// idOf is the id of an authorization.
func idOf(id string) uuid.UUID { return uuid.MustParse(id) }

// TestService_Act_Leads: an action leads where row 19 and its kind allow, whatever
// its operator says; anything else is a failure and moves nothing.
func TestService_Act_Leads(t *testing.T) {
	for _, c := range []struct {
		kind   service.ActionKind
		before authorization.Status
		want   map[authorization.Status]string // what comes of each status that is taken; "" is one that the operator does not say
	}{
		{service.ActionCancel, "A", map[authorization.Status]string{"": "AX", "X": "AX", "C": "AXC"}},
		{service.ActionCancel, "R", map[authorization.Status]string{"": "RX", "X": "RX", "C": "RXC"}},
		{service.ActionAttachments, "S", map[authorization.Status]string{
			"": "SR", "R": "SR", "A": "SRA", "Z": "SRZ", "N": "SRN", "S": "SRS", "H": "SRH", "X": "SX", "T": "SRHT", "W": "SRAW",
			"P": "SRAWP", "E": "SRAWPE", "C": "SXC"}},
		{service.ActionBiometrics, "H", map[authorization.Status]string{"A": "HA", "T": "HT", "X": "HX", "W": "HAW", "P": "HAWP",
			"E": "HAWPE", "C": "HXC"}},
		{service.ActionBiometrics, "T", map[authorization.Status]string{"A": "TA", "T": "T", "X": "TAX", "W": "TAW", "P": "TAWP",
			"E": "TAWPE", "C": "TAXC"}},
	} {
		e := MustEnv(t, limits{})
		all := []authorization.Status{"", "Q"}
		for _, info := range authorization.Statuses() {
			all = append(all, info.Code)
		}
		for _, after := range all {
			e.Operator.Operator = newActing(c.before, after)
			id, _ := e.MustAuthorize("1")
			result, err := e.Service.Act(t.Context(), service.ActionRequest{Caller: desk(), GuideID: idOf(id), Kind: c.kind})
			want, taken := c.want[after]
			taken = taken && want != ""
			if got := strings.Join(e.History(id), ""); taken && got != want || !taken && got != string(c.before) {
				t.Errorf("%s of %s to be %q: the ledger says %s, want %q", c.kind, c.before, after, got, want)
			}
			if taken && (err != nil || result.Answer.Blob == "") || !taken && reasonOf(err) != service.OperatorFailed {
				t.Errorf("%s of %s to be %q: got %+v, %v", c.kind, c.before, after, result, err)
			}
		}
	}
}

// reasonOf is why the service refused something.
func reasonOf(err error) service.Reason {
	var refused *service.Refusal
	if errors.As(err, &refused) {
		return refused.Reason
	}
	return ""
}

// TestService_Act_Keeps: what the service knows of an authorization stays its own,
// whatever an operator says.
func TestService_Act_Keeps(t *testing.T) {
	e := MustEnv(t, limits{})
	o := newActing("A", "")
	e.Operator.Operator = o
	id, _ := e.MustAuthorize("1")
	before := e.StandsAt(id, "A").Data()
	if _, err := e.Service.Act(t.Context(), service.ActionRequest{Caller: desk(), GuideID: idOf(id), Kind: service.ActionCancel}); err != nil {
		t.Fatal(err)
	}
	after := e.StandsAt(id, "X").Data()
	for _, name := range []string{"numeroAutorizacao", "guiaId", "numeroGuia", "senha", "guiaPrestador"} {
		if before[name] != after[name] || after[name] == "" {
			t.Errorf("%s: got %v, want %v", name, after[name], before[name])
		}
	}
	o.update.Authorization = authorization.Authorization{Status: "C", Number: 9, GuideID: uuid.NewString(), ProviderGuide: "x",
		GuidePDF: "y", Senha: "2"}
	e.Operator.Operator = o
	id, _ = e.MustAuthorize("1")
	if _, err := e.Service.Act(t.Context(), service.ActionRequest{Caller: desk(), GuideID: idOf(id), Kind: service.ActionCancel}); err != nil {
		t.Fatal(err)
	}
	got := e.StandsAt(id, "C").Data()
	if got["numeroAutorizacao"] != 1.0 || got["guiaId"] != id || got["guiaPrestador"] == "x" || got["senha"] != "2" ||
		got["pdfGuiaAutorizacao"] != "" {
		t.Errorf("told otherwise: got %v", got)
	}
}

func TestService_MayAct(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("0310004512063345")
	accepted := e.Accept("0310004512063345", nil).Data()["guiaId"].(string)
	if err := e.Service.MayAct(t.Context(), desk(), idOf(id)); err != nil {
		t.Errorf("one's own: got %v", err)
	}
	if err := e.Service.MayAct(t.Context(), desk(), idOf(accepted)); reasonOf(err) != service.Busy {
		t.Errorf("not decided yet: got %v, want %s", err, service.Busy)
	}
	for name, c := range map[string]struct {
		caller service.Caller
		id     uuid.UUID
	}{
		"unknown": {desk(), uuid.New()}, "another's": {service.Caller{ProfileID: uuid.New()}, idOf(id)},
		"another's, not decided": {service.Caller{ProfileID: uuid.New()}, idOf(accepted)},
	} {
		if err := e.Service.MayAct(t.Context(), c.caller, c.id); !errors.Is(err, service.ErrNoAuthorization) {
			t.Errorf("%s: got %v, want %v", name, err, service.ErrNoAuthorization)
		}
	}
}

// TestService_Act_OneAtATime: a second action waits for the first, for a while.
func TestService_Act_OneAtATime(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{BusyWait: 20 * time.Millisecond}})
	id, _ := e.MustAuthorize("0310004512063345")
	reached, release := make(chan struct{}), make(chan struct{})
	e.Operator.Before(func(context.Context, service.OperatorRequest) error { close(reached); <-release; return nil })
	cancel := service.ActionRequest{Caller: desk(), GuideID: idOf(id), Kind: service.ActionCancel}
	first := make(chan error)
	go func() { _, err := e.Service.Act(context.WithoutCancel(t.Context()), cancel); first <- err }()
	<-reached
	if _, err := e.Service.Act(t.Context(), cancel); reasonOf(err) != service.Busy {
		t.Errorf("while another is under way: got %v, want %s", err, service.Busy)
	}
	e.Clock.Move(time.Hour)
	e.RunDue() // leaves what a partner is changing alone
	close(release)
	if err := <-first; err != nil {
		t.Errorf("the first: %v", err)
	}
	if _, err := e.Service.Act(t.Context(), cancel); reasonOf(err) != service.WrongStatus {
		t.Errorf("afterwards: got %v, want %s", err, service.WrongStatus)
	}
	if got := e.Operator.Polled.Load(); got != 0 {
		t.Errorf("polled %d times while a partner acted", got)
	}
}

// TestService_Act_Key: a key stands for one action on one authorization.
func TestService_Act_Key(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{KeyLife: time.Hour}})
	id, _ := e.MustAuthorize("999909")
	other, _ := e.MustAuthorize("999909")
	kept, err := e.Blobs.Put(t.Context(), strings.NewReader("%PDF-1.4"))
	e.Must(err)
	pdf := authorization.Attachment{Name: "a.pdf", ContentType: "application/pdf", Blob: kept.Ref, Size: kept.Size}
	request := service.ActionRequest{Caller: desk(), GuideID: idOf(id), Key: "k", Kind: service.ActionAttachments,
		Attachments: []authorization.Attachment{pdf}}
	first, err := e.Service.Act(t.Context(), request)
	if err != nil || first.Answer.Replayed {
		t.Fatalf("got %+v, %v", first, err)
	}
	again, err := e.Service.Act(t.Context(), request)
	if err != nil || !again.Answer.Replayed || again.Answer.Blob != first.Answer.Blob {
		t.Errorf("again: got %+v, %v", again, err)
	}
	for name, change := range map[string]func(r *service.ActionRequest){
		"another authorization": func(r *service.ActionRequest) { r.GuideID = idOf(other) },
		"another kind": func(r *service.ActionRequest) {
			*r = service.ActionRequest{Caller: r.Caller, GuideID: r.GuideID, Key: "k", Kind: service.ActionCancel}
		},
		"another name": func(r *service.ActionRequest) { r.Attachments[0].Name = "b.pdf" },
		"another type": func(r *service.ActionRequest) { r.Attachments[0].ContentType = "image/png" },
		"other bytes":  func(r *service.ActionRequest) { r.Attachments[0].Blob = "c" },
		"one more":     func(r *service.ActionRequest) { r.Attachments = append(r.Attachments, pdf) },
	} {
		changed := request
		changed.Attachments = slices.Clone(request.Attachments)
		change(&changed)
		if _, err := e.Service.Act(t.Context(), changed); reasonOf(err) != service.OtherBody {
			t.Errorf("%s: got %v, want %s", name, err, service.OtherBody)
		}
	}
	stranger := request
	stranger.Caller.ProfileID = e.MustPartner(t).Profile.ID
	if _, err := e.Service.Act(t.Context(), stranger); reasonOf(err) != service.WrongStatus {
		t.Errorf("another partner's key: got %v, want %s", err, service.WrongStatus)
	}
	e.Clock.Move(time.Hour)
	if _, err := e.Service.Act(t.Context(), request); reasonOf(err) != service.WrongStatus {
		t.Errorf("after the key's time: got %v, want %s", err, service.WrongStatus)
	}
	if got := e.Operator.Acted.Load(); got != 1 {
		t.Errorf("the operator was told %d times, want once", got)
	}
}

// TestService_Act_Fingerprint: captures and reasons tell actions apart by what may
// be kept of them.
func TestService_Act_Fingerprint(t *testing.T) {
	for name, c := range map[string]struct {
		card          string
		first, second service.ActionRequest
		other         bool
	}{
		"another reason": {"1", service.ActionRequest{Kind: service.ActionCancel, Reason: "a"},
			service.ActionRequest{Kind: service.ActionCancel, Reason: "b"}, true},
		"another device": {"999913", captured("digital", "um", "x"), captured("digital", "dois", "x"), true},
		"another kind":   {"999913", captured("digital", "um", "x"), captured("facial", "um", "x"), true},
		"another finger": {"999913", captured("digital", "um", "x"), captured("digital", "um", "y"), false},
	} {
		e := MustEnv(t, limits{})
		id, _ := e.MustAuthorize(c.card)
		act := func(r service.ActionRequest) error {
			r.Caller, r.GuideID, r.Key = desk(), idOf(id), "k"
			_, err := e.Service.Act(t.Context(), r)
			return err
		}
		if err := act(c.first); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := act(c.second); (reasonOf(err) == service.OtherBody) != c.other || !c.other && err != nil {
			t.Errorf("%s: got %v, want another body: %v", name, err, c.other)
		}
	}
}

func captured(kind, device, data string) service.ActionRequest {
	return service.ActionRequest{Kind: service.ActionBiometrics, Captures: []service.Capture{{Kind: kind, Device: device, Data: []byte(data)}}}
}

// TestService_Act_Interrupted: an action that a process left behind counts as under
// way until its operator cannot be answering any more, and to the moment.
func TestService_Act_Interrupted(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{OperatorTimeout: time.Minute, BusyWait: time.Second}})
	e.Plain = true // the operator can be asked nothing about it
	e.Restart()
	id, _ := e.MustAuthorize("0310004512063345")
	hash := service.HashKey("k")
	request := service.ActionRequest{Caller: desk(), GuideID: idOf(id), Key: "k", Kind: service.ActionCancel}
	_, _, err := e.Store().AddAction(t.Context(), service.Action{
		ID: uuid.New(), Caller: desk(), GuideID: idOf(id), Kind: service.ActionCancel, Before: "A", Key: hash,
		KeyUntil:    e.Clock.Now().Add(time.Hour),
		Fingerprint: request.Fingerprint(), ReceivedAt: e.Clock.Now(),
	})
	e.Must(err)
	for _, c := range []struct {
		move time.Duration
		want service.Reason
	}{{0, service.Busy}, {time.Minute + time.Second, service.Busy}, {time.Microsecond, service.OperatorTimeout}} {
		e.Clock.Move(c.move)
		if _, err := e.Service.Act(t.Context(), request); reasonOf(err) != c.want {
			t.Errorf("%v later: got %v, want %s", c.move, err, c.want)
		}
	}
	if got := e.Operator.Acted.Load(); got != 0 {
		t.Errorf("the operator was told %d times, want never", got)
	}
}

// TestService_Act_NotOffered: what an operator cannot do is refused by its name, and
// one that left cannot be told anything.
func TestService_Act_NotOffered(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("0310004512063345")
	cancel := service.ActionRequest{Caller: desk(), GuideID: idOf(id), Kind: service.ActionCancel}
	e.Plain = true
	e.Restart()
	_, err := e.Service.Act(t.Context(), cancel)
	var refused *service.Refusal
	if !errors.As(err, &refused) || refused.Reason != service.NotOffered || !strings.Contains(refused.Message, "cancelamento") {
		t.Errorf("got %v, want %s", err, service.NotOffered)
	}
	left := servicetest.Credentials()[0]
	left.Operator = "tiss"
	e.Must(e.Admin.PutCredential(t.Context(), left))
	_, err = e.Service.Act(t.Context(), cancel)
	if !errors.As(err, &refused) || refused.Reason != service.Unavailable || refused.RetryAfter != time.Minute {
		t.Errorf("an operator that left: got %v, want %s", err, service.Unavailable)
	}
	if _, err := e.Service.Act(t.Context(), service.ActionRequest{Caller: desk(), GuideID: uuid.New(),
		Kind: service.ActionCancel}); !problem.Is(err, problem.NotFound) {
		t.Errorf("of nothing: got %v, want %s", err, problem.NotFound)
	}
}

func TestService_Features(t *testing.T) {
	e := MustEnv(t, limits{})
	for plain, want := range map[bool]string{
		false: "idempotencia situacao consulta-por-guia anexos biometria cancelamento elegibilidade cadastros",
		true:  "idempotencia situacao consulta-por-guia cadastros",
	} {
		e.Plain = plain
		e.Restart()
		if got := strings.Join(e.Service.Features(), " "); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
