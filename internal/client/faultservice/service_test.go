package faultservice_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"guiche/internal/client/faultservice"
)

func MustStart(tb testing.TB, cfg faultservice.Config) *faultservice.Service {
	tb.Helper()
	s := faultservice.New(cfg)
	if err := s.Start(); err != nil {
		tb.Fatalf("start: %v", err)
	}
	tb.Cleanup(func() { _ = s.Close() })
	return s
}

// call sends a request and returns what net/http makes of the answer.
func call(ctx context.Context, s *faultservice.Service, method, path, body string, headers ...string) (status int,
	answer string, err error) {
	req, err := http.NewRequestWithContext(ctx, method, s.URL()+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	resp, err := (&http.Transport{MaxIdleConnsPerHost: -1}).RoundTrip(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(data), err
}

func submit(tb testing.TB, s *faultservice.Service, guide string, headers ...string) (int, string, error) {
	tb.Helper()
	return call(tb.Context(), s, "POST", faultservice.SubmitPath, `{"guiaPrestador":"`+guide+`"}`, headers...)
}

func TestService_Ordinary(t *testing.T) {
	s := MustStart(t, faultservice.Config{Key: "k", Features: []string{"situacao"}})
	tests := []struct {
		method, path, key string
		status            int
		want              string
	}{
		{"GET", faultservice.SearchPath, "k", 200, `"nome":"Operadora Horizonte"`},
		{"GET", faultservice.FeaturesPath, "k", 200, `"recursos":["situacao"]`},
		{"POST", faultservice.SubmitPath, "k", 200, `"situacaoAutorizacao":"A"`},
		{"POST", faultservice.SubmitPath, "x", 401, `"codigo":"nao_autenticado"`},
		{"GET", "/api/v3", "k", 404, `"sucesso":false`},
	}
	for _, tt := range tests {
		status, body, err := call(t.Context(), s, tt.method, tt.path, "{}", "x-api-key", tt.key)
		if status != tt.status || !strings.Contains(body, tt.want) || err != nil {
			t.Errorf("%s %s: got %d %q, error %v, want %d with %q", tt.method, tt.path, status, body, err, tt.status, tt.want)
		}
	}
	if got := s.Count(faultservice.Acted, ""); got != 1 {
		t.Errorf("acted: got %d, want 1: the key decides", got)
	}
}

func TestService_Ledger(t *testing.T) {
	at := time.Date(2026, time.November, 20, 10, 0, 0, 0, time.UTC)
	s := MustStart(t, faultservice.Config{KeepBody: 25, Clock: func() time.Time { return at }})
	body := `{"guiaPrestador": "42", "resto": "` + strings.Repeat("x", 100) + `"}`
	if _, _, err := call(t.Context(), s, "POST", faultservice.SubmitPath+"?a=b", body, "Idempotency-Key", "k1"); err != nil {
		t.Fatal(err)
	}
	entries := s.Ledger()
	if len(entries) != 2 || entries[0].Event != faultservice.Received || entries[1].Event != faultservice.Acted {
		t.Fatalf("ledger: got %+v, want received and acted", entries)
	}
	e := entries[0]
	if e.Seq != 1 || !e.At.Equal(at) || e.Guide != "42" || e.Key != "k1" || e.RawQuery != "a=b" || e.Conn == "" || !e.Complete {
		t.Errorf("entry: got %+v", e)
	}
	if string(e.Body) != body[:25] || e.BodySize != int64(len(body)) || len(e.BodyHash) != 64 {
		t.Errorf("body: got %q of %d bytes, hash %q", e.Body, e.BodySize, e.BodyHash)
	}
	entries[0].Guide = "x"
	if got := s.Ledger()[0].Guide; got != "42" {
		t.Errorf("ledger changed through a copy: got %q", got)
	}
}

func TestService_Idempotency(t *testing.T) {
	act := func(features ...string) map[string]int {
		s := MustStart(t, faultservice.Config{Features: features})
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() { _, _, _ = submit(t, s, "7", "Idempotency-Key", "k") })
		}
		all.Wait()
		return s.ActedOn()
	}
	if got := act("idempotencia")["7"]; got != 1 {
		t.Errorf("announced: acted %d times, want once", got)
	}
	if got := act()["7"]; got != 20 {
		t.Errorf("not announced: acted %d times, want 20", got)
	}
}

func TestService_Rules(t *testing.T) {
	s := MustStart(t, faultservice.Config{})
	statuses := func(n int, path string) (got []int) {
		for range n {
			status, _, err := call(t.Context(), s, "GET", path, "")
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, status)
		}
		return got
	}
	equal := func(what string, got []int, want ...int) {
		t.Helper()
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: got %v, want %v", what, got, want)
				return
			}
		}
	}
	removeNth := s.Add(faultservice.Rule{Method: "GET", Path: "/a", Nth: 2, Fault: faultservice.Answer(418, "")})
	removeTimes := s.Add(faultservice.Rule{Path: "/b", Times: 2, Fault: faultservice.Answer(418, "")})
	s.Add(faultservice.Rule{Method: "PUT", Fault: faultservice.Answer(418, "")})
	equal("second only", statuses(3, "/a"), 404, 418, 404)
	equal("twice at most", statuses(3, "/b"), 418, 418, 404)
	removeNth()
	removeTimes()
	removeTimes()
	s.Add(faultservice.Rule{Name: "primeira", Fault: faultservice.Answer(500, "")})
	s.Add(faultservice.Rule{Name: "segunda", Fault: faultservice.Answer(501, "")})
	equal("the first decides", statuses(1, "/a"), 500)
	if ledger := s.Ledger(); ledger[len(ledger)-1].Rule != "primeira" {
		t.Errorf("ledger: got rule %q, want the one that struck", ledger[len(ledger)-1].Rule)
	}
}

// TestService_Chosen: what is chosen strikes where no rule of Add does, and the ledger may
// be kept elsewhere.
func TestService_Chosen(t *testing.T) {
	var kept []faultservice.Entry
	var mu sync.Mutex
	s := MustStart(t, faultservice.Config{
		Features: []string{"consulta-por-guia"},
		Choose: func(r *http.Request) *faultservice.Rule {
			if r.URL.Path == "/chosen" {
				return &faultservice.Rule{Name: "chosen", Fault: faultservice.Answer(418, "")}
			}
			return nil
		},
		Keep: func(e faultservice.Entry) {
			mu.Lock()
			defer mu.Unlock()
			kept = append(kept, e)
		},
	})
	for path, want := range map[string]int{"/chosen": 418, "/other": 404} {
		if status, _, err := call(t.Context(), s, "GET", path, ""); status != want || err != nil {
			t.Errorf("%s: got %d, error %v, want %d", path, status, err, want)
		}
	}
	if _, _, err := submit(t, s, "7"); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	last := kept[len(kept)-1]
	if len(kept) != 4 || len(s.Ledger()) != 0 || last.Event != faultservice.Acted || last.Seq != 4 || last.Request != 3 {
		t.Errorf("kept %+v, ledger %+v", kept, s.Ledger())
	}
}

func TestService_LookUp(t *testing.T) {
	s := MustStart(t, faultservice.Config{Features: []string{"consulta-por-guia"}})
	if _, _, err := submit(t, s, "7"); err != nil {
		t.Fatal(err)
	}
	for guide, want := range map[string]string{"7": `"guiaPrestador":"7"`, "8": `"items":[]`} {
		status, body, err := call(t.Context(), s, "GET", faultservice.LookUpPath+"?guiaPrestador="+guide, "")
		if status != 200 || !strings.Contains(body, want) || err != nil {
			t.Errorf("guide %s: got %d %q, error %v, want %q", guide, status, body, err, want)
		}
	}
}

func TestService_ActBeforeOrAfter(t *testing.T) {
	for _, after := range []bool{false, true} {
		s := MustStart(t, faultservice.Config{})
		s.Add(faultservice.Rule{After: after, Fault: faultservice.HangUp()})
		if _, _, err := submit(t, s, "9"); err == nil {
			t.Error("call: got an answer, want none")
		}
		if got := s.ActedOn()["9"]; (got == 1) != after {
			t.Errorf("after %v: acted %d times", after, got)
		}
	}
}

func TestService_Hold(t *testing.T) {
	s := MustStart(t, faultservice.Config{})
	release := make(chan struct{})
	s.Add(faultservice.Rule{Hold: release})
	answered := make(chan int, 1)
	go func() {
		status, _, _ := submit(t, s, "5")
		answered <- status
	}()
	if err := s.Wait(t.Context(), func(e []faultservice.Entry) bool { return len(e) == 1 }); err != nil {
		t.Fatal(err)
	}
	select {
	case <-answered:
		t.Fatal("answered while held")
	default:
	}
	close(release)
	if got := <-answered; got != 200 || s.ActedOn()["5"] != 1 {
		t.Errorf("released: got %d, acted %v, want the ordinary answer", got, s.ActedOn())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Wait(ctx, func([]faultservice.Entry) bool { return false }); !errors.Is(err, context.Canceled) {
		t.Errorf("wait: got %v, want %v", err, context.Canceled)
	}
}

func TestFault(t *testing.T) {
	_, body := faultservice.Authorize(faultservice.Entry{Guide: "1"})
	full := string(body)
	ticks := make(chan struct{}, len(full))
	for range full {
		ticks <- struct{}{}
	}
	tests := map[string]struct {
		fault  faultservice.Fault
		status int
		want   string // answer as far as it comes
		err    error  // nil: a complete answer
	}{
		"Answer":       {faultservice.Answer(422, "{}", "X-A", "b"), 422, "{}", nil},
		"ContentType":  {faultservice.ContentType("text/plain"), 200, full, nil},
		"Reset":        {faultservice.Reset(), 0, "", syscall.ECONNRESET},
		"HangUp":       {faultservice.HangUp(), 0, "", io.EOF},
		"Cut":          {faultservice.Cut(3), 200, full[:3], io.ErrUnexpectedEOF},
		"TooLong":      {faultservice.WrongLength(1), 200, full, io.ErrUnexpectedEOF},
		"TooShort":     {faultservice.WrongLength(-1), 200, full[:len(full)-1], nil},
		"CutBytes":     {faultservice.CutBytes(0), 0, "", syscall.ECONNRESET},
		"Rewrite":      {faultservice.Rewrite(func(string) string { return "x" }), 200, "x", nil},
		"Drip":         {faultservice.Drip(ticks), 200, full, nil},
		"Huge":         {faultservice.Huge(10), 200, `{"sucesso":true,"erros":[],"data":"AAAAAAAAAA"}`, nil},
		"OwnFunction":  {func(c *faultservice.Call) { c.Writer.WriteHeader(http.StatusTeapot) }, 418, "", nil},
		"EarlyRefusal": {faultservice.Early(413, "{}"), 413, "{}", nil},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := MustStart(t, faultservice.Config{})
			s.Add(faultservice.Rule{Fault: tt.fault})
			status, got, err := submit(t, s, "1")
			if status != tt.status || got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("got %d %q, error %v, want %d %q, error %v", status, got, err, tt.status, tt.want, tt.err)
			}
		})
	}
}

// Faults without an end last until the client goes or the service stops.
func TestFault_WithoutEnd(t *testing.T) {
	faults := map[string]faultservice.Fault{"Never": faultservice.Never(), "Endless": faultservice.Endless(), "Stall": faultservice.Stall(3),
		"Drip": faultservice.Drip(nil)}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			s := MustStart(t, faultservice.Config{})
			s.Add(faultservice.Rule{Fault: fault})
			ended := make(chan error, 1)
			go func() {
				_, _, err := submit(t, s, "1")
				ended <- err
			}()
			if err := s.Wait(t.Context(), func(e []faultservice.Entry) bool { return len(e) == 1 }); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if err := <-ended; err == nil {
				t.Error("call: got a complete answer, want none")
			}
		})
	}
}
