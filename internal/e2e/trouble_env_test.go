package e2e_test

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/client/faultservice"
)

// clinic is a desk at a service that misbehaves when told to, and a receptionist
// who is logged in.
type clinic struct {
	*apptest.Server
	t       testing.TB
	v       *apptest.Client
	presses sync.WaitGroup
	leave   func() // closes the browser's pages that still load
}

// MustClinic starts a clinic.
func MustClinic(t testing.TB, f faultservice.Config, change ...func(*app.Config)) *clinic {
	t.Helper()
	c := &clinic{t: t, leave: func() {}}
	c.Server = apptest.Start(t, apptest.Options{Faults: &f, Configure: func(config *app.Config) {
		for _, f := range change {
			f(config)
		}
	}})
	c.v = c.LogIn(t, apptest.Reception).FailOnServerError()
	t.Cleanup(func() {
		_ = c.Faults.Close() // first, so that nobody waits for an answer
		c.stop()
	})
	return c
}

// stop ends the program; again is no error.
func (c *clinic) stop() {
	c.leave()
	c.presses.Wait()
	c.Stop()
}

// restart stops the program and starts it on the same folder. The receptionist is
// still logged in.
func (c *clinic) restart(change func(*app.Config)) {
	c.t.Helper()
	c.stop()
	c.Restart(change)
}

// reviewed fills a form and reviews it; what is left to do is to press "Enviar".
func (c *clinic) reviewed() (draft string, form url.Values) {
	c.t.Helper()
	draft, form = c.v.NewDraft()
	if review := c.v.Post(draft+"/revisar", form); review.Count("#revisao") != 1 {
		c.t.Fatalf("review: %d %s", review.Status, review.Text("#erros"))
	}
	return draft, form
}

// press presses "Enviar", once in a program, and does not wait for the page,
// which takes its time while there is no answer.
func (c *clinic) press(draft string) {
	c.t.Helper()
	var ctx context.Context
	ctx, c.leave = context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL+draft+"/enviar", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	c.presses.Go(func() {
		if res, err := c.v.HTTP.Do(req); err == nil {
			_ = res.Body.Close()
		}
	})
}

// becomes waits until the draft's case shows a badge, and returns its page.
func (c *clinic) becomes(draft, badge string) *apptest.Page {
	c.t.Helper()
	var page *apptest.Page
	apptest.Eventually(c.t, "the case shows "+badge, func() bool {
		page = c.v.Get(draft)
		return strings.HasPrefix(page.Path, "/casos/") && page.Text("#veredito .verdict") == badge
	})
	return page
}

// arrives waits until so many authorization requests came to the service.
func (c *clinic) arrives(requests int) {
	c.t.Helper()
	apptest.Eventually(c.t, "the request arrives", func() bool {
		return c.Faults.Count(faultservice.Received, faultservice.SubmitPath) >= requests
	})
}

// checkLedger compares what arrived at the service and what it acted on.
func (c *clinic) checkLedger(received, acted int) {
	c.t.Helper()
	gotReceived := c.Faults.Count(faultservice.Received, faultservice.SubmitPath)
	if gotActed := c.Faults.Count(faultservice.Acted, faultservice.SubmitPath); gotReceived != received || gotActed != acted {
		c.t.Errorf("the service received %d and acted on %d, want %d and %d", gotReceived, gotActed, received, acted)
	}
}

// fault puts a rule about authorization requests in force.
func (c *clinic) fault(r faultservice.Rule) (remove func()) {
	r.Path = faultservice.SubmitPath
	return c.Faults.Add(r)
}
