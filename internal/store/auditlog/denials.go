package auditlog

import (
	"context"
	"sync"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/engine"

	"golang.org/x/time/rate"
)

// What refused acts may take of the trail, which keeps everything for ever and which
// anybody can cause them to be written to: some 20,000 lines a day at the very most.
const (
	denialsApart   = time.Minute // the same within it is counted
	denialsAtOnce  = 300         // lines
	denialsRefill  = 6 * time.Second
	denialsCounted = 300 // that are told apart at a time
)

// denial is what makes one refused act the same as another.
type denial struct {
	entry   audit.Entry // without time and origin
	address string
}

// count is how often a denial came since its latest line.
type count struct {
	since, latest time.Time
	n             int
}

// denials counts what is refused again and again. The counts of a process that is
// killed are lost with it, at most a minute's.
type denials struct {
	mu      sync.Mutex
	counts  map[denial]*count
	limiter *rate.Limiter
}

func newDenials() *denials {
	return &denials{counts: map[denial]*count{}, limiter: rate.NewLimiter(rate.Every(denialsRefill), denialsAtOnce)}
}

// write reports whether a refused act is to be written now, and for how many; otherwise
// it was counted. Undo makes all as it was before, where the line does not stay.
func (d *denials) write(e audit.Entry, address string) (n int, now bool, undo func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	at := e.At
	e.At = time.Time{}
	key := denial{e, address}
	c := d.counts[key]
	if c == nil && len(d.counts) >= denialsCounted || c != nil && !c.over(at) {
		return 0, false, d.countOn(key, at)
	}
	line := d.limiter.ReserveN(at, 1)
	if line.DelayFrom(at) > 0 {
		line.CancelAt(at)
		return 0, false, d.countOn(key, at)
	}
	var before count
	if c != nil {
		before = *c
	}
	d.counts[key] = &count{since: at, latest: at}
	return before.n + 1, true, func() {
		line.CancelAt(at)
		d.takeBack(key, before)
	}
}

// countOn counts an act that is not written now: with those that are too many to be told
// apart, where nothing is known of it.
func (d *denials) countOn(key denial, at time.Time) (undo func()) {
	if d.counts[key] == nil {
		key = various(key.entry.Event)
	}
	d.add(key, 1, at)
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		if c := d.counts[key]; c != nil && c.n > 0 {
			c.n--
		}
	}
}

// takeBack makes a count what it was before its line, with those that were counted since.
func (d *denials) takeBack(key denial, before count) {
	d.mu.Lock()
	defer d.mu.Unlock()
	c := d.counts[key]
	switch {
	case c == nil:
		d.counts[key] = &before
	case before == count{} && c.n == 0:
		delete(d.counts, key)
	default:
		c.n, c.since = c.n+before.n, before.since
	}
}

// various are refused acts that are too many to be told apart.
func various(event audit.Event) denial {
	return denial{entry: audit.VariousDenied(event)}
}

// over reports whether the minute of a line is over; one in the future is since the
// clock was set back.
func (c *count) over(now time.Time) bool {
	return now.Sub(c.since) >= denialsApart || now.Before(c.since)
}

func (d *denials) add(key denial, n int, at time.Time) {
	c := d.counts[key]
	if c == nil {
		c = &count{since: at}
		d.counts[key] = c
	}
	c.n, c.latest = c.n+n, at
}

// due takes out what is to be written by now: of what counted on for a minute, or of all.
func (d *denials) due(now time.Time, all bool) map[denial]count {
	d.mu.Lock()
	defer d.mu.Unlock()
	due := map[denial]count{}
	for key, c := range d.counts {
		if !all && !c.over(now) {
			continue
		}
		if all || c.n == 0 {
			delete(d.counts, key)
		}
		if c.n == 0 {
			continue
		}
		if key != various(key.entry.Event) && !d.limiter.AllowN(now, 1) {
			key = various(key.entry.Event)
		}
		sum := due[key]
		due[key] = count{latest: latest(sum.latest, c.latest), n: sum.n + c.n}
		*c = count{since: now, latest: c.latest} // it goes on, and has its next line in a minute
	}
	return due
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// restore takes back what could not be written.
func (d *denials) restore(due map[denial]count) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, c := range due {
		d.add(key, c.n, c.latest)
	}
}

// writeDenials writes a line for each refused act that was counted for a minute, or for
// all that were counted.
func (l *Log) writeDenials(ctx context.Context, now time.Time, all bool) error {
	due := l.denials.due(now, all)
	if len(due) == 0 {
		return nil
	}
	err := l.db.Write(ctx, func(tx *engine.Tx) error {
		for key, c := range due {
			e := key.entry.Repeated(c.n)
			e.At = c.latest
			if err := l.append(audit.WithAddress(ctx, key.address), tx, e); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		l.denials.restore(due)
	}
	return err
}
