package app_test

import (
	"testing"
	"time"

	"guiche/internal/apptest"
	"guiche/internal/postgres/postgrestest"
)

// TestDatabase_Clock: a process whose clock is not that of the database server says by how much.
func TestDatabase_Clock(t *testing.T) {
	t.Parallel()
	const wrong = "the clock of this machine is wrong"
	for name, ahead := range map[string]time.Duration{"ahead": 5 * time.Minute, "behind": -5 * time.Minute} {
		p := apptest.Start(t, apptest.Options{Database: postgrestest.Database(t), Now: time.Now().Add(ahead)})
		apptest.Eventually(t, "the log tells of it", func() bool { return p.Log.Contains(wrong) && p.Log.Contains(name+": what") })
	}
	right := apptest.Start(t, apptest.Options{Database: postgrestest.Database(t)})
	right.LogIn(t, apptest.Reception)
	if right.Log.Contains(wrong) {
		t.Errorf("a clock that is right: %s", right.Log)
	}
}
