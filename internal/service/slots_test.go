package service_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"guiche/internal/service"
)

// TestService_PatientPresent: while an operator's slots are taken, requests wait for one
// in the order in which they came, those whose patient is at the counter before all others.
func TestService_PatientPresent(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{OperatorCalls: 1, BusyWait: time.Minute}})
	asked, next := make(chan string, 9), make(chan bool)
	e.Operator.Before(func(_ context.Context, r service.OperatorRequest) error {
		asked <- r.Request.ProviderGuide
		<-next
		return nil
	})
	answered := make(chan int, 9)
	send := func(guide, present string) {
		go func() {
			answered <- e.Post(body(map[string]any{"guiaPrestador": guide, "pacienteNoLocal": present, "numeroCarteira": "9999210001"}), nil).Status
		}()
	}
	send("first", "N")
	got := []string{<-asked}
	for i, waiting := range []struct{ guide, present string }{{"a", "N"}, {"b", "S"}, {"c", "N"}, {"d", "S"}} {
		send(waiting.guide, waiting.present)
		eventually(t, fmt.Sprintf("%s waits", waiting.guide), func() bool { return e.Service.Waiting(credentialID) == i+1 })
	}
	for range 4 {
		next <- true
		got = append(got, <-asked)
	}
	next <- true
	if want := []string{"first", "b", "d", "a", "c"}; !slices.Equal(got, want) {
		t.Errorf("the operator was asked in the order %v, want %v", got, want)
	}
	for range 5 {
		if status := <-answered; status != http.StatusOK {
			t.Errorf("got %d", status)
		}
	}
}

// TestService_GivesUpWaiting: who waited in vain leaves no place behind, and the slot goes
// to the next one.
func TestService_GivesUpWaiting(t *testing.T) {
	e := MustEnv(t, limits{Service: service.Limits{OperatorCalls: 1, BusyWait: 50 * time.Millisecond}})
	next := make(chan bool)
	e.Operator.Before(func(context.Context, service.OperatorRequest) error {
		<-next
		return nil
	})
	first := make(chan int, 1)
	go func() { first <- e.Post(body(map[string]any{"guiaPrestador": "g1"}), nil).Status }()
	eventually(t, "the operator is asked", func() bool { return e.Operator.Authorized.Load() == 1 })
	checkRefusal(t, e.Post(body(map[string]any{"guiaPrestador": "g2", "pacienteNoLocal": "S"}), nil), http.StatusServiceUnavailable)
	if got := e.Service.Waiting(credentialID); got != 0 {
		t.Errorf("%d still wait", got)
	}
	close(next)
	if got := []int{<-first, e.Post(body(map[string]any{"guiaPrestador": "g3"}), nil).Status}; !slices.Equal(got, []int{200, 200}) {
		t.Errorf("got %v", got)
	}
}

// eventually waits for what happens in its own time.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	for !happened() {
		select {
		case <-deadline:
			t.Fatalf("did not happen: %s", what)
		case <-time.After(time.Millisecond):
		}
	}
}
