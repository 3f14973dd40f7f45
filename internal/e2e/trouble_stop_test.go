package e2e_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	fs "guiche/internal/client/faultservice"
)

// onWire presses "Enviar" and returns when the service has acted and says nothing.
func (c *clinic) onWire() (draft string) {
	c.t.Helper()
	c.fault(fs.Rule{After: true, Fault: fs.Never()})
	draft, _ = c.reviewed()
	c.press(draft)
	apptest.Eventually(c.t, "the request is at the service", func() bool { return c.Faults.Count(fs.Acted, fs.SubmitPath) == 1 })
	return draft
}

// TestTrouble_StopWhileSending: a program that is told to stop gives the answer
// its time and ends; the next start says that nobody knows and sends nothing.
func TestTrouble_StopWhileSending(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{}, func(c *app.Config) { c.Connection.Answer = 500 * time.Millisecond })
	draft := c.onWire()
	c.restart(nil) // fails when it takes longer than stopTime
	page := c.becomes(draft, doubtful)
	if rows := c.v.Get("/fila?grupo=sem-resposta").Count("#fila tbody tr"); rows != 1 {
		t.Errorf("%d cases without an answer in the list, want 1", rows)
	}
	checkAdvice(t, outcomeRow{badge: doubtful}, page)
	c.stop()
	c.checkLedger(1, 1)
}

// TestTrouble_AnswerWhileStopping: an answer that comes while the program stops
// is kept and read.
func TestTrouble_AnswerWhileStopping(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{})
	hold := make(chan struct{})
	c.fault(fs.Rule{After: true, Hold: hold})
	draft, _ := c.reviewed()
	c.press(draft)
	apptest.Eventually(t, "the request is at the service", func() bool { return c.Faults.Count(fs.Acted, fs.SubmitPath) == 1 })
	go func(address string) { // the service answers when the program takes no more visitors
		defer close(hold)
		for answers(address) {
			<-time.After(10 * time.Millisecond)
		}
	}(c.URL)
	c.restart(nil)
	c.becomes(draft, authorized)
	c.stop()
	c.checkLedger(1, 1)
}

// TestTrouble_Killed: a program that ended without a word, its folder as the
// disk had it, starts with the request in doubt and sends nothing.
func TestTrouble_Killed(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{})
	draft := c.onWire()
	left := filepath.Join(t.TempDir(), "left")
	if err := os.CopyFS(left, os.DirFS(c.DataDir)); err != nil {
		t.Fatal(err)
	}
	_ = c.Faults.Close() // lets the first program go
	c.stop()
	c.DataDir = left
	c.serviceReturns()
	c.Restart(nil)
	page := c.becomes(draft, doubtful)
	if got := page.Text("#tempo small"); got == "" {
		t.Error("the history does not say how much had left")
	}
	c.stop()
	c.checkLedger(0, 0)
}

// answers reports whether a program takes visitors.
func answers(address string) bool {
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		return false
	}
	_ = conn.Close()
	return true
}
