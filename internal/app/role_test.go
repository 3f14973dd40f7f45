package app_test

import (
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/postgres/postgrestest"

	"github.com/jackc/pgx/v5"
)

// TestDatabase_Role: the program works as a role that owns nothing, and that role cannot change what is append-only.
func TestDatabase_Role(t *testing.T) {
	t.Parallel()
	server := postgrestest.Start(t)
	owner := server.Database(t)
	server.Exec(t, `CREATE ROLE guiche_app LOGIN`)
	clerk := strings.Replace(owner, "guiche@", "guiche_app@", 1)
	database := app.Database{URL: clerk, Owner: owner}
	err := app.Migrate(t.Context(), app.Config{DataDir: t.TempDir(), Database: database, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	mustGrant(t, owner)
	p := apptest.Start(t, apptest.Options{Database: clerk})
	ana := p.LogIn(t, apptest.Reception)
	sent := ana.SubmitWith(nil)
	if guide := guideOf(t, ana, sent.Path); guide.Status != http.StatusOK {
		t.Errorf("the guide: %d", guide.Status)
	}
	draft, form := ana.NewDraft()
	upload(t, ana, draft, form, apptest.PDF(4000))
	ana.Post(draft+"/descartar", nil)
	rui := p.LogIn(t, apptest.Administration)
	for _, path := range []string{"/auditoria", "/integridade", "/pessoas", "/servico"} {
		if page := rui.Get(path); page.Status != http.StatusOK {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
	p.Stop()
	if strings.Contains(p.Log.String(), "42501") {
		t.Error("the role lacks a right")
	}
	for _, statement := range []string{
		`UPDATE desk.audit_entry SET detail = ''`, `DELETE FROM desk.audit_entry`, `TRUNCATE desk.audit_entry`,
		`DELETE FROM desk.submission`, `UPDATE desk.submission SET card_number = ''`, `DELETE FROM desk.submission_state`,
		`UPDATE desk.answer SET success = 1`, `DELETE FROM service.request`, `DELETE FROM service.authorization_entry`,
		`UPDATE service.status_transition SET after = ''`, `INSERT INTO desk.schema_version VALUES (99999)`,
		`ALTER TABLE desk.audit_entry DISABLE TRIGGER ALL`, `DROP TRIGGER audit_entry_no_update ON desk.audit_entry`,
		`CREATE TABLE desk.other (id int)`,
	} {
		if err := execAs(t, clerk, statement); err == nil || !strings.Contains(err.Error(), "42501") {
			t.Errorf("%s: got %v, want no right to", statement, err)
		}
	}
}

// execAs runs statements as the role of an address.
func execAs(t *testing.T, url, statements string) error {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), statements)
	return err
}
