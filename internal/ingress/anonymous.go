package ingress

import (
	"net/http"
	"sync"
)

// Limits of what senders hold whom nobody knows. A login is some hundred bytes; the
// largest is one that carries along a form whose session ended.
const (
	// AnonymousBody is the most that one body may hold.
	AnonymousBody = 256 << 10
	// anonymousShare is the least that a request counts for, so that small ones are few
	// as well.
	anonymousShare = 16 << 10

	anonymousTotal   = 4 << 20
	anonymousAddress = anonymousTotal / 2
)

// Anonymous counts the bytes that senders hold whom nobody knows, in all and by where
// they come from. The zero value is ready.
type Anonymous struct {
	mu        sync.Mutex
	total     int64
	byAddress map[string]int64
}

// Enter counts a request's body, of at most so many bytes, until leave is called. It is
// false when there is no room; then nothing was counted. A request without a body takes
// no room.
func (a *Anonymous) Enter(r *http.Request, address string, most int64) (leave func(), ok bool) {
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return func() {}, true
	}
	size := r.ContentLength
	if size < 0 || size > most {
		size = most
	}
	size, from := max(size, anonymousShare), network(address)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.total+size > anonymousTotal || a.byAddress[from]+size > anonymousAddress {
		return nil, false
	}
	if a.byAddress == nil {
		a.byAddress = map[string]int64{}
	}
	a.total += size
	a.byAddress[from] += size
	return sync.OnceFunc(func() { a.leave(from, size) }), true
}

// leave takes back what Enter counted.
func (a *Anonymous) leave(from string, size int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.total -= size
	if a.byAddress[from] -= size; a.byAddress[from] == 0 {
		delete(a.byAddress, from)
	}
}
