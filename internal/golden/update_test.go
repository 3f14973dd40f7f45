package golden_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// updatedFolder names the folder that TestUpdate_Process updates.
const updatedFolder = "GUICHE_TEST_UPDATED_FOLDER"

// oneMoment is a clock that stands, so that all starts write the same times.
func oneMoment() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) }

// update starts this version on a folder and stops it.
func update(ctx context.Context, folder string, clock func() time.Time) error {
	a, err := app.New(ctx, app.Config{Addr: "127.0.0.1:0", DataDir: folder, Clock: clock, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	a.Close()
	return nil
}

// TestUpdate_Process is what the started process does; by itself it does nothing.
func TestUpdate_Process(t *testing.T) {
	if folder := os.Getenv(updatedFolder); folder != "" {
		must(t, update(t.Context(), folder, oneMoment))
	}
}

// mustFind returns the copies of both databases from before an update.
func mustFind(t *testing.T, folder string) (copies []string) {
	t.Helper()
	for half, file := range databases {
		found, err := filepath.Glob(filepath.Join(folder, "before-update", "*", half, file))
		must(t, err)
		copies = append(copies, found...)
	}
	return copies
}

// TestUpdate_Copy: before an update changes the schema each database is copied as it was,
// and the copies are deleted after a week.
func TestUpdate_Copy(t *testing.T) {
	t.Parallel()
	folder := MustRestore(t)
	now := time.Now()
	must(t, update(t.Context(), folder, func() time.Time { return now }))
	copies := mustFind(t, folder)
	if len(copies) != 2 {
		t.Fatalf("got copies %q, want one of each database", copies)
	}
	original := MustRestore(t)
	for _, path := range copies {
		half := filepath.Base(filepath.Dir(path))
		got, want := dump(t, path), dump(t, filepath.Join(original, half, databases[half]))
		if !maps.Equal(got, want) {
			t.Errorf("the copy of %s is not as it was", half)
		}
	}
	must(t, update(t.Context(), folder, func() time.Time { return now })) // nothing to update: nothing to copy
	if again := mustFind(t, folder); len(again) != 2 {
		t.Errorf("got copies %q", again)
	}
	late := apptest.Clock{}
	late.Set(now.Add(8 * 24 * time.Hour))
	a, err := app.New(t.Context(), app.Config{Addr: "127.0.0.1:0", DataDir: folder, Clock: late.Now, Logger: slog.New(slog.DiscardHandler)})
	must(t, err)
	defer a.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- a.Run(ctx) }()
	apptest.Eventually(t, "the copies are deleted", func() bool { return len(mustFind(t, folder)) == 0 })
	stop()
	must(t, <-ended)
}

// TestUpdate_Copy_BrokenOff: an update that is broken off in the middle, however often, is copied as it was before
// once, and the next update after its end has a copy of its own.
func TestUpdate_Copy_BrokenOff(t *testing.T) {
	t.Parallel()
	folder, original := MustRestore(t), MustRestore(t)
	path := filepath.Join(folder, "desk", databases["desk"])
	clock := apptest.Clock{}
	clock.Set(oneMoment())
	again := func() error {
		clock.Set(clock.Now().Add(time.Minute))
		return update(t.Context(), folder, clock.Now)
	}
	exec := func(statement string) {
		db := MustLook(t, path)
		_, err := db.ExecContext(t.Context(), statement)
		must(t, errors.Join(err, db.Close()))
	}
	copies := func() []string {
		found, err := filepath.Glob(filepath.Join(folder, "before-update", "*", "desk", databases["desk"]))
		must(t, err)
		return found
	}
	partial := filepath.Join(MustMake(t, folder, "before-update", "2026-11-22T110000Z.10", "desk"), databases["desk"]+".partial")
	must(t, os.WriteFile(partial, []byte("cut off"), 0o600))
	exec(`CREATE TABLE phone_link (id INTEGER PRIMARY KEY)`) // stands in the way of a later step
	for range 3 {
		if err := again(); err == nil {
			t.Fatal("the update is not broken off")
		}
	}
	t.Run("WentBack", func(t *testing.T) {
		elsewhere := MustRestore(t)
		must(t, os.CopyFS(filepath.Join(elsewhere, "before-update"), os.DirFS(filepath.Join(folder, "before-update"))))
		clock.Set(clock.Now().Add(time.Minute))
		must(t, update(t.Context(), elsewhere, clock.Now))
		made, err := filepath.Glob(filepath.Join(elsewhere, "before-update", "*", "desk", databases["desk"]))
		if must(t, err); len(made) != 2 {
			t.Errorf("got copies %q, want one of what was done since, too", made)
		}
	})
	exec(`DROP TABLE phone_link`)
	must(t, again())
	if _, err := os.Stat(partial); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was cut off while it was copied: got %v", err)
	}
	made := copies()
	if len(made) != 1 {
		t.Fatalf("got copies %q, want one", made)
	}
	got, want := dump(t, made[0]), dump(t, filepath.Join(original, "desk", databases["desk"]))
	if delete(got, "phone_link"); !maps.Equal(got, want) {
		t.Error("the copy is not as it was")
	}
	exec(`DELETE FROM goose_db_version WHERE version_id = (SELECT max(version_id) FROM goose_db_version)`)
	_ = again() // whatever becomes of a step that is done twice
	if made = copies(); len(made) != 2 {
		t.Errorf("got copies %q, want one of each update", made)
	}
}

// dump is what the tables of a database hold, apart from those that each start writes.
func dump(t *testing.T, path string) map[string]string {
	t.Helper()
	all := map[string]string{}
	db := MustLook(t, path)
	for _, table := range column(t, db, `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%\_text%' ESCAPE '\'
		AND name NOT IN ('goose_db_version', 'installation_key', 'lease', 'api_key', 'activation', 'audit_entry', 'profile', 'token_family',
		'sqlite_sequence') ORDER BY name`) {
		var quoted []string
		for _, name := range column(t, db, `SELECT name FROM pragma_table_info('`+table+`')`) {
			quoted = append(quoted, `quote("`+name+`")`)
		}
		rows := column(t, db, `SELECT `+strings.Join(quoted, `||','||`)+` FROM "`+table+`" ORDER BY 1`)
		all[table] = strings.Join(rows, "\n")
	}
	return all
}

// TestUpdate_Killed kills an update at every stage: the next start completes it, and every
// row is as if nothing had happened.
func TestUpdate_Killed(t *testing.T) {
	reference := MustRestore(t)
	began := time.Now()
	must(t, update(t.Context(), reference, oneMoment))
	usual := time.Since(began)
	const kills = 8
	for n := range kills {
		folder := MustRestore(t)
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestUpdate_Process$")
		cmd.Env = append(os.Environ(), updatedFolder+"="+folder)
		must(t, cmd.Start())
		time.AfterFunc(usual*time.Duration(n+1)/kills, func() { _ = cmd.Process.Kill() })
		var killed *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &killed) {
			t.Fatal(err)
		}
		must(t, update(t.Context(), folder, oneMoment))
		for half, file := range databases {
			got, want := dump(t, filepath.Join(folder, half, file)), dump(t, filepath.Join(reference, half, file))
			for table, rows := range want {
				if got[table] != rows {
					t.Errorf("kill %d: %s.%s differs", n, half, table)
				}
			}
		}
	}
}

// MustLook opens a database as it lies there.
func MustLook(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.ToSlash(path))
	must(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// column are the values of a query's only column.
func column(t *testing.T, db *sql.DB, query string) (all []string) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	must(t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		must(t, rows.Scan(&text))
		all = append(all, text)
	}
	must(t, rows.Err())
	return all
}

// TestUpdate_NoRoom: where there is no room for a copy the update goes on without one, and
// says so.
func TestUpdate_NoRoom(t *testing.T) {
	t.Parallel()
	folder, wanted := MustRestore(t), MustRestore(t)
	must(t, update(t.Context(), wanted, oneMoment))
	var log bytes.Buffer
	a, err := app.New(t.Context(), app.Config{Addr: "127.0.0.1:0", DataDir: folder, Clock: oneMoment,
		Logger: slog.New(slog.NewTextHandler(&log, nil)), Free: func(string) (int64, error) { return 100_000, nil }})
	must(t, err)
	a.Close()
	if copies := mustFind(t, folder); len(copies) != 0 {
		t.Errorf("got copies %q, want none", copies)
	}
	if !strings.Contains(log.String(), "a step of the update is done\" database=desk/guiche.db schema=60") {
		t.Error("the log does not tell how far the update of the desk's database is")
	}
	if n := strings.Count(log.String(), "without a copy"); n != 2 {
		t.Errorf("it is said %d times that there is no copy, want it of both databases", n)
	}
	for half, file := range databases {
		got, want := dump(t, filepath.Join(folder, half, file)), dump(t, filepath.Join(wanted, half, file))
		if !maps.Equal(got, want) {
			t.Errorf("%s is not as after an update with a copy", half)
		}
	}
}
