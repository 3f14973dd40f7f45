package auditlog_test

import (
	"errors"
	"os"
	"testing"

	"guiche/internal/audit"

	"github.com/google/uuid"
)

// The alarm about what was seen ends, whatever was broken, and returns for a new break.
func TestMonitor_EndAlarm(t *testing.T) {
	for name, tamper := range map[string]func(t *testing.T, log trail, head string){
		"Altered": func(t *testing.T, log trail, _ string) {
			MustTamper(t, log, `UPDATE audit_entry SET at = 1 WHERE id = 2`)
		},
		"EndRemoved": func(t *testing.T, log trail, _ string) {
			MustTamper(t, log, `DELETE FROM audit_entry WHERE id > 2`)
		},
		"Both": func(t *testing.T, log trail, _ string) {
			MustTamper(t, log, `DELETE FROM audit_entry WHERE id > 3; UPDATE audit_entry SET at = 1 WHERE id = 2`)
		},
		"HeadDamaged": func(t *testing.T, _ trail, head string) {
			if err := os.WriteFile(head, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			log := MustOpen(t)
			MustRecord(t, log, 4)
			m := monitorOf(log)
			m.SaveHead(t.Context())
			tamper(t, log, m.path)
			before := MustCheck(t, m, true)
			if err := m.EndAlarm(t.Context(), uuid.UUID{9}, audit.ReasonDisk, "other"); !errors.Is(err, audit.ErrOtherAlarm) {
				t.Errorf("what was not seen: got %v, want ErrOtherAlarm", err)
			}
			if err := m.EndAlarm(t.Context(), uuid.UUID{9}, audit.ReasonDisk, before.Mark); err != nil {
				t.Fatal(err)
			}
			after := MustCheck(t, m, false)
			if e := after.Acknowledged; e == nil || e.Entry.Reason() != audit.ReasonDisk || e.Entry.Actor != (uuid.UUID{9}) {
				t.Errorf("got %+v, want who ended it and why", e)
			}
			if err := m.EndAlarm(t.Context(), uuid.UUID{9}, audit.ReasonDisk, after.Mark); !errors.Is(err, audit.ErrOtherAlarm) {
				t.Errorf("without an alarm: got %v, want ErrOtherAlarm", err)
			}
			MustRecord(t, log, 2)
			m.SaveHead(t.Context())
			MustCheck(t, m, false)
			MustTamper(t, log, `UPDATE audit_entry SET at = 2 WHERE id = 1`)
			MustCheck(t, m, true)
		})
	}
}

// TestMonitor_EndAlarm_OtherHead: a file of the head that was damaged once more is another
// alarm than the one that was seen.
func TestMonitor_EndAlarm_OtherHead(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 4)
	m := monitorOf(log)
	damage := func(text string) audit.State {
		t.Helper()
		if err := os.WriteFile(m.path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return MustCheck(t, m, true)
	}
	seen := damage("x")
	if now := damage("y"); now.Mark == seen.Mark {
		t.Error("both have one mark")
	}
	if err := m.EndAlarm(t.Context(), uuid.UUID{9}, audit.ReasonDisk, seen.Mark); !errors.Is(err, audit.ErrOtherAlarm) {
		t.Errorf("got %v, want ErrOtherAlarm", err)
	}
}

// TestMonitor_EndAlarm_Unreadable: a trail that cannot be read is no other alarm.
func TestMonitor_EndAlarm_Unreadable(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 4)
	MustTamper(t, log, `UPDATE audit_entry SET at = 1 WHERE id = 2`)
	m := monitorOf(log)
	before := MustCheck(t, m, true)
	if err := log.db.Close(); err != nil {
		t.Fatal(err)
	}
	err := m.EndAlarm(t.Context(), uuid.UUID{9}, audit.ReasonDisk, before.Mark)
	if err == nil || errors.Is(err, audit.ErrOtherAlarm) || m.State().Mark != before.Mark {
		t.Errorf("got %v and %+v", err, m.State())
	}
}

// TestMonitor_SaveHead_Broken: a head that is not in the trail any more has it checked at
// once.
func TestMonitor_SaveHead_Broken(t *testing.T) {
	log := MustOpen(t)
	MustRecord(t, log, 4)
	m := monitorOf(log)
	m.SaveHead(t.Context())
	MustTamper(t, log, `DELETE FROM audit_entry WHERE id > 2`)
	m.SaveHead(t.Context())
	if b := m.State().Broken; b == nil || b.Position != 3 {
		t.Errorf("got %+v, want entry 3 missing", b)
	}
}

// MustCheck checks the trail and fails unless there is an alarm, or none.
func MustCheck(t *testing.T, m monitor, alarm bool) audit.State {
	t.Helper()
	state, err := m.Check(t.Context())
	if err != nil || (state.Broken != nil) != alarm || m.State() != state {
		t.Fatalf("got %+v, error %v, want an alarm: %t", state, err, alarm)
	}
	return state
}
