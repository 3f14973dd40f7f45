package desk_test

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"guiche/internal/store/storetest"
)

// TestDesk_RunLearns: a service that cannot say what it offers is asked less and less often at a start.
func TestDesk_RunLearns(t *testing.T) {
	storetest.OfSQLite(t) // a server's connections would keep the clock of these tests from going on
	template(t)
	synctest.Test(t, func(t *testing.T) {
		f := MustDesk(t)
		f.service.recourseErr = errors.New("no answer")
		f.MustRun(t)
		<-time.After(time.Minute) // of the bubble, at once
		f.service.mu.Lock()
		defer f.service.mu.Unlock()
		if n := f.service.learned; n < 2 || n > 10 {
			t.Errorf("asked %d times, want a few", n)
		}
	})
}
