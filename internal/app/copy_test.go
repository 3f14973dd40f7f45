package app_test

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
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
	"guiche/internal/sqlite"
	"guiche/internal/store/caselist"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
)

// folder is the Config of an installation in a folder, as a server's otherwise.
func folder(p *apptest.Server, path string) app.Config {
	c := p.Config
	c.DataDir, c.Keys, c.Database, c.Blobs = path, "", app.Database{}, app.Blobs{}
	return c
}

// onPostgres is one on PostgreSQL.
func onPostgres(t testing.TB, p *apptest.Server) app.Config {
	c := folder(p, filepath.Join(t.TempDir(), "data"))
	c.Database.URL = postgrestest.Database(t)
	return c
}

func mustCopy(t testing.TB, from, to app.Config) app.Copied {
	t.Helper()
	done, err := app.Copy(t.Context(), from, to, nil)
	if err != nil {
		t.Fatalf("copy: %v", err)
	}
	return done
}

// allRows are the rows of every table of a database, each with the types of its values.
func allRows(t testing.TB, path string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range texts(t, path, `SELECT name FROM sqlite_schema WHERE type = 'table'
		AND name NOT IN ('goose_db_version', 'sqlite_sequence')
		AND name NOT LIKE '%\_text%' ESCAPE '\' AND name <> 'history_word' OR name = 'answer_text' ORDER BY name`) {
		var quoted []string
		for _, column := range texts(t, path, `SELECT name FROM pragma_table_info('`+table+`')`) {
			quoted = append(quoted, `quote("`+column+`")`)
		}
		all[table] = texts(t, path, `SELECT `+strings.Join(quoted, `||','||`)+` FROM "`+table+`" ORDER BY 1`)
	}
	return all
}

// schemaIn is the text of a database's schema.
func schemaIn(t testing.TB, path string) []string {
	t.Helper()
	return texts(t, path, `SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema ORDER BY 1`)
}

// contentOf are the hashes of all files below a folder.
func contentOf(t testing.TB, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			all[path] = ""
			return err
		}
		content, err := os.ReadFile(path)
		all[path] = fmt.Sprintf("%x", sha256.Sum256(content))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// databases are those of an installation in a folder.
func databases(c app.Config) map[string]string {
	return map[string]string{
		"desk": filepath.Join(c.DataDir, "desk", "guiche.db"), "service": filepath.Join(c.DataDir, "service", "service.db"),
	}
}

// sameRows compares two installations in folders.
func sameRows(t *testing.T, a, b app.Config) {
	t.Helper()
	there := databases(b)
	for half, path := range databases(a) {
		if diff := cmp.Diff(allRows(t, path), allRows(t, there[half])); diff != "" {
			t.Errorf("rows of %s (-source +copy):\n%s", half, diff)
		}
		if diff := cmp.Diff(schemaIn(t, path), schemaIn(t, there[half])); diff != "" {
			t.Errorf("schema of %s (-source +copy):\n%s", half, diff)
		}
	}
}

// mustLearn writes the words that a process which ended left to be written: a copy has them.
func mustLearn(t *testing.T, c app.Config) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Options{Path: databases(c)["desk"], Migrations: migrations.Desk, Clock: c.Clock})
	if err == nil {
		err = errors.Join(caselist.LearnPending(t.Context(), db), db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// live makes an installation with cases of three weeks, a draft with a file, and an open session.
func live(t *testing.T) (p *apptest.Server, ana *apptest.Client, sent string) {
	t.Helper()
	p = apptest.Start(t, apptest.Options{Past: true})
	ana = p.LogIn(t, apptest.Reception)
	sent = submitWithFile(t, ana, apptest.PDF(300_000)).Path
	ana.SubmitWith(map[string]string{"beneficiarioNumeroCarteira": "9999990000000012"})
	address, form := ana.NewDraft()
	upload(t, ana, address, form, apptest.PDF(1000))
	rui := p.LogIn(t, apptest.Administration)
	rui.Post("/pessoas/nova", map[string][]string{"nome": {"Bia"}, "usuario": {"bia"}, "papeis": {"recepcao"}})
	return p, ana, sent
}

// TestCopy_RoundTrip: an installation goes from a folder to PostgreSQL and a bucket and back to a folder: every
// row, file and key is there, who was logged in still is, and the source is as it was.
func TestCopy_RoundTrip(t *testing.T) {
	t.Parallel()
	bucket := s3test.Start(t)
	if bucket == nil {
		return
	}
	p, ana, sent := live(t)
	p.Stop()
	source := folder(p, p.DataDir)
	mustLearn(t, source)
	server := onPostgres(t, p)
	inBucket(bucket)(&server)
	if err := os.WriteFile(filepath.Join(source.DataDir, "guiche.lock"), nil, 0o600); err != nil { // as whoever serves a folder
		t.Fatal(err)
	}
	before := contentOf(t, source.DataDir)
	there := mustCopy(t, source, server)
	if diff := cmp.Diff(before, contentOf(t, source.DataDir)); diff != "" {
		t.Errorf("the source (-before +after):\n%s", diff)
	}
	if there.Rows < 1000 || there.Blobs < 20 || there.Put != there.Blobs || there.Trail == 0 || len(there.Damage) > 0 {
		t.Errorf("got %+v", there)
	}
	p.Clock.Advance(time.Minute)
	back := folder(p, filepath.Join(t.TempDir(), "back"))
	again := mustCopy(t, server, back)
	if diff := cmp.Diff(there, again); diff != "" {
		t.Errorf("what was copied (-there +back):\n%s", diff)
	}
	sameRows(t, source, back)
	for name, c := range map[string]app.Config{"Server": server, "Folder": back} {
		t.Run(name, func(t *testing.T) { works(t, p, c, ana, sent) })
	}
}

// works visits a copy of an installation.
func works(t *testing.T, p *apptest.Server, c app.Config, ana *apptest.Client, sent string) {
	t.Helper()
	s := apptest.Start(t, apptest.Options{On: p, Configure: func(own *app.Config) {
		clock, logger := own.Clock, own.Logger
		*own = c
		own.Clock, own.Logger, own.Demo, own.Simulated = clock, logger, true, true
	}})
	here := at(s, ana)
	if !here.LoggedIn() {
		t.Error("the session did not come along")
	}
	celia := s.LogIn(t, apptest.Supervision)
	if guide := guideOf(t, celia, sent); guide.Status != http.StatusOK || !strings.HasPrefix(string(guide.Body), "%PDF") {
		t.Errorf("the guide: %d", guide.Status)
	}
	if found := celia.Get("/historico?q=beneficiaria+teste"); !strings.Contains(string(found.Body), strings.TrimPrefix(sent, "/")) {
		t.Errorf("the history does not find the case: %s", found.Text("main"))
	}
	s.LogIn(t, apptest.Reception).SubmitWith(nil)
	s.Stop()
}

// TestCopy_Queue: what is queued leaves once, from the copy, and what was on the wire is what it is after the
// process was killed.
func TestCopy_Queue(t *testing.T) {
	t.Parallel()
	answer := make(chan struct{})
	p := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{
		Answer: func(e faultservice.Entry) (int, []byte) {
			select {
			case <-answer:
				return faultservice.Authorize(e)
			default:
				return http.StatusTooManyRequests, nil
			}
		}}})
	ana := p.LogIn(t, apptest.Reception)
	sent := ana.SubmitWith(nil).Path
	p.Stop()
	to := onPostgres(t, p)
	done := mustCopy(t, folder(p, p.DataDir), to)
	if done.Waiting != 1 {
		t.Errorf("got %d waiting, want 1", done.Waiting)
	}
	close(answer)
	p.Restart(func(c *app.Config) { c.DataDir, c.Database = to.DataDir, to.Database })
	p.Clock.Advance(time.Minute)
	apptest.Eventually(t, "the copy sends it", func() bool { return at(p, ana).Get(sent).Count(".tone-success") > 0 })
}
