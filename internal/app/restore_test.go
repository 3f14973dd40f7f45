package app_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/backup"
	"guiche/internal/client/faultservice"
)

// mustRestore makes an installation of a backup in a new folder.
func mustRestore(t testing.TB, p *apptest.Server, r app.Restoration) (folder string, done app.Restored) {
	t.Helper()
	c := p.Config
	c.DataDir = filepath.Join(t.TempDir(), "restored")
	done, err := app.Restore(t.Context(), c, r)
	if err != nil {
		t.Fatal(err)
	}
	return c.DataDir, done
}

// startOn starts what a server is on another folder, with the same people.
func startOn(t testing.TB, p *apptest.Server, folder string) *apptest.Server {
	t.Helper()
	s := apptest.Start(t, apptest.Options{On: p, Configure: func(c *app.Config) {
		clock, logger := c.Clock, c.Logger
		*c = p.Config
		c.Clock, c.Logger, c.DataDir = clock, logger, folder
	}})
	s.DataDir = folder
	return s
}

// changedByRestore are the tables that a restore writes.
var changedByRestore = []string{"session", "activation", "submission_state", "submission_event", "audit_entry", "installation", "history",
	"token", "token_family", "acceptance", "backup_run", "sqlite_sequence"}

// rowsOf are the rows of each table of a database but of those that a restore writes.
func rowsOf(t testing.TB, path string) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range texts(t, path, `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`) {
		if slices.Contains(changedByRestore, table) || strings.Contains(table, "_text") {
			continue
		}
		var quoted []string
		for _, column := range texts(t, path, `SELECT name FROM pragma_table_info('`+table+`')`) {
			quoted = append(quoted, `quote("`+column+`")`)
		}
		all[table] = texts(t, path, `SELECT `+strings.Join(quoted, `||','||`)+` FROM "`+table+`" ORDER BY 1`)
	}
	return all
}

// differing names the tables that do not hold the same rows in both.
func differing(a, b map[string][]string) []string {
	var tables []string
	for table := range a {
		if !slices.Equal(a[table], b[table]) {
			tables = append(tables, table)
		}
	}
	for table := range b {
		if _, ok := a[table]; !ok {
			tables = append(tables, table)
		}
	}
	return tables
}

// TestRestore: what is restored has every row and every file, and goes on working;
// nobody is logged in, and the trail tells of it.
func TestRestore(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	page := ana.Submit(ana.NewDraft())
	address, form := ana.NewDraft()
	ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.png": apptest.PNG()})
	invited := p.LogIn(t, apptest.Administration)
	link := invited.Post("/pessoas/nova", map[string][]string{"nome": {"Bia"}, "usuario": {"bia"}, "papeis": {"recepcao"}}).Invitation()
	recipient, identity := identity(t)
	kept := filepath.Join(t.TempDir(), "keys")
	if err := os.CopyFS(kept, os.DirFS(filepath.Join(p.DataDir, "keys"))); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name       string
		recipients []string
		restore    app.Restoration
	}{
		{"Plain", nil, app.Restoration{Keys: kept}},
		{"Encrypted", []string{recipient}, app.Restoration{Identity: identity}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			folder := t.TempDir()
			if tt.recipients != nil {
				p.Stop() // a running program writes between the two backups that are compared
			}
			made := mustBackUp(t, p, app.Backups{Folder: folder})
			if tt.recipients != nil {
				mustBackUp(t, p, app.Backups{Folder: folder + "x", Recipients: tt.recipients})
				folder += "x"
			}
			tt.restore.From = folder
			data, _ := mustRestore(t, p, tt.restore)
			for _, file := range []string{"desk/guiche.db", "service/service.db"} {
				want, got := rowsOf(t, filepath.Join(made.Path, file)), rowsOf(t, filepath.Join(data, file))
				if differ := differing(want, got); len(differ) > 0 {
					t.Errorf("%s differs in %q", file, differ)
				}
			}
			blobs := made.Manifest.Halves[0].Blobs + made.Manifest.Halves[1].Blobs
			if r := mustVerify(t, data, ""); !r.Whole() || len(r.Unchecked) > 0 || r.Blobs != blobs {
				t.Errorf("got %+v", r)
			}
			s := startOn(t, p, data)
			twin := s.Client(t)
			for _, c := range ana.Cookies() {
				if twin.Send("GET", "/fila", "", nil, map[string][]string{"Cookie": {c.String()}}).Has("#fila") {
					t.Error("a session of the copy goes on")
				}
			}
			if s.Client(t).Get(link).Has("input[name=senha]") {
				t.Error("a one-time link of the copy is good")
			}
			again := s.LogIn(t, apptest.Reception)
			again.Get(page.Path).Check(t, apptest.Want{Status: 200, Text: map[string]string{"#veredito .verdict": "Autorizado"}})
			again.Submit(again.NewDraft()).Check(t, apptest.Want{Text: map[string]string{"#veredito .verdict": "Autorizado"}})
			if trail := fmt.Sprint(s.Trail(t)); strings.Count(trail, "instalacao.restaurada") != 1 {
				t.Errorf("got %s, want one entry of the restore", trail)
			}
			numbers := texts(t, filepath.Join(s.DataDir, "desk", "guiche.db"), `SELECT substr(provider_guide, 13, 3) FROM submission ORDER BY id`)
			if len(numbers) > 1 && numbers[0] == numbers[len(numbers)-1] {
				t.Errorf("got guides of the installation %q, want another one after the restore", numbers)
			}
		})
	}
}

// TestRestore_Doubt: what the copy holds as queued or on the wire does not leave by
// itself, and everybody is told that nobody knows what became of it.
func TestRestore_Doubt(t *testing.T) {
	t.Parallel()
	const authorize = "/api/v2/autorizar/sp-sadt"
	p := apptest.Start(t, apptest.Options{Faults: &faultservice.Config{}})
	p.Faults.Add(faultservice.Rule{Path: authorize, Nth: 1, Fault: faultservice.Answer(503, "", "Retry-After", "600")})
	p.Faults.Add(faultservice.Rule{Path: authorize, Nth: 1, Fault: faultservice.Never()})
	ana := p.LogIn(t, apptest.Reception)
	waiting := []*apptest.Page{ana.Submit(ana.NewDraft()), ana.Submit(ana.NewDraft())}
	apptest.Eventually(t, "one is queued and one on the wire", func() bool {
		return fmt.Sprint(statesOf(t, p)) == "[queued sending]"
	})
	folder := t.TempDir()
	mustBackUp(t, p, app.Backups{Folder: folder})
	before := p.Faults.Count(faultservice.Received, authorize)
	data, done := mustRestore(t, p, app.Restoration{From: folder, Keys: filepath.Join(p.DataDir, "keys")})
	if done.Unknown != 2 {
		t.Errorf("got %d without an answer, want 2", done.Unknown)
	}
	s := startOn(t, p, data)
	s.Clock.Advance(3600e9)
	bia := s.LogIn(t, apptest.Reception)
	bia.Submit(bia.NewDraft())
	apptest.Eventually(t, "the new one is answered", func() bool { return fmt.Sprint(statesOf(t, s)) == "[unknown unknown answered]" })
	if after := p.Faults.Count(faultservice.Received, authorize); after != before+1 {
		t.Errorf("got %d requests after the restore, want the new one alone", after-before)
	}
	for _, page := range waiting {
		bia.Get(page.Path).Check(t, apptest.Want{Status: 200, Text: map[string]string{"main": "restaurados de uma cópia"}})
	}
}

// statesOf are the states of all submissions, oldest first.
func statesOf(t testing.TB, p *apptest.Server) (all []string) {
	t.Helper()
	rows, err := p.Database(t).QueryContext(t.Context(), `SELECT state FROM submission_state ORDER BY submission_id`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var state sql.RawBytes
		if err := rows.Scan(&state); err != nil {
			t.Fatal(err)
		}
		all = append(all, string(state))
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestRestore_AllOrNothing: what cannot be restored whole leaves an empty folder.
func TestRestore_AllOrNothing(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	ana.Submit(ana.NewDraft())
	plain, sealed := t.TempDir(), t.TempDir()
	recipient, _ := identity(t)
	mustBackUp(t, p, app.Backups{Folder: plain})
	mustBackUp(t, p, app.Backups{Folder: sealed, Recipients: []string{recipient}})
	keys := filepath.Join(p.DataDir, "keys")
	_, another := identity(t)
	refuse := func(name, from, said string, r app.Restoration) {
		t.Helper()
		c := p.Config
		c.DataDir = t.TempDir()
		r.From = from
		if _, err := app.Restore(t.Context(), c, r); err == nil || !strings.Contains(err.Error(), said) {
			t.Errorf("%s: got %v, want %q", name, err, said)
		}
		if left := contentsOf(t, c.DataDir); len(left) > 0 {
			t.Errorf("%s: left %q", name, slices.Collect(maps.Keys(left)))
		}
	}
	refuse("NoKeys", plain, "-new-keys", app.Restoration{})
	refuse("OtherKeys", plain, "(audit.key is missing, browser.key is missing, seal.key is missing)", app.Restoration{Keys: t.TempDir()})
	refuse("NoIdentity", sealed, "identity", app.Restoration{})
	refuse("OtherIdentity", sealed, "identity", app.Restoration{Identity: another})
	for file, content := range contentsOf(t, plain) {
		mustWrite(t, filepath.Join(plain, filepath.FromSlash(file)), flipped(content))
		refuse(file, plain, "", app.Restoration{Keys: keys})
		mustWrite(t, filepath.Join(plain, filepath.FromSlash(file)), content)
	}
	t.Run("NotEmpty", func(t *testing.T) {
		before := len(contentsOf(t, p.DataDir))
		if _, err := app.Restore(t.Context(), p.Config, app.Restoration{From: plain, Keys: keys}); !errors.Is(err, backup.ErrNotEmpty) {
			t.Errorf("got %v, want ErrNotEmpty", err)
		}
		if after := len(contentsOf(t, p.DataDir)); after != before {
			t.Errorf("got %d files, want %d", after, before)
		}
	})
	t.Run("Cancelled", func(t *testing.T) {
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		c := p.Config
		c.DataDir = t.TempDir()
		if _, err := app.Restore(ended, c, app.Restoration{From: plain, Keys: keys}); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want that it was cancelled", err)
		}
	})
}

// TestRestore_NewKeys goes on with new keys where the old ones are lost.
func TestRestore_NewKeys(t *testing.T) {
	t.Parallel()
	p, folder := apptest.Start(t, apptest.Options{}), t.TempDir()
	mustBackUp(t, p, app.Backups{Folder: folder})
	data, _ := mustRestore(t, p, app.Restoration{From: folder, NewKeys: true})
	s := startOn(t, p, data)
	if !s.LogIn(t, apptest.Administration).LoggedIn() {
		t.Error("nobody gets in")
	}
}

// TestRestore_Killed: before a restore has happened the folder is no installation; from
// then on the next start completes it.
func TestRestore_Killed(t *testing.T) {
	t.Parallel()
	p, folder := apptest.Start(t, apptest.Options{}), t.TempDir()
	mustBackUp(t, p, app.Backups{Folder: folder})
	data, _ := mustRestore(t, p, app.Restoration{From: folder, Keys: filepath.Join(p.DataDir, "keys")})
	c := p.Config
	mustRename := func(from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("Before", func(t *testing.T) {
		c.DataDir = t.TempDir()
		if err := os.CopyFS(filepath.Join(c.DataDir, ".restoring"), os.DirFS(data)); err != nil {
			t.Fatal(err)
		}
		a, err := app.New(t.Context(), c)
		if err == nil {
			a.Close()
			t.Fatal("it starts")
		}
		if !strings.Contains(err.Error(), "run it again") {
			t.Errorf("got %v", err)
		}
		if _, err := app.Restore(t.Context(), c, app.Restoration{From: folder, Keys: filepath.Join(p.DataDir, "keys")}); err != nil {
			t.Errorf("once more: %v", err)
		}
	})
	t.Run("After", func(t *testing.T) {
		c.DataDir = t.TempDir()
		if err := os.CopyFS(filepath.Join(c.DataDir, ".restored"), os.DirFS(data)); err != nil {
			t.Fatal(err)
		}
		mustRename(filepath.Join(c.DataDir, ".restored", "keys"), filepath.Join(c.DataDir, "keys")) // one was moved already
		if !startOn(t, p, c.DataDir).LogIn(t, apptest.Reception).LoggedIn() {
			t.Error("nobody gets in")
		}
		if _, err := os.Stat(filepath.Join(c.DataDir, ".restored")); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("got %v, want that nothing is left over", err)
		}
	})
}
