package app_test

import (
	"context"
	"path"
	"strings"
	"sync/atomic"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
	"guiche/internal/client/faultservice"
	"guiche/internal/postgres"
	"guiche/internal/postgres/postgrestest"
)

// signalsOf are the signals of one more process on a database, which notes what it hears.
func signalsOf(t *testing.T, url string) (s *postgres.Signals, heard func(word string) bool) {
	t.Helper()
	db, err := postgres.Open(t.Context(), postgres.Options{URL: url, Schema: "desk"})
	if err != nil {
		t.Fatal(err)
	}
	s = db.Signals()
	var words atomic.Pointer[string]
	words.Store(new(string))
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Run(ctx, func(word string) {
			all := *words.Load() + " " + word
			words.Store(&all)
		})
	}()
	t.Cleanup(func() {
		stop()
		<-ended
		_ = db.Close()
	})
	return s, func(word string) bool { return strings.Contains(*words.Load(), word) }
}

// pollsOfPress is more often than a page that was sent looks at its case while nobody tells of it: once each
// second of three.
const pollsOfPress = 5

// TestSeveral_Told: a process tells the others that a case moved on, and a page that waits looks when they do.
func TestSeveral_Told(t *testing.T) {
	t.Parallel()
	bucket := s3test.Start(t)
	if bucket == nil {
		return
	}
	answer := make(chan struct{})
	database, ways := postgrestest.Database(t), postgrestest.Counted(t)
	first := apptest.Start(t, apptest.Options{Database: database, Configure: inBucket(bucket), Faults: &faultservice.Config{
		Answer: func(e faultservice.Entry) (int, []byte) {
			<-answer
			return faultservice.Authorize(e)
		}}})
	second := apptest.Start(t, apptest.Options{Beside: first, Configure: func(c *app.Config) { c.Database.URL = ways.Through(database) }})
	others, heard := signalsOf(t, database)
	prober, _ := signalsOf(t, database)
	apptest.Eventually(t, "signals are heard", func() bool {
		prober.Tell("there")
		return heard("there")
	})
	ana := first.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	uid := path.Base(ana.Submit(address, form).Path)

	apptest.Eventually(t, "a page at the second looks when it is told", func() bool {
		return looksOf(at(second, ana), address, ways, func() { others.Tell(uid) }) > pollsOfPress
	})
	if heard(uid) {
		t.Error("it is told before the answer")
	}
	close(answer)
	apptest.Eventually(t, "the first tells of the answer", func() bool { return heard(uid) })
}

// looksOf presses "Enviar" again, and counts how often the page looks at its case before it goes on.
func looksOf(c *apptest.Client, address string, ways *postgrestest.Ways, tell func()) (looks int) {
	ways.Take()
	pressed := make(chan struct{})
	go func() {
		defer close(pressed)
		c.Post(address+"/enviar", nil)
	}()
	apptest.Eventually(c.T, "the page goes on", func() bool {
		tell()
		select {
		case <-pressed:
			return true
		default:
			return false
		}
	})
	for _, way := range ways.Take() {
		if strings.Contains(way, stateOf) {
			looks++
		}
	}
	return looks
}

// stateOf begins the statement that reads where one case stands.
const stateOf = "SELECT submission_id, unit_uid, state"
