package app_test

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/backup"
	"guiche/internal/postgres/postgrestest"
)

// TestDatabase_Service: the authorization service alone works on a database server as on a folder, and
// goes on with what is there.
func TestDatabase_Service(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Database: postgrestest.Database(t)})
	wantReady(t, p.Client(t), "ready\n")
	partner := p.Partner(t, p.APIKey())
	status, got := partner.Send(http.MethodPost, "/api/v2/autorizar/sp-sadt", "application/json", mustJSON(t, partner.Request()))
	if status != http.StatusOK && status != http.StatusCreated {
		t.Fatalf("a request: %d %v", status, got)
	}
	rui := p.LogIn(t, apptest.Administration)
	for _, path := range []string{"/", "/auditoria", "/integridade", "/pessoas"} {
		if page := rui.Get(path); page.Status != http.StatusOK {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
	p.Restart(nil)
	if again := p.Partner(t, p.APIKey()).Credentials(); again != http.StatusOK || !rui.LoggedIn() {
		t.Errorf("after a restart: credentials %d, logged in %t", again, rui.LoggedIn())
	}
}

// TestDatabase_Refused: what is wrong with a database is said by the name of its setting, without
// the password in its address.
func TestDatabase_Refused(t *testing.T) {
	t.Parallel()
	const secret = "uma-senha-secreta"
	for name, tt := range map[string]struct {
		change func(*app.Config)
		want   string
	}{
		"NoAddress": {func(c *app.Config) { c.Database.URL = "guiche:" + secret + "@db" }, "GUICHE_DATABASE: postgres: the database's address"},
		"OtherMachine": {func(c *app.Config) {
			c.Database.URL = "postgres://guiche:" + secret + "@db.example/guiche?sslmode=disable"
		}, "verify-full"},
		"OutOfReach": {func(c *app.Config) { c.Database.URL = "postgres://guiche:" + secret + "@127.0.0.1:1/guiche" }, "GUICHE_DATABASE: "},
		"Migrating": {func(c *app.Config) {
			c.Database.URL, c.Database.Owner = "postgres://guiche@127.0.0.1:1/guiche", secret
		}, "GUICHE_MIGRATE_DATABASE: "},
		"ServiceAlone": {func(c *app.Config) { c.Database.Service = "postgres://guiche:" + secret + "@/guiche" }, "it is not named"},
		"Backups": {func(c *app.Config) {
			c.Database.URL, c.Backups.Folder = "postgres://guiche:"+secret+"@/guiche", t.TempDir()
		}, "GUICHE_BACKUP_TO: the rows are in PostgreSQL (GUICHE_DATABASE), which is copied by its own tools: pg_basebackup"},
	} {
		t.Run(name, func(t *testing.T) {
			c := app.Config{Addr: "127.0.0.1:0", DataDir: t.TempDir(), Wait: time.Millisecond}
			tt.change(&c)
			a, err := app.New(t.Context(), c)
			if err == nil {
				a.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), secret) {
				t.Errorf("got %v, want %q and no password", err, tt.want)
			}
		})
	}
}

// TestDatabase_Insecure: that anybody on the way may read is told by every start, of desk and service, and only where
// it was asked for.
func TestDatabase_Insecure(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]apptest.Options{"Desk": {Empty: true}, "Service": {Standalone: true, Empty: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o.Database = postgrestest.Database(t)
			wantWarnings(t, apptest.Start(t, o), "GUICHE_DATABASE_INSECURE", func(c *app.Config) { c.Database.Insecure = true })
		})
	}
}

// wantWarnings starts a program twice more with a setting that each start is to warn of.
func wantWarnings(t *testing.T, p *apptest.Server, of string, set func(*app.Config)) {
	t.Helper()
	for starts, change := range []func(*app.Config){nil, set, set} {
		if starts > 0 {
			p.Restart(change)
		}
		if got := strings.Count(p.Log.String(), `"level":"WARN","msg":"`+of+`: `); got != starts {
			t.Errorf("after %d starts with it: %d warnings of %s", starts, got, of)
		}
	}
}

// TestDatabase_Backups: who copies a database server is said by the page and by the commands.
func TestDatabase_Backups(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Database: postgrestest.Database(t)})
	page := p.LogIn(t, apptest.Administration).Get("/copias")
	page.Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"main form": 0}, Text: map[string]string{
		"#estado": "As cópias são feitas fora do Guichê. Os registros ficam no PostgreSQL"}})
	if strings.Contains(page.Text("main"), "guiche restore") {
		t.Error("the page names a command that is not for it")
	}
	_, made := app.MakeBackup(t.Context(), p.Config, app.Backups{Folder: t.TempDir()})
	_, restored := app.Restore(t.Context(), p.Config, app.Restoration{From: t.TempDir()})
	if !errors.Is(made, app.ErrServersTools) || !errors.Is(restored, app.ErrServersTools) {
		t.Errorf("got %v and %v", made, restored)
	}
}

// TestMigrate: the schemas are made by a step of its own, once, however many take it at a time; a
// role that may not is told of it.
func TestMigrate(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	owner := server.Database(t)
	server.Exec(t, `CREATE ROLE clerk LOGIN`)
	clerk := strings.Replace(owner, "guiche@", "clerk@", 1)
	c := app.Config{Addr: "127.0.0.1:0", DataDir: t.TempDir(), Database: app.Database{URL: clerk}, Logger: slog.New(slog.DiscardHandler)}
	for name, err := range map[string]error{
		"Start":   startError(t, c),
		"Migrate": app.Migrate(t.Context(), c),
		"User":    app.DisablePerson(t.Context(), c, "ana"),
	} {
		if want := map[bool]string{true: "no installation in this database", false: "guiche migrate"}[name == "User"]; err == nil ||
			!strings.Contains(err.Error(), "GUICHE_DATABASE: ") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	c.Database.Owner = owner
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			if err := app.Migrate(t.Context(), c); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
}

// startError is what comes of a start.
func startError(t *testing.T, c app.Config) error {
	t.Helper()
	a, err := app.New(t.Context(), c)
	if err == nil {
		a.Close()
	}
	return err
}

// TestVerifyServer: the rows on a database server are checked from outside, and what was changed in them is found.
func TestVerifyServer(t *testing.T) {
	t.Parallel()
	url := postgrestest.Database(t)
	p := apptest.Start(t, apptest.Options{Database: url})
	p.LogIn(t, apptest.Reception).SubmitWith(nil)
	p.Stop()
	verify := func(c app.Config) backup.Report {
		r, err := app.VerifyServer(t.Context(), c, false)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := verify(p.Config); !r.Whole() || len(r.Unchecked) != 0 || r.Blobs == 0 {
		t.Errorf("got %+v", r)
	}
	without := p.Config
	without.Keys = t.TempDir()
	if r := verify(without); !r.Whole() || len(r.Unchecked) != 1 {
		t.Errorf("without keys: %+v", r)
	}
	if err := execAs(t, url, `SET session_replication_role = replica; UPDATE desk.submission SET card_number = card_number || '1';
		UPDATE service.request SET document = document || chr(32); UPDATE desk.audit_entry SET detail = detail || ' ' WHERE id = 2`); err != nil {
		t.Fatal(err)
	}
	if r := verify(p.Config); len(r.Damage) < 3 {
		t.Errorf("what was changed: %+v", r)
	}
}
