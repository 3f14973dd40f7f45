package auditlog

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"guiche/internal/audit"
	"guiche/internal/problem"
)

// MonitorConfig sets up a monitor. Log and Path are required.
type MonitorConfig struct {
	Log        *Log
	Path       string           // of the head file: see WriteHead
	LinkEvery  time.Duration    // pause between two calls of Link, where other processes write too; 0: 1 s
	HeadEvery  time.Duration    // pause between two writes of the head; 0: 5 min
	CheckEvery time.Duration    // pause between two checks of the whole trail; 0: 24 h
	Clock      func() time.Time // nil: time.Now
	Logger     *slog.Logger     // nil: slog.Default()

	DenialEvery time.Duration // pause between two writes of what was refused repeatedly, or kept for want of space; 0: 15 s
	AddressLife time.Duration // how long it is kept where an act came from; 0: 90 days
	ForgetEvery time.Duration // pause between two looks for addresses to forget; 0: 24 h
}

// Monitor is a trail with a background task that checks its chain as a whole, writes
// its head to a file outside the database and forgets old addresses; State is what the
// latest check found. It is safe for concurrent use.
type Monitor struct {
	*Log
	config  MonitorConfig
	places  []HeadPlace // the file, and others
	writing sync.Mutex  // one write of the head at a time

	mu    sync.Mutex
	state audit.State
}

// NewMonitor returns a monitor; nothing is checked before Run or Check.
func NewMonitor(c MonitorConfig) *Monitor {
	if c.LinkEvery <= 0 {
		c.LinkEvery = time.Second
	}
	if c.HeadEvery <= 0 {
		c.HeadEvery = 5 * time.Minute
	}
	if c.CheckEvery <= 0 {
		c.CheckEvery = 24 * time.Hour
	}
	if c.DenialEvery <= 0 {
		c.DenialEvery = 15 * time.Second
	}
	if c.AddressLife <= 0 {
		c.AddressLife = 90 * 24 * time.Hour
	}
	if c.ForgetEvery <= 0 {
		c.ForgetEvery = 24 * time.Hour
	}
	if c.Clock == nil {
		c.Clock = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	return &Monitor{Log: c.Log, config: c, places: []HeadPlace{headFile(c.Path)}}
}

// KeepHeadIn has the head kept in another place beside the file. It is called before Run.
func (m *Monitor) KeepHeadIn(place HeadPlace) { m.places = append(m.places, place) }

// Run forgets old addresses, checks the trail and writes its head, at once and from time
// to time, and what was refused repeatedly, until ctx is done. Errors are logged; the program goes on.
func (m *Monitor) Run(ctx context.Context) {
	heads, checks := time.NewTicker(m.config.HeadEvery), time.NewTicker(m.config.CheckEvery)
	forgets, denials := time.NewTicker(m.config.ForgetEvery), time.NewTicker(m.config.DenialEvery)
	links := time.NewTicker(m.config.LinkEvery)
	for _, ticker := range []*time.Ticker{heads, checks, forgets, denials, links} {
		defer ticker.Stop()
	}
	if !m.db.Shared() {
		links.Stop()
	}
	m.writeKept(ctx)
	m.ForgetOld(ctx)
	m.checkAndLog(ctx)
	for m.SaveHead(ctx); ; {
		select {
		case <-ctx.Done():
			return
		case <-heads.C:
			m.SaveHead(ctx)
		case <-checks.C:
			m.checkAndLog(ctx)
		case <-forgets.C:
			m.ForgetOld(ctx)
		case <-denials.C:
			m.WriteDenials(ctx)
			m.writeKept(ctx)
		case <-links.C:
			m.link(ctx)
		}
	}
}

// link puts what was committed into the chain. Errors are logged; the entries stay where they are.
func (m *Monitor) link(ctx context.Context) {
	if err := m.Link(ctx); err != nil && !problem.Passing(err) && ctx.Err() == nil {
		m.config.Logger.ErrorContext(ctx, "entries have no place in the chain of the audit trail yet", "error", err)
	}
}

// Finish writes what was counted of refused acts, and the head. Nothing runs any more.
func (m *Monitor) Finish(ctx context.Context) {
	m.logDenials(ctx, m.writeDenials(ctx, m.config.Clock(), true))
	m.writeKept(ctx)
	m.link(ctx)
	m.SaveHead(ctx)
}

// writeKept writes what was kept while there was no space. Without any now it stays kept.
func (m *Monitor) writeKept(ctx context.Context) {
	if err := m.WriteKept(ctx); err != nil && !problem.Passing(err) && ctx.Err() == nil {
		m.config.Logger.ErrorContext(ctx, "looks of a time without disk space are not in the audit trail yet", "error", err)
	}
}

// WriteDenials writes how often those acts were refused that came again within the
// minute of their latest line. Errors are logged, and the counts go on.
func (m *Monitor) WriteDenials(ctx context.Context) {
	m.logDenials(ctx, m.writeDenials(ctx, m.config.Clock(), false))
}

func (m *Monitor) logDenials(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		m.config.Logger.ErrorContext(ctx, "refused acts were not written to the audit trail", "error", err)
	}
}

// ForgetOld deletes the addresses whose time is over. Errors are logged.
func (m *Monitor) ForgetOld(ctx context.Context) {
	err := m.ForgetAddresses(ctx, m.config.Clock().Add(-m.config.AddressLife))
	if err != nil && ctx.Err() == nil {
		m.config.Logger.ErrorContext(ctx, "old addresses of the audit trail were not deleted", "error", err)
	}
}

// checkAndLog runs one check; a check that cannot run is not a broken trail.
func (m *Monitor) checkAndLog(ctx context.Context) {
	if _, err := m.Check(ctx); err != nil && ctx.Err() == nil {
		m.config.Logger.ErrorContext(ctx, "the audit trail could not be checked", "error", err)
	}
}

// Check verifies the whole trail and compares it with its head. A broken trail is no
// error: the state and the log say so.
func (m *Monitor) Check(ctx context.Context) (audit.State, error) {
	state, _, err := m.look(ctx)
	if err != nil {
		return m.State(), err
	}
	m.setState(ctx, state)
	return state, nil
}

// look returns the state with what was found in the chain.
func (m *Monitor) look(ctx context.Context) (audit.State, audit.Examination, error) {
	x, err := m.examine(ctx)
	if err != nil {
		return audit.State{}, x, err
	}
	state := audit.State{At: m.config.Clock().UTC(), Head: x.Head, Broken: x.Broken, Acknowledged: x.Acknowledged}
	noted, err := m.lookAtHeads(ctx, &state)
	if err != nil {
		return audit.State{}, x, err
	}
	if state.Mark = x.Mark(noted); state.Broken == nil {
		state.Broken = state.End
	}
	return state, x, nil
}

// lookAtHeads notes the first head that the trail does not have, and returns what stands in its
// place, "" without one. What is out of reach is looked at another time; the file never is.
func (m *Monitor) lookAtHeads(ctx context.Context, state *audit.State) (noted string, err error) {
	for i, place := range m.places {
		err := m.checkHead(ctx, place)
		switch {
		case err == nil || state.End != nil:
		case errors.As(err, &state.End):
			if noted, err = place.ReadHead(ctx); err != nil {
				return "", err
			}
		case i == 0:
			return "", err
		default:
			m.config.Logger.WarnContext(ctx, "the head of the audit trail was not compared with the one elsewhere", "error", err)
		}
	}
	return noted, nil
}

// State returns what the latest check found.
func (m *Monitor) State() audit.State {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.state
}

// SaveHead writes the head to its places now. Errors are logged; a trail that no
// longer has the entry of an older head is broken.
func (m *Monitor) SaveHead(ctx context.Context) {
	m.writing.Lock()
	defer m.writing.Unlock()
	for _, place := range m.places {
		err := m.writeHead(ctx, place)
		switch {
		case err == nil || ctx.Err() != nil:
		case errors.As(err, new(*audit.BrokenError)):
			m.checkAndLog(ctx)
		default:
			m.config.Logger.ErrorContext(ctx, "the head of the audit trail was not written", "error", err)
		}
	}
}

// setState is what State answers from now on. A broken trail is logged at every check.
func (m *Monitor) setState(ctx context.Context, state audit.State) {
	if b := state.Broken; b != nil {
		m.config.Logger.ErrorContext(ctx, "the audit trail is broken", "entry", b.Position, "reason", b.Reason)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.state = state
}
