//go:build lighthouse

package e2e_test

import (
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

var lighthouseRuns = flag.Int("lighthouse-runs", 3, "how often each page is measured")

// TestLighthouse measures every page of the table of routes on a desktop and on a phone
// (make lighthouse).
func TestLighthouse(t *testing.T) {
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.Past = true }})
	found := map[string]visited{}
	visitors := visitorsOf(t, p)
	starts := prepare(visitors)
	for _, v := range visitors {
		crawl(v, starts, found)
	}
	for _, pattern := range pagePatterns() {
		page, ok := found[pattern]
		if !ok {
			t.Errorf("no page leads to %s", pattern)
			continue
		}
		t.Run(strings.Trim(strings.ReplaceAll(pattern, "/", "."), "."), func(t *testing.T) { measure(t, p.URL+page.path, page.cookie) })
	}
}

// scored is what Lighthouse says of a page on one kind of device.
type scored struct {
	Performance, Accessibility int
	BestPractices              int `json:"best-practices"`
	At                         string
	Speed                      map[string]string // what performance is made of
	Found, Foreign             []string
}

// measure fails the test where a page does not reach its scores.
func measure(t *testing.T, address, cookie string) {
	t.Helper()
	command := exec.CommandContext(t.Context(), "node", "../../.ci/lighthouse/measure.mjs", address, cookie, strconv.Itoa(*lighthouseRuns))
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("lighthouse: %v (make lighthouse installs it)", err)
	}
	var got map[string]scored
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("lighthouse said %.300s", out)
	}
	for device, s := range got {
		t.Logf("%s: performance %d, accessibility %d, best practices %d", device, s.Performance, s.Accessibility, s.BestPractices)
		if s.Performance < 98 || s.Accessibility < 100 || s.BestPractices < 100 || len(s.Foreign) > 0 {
			t.Errorf("%s: %+v", device, s)
		}
		if at, want := s.At, address; at != want {
			t.Errorf("%s: was led to %s", device, at)
		}
	}
}
