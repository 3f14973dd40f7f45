package audit_test

import (
	"testing"

	"guiche/internal/audit"
)

func TestEntry_Repeated(t *testing.T) {
	one := audit.Entry{Event: audit.AccessDenied, Detail: "rota=/pessoas"}
	for name, tt := range map[string]struct {
		entry audit.Entry
		times int
		want  string
	}{
		"Once":     {one, 1, "rota=/pessoas"},
		"Twice":    {one, 2, "rota=/pessoas vezes=2"},
		"NoDetail": {audit.Entry{Event: audit.LoginFailed}, 3, "vezes=3"},
		"Various":  {audit.VariousDenied(audit.LoginFailed), 1, "varios vezes=1"},
		"Many":     {audit.VariousDenied(audit.LoginFailed), 70, "varios vezes=70"},
	} {
		t.Run(name, func(t *testing.T) {
			got := tt.entry.Repeated(tt.times)
			if got.Detail != tt.want || got.Event != tt.entry.Event || got.Times() != tt.times {
				t.Errorf("got %+v for %d, want %q for %d", got, got.Times(), tt.want, tt.times)
			}
		})
	}
	for detail, want := range map[string]int{"": 1, "vezes=": 1, "vezes=muitas": 1, "rota=/vezes=9": 1, "vezes=9 rota=/x": 9} {
		if got := (audit.Entry{Detail: detail}).Times(); got != want {
			t.Errorf("%q: got %d, want %d", detail, got, want)
		}
	}
}

func TestEvent_Denied(t *testing.T) {
	for _, e := range audit.Denied() {
		if !e.Denied() {
			t.Errorf("%s is not refused", e)
		}
	}
	if audit.LoggedIn.Denied() || audit.LoginAttack.Denied() {
		t.Error("what is no refused act counts as one")
	}
	audit.Denied()[0] = audit.LoggedIn
	if audit.LoggedIn.Denied() {
		t.Error("the list can be changed from outside")
	}
}
