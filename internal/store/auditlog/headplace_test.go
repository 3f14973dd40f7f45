package auditlog_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"

	"github.com/google/uuid"
)

// elsewhere is a place of the head that may be out of reach.
type elsewhere struct {
	mutex sync.Mutex
	line  string
	err   error
}

func (e *elsewhere) ReadHead(context.Context) (string, error) {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	return e.line, e.err
}

func (e *elsewhere) WriteHead(_ context.Context, line string) error {
	e.mutex.Lock()
	defer e.mutex.Unlock()
	if e.err == nil {
		e.line = line
	}
	return e.err
}

// TestMonitor_KeepHeadIn: a second place of the head shows what was cut off where the file went with it,
// and is no reason for an alarm while it is out of reach.
func TestMonitor_KeepHeadIn(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 4)
	place := &elsewhere{}
	monitorOf(log).SaveHead(t.Context()) // without the other place
	m := monitorOf(log)
	m.KeepHeadIn(place)
	m.SaveHead(t.Context())
	if !strings.HasPrefix(place.line, "4 ") {
		t.Fatalf("got %q, want the head of 4 entries", place.line)
	}

	place.err = errors.New("out of reach")
	MustRecord(t, log, 1)
	m.SaveHead(t.Context())
	if state, err := m.Check(t.Context()); err != nil || state.Broken != nil {
		t.Fatalf("out of reach: got %+v, %v, want no alarm", state, err)
	}
	if got := m.notes.String(); !strings.Contains(got, "not written") || !strings.Contains(got, "not compared") {
		t.Errorf("got log %q, want both said", got)
	}
	place.err = nil

	MustTamper(t, log, `DELETE FROM audit_entry WHERE id > 2`)
	log.folder = t.TempDir() // another machine, which has no file yet
	m = monitorOf(log)
	m.KeepHeadIn(place)
	state, err := m.Check(t.Context())
	if err != nil || state.End == nil || state.End.Position != 3 {
		t.Fatalf("got %+v, %v, want entry 3 missing", state, err)
	}
	if err := m.EndAlarm(t.Context(), uuid.UUID{9}, audit.ReasonRestored, state.Mark); err != nil {
		t.Fatal(err)
	}
	if state := m.State(); state.Broken != nil || !strings.HasPrefix(place.line, "3 ") {
		t.Errorf("got %+v and %q, want no alarm and the head of 3 entries", state, place.line)
	}
}

var _ auditlog.HeadPlace = (*elsewhere)(nil)
