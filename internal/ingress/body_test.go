package ingress_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"guiche/internal/ingress"
)

// oneLine is a listener with one connection, which is within the process: its deadlines are those of the test's clock.
type oneLine struct {
	conns chan net.Conn
	ended chan struct{}
}

// Accept implements net.Listener.
func (l *oneLine) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.ended:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (l *oneLine) Close() error { close(l.ended); return nil }

// Addr implements net.Listener.
func (l *oneLine) Addr() net.Addr { return &net.TCPAddr{} }

// mustServeLine serves a handler, with the times of the program, over a line within the test's bubble.
func mustServeLine(t *testing.T, handler http.HandlerFunc) net.Conn {
	t.Helper()
	ours, theirs := net.Pipe()
	l := &oneLine{conns: make(chan net.Conn, 1), ended: make(chan struct{})}
	l.conns <- theirs
	server := &http.Server{Handler: handler, ReadTimeout: ingress.AnonymousTime, WriteTimeout: ingress.KnownTime}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _, _ = ours.Close(), server.Close() })
	return ours
}

// TestKnown_Steady: a body comes as long as bytes of it do, and its answer still has time; one that stands still, and
// one that would never end, are given up.
func TestKnown_Steady(t *testing.T) {
	for name, tc := range map[string]struct {
		pause   time.Duration // before each byte
		bytes   int
		thought time.Duration // about the answer
		within  time.Duration // of the whole body; 0 is the usual
		want    int
		took    time.Duration // the body, 0 where it is its bytes' time
	}{
		"Quick":    {0, 10, time.Minute, 0, http.StatusOK, 0},
		"Slow":     {time.Minute, 25, 5 * time.Minute, 0, http.StatusOK, 0},
		"Stalled":  {time.Hour, 10, 0, 0, http.StatusRequestTimeout, ingress.StallTime},
		"NoEnd":    {time.Minute, 100, 0, 0, http.StatusRequestTimeout, ingress.BodyTime},
		"Captures": {10 * time.Second, 100, 0, time.Minute, http.StatusRequestTimeout, time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var took time.Duration
				line := mustServeLine(t, func(w http.ResponseWriter, r *http.Request) {
					begun := time.Now()
					ingress.Known(w, r)
					if tc.within > 0 {
						ingress.BodyWithin(r, tc.within)
					}
					_, err := io.Copy(io.Discard, r.Body)
					if took = time.Since(begun); err != nil {
						w.WriteHeader(http.StatusRequestTimeout)
						return
					}
					thought, done := context.WithTimeout(r.Context(), tc.thought)
					defer done()
					<-thought.Done()
					if r.Context().Err() != nil {
						t.Error("its sender counts as gone")
					}
				})
				go dribble(t.Context(), line, tc.bytes, tc.pause)
				if got, _ := MustAnswer(t, bufio.NewReader(line)); got != tc.want || tc.took > 0 && took != tc.took {
					t.Errorf("got %d after %v, want %d after %v", got, took, tc.want, tc.took)
				}
			})
		})
	}
}

// dribble sends a request whose body comes a byte at a time.
func dribble(ctx context.Context, line net.Conn, bytes int, pause time.Duration) {
	fmt.Fprintf(line, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", bytes)
	for range bytes {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
		if _, err := line.Write([]byte("1")); err != nil {
			return
		}
	}
}
