package app_test

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/postgres/postgrestest"
)

// small makes an installation with a case, and stops it.
func small(t *testing.T) *apptest.Server {
	t.Helper()
	p := apptest.Start(t, apptest.Options{})
	submitWithFile(t, p.LogIn(t, apptest.Reception), apptest.PDF(1000))
	p.Stop()
	return p
}

// elsewhere is a new folder.
func elsewhere(t *testing.T, p *apptest.Server) app.Config {
	t.Helper()
	return folder(p, filepath.Join(t.TempDir(), "copy"))
}

// change runs statements on a database that nobody else has open.
func change(t *testing.T, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	for _, statement := range statements {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCopy_Refused: what is in use, what holds anything else and what has other keys is not copied, or not copied to.
func TestCopy_Refused(t *testing.T) {
	t.Parallel()
	p := small(t)
	source := folder(p, p.DataDir)
	refused := func(t *testing.T, from, to app.Config, want ...string) {
		t.Helper()
		_, err := app.Copy(t.Context(), from, to, nil)
		for _, w := range want {
			if err == nil || !strings.Contains(err.Error(), w) {
				t.Errorf("got %v, want %q in it", err, w)
			}
		}
	}
	t.Run("InUse", func(t *testing.T) {
		defer mustLock(t, source)()
		refused(t, source, elsewhere(t, p), "GUICHE_FROM: another guiche serves")
	})
	t.Run("NoInstallation", func(t *testing.T) { refused(t, elsewhere(t, p), elsewhere(t, p), "GUICHE_FROM: no installation") })
	t.Run("SameFolder", func(t *testing.T) {
		to := onPostgres(t, p)
		to.DataDir = p.DataDir
		refused(t, source, to, "a folder of its own")
	})
	t.Run("OtherFiles", func(t *testing.T) {
		to := elsewhere(t, p)
		mustWrite(t, filepath.Join(to.DataDir, "notes.txt"), "mine")
		refused(t, source, to, "not empty", "notes.txt")
	})
	t.Run("OtherInstallation", func(t *testing.T) {
		other := apptest.Start(t, apptest.Options{Empty: true})
		other.Stop()
		refused(t, source, folder(p, other.DataDir), "not empty")
	})
	t.Run("OtherRows", func(t *testing.T) {
		other := apptest.Start(t, apptest.Options{Empty: true, Database: postgrestest.Database(t)})
		to := onPostgres(t, p)
		to.Database = other.Config.Database
		refused(t, source, to, "not empty: its table desk/")
	})
	t.Run("OtherKeys", func(t *testing.T) {
		other := apptest.Start(t, apptest.Options{Empty: true})
		to := elsewhere(t, p)
		to.Keys = filepath.Join(other.DataDir, "keys")
		refused(t, source, to, "GUICHE_TO_KEYS: the target's keys are others")
	})
	t.Run("LostKeys", func(t *testing.T) {
		from := source
		from.Keys = t.TempDir()
		refused(t, from, elsewhere(t, p), "GUICHE_FROM_KEYS", "audit.key is missing")
	})
	t.Run("OtherSchema", func(t *testing.T) {
		from := elsewhere(t, p)
		if err := os.CopyFS(from.DataDir, os.DirFS(p.DataDir)); err != nil {
			t.Fatal(err)
		}
		change(t, databases(from)["desk"], `DELETE FROM goose_db_version WHERE id = (SELECT max(id) FROM goose_db_version)`)
		refused(t, from, elsewhere(t, p), "guiche migrate")
	})
}

// TestCopy_InUse: a source on PostgreSQL is in use while a process has its lease, and entries that are not in
// the audit trail's chain yet are named.
func TestCopy_InUse(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Empty: true, Database: postgrestest.Database(t)})
	from := p.Config
	if _, err := app.Copy(t.Context(), from, elsewhere(t, p), nil); err == nil || !strings.Contains(err.Error(), "is running") {
		t.Errorf("beside a process: got %v", err)
	}
	p.Stop()
	p.Clock.Advance(time.Minute)
	if _, err := app.AddPerson(t.Context(), from, app.NewPerson{Login: "lia", Name: "Lia", Roles: []string{"administracao"}}); err != nil {
		t.Fatal(err)
	}
	if _, err := app.Copy(t.Context(), from, elsewhere(t, p), nil); err == nil || !strings.Contains(err.Error(), "guiche verify") {
		t.Errorf("with entries outside of the chain: got %v", err)
	}
	if r, err := app.VerifyServer(t.Context(), from, false); err != nil || !r.Whole() {
		t.Errorf("verify: %v, %v", r, err)
	}
	away := from
	away.DataDir, away.Keys = t.TempDir(), filepath.Join(p.DataDir, "keys")
	_, err := app.Copy(t.Context(), away, elsewhere(t, p), nil)
	if err == nil || !strings.Contains(err.Error(), "GUICHE_FROM: the files of the source are in another data folder") {
		t.Errorf("with a folder that has not the files: got %v", err)
	}
	mustCopy(t, from, elsewhere(t, p))
}

// TestCopy_NoService: an installation without a service of its own has none at the copy either, there and back.
func TestCopy_NoService(t *testing.T) {
	t.Parallel()
	p := small(t)
	if err := os.RemoveAll(filepath.Join(p.DataDir, "service")); err != nil {
		t.Fatal(err)
	}
	to, back := onPostgres(t, p), elsewhere(t, p)
	there := mustCopy(t, folder(p, p.DataDir), to)
	p.Clock.Advance(time.Minute)
	if again := mustCopy(t, to, back); again.Rows != there.Rows {
		t.Errorf("back: got %d rows, want %d", again.Rows, there.Rows)
	}
}

// TestCopy_Resumed: a copy that was cut short is nothing that starts, and goes on with the same source alone.
func TestCopy_Resumed(t *testing.T) {
	t.Parallel()
	p := small(t)
	source := folder(p, p.DataDir)
	for name, to := range map[string]app.Config{"Folder": elsewhere(t, p), "Server": onPostgres(t, p)} {
		t.Run(name, func(t *testing.T) {
			for _, at := range []string{"desk: arquivos", "desk: submission", "desk: submission_state", "desk: history_text", "service: request",
				"desk: comparação", "service: conferência"} {
				ctx, cancel := context.WithCancel(t.Context())
				_, err := app.Copy(ctx, source, to, func(what string) {
					if what == at {
						cancel()
					}
				})
				if err == nil {
					t.Fatalf("cut short at %q: it went on", at)
				}
				if err := startError(t, to); err == nil || !strings.Contains(err.Error(), "run guiche copy again") {
					t.Fatalf("cut short at %q, a start: %v", at, err)
				}
			}
			mustCopy(t, source, to)
			if err := startError(t, to); err != nil {
				t.Errorf("the whole copy: %v", err)
			}
			if _, err := app.Copy(t.Context(), source, to, nil); err == nil || !strings.Contains(err.Error(), "not empty") {
				t.Errorf("onto what started: got %v", err)
			}
		})
	}
}

// TestCopy_WorkedOn: a source that worked after a copy of it was begun is copied to nothing that is there.
func TestCopy_WorkedOn(t *testing.T) {
	t.Parallel()
	p := small(t)
	to := elsewhere(t, p)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := app.Copy(ctx, folder(p, p.DataDir), to, func(string) { cancel() }); err == nil {
		t.Fatal("it was not cut short")
	}
	p.Restart(nil)
	p.LogIn(t, apptest.Supervision)
	p.Stop()
	_, err := app.Copy(t.Context(), folder(p, p.DataDir), to, nil)
	if err == nil || !strings.Contains(err.Error(), "another installation, or of this one") {
		t.Errorf("got %v", err)
	}
}

// TestCopy_Damaged: what the source has not whole is told, the rest is copied, and the copy has it as it was.
func TestCopy_Damaged(t *testing.T) {
	t.Parallel()
	p := small(t)
	source, to := folder(p, p.DataDir), onPostgres(t, p)
	mustLearn(t, source)
	ref := texts(t, databases(source)["desk"], `SELECT blob FROM submission_attachment`)[0]
	if err := os.Remove(filepath.Join(p.DataDir, "desk", "blobs", ref[:2], ref)); err != nil {
		t.Fatal(err)
	}
	rule := texts(t, databases(source)["desk"], `SELECT sql FROM sqlite_schema WHERE name = 'submission_no_update'`)[0]
	change(t, databases(source)["desk"], `DROP TRIGGER submission_no_update`,
		`UPDATE submission SET requester_name = 'Outra' WHERE id = 1`, rule)
	done := mustCopy(t, source, to)
	file := "Arquivo danificado ou ausente: desk/blobs/" + ref[:2] + "/" + ref
	for _, want := range []string{file, "Registro danificado em desk: submission 1"} {
		if !slices.Contains(done.Damage, want) {
			t.Errorf("%q is missing in %q", want, done.Damage)
		}
	}
	p.Clock.Advance(time.Minute)
	back := elsewhere(t, p)
	if again := mustCopy(t, to, back); !slices.Equal(again.Damage, done.Damage) {
		t.Errorf("on the way back: got %q, want %q", again.Damage, done.Damage)
	}
	sameRows(t, source, back)
}

// TestVerify_LostCase: a case of which the lists alone are left is told as missing, of a folder and of its copy.
func TestVerify_LostCase(t *testing.T) {
	t.Parallel()
	p := small(t)
	source := folder(p, p.DataDir)
	mustLearn(t, source)
	rule := texts(t, databases(source)["desk"], `SELECT sql FROM sqlite_schema WHERE name = 'submission_state_no_delete'`)[0]
	change(t, databases(source)["desk"], `DROP TRIGGER submission_state_no_delete`,
		`DELETE FROM submission_state WHERE submission_id = 1`, rule)
	report, err := app.Verify(t.Context(), source, p.DataDir, "")
	if want := "Falta em desk/guiche.db um caso que a lista de casos tem: case 1"; err != nil || !slices.Contains(report.Damage, want) {
		t.Errorf("got %q, %v, want %q", report.Damage, err, want)
	}
	done := mustCopy(t, source, elsewhere(t, p))
	if want := "Falta um caso que a lista de casos tem: case 1"; !slices.Contains(done.Damage, want) {
		t.Errorf("copied: got %q, want %q", done.Damage, want)
	}
}
