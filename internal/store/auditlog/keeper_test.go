package auditlog_test

import (
	"bytes"
	"context"
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

// keeper is a keeper over a trail, its head file and its log.
type keeper struct {
	*auditlog.Keeper
	path  string
	notes *notes
}

func keeperOf(log trail) keeper {
	k := keeper{path: filepath.Join(filepath.Dir(log.path), "audit.head"), notes: &notes{}}
	k.Keeper = auditlog.NewKeeper(auditlog.KeeperConfig{
		Log: log.Log, Path: k.path, HeadEvery: time.Millisecond, CheckEvery: 2 * time.Millisecond,
		Clock: func() time.Time { return start }, Logger: slog.New(slog.NewTextHandler(k.notes, nil)),
	})
	return k
}

// MustRun runs the keeper until the test ends and returns when it has stopped.
func (k keeper) MustRun(t *testing.T) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); k.Run(ctx) }()
	stop = sync.OnceFunc(func() { cancel(); <-ended })
	t.Cleanup(stop)
	return stop
}

// wait waits until a condition holds, at most 10 s.
func wait(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick, late := time.NewTicker(time.Millisecond), time.After(10*time.Second)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("did not happen: %s", what)
		}
	}
}

func TestKeeper_Check(t *testing.T) {
	t.Run("Holds", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 4)
		k := keeperOf(log)
		if got := k.State(); !got.At.IsZero() {
			t.Errorf("before the first check: got %+v", got)
		}
		state, err := k.Check(t.Context())
		if err != nil || state.Broken != nil || state.Head.Position != 4 || !state.At.Equal(start) {
			t.Errorf("got %+v, error %v, want a whole trail of 4", state, err)
		}
		if k.State() != state || k.notes.String() != "" {
			t.Errorf("got state %+v and log %q, want %+v and nothing", k.State(), k.notes, state)
		}
	})
	for name, tc := range map[string]struct {
		tamper func(t *testing.T, log trail, head string)
		want   int64
	}{
		"Altered": {func(t *testing.T, log trail, _ string) {
			MustTamper(t, log.path, `UPDATE audit_entry SET at = 1 WHERE id = 2`)
		}, 2},
		"EndRemoved": {func(t *testing.T, log trail, _ string) {
			MustTamper(t, log.path, `DELETE FROM audit_entry WHERE id > 2`)
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
			k := keeperOf(log)
			k.KeepHead(t.Context())
			tc.tamper(t, log, k.path)
			state, err := k.Check(t.Context())
			if err != nil || state.Broken == nil || state.Broken.Position != tc.want {
				t.Fatalf("got %+v, error %v, want entry %d named", state, err, tc.want)
			}
			if !strings.Contains(k.notes.String(), "level=ERROR") {
				t.Errorf("got log %q, want an error", k.notes)
			}
		})
	}
	t.Run("CannotBeRead", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 1)
		k := keeperOf(log)
		before, err := k.Check(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := k.Check(ctx); err == nil || k.State() != before {
			t.Errorf("got error %v and state %+v, want an error and what was known before", err, k.State())
		}
	})
}

func TestKeeper_Run(t *testing.T) {
	t.Run("NotesTheHead", func(t *testing.T) {
		log := MustOpen(t)
		k := keeperOf(log)
		k.MustRun(t)
		MustRecord(t, log, 3)
		wait(t, "the head names the third entry", func() bool {
			line, _ := os.ReadFile(k.path)
			return strings.HasPrefix(string(line), "3 ")
		})
		wait(t, "the whole trail was checked again", func() bool { return k.State().Head.Position == 3 })
	})
	t.Run("FindsWhatIsRemovedWhileItRuns", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 3)
		k := keeperOf(log)
		stop := k.MustRun(t)
		wait(t, "the head is noted", func() bool { _, err := os.Stat(k.path); return err == nil })
		MustTamper(t, log.path, `DELETE FROM audit_entry WHERE id = 3`)
		wait(t, "the trail is called broken", func() bool { b := k.State().Broken; return b != nil && b.Position == 3 })
		stop()
		if line, err := os.ReadFile(k.path); err != nil || !strings.HasPrefix(string(line), "3 ") {
			t.Errorf("got head %q, error %v, want that of the third entry kept", line, err)
		}
	})
	t.Run("FileCannotBeWritten", func(t *testing.T) {
		log := MustOpen(t)
		MustRecord(t, log, 1)
		k := keeperOf(log)
		if err := os.Mkdir(k.path, 0o700); err != nil {
			t.Fatal(err)
		}
		k.KeepHead(t.Context())
		if k.State().Broken != nil || !strings.Contains(k.notes.String(), "not noted") {
			t.Errorf("got state %+v and log %q, want an error in the log alone", k.State(), k.notes)
		}
	})
}
