package app_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/backup"

	"filippo.io/age"
)

// mustBackUp copies a server's data beside it.
func mustBackUp(t testing.TB, p *apptest.Server, b app.Backups) backup.Result {
	t.Helper()
	r, err := app.MakeBackup(t.Context(), p.Config, b)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func mustVerify(t testing.TB, path, identity string) backup.Report {
	t.Helper()
	r, err := app.Verify(t.Context(), app.Config{}, path, identity)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// identity is a new key pair: the public key, and the file of the private one.
func identity(t testing.TB) (recipient, file string) {
	t.Helper()
	key, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "identity.txt")
	mustWrite(t, file, key.String()+"\n")
	return key.Recipient().String(), file
}

// contentsOf are the files of a folder with their content, locks aside.
func contentsOf(t testing.TB, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || strings.HasSuffix(path, ".lock") {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		all[filepath.ToSlash(name)] = string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// texts are the values of a query's only column.
func texts(t testing.TB, path, query string) (all []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?immutable=1")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			t.Fatal(err)
		}
		all = append(all, text)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestBackup_WhileWorking: whenever a backup is made, it is whole, and what the desk says
// of the service is true in it.
func TestBackup_WhileWorking(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	folder := t.TempDir()
	var stop atomic.Bool
	var working sync.WaitGroup
	for range 4 {
		ana := p.LogIn(t, apptest.Reception)
		working.Go(func() {
			for !stop.Load() {
				address, form := ana.NewDraft()
				ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(4000), "foto.png": apptest.PNG()})
				ana.Post(address+"/descartar", nil)
				ana.Submit(ana.NewDraft())
			}
		})
	}
	cases := 0
	for range 5 {
		r := mustBackUp(t, p, app.Backups{Folder: folder})
		report := mustVerify(t, r.Path, "")
		if !report.Whole() || r.Manifest.Missing() > 0 {
			t.Errorf("got damage %q, %d missing", report.Damage, r.Manifest.Missing())
		}
		known := texts(t, filepath.Join(r.Path, "service", "service.db"), `SELECT provider_guide FROM request r
			WHERE EXISTS (SELECT 1 FROM decision WHERE request_id = r.id)`)
		answered := texts(t, filepath.Join(r.Path, "desk", "guiche.db"), `SELECT provider_guide FROM submission s
			JOIN submission_state st ON st.submission_id = s.id WHERE st.state = 'answered'`)
		for _, number := range answered {
			if !slices.Contains(known, number) {
				t.Errorf("the desk has an answer about %s, and the service knows nothing of it", number)
			}
		}
		cases = len(answered)
	}
	stop.Store(true)
	working.Wait()
	if cases == 0 {
		t.Error("nothing was answered while backups were made")
	}
	if report := mustVerify(t, p.DataDir, ""); !report.Whole() || len(report.Unchecked) > 0 {
		t.Errorf("the installation: got %q, %q", report.Damage, report.Unchecked)
	}
}

// TestBackup_Plain: without recipients there are no keys in a backup, and a second one
// copies only what is new.
func TestBackup_Plain(t *testing.T) {
	t.Parallel()
	p, folder := apptest.Start(t, apptest.Options{}), t.TempDir()
	ana := p.LogIn(t, apptest.Reception)
	ana.Submit(ana.NewDraft())
	first := mustBackUp(t, p, app.Backups{Folder: folder})
	if first.Copied == 0 || first.Manifest.Keys || first.Manifest.Encrypted || first.Manifest.Trail.Position == 0 {
		t.Errorf("got %d copied and %+v", first.Copied, first.Manifest)
	}
	for name := range contentsOf(t, folder) {
		if strings.Contains(name, "key") {
			t.Errorf("%s is in the backup", name)
		}
	}
	if again := mustBackUp(t, p, app.Backups{Folder: folder}); again.Copied != 0 {
		t.Errorf("got %d blobs copied once more", again.Copied)
	}
	ana.Submit(ana.NewDraft())
	if third := mustBackUp(t, p, app.Backups{Folder: folder}); third.Copied == 0 || third.Copied >= first.Copied*2 {
		t.Errorf("got %d blobs copied, want the new ones", third.Copied)
	}
	report := mustVerify(t, folder, "")
	if !report.Whole() || len(report.Unchecked) != 1 || !strings.Contains(report.Unchecked[0], "chaves") {
		t.Errorf("got %q, %q, want that the trail needs the keys", report.Damage, report.Unchecked)
	}
}

// TestBackup_Encrypted: nothing of a patient and no key can be read in an encrypted
// backup; what needs no identity is checked without one.
func TestBackup_Encrypted(t *testing.T) {
	t.Parallel()
	p, folder := apptest.Start(t, apptest.Options{}), t.TempDir()
	ana := p.LogIn(t, apptest.Reception)
	ana.Submit(ana.NewDraft())
	recipient, file := identity(t)
	r := mustBackUp(t, p, app.Backups{Folder: folder, Recipients: []string{recipient}})
	plain := stored(t, p, "desk")
	for name, content := range contentsOf(t, folder) {
		if strings.Contains(content, "SQLite format") || strings.Contains(content, "%PDF") {
			t.Errorf("%s can be read", name)
		}
		if plain[filepath.Base(name)] {
			t.Errorf("%s tells what it holds by its name", name)
		}
	}
	if again := mustBackUp(t, p, app.Backups{Folder: folder, Recipients: []string{recipient}}); again.Copied != 0 {
		t.Errorf("got %d blobs copied once more", again.Copied)
	}
	without := mustVerify(t, r.Path, "")
	if !without.Whole() || len(without.Unchecked) != 1 || without.Blobs == 0 {
		t.Errorf("without identity: got %+v", without)
	}
	if with := mustVerify(t, r.Path, file); !with.Whole() || len(with.Unchecked) != 0 {
		t.Errorf("with identity: got %q, %q", with.Damage, with.Unchecked)
	}
	_, other := identity(t)
	if wrong := mustVerify(t, r.Path, other); wrong.Whole() {
		t.Error("with another's identity: got no damage")
	}
	more, _ := identity(t)
	if both := mustBackUp(t, p, app.Backups{Folder: folder, Recipients: []string{recipient, more}}); both.Copied != r.Copied {
		t.Errorf("for one more recipient: got %d blobs, want all %d", both.Copied, r.Copied)
	}
}

// TestBackup_Damage: damage in any file of a backup is found, without keys.
func TestBackup_Damage(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	ana.Submit(ana.NewDraft())
	recipient, _ := identity(t)
	for name, recipients := range map[string][]string{"Plain": nil, "Encrypted": {recipient}} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			mustBackUp(t, p, app.Backups{Folder: folder, Recipients: recipients})
			for file, content := range contentsOf(t, folder) {
				path := filepath.Join(folder, filepath.FromSlash(file))
				for kind, damaged := range map[string]string{"flipped": flipped(content), "shortened": shortened(content)} {
					mustWrite(t, path, damaged)
					if r := mustVerify(t, folder, ""); r.Whole() {
						t.Errorf("%s %s: got no damage", file, kind)
					}
				}
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				if r, err := app.Verify(t.Context(), app.Config{}, folder, ""); err == nil && r.Whole() {
					t.Errorf("%s removed: got no damage", file)
				}
				mustWrite(t, path, content)
			}
			if r := mustVerify(t, folder, ""); !r.Whole() {
				t.Errorf("as it was: got %q", r.Damage)
			}
		})
	}
}

func flipped(content string) string {
	if content == "" {
		return "x"
	}
	b := []byte(content)
	b[len(b)/2] ^= 4
	return string(b)
}

func shortened(content string) string {
	if content == "" {
		return "x"
	}
	return content[:len(content)-1]
}

// TestBackup_Recheck copies again what was damaged in the folder of backups.
func TestBackup_Recheck(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	ana.Submit(ana.NewDraft())
	recipient, _ := identity(t)
	for name, recipients := range map[string][]string{"Plain": nil, "Encrypted": {recipient}} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			mustBackUp(t, p, app.Backups{Folder: folder, Recipients: recipients})
			for file, content := range contentsOf(t, filepath.Join(folder, "blobs")) {
				mustWrite(t, filepath.Join(folder, "blobs", filepath.FromSlash(file)), flipped(content))
				break
			}
			r := mustBackUp(t, p, app.Backups{Folder: folder, Recipients: recipients, Recheck: true, Keep: 1})
			if report := mustVerify(t, folder, ""); r.Copied != 1 || !report.Whole() {
				t.Errorf("got %d copied again, damage %q", r.Copied, report.Damage)
			}
		})
	}
}

// TestBackup_Missing: what the installation itself lost is named, and the rest is copied.
func TestBackup_Missing(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	ana.Submit(ana.NewDraft())
	onDisk(t, p, "desk")
	var damaged []string
	for name := range stored(t, p, "desk") {
		path := filepath.Join(p.DataDir, "desk", "blobs", name[:2], name)
		if damaged = append(damaged, name); len(damaged) == 1 {
			mustWrite(t, path, "something else")
		} else if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	folder := t.TempDir()
	r := mustBackUp(t, p, app.Backups{Folder: folder})
	if got := r.Manifest.Halves[0].Missing; len(got) != len(damaged) {
		t.Errorf("got %q missing, want %q", got, damaged)
	}
	if report := mustVerify(t, folder, ""); !report.Whole() || len(report.Unchecked) != 2 {
		t.Errorf("the backup: got %q, %q", report.Damage, report.Unchecked)
	}
	report := mustVerify(t, p.DataDir, "")
	for _, name := range damaged {
		if !strings.Contains(strings.Join(report.Damage, "\n"), name) {
			t.Errorf("the installation: %s is not named in %q", name, report.Damage)
		}
	}
}

// TestBackup_AfterPowerCut: a file that a power cut took is in a backup that is made before
// the next start makes it again, and in what is restored of that.
func TestBackup_AfterPowerCut(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	ana.Submit(ana.NewDraft())
	p.Stop()
	lost := stored(t, p, "desk")
	for name := range lost {
		path := filepath.Join(p.DataDir, "desk", "blobs", name[:2], name)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p.Exec(t, `INSERT INTO unsynced_blob (ref, bytes) VALUES (?, ?)`, name, content)
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	if len(lost) == 0 {
		t.Fatal("there are no files")
	}
	folder := t.TempDir()
	r := mustBackUp(t, p, app.Backups{Folder: folder})
	if got := r.Manifest.Missing(); got != 0 {
		t.Errorf("%d of %d files are missing", got, len(lost))
	}
	if report := mustVerify(t, folder, ""); !report.Whole() {
		t.Errorf("got %q", report.Damage)
	}
}

// TestVerify_KeysUnread: keys that cannot be read are no damage of the database, and are named.
func TestVerify_KeysUnread(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	short := t.TempDir()
	mustWrite(t, filepath.Join(short, "audit.key"), "half of a key")
	for keys, said := range map[string]string{
		"audit=" + filepath.Join(short, "audit.key"): "no file is given for the key browser",
		short: filepath.Join(short, "audit.key") + " holds 13 bytes",
	} {
		r, err := app.Verify(t.Context(), app.Config{Keys: keys}, p.DataDir, "")
		if err == nil || !strings.Contains(err.Error(), said) || !r.Whole() {
			t.Errorf("got %q, %v, want no damage and %q", r.Damage, err, said)
		}
	}
	if r := mustVerify(t, p.DataDir, ""); !r.Whole() {
		t.Errorf("with its keys: %q", r.Damage)
	}
}

// TestBackup_Keep removes older backups, and blobs that only those name.
func TestBackup_Keep(t *testing.T) {
	t.Parallel()
	p, folder := apptest.Start(t, apptest.Options{}), t.TempDir()
	ana := p.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.png": apptest.PNG()})
	mustBackUp(t, p, app.Backups{Folder: folder, Keep: 2})
	if n := len(contentsOf(t, filepath.Join(folder, "blobs"))); n != 1 {
		t.Fatalf("got %d blobs, want the draft's", n)
	}
	ana.Post(address+"/descartar", nil)
	for want := range 3 {
		r := mustBackUp(t, p, app.Backups{Folder: folder, Keep: 2})
		ids, err := backup.IDs(folder)
		if err != nil || len(ids) != 2 || r.Removed != min(want, 1) {
			t.Errorf("got %q, %v, %d removed", ids, err, r.Removed)
		}
		if n := len(contentsOf(t, filepath.Join(folder, "blobs"))); n != max(0, 1-want) {
			t.Errorf("after %d more: got %d blobs", want+1, n)
		}
	}
	if report := mustVerify(t, folder, ""); !report.Whole() {
		t.Errorf("got %q", report.Damage)
	}
}

// TestBackup_OlderUnreadable: a backup that was made is written down, also where nothing could be removed beside it.
func TestBackup_OlderUnreadable(t *testing.T) {
	t.Parallel()
	p, folder := apptest.Start(t, apptest.Options{}), t.TempDir()
	if err := os.Mkdir(filepath.Join(folder, "2026-01-02T030405Z"), 0o700); err != nil {
		t.Fatal(err)
	}
	if r, err := app.MakeBackup(t.Context(), p.Config, app.Backups{Folder: folder, Keep: 3}); err == nil || !backup.IsBackup(r.Path) {
		t.Fatalf("got %q, %v, want a backup and an error", r.Path, err)
	}
	page := p.LogIn(t, apptest.Administration).Get("/copias")
	page.Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{"#estado": "Última cópia"}})
}

// TestBackup_Refused says why, and leaves the folder as it was.
func TestBackup_Refused(t *testing.T) {
	t.Parallel()
	p, folder := apptest.Start(t, apptest.Options{}), t.TempDir()
	mustBackUp(t, p, app.Backups{Folder: folder})
	before := contentsOf(t, folder)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	other := p.Config
	other.DataDir = filepath.Join(t.TempDir(), "engano")
	for name, tt := range map[string]struct {
		ctx    context.Context
		config app.Config
		backup app.Backups
		said   string
	}{
		"NoInstallation": {t.Context(), other, app.Backups{Folder: folder}, "GUICHE_DATA"},
		"NoRecipient":    {t.Context(), p.Config, app.Backups{Folder: folder, Recipients: []string{"age1x"}}, "no age recipient"},
		"SameFolder":     {t.Context(), p.Config, app.Backups{Folder: p.DataDir}, "is one that the installation uses"},
		"Cancelled":      {ended, p.Config, app.Backups{Folder: folder}, "canceled"},
	} {
		if _, err := app.MakeBackup(tt.ctx, tt.config, tt.backup); err == nil || !strings.Contains(err.Error(), tt.said) {
			t.Errorf("%s: got %v, want %q", name, err, tt.said)
		}
	}
	if after := contentsOf(t, folder); len(after) != len(before) {
		t.Errorf("got %d files, want %d", len(after), len(before))
	}
	if _, err := app.Verify(t.Context(), app.Config{}, t.TempDir(), ""); !errors.Is(err, backup.ErrNone) {
		t.Errorf("an empty folder: got %v", err)
	}
	if _, err := os.Stat(other.DataDir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a mistyped folder was made: %v", err)
	}
}
