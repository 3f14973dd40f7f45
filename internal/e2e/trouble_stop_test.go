package e2e_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	fs "guiche/internal/client/faultservice"
)

// onWire presses "Enviar" and returns when the service has acted and says nothing.
func (c *clinic) onWire() (draft string) {
	c.t.Helper()
	c.fault(fs.Rule{After: true, Fault: fs.Never()})
	draft, _ = c.reviewed()
	c.press(draft)
	eventually(c.t, "the request is at the service", func() bool { return c.service.Count(fs.Acted, fs.SubmitPath) == 1 })
	return draft
}

// TestTrouble_StopWhileSending: a program that is told to stop gives the answer
// its time and ends; the next start says that nobody knows and sends nothing.
func TestTrouble_StopWhileSending(t *testing.T) {
	t.Parallel()
	c := MustClinic(t, fs.Config{}, func(c *app.Config) { c.AnswerTimeout = 500 * time.Millisecond })
	draft := c.onWire()
	c.restart() // fails when it takes longer than stopTime
	page := c.becomes(draft, doubtful)
	if rows := c.v.get("/fila?grupo=sem-resposta").doc().Find("#fila tbody tr").Length(); rows != 1 {
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
	eventually(t, "the request is at the service", func() bool { return c.service.Count(fs.Acted, fs.SubmitPath) == 1 })
	go func(address string) { // the service answers when the program takes no more visitors
		defer close(hold)
		for answers(address) {
			<-time.After(10 * time.Millisecond)
		}
	}(c.v.p.url)
	c.restart()
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
	if err := os.CopyFS(left, os.DirFS(c.config.DataDir)); err != nil {
		t.Fatal(err)
	}
	_ = c.service.Close() // lets the first program go
	c.stop()
	c.config.DataDir = left
	c.serviceReturns()
	c.start()
	page := c.becomes(draft, doubtful)
	if got := page.text("#tempo small"); got == "" {
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
