package auditlog_test

import (
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/store/auditlog"
)

// TestLog_Record_Time: an entry has the time of its transaction, unless it tells of something
// that happened before.
func TestLog_Record_Time(t *testing.T) {
	log := MustOpen(t)
	earlier := start.Add(-time.Hour)
	for _, e := range []audit.Entry{{Event: audit.CaseViewed}, {Event: audit.GuideOpened, At: earlier}} {
		if err := log.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
	}
	links := MustList(t, log, auditlog.Filter{})
	if len(links) != 2 {
		t.Fatalf("got %d entries, want 2", len(links))
	}
	if got := links[0].Entry; got.Event != audit.GuideOpened || !got.At.Equal(earlier) {
		t.Errorf("got %s at %s, want that of before at %s", got.Event, got.At, earlier)
	}
	if got := links[1].Entry; !got.At.After(start) || got.At.After(start.Add(time.Hour)) {
		t.Errorf("got %s at %s, want the time of its transaction", got.Event, got.At)
	}
}
