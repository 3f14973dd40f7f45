package app_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
	"guiche/internal/client/faultservice"
	"guiche/internal/postgres/postgrestest"

	"github.com/google/go-cmp/cmp"
)

// TestCopy_Servers: an installation goes from one PostgreSQL server to another, whose schemas a role owns that the
// desk does not work as; files stay in the bucket that both sides name.
func TestCopy_Servers(t *testing.T) {
	t.Parallel()
	bucket := s3test.Start(t)
	if bucket == nil {
		return
	}
	p, ana, sent := live(t)
	p.Stop()
	first, second := onPostgres(t, p), onPostgres(t, p)
	inBucket(bucket)(&first)
	inBucket(bucket)(&second)
	there := mustCopy(t, folder(p, p.DataDir), first)
	p.Clock.Advance(time.Minute)
	server := postgrestest.Start(t)
	server.Exec(t, `CREATE ROLE guiche_app LOGIN`)
	owner := server.Database(t)
	second.Database = app.Database{URL: strings.Replace(owner, "guiche@", "guiche_app@", 1), Owner: owner}
	again := mustCopy(t, first, second)
	want := there
	want.Put = 0 // files are where they were
	if diff := cmp.Diff(want, again); diff != "" {
		t.Errorf("what was copied (-first +second):\n%s", diff)
	}
	mustGrant(t, owner)
	second.Database.Owner = ""
	works(t, p, second, ana, sent)
}

// mustGrant gives the role of the desk its rights, as the one who owns the schemas.
func mustGrant(t *testing.T, owner string) {
	t.Helper()
	grants, err := os.ReadFile(filepath.Join("..", "..", "migrations", "postgres", "grants.sql"))
	if err != nil {
		t.Fatal(err)
	}
	if err := execAs(t, owner, string(grants)); err != nil {
		t.Fatal(err)
	}
}

// TestCopy_Sending: of what a killed process had on its way nobody knows what became of it, at the copy as at the source.
func TestCopy_Sending(t *testing.T) {
	t.Parallel()
	const authorize = "/api/v2/autorizar/sp-sadt"
	p := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}, Configure: func(c *app.Config) {
		c.Shutdown = 2 * time.Second // it has to wait for one
	}})
	p.Faults.Add(faultservice.Rule{Path: authorize, Nth: 1, Fault: faultservice.Answer(503, "", "Retry-After", "600")})
	p.Faults.Add(faultservice.Rule{Path: authorize, Nth: 1, Fault: faultservice.Never()})
	ana := p.LogIn(t, apptest.Reception)
	queued, sending := ana.Submit(ana.NewDraft()).Path, ana.Submit(ana.NewDraft()).Path
	apptest.Eventually(t, "one is queued and one on the wire", func() bool {
		return fmt.Sprint(statesOf(t, p)) == "[queued sending]"
	})
	killed, to := elsewhere(t, p), onPostgres(t, p)
	if err := os.CopyFS(killed.DataDir, os.DirFS(p.DataDir)); err != nil {
		t.Fatal(err)
	}
	before := p.Faults.Count(faultservice.Received, authorize)
	if done := mustCopy(t, killed, to); done.Waiting != 2 {
		t.Errorf("got %d waiting, want 2", done.Waiting)
	}
	p.Stop()
	p.Clock.Advance(11 * time.Minute)
	p.Restart(func(c *app.Config) { c.DataDir, c.Database = to.DataDir, to.Database })
	apptest.Eventually(t, "the queued one is authorized", func() bool {
		return at(p, ana).Get(queued).Text("#veredito .verdict") == "Autorizado"
	})
	at(p, ana).Get(sending).Check(t, apptest.Want{Status: http.StatusOK,
		Text: map[string]string{"#veredito .verdict": "Enviado sem resposta"}})
	if after := p.Faults.Count(faultservice.Received, authorize); after != before+1 {
		t.Errorf("got %d requests from the copy, want the queued one alone", after-before)
	}
}
