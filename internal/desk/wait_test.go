package desk_test

import (
	"testing"
	"time"
)

// noProgress is how long nothing may change while a test waits.
const noProgress = time.Minute

// eventually waits until what holds says nothing more against it, for as long as what it says changes
// within noProgress. It looks again soon and then less often: on a server each look costs what is waited for its turn.
func eventually(tb testing.TB, against func() string) {
	tb.Helper()
	before, over := "", time.NewTimer(noProgress)
	defer over.Stop()
	for pause := time.Millisecond; ; pause = min(2*pause, 16*time.Millisecond) {
		said := against()
		if said == "" {
			return
		}
		if said != before {
			before = said
			over.Reset(noProgress)
		}
		select {
		case <-time.After(pause):
		case <-over.C:
			tb.Fatal(said)
		}
	}
}
