package e2e_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/audit"
	"guiche/internal/client/faultservice"
	"guiche/internal/directory"
	"guiche/internal/sqlite"
	"guiche/internal/store/directorystore"
	"guiche/migrations"

	"github.com/google/uuid"
)

// clinic is a Guichê without the demo, connected to a service that misbehaves
// when told to, and a receptionist who is logged in.
type clinic struct {
	t       testing.TB
	config  app.Config
	service *faultservice.Service
	v       *visitor
	road    *http.Transport // of the receptionist's browser
	presses sync.WaitGroup
	leave   func() // closes the browser's pages that still load
	stop    func() // stops the program; again is no error
}

// MustClinic starts a clinic.
func MustClinic(t testing.TB, f faultservice.Config, change ...func(*app.Config)) *clinic {
	t.Helper()
	f.Key = "k"
	c := &clinic{t: t, service: faultservice.New(f), road: &http.Transport{}}
	if err := c.service.Start(); err != nil {
		t.Fatal(err)
	}
	c.config = app.Config{Addr: "127.0.0.1:0", DataDir: t.TempDir(), BaseURL: c.service.URL(), APIKey: "k", Version: "test"}
	for _, f := range change {
		f(&c.config)
	}
	c.fillDirectory()
	link, err := app.AddPerson(t.Context(), c.config, app.NewPerson{Login: "lia", Name: "Lia Prates", Roles: []string{"recepcao"}, Units: []string{"Centro"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.service.Close() // first, so that nobody waits for an answer
		c.stop()
	})
	p := c.start()
	c.v = MustVisit(t, p, "")
	c.v.client.Transport = noServerErrors{t, c.road}
	password := "uma frase bem comprida"
	if got := c.v.post(link, url.Values{"senha": {password}, "senha2": {password}}); got.path != "/fila" {
		t.Fatalf("activate: %d at %s", got.status, got.path)
	}
	return c
}

// fillDirectory tells the desk one unit and one professional, as an import does.
func (c *clinic) fillDirectory() {
	c.t.Helper()
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Options{Path: filepath.Join(c.config.DataDir, "desk", "guiche.db"), Migrations: migrations.Desk})
	if err != nil {
		c.t.Fatal(err)
	}
	defer db.Close()
	r := directory.New(directorystore.New(db, untold{}))
	if err := r.PutUnits(ctx, directory.Unit{UID: uuid.New(), Name: "Centro", Active: true,
		CarePoints: []directory.CarePoint{{UID: uuid.New(), Name: "Balcão", Active: true}}}); err != nil {
		c.t.Fatal(err)
	}
	if err := r.PutProfessionals(ctx, directory.Professional{UID: uuid.New(), Name: "Dra. Elisa Monteverde", Council: "CRM", CouncilNumber: "88213",
		State: "SP", Active: true, Specialties: []directory.Specialty{{ID: 7, Name: "Patologia clínica", CBO: "225335"}}}); err != nil {
		c.t.Fatal(err)
	}
}

// untold is the trail of what happened before a test.
type untold struct{}

func (untold) Append(context.Context, *sqlite.Tx, audit.Entry) error { return nil }

// stopTime is more than a program takes to stop; it is there so that one which
// never stops fails its test.
const stopTime = 30 * time.Second

// start runs the program on the clinic's folder until stop. The receptionist is
// still logged in.
func (c *clinic) start() *program {
	c.t.Helper()
	logs := &buffer{}
	c.config.Logger = slog.New(slog.NewJSONHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	ctx, cancel := context.WithCancel(context.Background())
	a, err := app.New(ctx, c.config)
	if err != nil {
		cancel()
		c.t.Fatalf("start: %v", err)
	}
	done := make(chan error, 1)
	go func() { done <- a.Run(ctx) }()
	c.leave = func() {}
	c.stop = sync.OnceFunc(func() {
		defer a.Close()
		c.leave()
		c.presses.Wait()
		c.road.CloseIdleConnections()
		cancel()
		select {
		case err := <-done:
			if err != nil {
				c.t.Errorf("run ended with %v", err)
			}
		case <-time.After(stopTime):
			c.t.Errorf("the program does not stop")
		}
		if c.t.Failed() {
			c.t.Logf("log:\n%s", logs)
		}
	})
	p := &program{app: a, url: a.URL(), logins: a.Logins(), logs: logs}
	if c.v != nil {
		c.v.p = p
	}
	return p
}

// administrator adds a person with administração and logs her in.
func (c *clinic) administrator() *visitor {
	c.t.Helper()
	link, err := app.AddPerson(c.t.Context(), c.config, app.NewPerson{Login: "rosa", Name: "Rosa Lima", Roles: []string{"administracao"}})
	if err != nil {
		c.t.Fatal(err)
	}
	v := MustVisit(c.t, c.v.p, "")
	password := "outra frase bem comprida"
	if got := v.post(link, url.Values{"senha": {password}, "senha2": {password}}); got.status != http.StatusOK {
		c.t.Fatalf("activate: %d at %s", got.status, got.path)
	}
	return v
}

// restart stops the program and starts it on the same folder.
func (c *clinic) restart() {
	c.t.Helper()
	c.stop()
	c.start()
}

// noServerErrors fails the test when a 5xx reaches the browser.
type noServerErrors struct {
	t    testing.TB
	road http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (n noServerErrors) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := n.road.RoundTrip(r)
	if err == nil && res.StatusCode >= http.StatusInternalServerError {
		n.t.Errorf("%s %s is answered with %d", r.Method, r.URL.Path, res.StatusCode)
	}
	return res, err
}

// reviewed fills a form and reviews it; what is left to do is to press "Enviar".
func (c *clinic) reviewed() (draft string, form url.Values) {
	c.t.Helper()
	draft, form = c.v.newDraft()
	if review := c.v.post(draft+"/revisar", form); review.doc().Find("#revisao").Length() != 1 {
		c.t.Fatalf("review: %d %s", review.status, review.text("#erros"))
	}
	return draft, form
}

// press presses "Enviar", once in a program, and does not wait for the page,
// which takes its time while there is no answer.
func (c *clinic) press(draft string) {
	c.t.Helper()
	var ctx context.Context
	ctx, c.leave = context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.v.p.url+draft+"/enviar", nil)
	if err != nil {
		c.t.Fatal(err)
	}
	c.presses.Go(func() {
		if res, err := c.v.client.Do(req); err == nil {
			_ = res.Body.Close()
		}
	})
}

// becomes waits until the draft's case shows a badge, and returns its page.
func (c *clinic) becomes(draft, badge string) answer {
	c.t.Helper()
	var page answer
	eventually(c.t, "the case shows "+badge, func() bool {
		page = c.v.get(draft)
		return strings.HasPrefix(page.path, "/casos/") && page.text("#veredito .verdict") == badge
	})
	return page
}

// arrives waits until so many authorization requests came to the service.
func (c *clinic) arrives(requests int) {
	c.t.Helper()
	eventually(c.t, "the request arrives", func() bool {
		return c.service.Count(faultservice.Received, faultservice.SubmitPath) >= requests
	})
}

// checkLedger compares what arrived at the service and what it acted on.
func (c *clinic) checkLedger(received, acted int) {
	c.t.Helper()
	gotReceived := c.service.Count(faultservice.Received, faultservice.SubmitPath)
	if gotActed := c.service.Count(faultservice.Acted, faultservice.SubmitPath); gotReceived != received || gotActed != acted {
		c.t.Errorf("the service received %d and acted on %d, want %d and %d", gotReceived, gotActed, received, acted)
	}
}

// fault puts a rule about authorization requests in force.
func (c *clinic) fault(r faultservice.Rule) (remove func()) {
	r.Path = faultservice.SubmitPath
	return c.service.Add(r)
}
