package auditlog_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/store/auditlog"
)

// notes is a log that goroutines write.
type notes struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (n *notes) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.Write(p)
}

func (n *notes) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.b.String()
}

// monitor is a monitor over a trail, its head file and its log.
type monitor struct {
	*auditlog.Monitor
	path  string
	notes *notes
}

func monitorOf(log trail) monitor {
	m := monitor{path: filepath.Join(log.folder, "audit.head"), notes: &notes{}}
	m.Monitor = auditlog.NewMonitor(auditlog.MonitorConfig{
		Log: log.Log, Path: m.path, HeadEvery: time.Millisecond, CheckEvery: 2 * time.Millisecond,
		Clock: func() time.Time { return start }, Logger: slog.New(slog.NewTextHandler(m.notes, nil)),
	})
	return m
}

// MustRun runs the monitor until the test ends and returns when it has stopped.
func (m monitor) MustRun(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); m.Run(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	t.Cleanup(stop)
	return stop
}

// wait waits until a condition holds, at most a minute.
func wait(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick, late := time.NewTicker(time.Millisecond), time.After(time.Minute)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("did not happen: %s", what)
		}
	}
}

func TestMonitor_Check(t *testing.T) {
	t.Run("Holds", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 4)
		m := monitorOf(log)
		if got := m.State(); !got.At.IsZero() {
			t.Errorf("before the first check: got %+v", got)
		}
		state, err := m.Check(t.Context())
		if err != nil || state.Broken != nil || state.Head.Position != 4 || !state.At.Equal(start) {
			t.Errorf("got %+v, error %v, want a whole trail of 4", state, err)
		}
		if m.State() != state || m.notes.String() != "" {
			t.Errorf("got state %+v and log %q, want %+v and nothing", m.State(), m.notes, state)
		}
	})
	for name, tc := range map[string]struct {
		tamper func(t *testing.T, log trail, head string)
		want   int64
	}{
		"Altered": {func(t *testing.T, log trail, _ string) {
			MustTamper(t, log, `UPDATE audit_entry SET at = 1 WHERE id = 2`)
		}, 2},
		"EndRemoved": {func(t *testing.T, log trail, _ string) {
			MustTamper(t, log, `DELETE FROM audit_entry WHERE id > 2`)
		}, 3},
		"HeadDamaged": {func(t *testing.T, _ trail, head string) {
			if err := os.WriteFile(head, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			log := MustOpen(t)
			MustRecord(t, log, 4)
			m := monitorOf(log)
			m.SaveHead(t.Context())
			tc.tamper(t, log, m.path)
			state, err := m.Check(t.Context())
			if err != nil || state.Broken == nil || state.Broken.Position != tc.want {
				t.Fatalf("got %+v, error %v, want entry %d named", state, err, tc.want)
			}
			if !strings.Contains(m.notes.String(), "level=ERROR") {
				t.Errorf("got log %q, want an error", m.notes)
			}
		})
	}
	t.Run("CannotBeRead", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 1)
		m := monitorOf(log)
		before, err := m.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := m.Check(ctx); err == nil || m.State() != before {
			t.Errorf("got error %v and state %+v, want an error and what was known before", err, m.State())
		}
	})
}

func TestMonitor_Run(t *testing.T) {
	t.Run("NotesTheHead", func(t *testing.T) {
		log := MustOpen(t)
		m := monitorOf(log)
		m.MustRun(t)
		MustRecord(t, log, 3)
		wait(t, "the head names the third entry", func() bool {
			line, _ := os.ReadFile(m.path)
			return strings.HasPrefix(string(line), "3 ")
		})
		wait(t, "the whole trail was checked again", func() bool { return m.State().Head.Position == 3 })
	})
	t.Run("FindsWhatIsRemovedWhileItRuns", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 3)
		m := monitorOf(log)
		stop := m.MustRun(t)
		wait(t, "the head is noted", func() bool { _, err := os.Stat(m.path); return err == nil })
		MustTamper(t, log, `DELETE FROM audit_entry WHERE id = 3`)
		wait(t, "the trail is called broken", func() bool { b := m.State().Broken; return b != nil && b.Position == 3 })
		stop()
		if line, err := os.ReadFile(m.path); err != nil || !strings.HasPrefix(string(line), "3 ") {
			t.Errorf("got head %q, error %v, want that of the third entry kept", line, err)
		}
	})
	t.Run("FileCannotBeWritten", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 1)
		m := monitorOf(log)
		if err := os.Mkdir(m.path, 0o700); err != nil {
			t.Fatal(err)
		}
		m.SaveHead(t.Context())
		if m.State().Broken != nil || !strings.Contains(m.notes.String(), "not written") {
			t.Errorf("got state %+v and log %q, want an error in the log alone", m.State(), m.notes)
		}
	})
}

// TestMonitor_Stopped: a program that is stopping writes no errors about it.
func TestMonitor_Stopped(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 1)
	m := monitorOf(log)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	m.SaveHead(ctx)
	m.Run(ctx) // returns
	if got := m.notes.String(); got != "" || !m.State().At.IsZero() {
		t.Errorf("got log %q and state %+v, want neither", got, m.State())
	}
	if _, err := os.Stat(m.path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want no head of a trail that could not be read", err)
	}
}

// TestMonitor_Closed: that the trail cannot be read is logged as that, not as broken.
func TestMonitor_Closed(t *testing.T) {
	log := MustOpen(t)
	m := monitorOf(log)
	if err := log.db.Close(); err != nil {
		t.Fatal(err)
	}
	stop := m.MustRun(t)
	wait(t, "both errors are logged", func() bool {
		notes := m.notes.String()
		return strings.Contains(notes, "could not be checked") && strings.Contains(notes, "not written")
	})
	stop()
	if got := m.State(); got.Broken != nil || !got.At.IsZero() {
		t.Errorf("got %+v, want no check", got)
	}
}

// TestMonitor_Addresses: addresses go by themselves, at the start and while it runs.
func TestMonitor_Addresses(t *testing.T) {
	log := MustOpen(t)
	MustRecordFrom(t, log, home, 1)
	now := &clock{now: start}
	m := auditlog.NewMonitor(auditlog.MonitorConfig{
		Log: log.Log, Path: filepath.Join(t.TempDir(), "audit.head"), CheckEvery: time.Millisecond, Clock: now.Now,
		AddressLife: 24 * time.Hour, ForgetEvery: time.Millisecond, Logger: slog.New(slog.DiscardHandler),
	})
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); m.Run(ctx) }()
	wait(t, "the trail is checked", func() bool { return !m.State().At.IsZero() })
	if got := MustList(t, log, auditlog.Filter{SameAddress: 1}); len(got) != 1 {
		t.Errorf("got %d entries from the address, want it kept for a day", len(got))
	}
	now.Advance(25 * time.Hour)
	wait(t, "the address is forgotten", func() bool { return len(MustList(t, log, auditlog.Filter{SameAddress: 1})) == 0 })
	wait(t, "the trail is checked with it", func() bool { return m.State().Head.Position == 2 })
	if b := m.State().Broken; b != nil {
		t.Error(b)
	}
	cancel()
	<-ended
}

// TestMonitor_Run_Start: what is too old when the program starts goes then, not a day
// later, and before the trail is checked.
func TestMonitor_Run_Start(t *testing.T) {
	log := MustOpen(t)
	MustRecordFrom(t, log, home, 1)
	m := auditlog.NewMonitor(auditlog.MonitorConfig{
		Log: log.Log, Path: filepath.Join(t.TempDir(), "audit.head"), Logger: slog.New(slog.DiscardHandler),
		Clock: func() time.Time { return start.Add(91 * 24 * time.Hour) },
	})
	ended, cancel := context.WithCancel(t.Context())
	stopped := make(chan struct{})
	go func() { defer close(stopped); m.Run(ended) }()
	wait(t, "the trail is checked", func() bool { return !m.State().At.IsZero() })
	if got := MustList(t, log, auditlog.Filter{SameAddress: 1}); len(got) != 0 || m.State().Head.Position != 2 {
		t.Errorf("got %d entries with the address, and a trail of %d", len(got), m.State().Head.Position)
	}
	cancel()
	<-stopped
}

// TestMonitor_ForgetOld: an address stays for 90 days where nothing else is set.
func TestMonitor_ForgetOld(t *testing.T) {
	log := MustOpen(t)
	MustRecordFrom(t, log, home, 1)
	now := &clock{now: start}
	m := auditlog.NewMonitor(auditlog.MonitorConfig{Log: log.Log, Path: filepath.Join(t.TempDir(), "audit.head"), Clock: now.Now})
	for _, want := range []int{1, 0} {
		now.Advance(89 * 24 * time.Hour)
		m.ForgetOld(t.Context())
		if got := MustList(t, log, auditlog.Filter{SameAddress: 1}); len(got) != want {
			t.Errorf("at %s: got %d entries with the address, want %d", now.Now(), len(got), want)
		}
	}
}

// clock is moved by its test.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Advance(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

func TestNewMonitor_Defaults(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 2)
	m := auditlog.NewMonitor(auditlog.MonitorConfig{Log: log.Log, Path: filepath.Join(t.TempDir(), "audit.head")})
	before := time.Now()
	state, err := m.Check(t.Context())
	if err != nil || state.Head.Position != 2 || state.At.Before(before.Add(-time.Second)) || state.At.Location() != time.UTC {
		t.Errorf("got %+v, error %v, want a check of now", state, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); m.Run(ctx) }()
	cancel()
	<-ended
}
