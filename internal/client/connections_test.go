package client_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"guiche/internal/client"
	"guiche/internal/problem"
)

// watched is a server that tells of each connection that begins and ends.
type watched struct {
	*httptest.Server
	opened, closed chan net.Conn
}

func MustWatch(tb testing.TB, handler http.HandlerFunc) watched {
	tb.Helper()
	w := watched{httptest.NewUnstartedServer(handler), make(chan net.Conn, 9), make(chan net.Conn, 9)}
	w.Config.ConnState = func(c net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			w.opened <- c
		case http.StateClosed:
			w.closed <- c
		}
	}
	w.Start()
	tb.Cleanup(w.Close)
	return w
}

// MustEnd waits until so many connections began and ended.
func (w watched) MustEnd(tb testing.TB, n int) {
	tb.Helper()
	late := time.After(time.Minute)
	for range n {
		<-w.opened
		select {
		case <-w.closed:
		case <-late:
			tb.Fatal("a connection stays open")
		}
	}
}

// TestClient_SearchCredentials_TooLarge: of an answer without an end only so much is read,
// and its connection ends.
func TestClient_SearchCredentials_TooLarge(t *testing.T) {
	w := MustWatch(t, func(w http.ResponseWriter, r *http.Request) {
		for piece := bytes.Repeat([]byte(" "), 1<<20); r.Context().Err() == nil; {
			if _, err := w.Write(piece); err != nil {
				return
			}
		}
	})
	c := MustClient(t, w.URL, newFolder(t))
	if _, err := c.SearchCredentials(t.Context(), "Ana"); !problem.Is(err, problem.Unavailable) || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that the service does not answer as it should", err)
	}
	w.MustEnd(t, 1)
}

// TestBearer_Connections: a request for a token has a connection of its own, which ends
// with it, also where its answer is not read.
func TestBearer_Connections(t *testing.T) {
	const answers = `{"access_token":"t-1","expires_in":54000}`
	for name, tt := range map[string]struct {
		status int
		answer string
	}{
		"Read": {200, answers}, "MoreThanRead": {200, answers + strings.Repeat(" ", 1<<20)},
		"Refused": {401, strings.Repeat(" ", 1<<20)}, "Busy": {503, strings.Repeat(" ", 1<<20)},
	} {
		t.Run(name, func(t *testing.T) {
			w := MustWatch(t, func(w http.ResponseWriter, r *http.Request) {
				if r.Method == http.MethodGet {
					w.Header().Set("Connection", "close")
				} else {
					if got := r.Header.Get("Accept"); got != "application/json" {
						t.Errorf("accepts %q", got)
					}
					w.WriteHeader(tt.status)
				}
				_, _ = io.WriteString(w, tt.answer)
			})
			_, err := MustClient(t, w.URL, newFolder(t), withAuth(login(), &movable{})).SearchCredentials(t.Context(), "Ana")
			if tt.status == 200 {
				w.MustEnd(t, 2) // and that of the search
				return
			}
			if err == nil {
				t.Error("got no error")
			}
			w.MustEnd(t, 1)
		})
	}
}

// TestClient_Send_UnknownFeatures: that nothing was sent, and why, is in the log.
func TestClient_Send_UnknownFeatures(t *testing.T) {
	var out bytes.Buffer
	p := MustPair(t, func(cfg *client.Config) { cfg.Logger, cfg.Dial = logTo(&out), nobody })
	d := dispatch(plainRequest())
	d.UnknownOutcome = true
	if x := p.Send(t.Context(), d); x.Failure == "" || x.SentBytes != 0 {
		t.Errorf("got %+v, want that nothing was sent", x)
	}
	for _, want := range []string{"authorization request attempted", "guia_prestador=" + d.Request.ProviderGuide, "sent_bytes=0", "failure="} {
		contains(t, out.String(), want)
	}
}
