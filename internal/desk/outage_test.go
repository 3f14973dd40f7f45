package desk_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/directory"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// TestDesk_RunHangingOperator: an operator that hangs holds up nobody else.
func TestDesk_RunHangingOperator(t *testing.T) {
	t.Parallel()
	f := MustDesk(t, func(c *desk.Config) { c.Slots = desk.Slots{All: 4, PerCredential: 3} })
	hanging, release := make(chan struct{}, 10), make(chan struct{})
	f.service.onSend = func(_ context.Context, d authorization.Dispatch) {
		if d.Request.CredentialID == serenoID {
			hanging <- struct{}{}
			<-release
		}
	}
	defer close(release)
	other := directory.Credential{UID: uuid.New(), Name: "Mar Aberto", ProviderCode: "0077", Active: true}
	MustDo(t, f.config.Directory.(*directory.Directory).PutCredential(t.Context(), other))
	for range 6 {
		f.MustSubmit(t, ana, nil)
	}
	f.MustRun(t)
	for range 3 {
		<-hanging
	}
	for range 5 {
		f.MustBecome(t, f.MustSubmit(t, ana, map[string]string{"credencialId": other.UID.String()}), desk.Answered)
	}
	if len(hanging) != 0 {
		t.Error("the hanging operator got more than its slots")
	}
}

// TestDesk_Outages: who does not answer is told, with the moment of the first failure,
// until it answers again.
func TestDesk_Outages(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	failed := outcome(authorization.OutcomeUnknown, "http_504")
	f.service.Script(failed, failed, failed, failed, answered(authorization.Authorized))
	f.service.status = 504
	f.MustRun(t)
	for range desk.OutageAfter {
		f.MustBecome(t, f.MustSubmit(t, ana, nil), desk.Unknown)
	}
	want := []desk.Outage{{Credential: "Vale Sereno", Since: f.clock.Now()}}
	outages, err := f.Outages(t.Context())
	if diff := cmp.Diff(want, outages); diff != "" || err != nil {
		t.Errorf("-want +got, %v\n%s", err, diff)
	}
	waits := f.MustSubmit(t, ana, nil)
	if state, err := f.CaseState(t.Context(), ana, waits); state.State != desk.Queued || err != nil {
		t.Errorf("got %s, %v, want it to wait", state.State, err)
	}
	f.clock.Advance(desk.OutagePause(desk.OutageAfter))
	f.MustBecome(t, waits, desk.Answered)
	if outages, err := f.Outages(t.Context()); len(outages) != 0 || err != nil {
		t.Errorf("after an answer: got %v, %v, want none", outages, err)
	}
}

func TestOutagePause(t *testing.T) {
	for failures, want := range map[int]time.Duration{
		0: 0, desk.OutageAfter - 1: 0, desk.OutageAfter: 2 * time.Second, desk.OutageAfter + 1: 4 * time.Second,
		desk.OutageAfter + 5: time.Minute, 1 << 40: time.Minute,
	} {
		if got := desk.OutagePause(failures); got != want {
			t.Errorf("%d failures: got %s, want %s", failures, got, want)
		}
	}
}

// TestDesk_Outages_Unreadable: a service that answers, whatever it says, is no outage.
func TestDesk_Outages_Unreadable(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.service.Script(outcome(authorization.OutcomeUnknown, "json_invalido"))
	f.MustRun(t)
	for range desk.OutageAfter {
		f.MustBecome(t, f.MustSubmit(t, ana, nil), desk.Unknown)
	}
	if outages, err := f.Outages(t.Context()); len(outages) != 0 || err != nil {
		t.Errorf("got %v, %v, want none", outages, err)
	}
}
