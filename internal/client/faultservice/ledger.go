package faultservice

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"regexp"
	"slices"
	"sync"
	"time"
)

// Event is what an entry of the ledger tells.
type Event string

// The events.
const (
	Received Event = "received" // a request arrived, with as much of its body as came
	Acted    Event = "acted"    // the operator was asked: an authorization exists
	Replayed Event = "replayed" // a known idempotency key: the first answer again
)

// Entry is one line of the ledger.
type Entry struct {
	Seq      int // from 1
	Request  int // Seq of the request that it is about: its own of Received
	Event    Event
	At       time.Time
	Conn     string // address of the other side: one per connection
	Method   string
	Path     string
	RawQuery string
	Header   http.Header
	Body     []byte // the first Config.KeepBody bytes
	BodySize int64  // bytes that came
	BodyHash string // SHA-256, hexadecimal
	Complete bool   // the body came to its end as its framing said
	Guide    string // guiaPrestador
	Key      string // header Idempotency-Key
	Rule     string // name of the rule that strikes at the request
}

// ledger is append-only.
type ledger struct {
	mu      sync.Mutex
	last    int // Seq
	entries []Entry
	changed chan struct{} // closed and replaced by every entry
	keep    func(Entry)   // in place of entries, unless nil
}

func (l *ledger) append(e Entry) Entry {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	e.Seq = l.last
	if e.Event == Received {
		e.Request = e.Seq
	}
	if l.keep != nil {
		l.keep(e)
		return e
	}
	l.entries = append(l.entries, e)
	close(l.changed)
	l.changed = make(chan struct{})
	return e
}

func (l *ledger) read() ([]Entry, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.entries), l.changed
}

// Ledger returns all entries so far.
func (s *Service) Ledger() []Entry {
	entries, _ := s.ledger.read()
	return entries
}

// Count returns how many entries of an event a path has; "" counts all paths.
func (s *Service) Count(event Event, path string) int {
	n := 0
	for _, e := range s.Ledger() {
		if e.Event == event && (path == "" || path == e.Path) {
			n++
		}
	}
	return n
}

// ActedOn tells how often each guiaPrestador was acted on.
func (s *Service) ActedOn() map[string]int {
	acted := map[string]int{}
	for _, e := range s.Ledger() {
		if e.Event == Acted {
			acted[e.Guide]++
		}
	}
	return acted
}

// Wait returns when the ledger satisfies a condition, with ctx's error when it
// ends before.
func (s *Service) Wait(ctx context.Context, condition func([]Entry) bool) error {
	for {
		entries, changed := s.ledger.read()
		if condition(entries) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

var guidePattern = regexp.MustCompile(`"guiaPrestador"\s*:\s*"([^"\\]*)"`)

// receive reads a request, unless the rule says not to, and writes it down.
func (s *Service) receive(r *http.Request, rule *Rule) Entry {
	e := Entry{
		Event: Received, At: s.cfg.Clock(), Conn: r.RemoteAddr, Method: r.Method, Path: r.URL.Path,
		RawQuery: r.URL.RawQuery, Header: r.Header.Clone(), Key: r.Header.Get("Idempotency-Key"),
	}
	if rule != nil {
		e.Rule = rule.Name
	}
	if rule == nil || !rule.Unread {
		s.readBody(&e, r.Body)
	}
	if m := guidePattern.FindSubmatch(e.Body); m != nil {
		e.Guide = string(m[1])
	}
	return s.ledger.append(e)
}

func (s *Service) readBody(e *Entry, body io.Reader) {
	var kept bytes.Buffer
	hash := sha256.New()
	if s.cfg.KeepBody > 0 {
		body = io.TeeReader(body, hash)
	}
	head, err := io.Copy(&kept, io.LimitReader(body, max(0, s.cfg.KeepBody)))
	rest := int64(0)
	if err == nil {
		rest, err = io.Copy(io.Discard, body)
	}
	e.Body, e.BodySize, e.Complete = kept.Bytes(), head+rest, err == nil
	if s.cfg.KeepBody > 0 {
		e.BodyHash = hex.EncodeToString(hash.Sum(nil))
	}
}
