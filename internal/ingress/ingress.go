// Package ingress holds what a request from the network meets before the program knows
// who sends it: how many connections there may be, under which host names the program
// answers, and how much the senders whom nobody knows may hold together. It parses
// nothing itself: what it looks at was read by net/http.
package ingress

import (
	"net/http"
	"net/netip"
	"time"
)

// Times of a request.
const (
	// HeaderTime is how long the lines before the body may take.
	HeaderTime = 10 * time.Second
	// AnonymousTime is how long a whole request may take as long as nobody knows its
	// sender. A server has it as its ReadTimeout; Known lifts it.
	AnonymousTime = 15 * time.Second
	// KnownTime is how long the answer to somebody known may take, once its request is there.
	KnownTime = 10 * time.Minute
	// StallTime is how long the body of somebody known may bring nothing: that of a line that fails and comes back.
	StallTime = 2 * time.Minute
	// BodyTime is the most that such a body takes: as many files as a request holds, over 400 kbit/s.
	BodyTime = 30 * time.Minute
	// RefusedTime is how long a refused request is listened to after its answer, so that
	// a sender who writes before reading gets to see it.
	RefusedTime = 2 * time.Second
)

// Observer is told of each request that was answered: the pattern of its route, never its
// address, with status and time.
type Observer func(route string, status int, took time.Duration)

// Known gives a request the time of somebody whom the program knows, and keeps its
// connection when others have to go.
func Known(w http.ResponseWriter, r *http.Request) {
	ReadWithin(w, KnownTime)
	if r.ContentLength != 0 {
		r.Body = &steadyBody{ReadCloser: r.Body, writer: w, until: time.Now().Add(BodyTime)}
	}
	if c, ok := r.Context().Value(connKey{}).(*conn); ok {
		c.known.Store(true)
	}
}

// CloseAfter says that the connection ends with the answer that is about to be written,
// and that the rest of the body may take the given time. Without it the server would
// read the body before it sends the answer, or wait for it afterwards.
func CloseAfter(w http.ResponseWriter, rest time.Duration) {
	w.Header().Set("Connection", "close")
	ReadWithin(w, rest)
}

// Refused is CloseAfter for a request that is about to be refused with its body unread.
func Refused(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength != 0 {
		CloseAfter(w, RefusedTime)
	}
}

// ReadWithin bounds the reading of a request's body from now on. What is no connection,
// as in tests of a handler, has no deadline.
func ReadWithin(w http.ResponseWriter, d time.Duration) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(d))
}

// OneAnswer closes the connection after a request whose body is chunked. Where one server
// in a row goes by its length and the next one by its chunks, the rest of such a body
// could be taken for a request of its own.
func OneAnswer(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TransferEncoding) > 0 {
			w.Header().Set("Connection", "close")
		}
		next.ServeHTTP(w, r)
	})
}

// network is what counts as one sender: an IPv4 address, or an IPv6 network of 64 bits,
// which one machine has as a whole.
func network(address string) string {
	addr, err := netip.ParseAddr(address)
	if err != nil {
		return address
	}
	addr = addr.Unmap().WithZone("")
	if addr.Is4() {
		return addr.String()
	}
	return netip.PrefixFrom(addr, 64).Masked().String()
}
