package client_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/client/faultservice"
)

// dials count connections and what is written to them, by calls.
type dials struct{ made, writes, failing atomic.Int64 }

var errNoWay = errors.New("no way there")

func (d *dials) count(cfg *client.Config) {
	cfg.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		d.made.Add(1)
		if d.failing.Load() > 0 {
			return nil, errNoWay
		}
		conn, err := (&net.Dialer{}).DialContext(ctx, network, addr)
		return countedConn{conn, d}, err
	}
}

type countedConn struct {
	net.Conn
	*dials
}

func (c countedConn) Write(p []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(p)
}

// TestClient_Connect: a request leaves by the connection that was made for it, and by another one where that is of
// another client, or waited too long; its bytes leave at once.
func TestClient_Connect(t *testing.T) {
	t.Parallel() // one waits
	for name, tt := range map[string]struct {
		waits   time.Duration
		another bool
		made    int64
	}{
		"Fresh": {made: 1}, "Another": {another: true, made: 1}, "Old": {waits: 1100 * time.Millisecond, made: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var d, other dials
			p := MustPair(t, d.count)
			from := p.Client
			if tt.another {
				from = MustClient(t, p.service.URL(), p.blobs, other.count)
			}
			line := from.Connect()
			defer line.Close()
			<-time.After(tt.waits)
			sent := dispatch(plainRequest())
			sent.Line = line
			if o := p.MustInterpret(t, p.Send(t.Context(), sent)); o.Kind != authorization.OutcomeAnswered {
				t.Errorf("outcome: got %+v, want answered", o)
			}
			if made, writes := d.made.Load(), d.writes.Load(); made != tt.made || writes != 1 {
				t.Errorf("got %d connections and %d writes, want %d and one", made, writes, tt.made)
			}
			if n := p.service.Count(faultservice.Received, ""); n != 1 {
				t.Errorf("the service received %d requests", n)
			}
		})
	}
}

// TestClient_Connect_Fails: what fails ahead failed for the request; a repetition connects anew.
func TestClient_Connect_Fails(t *testing.T) {
	var d dials
	d.failing.Store(1)
	p := MustPair(t, d.count)
	sent := dispatch(plainRequest())
	sent.Line = p.Connect()
	defer sent.Line.Close()
	x := p.Send(t.Context(), sent)
	if x.Failure != authorization.FailureConnect || x.SentBytes != 0 || d.made.Load() != 1 {
		t.Errorf("got %+v after %d connections, want that there is none", x, d.made.Load())
	}
}

// TestClient_Connect_Refused: the one repetition of a refused request has a connection of its own.
func TestClient_Connect_Refused(t *testing.T) {
	var d dials
	p := MustPair(t, d.count)
	p.service.Add(faultservice.Rule{Nth: 1, Fault: faultservice.HTML(http.StatusUnauthorized)})
	sent := dispatch(plainRequest())
	sent.Line = p.Connect()
	defer sent.Line.Close()
	if o := p.MustInterpret(t, p.Send(t.Context(), sent)); o.Kind != authorization.OutcomeAnswered || d.made.Load() != 2 {
		t.Errorf("got %+v over %d connections, want answered over two", o, d.made.Load())
	}
}

// TestClient_Connect_Unused: a connection that no request took ends.
func TestClient_Connect_Unused(t *testing.T) {
	w := MustWatch(t, func(http.ResponseWriter, *http.Request) {})
	c := MustClient(t, w.URL, newFolder(t))
	ready := c.Connect()
	w.opened <- <-w.opened // it is there before it is closed
	ready.Close()
	ready.Close()
	w.MustEnd(t, 1)
	abroad := MustClient(t, "https://autorizações.example.org", newFolder(t), func(cfg *client.Config) {
		cfg.Dial = func(context.Context, string, string) (net.Conn, error) { t.Error("it dials"); return nil, errNoWay }
	})
	abroad.Connect().Close() // its name has to be written in other letters
}
