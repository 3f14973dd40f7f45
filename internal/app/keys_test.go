package app_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
	"guiche/internal/postgres/postgrestest"
)

// keyNames are the keys of an installation.
var keyNames = []string{"audit", "browser", "seal"}

// A start without a key that something rests on, or with another one, is refused by every
// program over the folder and says which it is; nothing is made in its place.
func TestKeys_Missing(t *testing.T) {
	t.Parallel()
	folder := mustInstall(t)
	starts := map[string]func(c app.Config) error{
		"App":        func(c app.Config) error { return started(app.New(t.Context(), c)) },
		"Standalone": func(c app.Config) error { return started(app.NewStandalone(t.Context(), c)) },
		"Person":     func(c app.Config) error { return app.DisablePerson(t.Context(), c, "ana") },
	}
	for _, name := range keyNames {
		path := filepath.Join(folder, "keys", name+".key")
		key := mustRead(t, path)
		for what, damage := range map[string]func(){
			"Missing": func() { mustRemove(t, path) },
			"Other":   func() { mustWrite(t, path, strings.Repeat("k", 32)) },
			"Short":   func() { mustWrite(t, path, "short") },
		} {
			for program, start := range starts {
				t.Run(name+"/"+what+"/"+program, func(t *testing.T) {
					damage()
					before, _ := os.ReadFile(path)
					err := start(quiet(folder))
					if err == nil || !strings.Contains(err.Error(), "GUICHE_DATA") || !strings.Contains(err.Error(), name+".key") {
						t.Errorf("got %v, want the setting and the file named", err)
					}
					if after, _ := os.ReadFile(path); string(after) != string(before) {
						t.Error("the file was made or changed")
					}
					mustWrite(t, path, key)
				})
			}
		}
	}
	t.Run("Back", func(t *testing.T) {
		if err := starts["App"](quiet(folder)); err != nil {
			t.Errorf("with its keys again: %v", err)
		}
	})
	t.Run("All", func(t *testing.T) {
		if err := os.Rename(filepath.Join(folder, "keys"), filepath.Join(folder, "away")); err != nil {
			t.Fatal(err)
		}
		err := starts["App"](quiet(folder))
		for _, name := range keyNames {
			if err == nil || !strings.Contains(err.Error(), name+".key is missing") {
				t.Errorf("got %v, want %s named", err, name)
			}
		}
		if _, err := os.Stat(filepath.Join(folder, "keys")); !os.IsNotExist(err) {
			t.Errorf("got %v, want no new keys", err)
		}
	})
}

// mustInstall makes an installation that has people, an audit trail and a sealed secret,
// stops it and returns its folder.
func mustInstall(t *testing.T) string {
	t.Helper()
	p := apptest.Start(t, apptest.Options{})
	p.LogIn(t, apptest.Administration).ConnectTo(t, apptest.StartOtherService(t, nil), nil)
	p.Stop()
	return p.DataDir
}

type closer interface{ Close() }

// started closes what a start opened.
func started[T closer](p T, err error) error {
	if err == nil {
		p.Close()
	}
	return err
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func mustRemove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// Under a new sealing key everything goes on: in a server that is running, after a
// restart, without the old key, and for secrets from before keys had ids.
func TestKeys_Rotate(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	o := apptest.StartOtherService(t, nil)
	admin := p.LogIn(t, apptest.Administration)
	admin.ConnectTo(t, o, nil)
	p.Exec(t, `UPDATE connection_secret SET key_id = ''`)
	reached := func() bool { return strings.Contains(search(t, p), "Operadora de Fora") }
	for range 2 {
		r, err := app.RotateKey(t.Context(), quiet(p.DataDir))
		if err != nil || r.Resealed != 1 || r.Unopened != 0 {
			t.Fatalf("got %+v, error %v, want one secret sealed anew", r, err)
		}
		if key := mustRead(t, r.File); len(key) != 32 || filepath.Base(r.File) != "seal-"+r.ID+".key" {
			t.Errorf("got %d bytes in %s", len(key), r.File)
		}
		if !reached() {
			t.Error("the running server does not reach the service any more")
		}
		admin.ConnectTo(t, o, nil) // the secret is typed again while the key is new
		if told := fmt.Sprint(p.Trail(t)); !strings.Contains(told, "chave="+r.ID+" segredos=1") {
			t.Errorf("got %s, want the renewal in the trail", told)
		}
	}
	mustRemove(t, filepath.Join(p.DataDir, "keys", "seal.key")) // as the command says: no backup needs it
	p.Restart(nil)
	if !reached() {
		t.Error("after a restart the service is not reached")
	}
	keys, err := app.ListKeys(t.Context(), quiet(p.DataDir))
	var states []string
	for _, k := range keys {
		if k.Name == "seal" {
			states = append(states, fmt.Sprint(k.InUse, k.Missing))
		}
	}
	if want := []string{"true false", "false false", "false true"}; err != nil || !slices.Equal(states, want) {
		t.Errorf("got %v, error %v, want %v", states, err, want)
	}
}

// Whatever write of a renewal fails, what is sealed opens, and the next try ends it with
// the key that the first one made.
func TestKeys_RotateFails(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	o := apptest.StartOtherService(t, nil)
	p.LogIn(t, apptest.Administration).ConnectTo(t, o, nil)
	for _, write := range []string{"INSERT ON connection_secret", "UPDATE ON installation_key", "INSERT ON installation_key",
		"INSERT ON audit_entry"} {
		p.Exec(t, `CREATE TRIGGER fault BEFORE `+write+` BEGIN SELECT RAISE(ABORT, 'no space'); END`)
		if r, err := app.RotateKey(t.Context(), quiet(p.DataDir)); err == nil {
			t.Errorf("%s: got %+v, want an error", write, r)
		}
		p.Exec(t, `DROP TRIGGER fault`)
		p.Restart(nil)
		if !strings.Contains(search(t, p), "Operadora de Fora") {
			t.Errorf("%s: the service is not reached", write)
		}
	}
	if r, err := app.RotateKey(t.Context(), quiet(p.DataDir)); err != nil || r.Resealed != 1 {
		t.Errorf("got %+v, error %v", r, err)
	}
	files, err := filepath.Glob(filepath.Join(p.DataDir, "keys", "seal*"))
	if err != nil || len(files) != 2 {
		t.Errorf("got %v, error %v, want the old key and the new one", files, err)
	}
}

// Keys that are lost for good are replaced by an act of its own; what rested on them is
// said.
func TestKeys_Replace(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	p.LogIn(t, apptest.Administration).ConnectTo(t, apptest.StartOtherService(t, nil), nil)
	p.Stop()
	c := quiet(p.DataDir)
	for _, names := range [][]string{{"seal"}, {"outra"}} {
		if err := app.ReplaceKeys(t.Context(), c, names); err == nil {
			t.Errorf("%v: got no error, want one: nothing is lost", names)
		}
	}
	for _, name := range keyNames {
		mustRemove(t, filepath.Join(p.DataDir, "keys", name+".key"))
	}
	if err := app.ReplaceKeys(t.Context(), c, []string{"seal"}); err == nil {
		t.Error("without the audit key nothing can be told to the trail, and it was replaced")
	}
	if err := app.ReplaceKeys(t.Context(), c, keyNames); err != nil {
		t.Fatal(err)
	}
	p.Restart(nil)
	admin := p.LogIn(t, apptest.Administration)
	if got := string(admin.Get("/servico/conexao").Body); !strings.Contains(got, "O segredo guardado não abre mais.") {
		t.Error("the page does not say that the secret is to be typed again")
	}
	apptest.Eventually(t, "the page says that the trail cannot be relied on", func() bool {
		return strings.Contains(string(admin.Get("/auditoria").Body), "Corrente rompida")
	})
}

// TestKeys_Several: where processes have the keys each in a folder of its own, a new sealing key is put there
// before it is in use, so that what is sealed opens at each of them at any moment; lost keys are replaced
// while no process works.
func TestKeys_Several(t *testing.T) {
	t.Parallel()
	bucket := s3test.Start(t)
	if bucket == nil {
		return
	}
	first := apptest.Start(t, apptest.Options{Database: postgrestest.Database(t), Configure: inBucket(bucket)})
	firstKeys, secondKeys := filepath.Join(first.DataDir, "keys"), t.TempDir()
	second := apptest.Start(t, apptest.Options{Beside: first, Configure: func(c *app.Config) {
		for _, name := range keyNames {
			mustWrite(t, filepath.Join(secondKeys, name+".key"), mustRead(t, filepath.Join(firstKeys, name+".key")))
		}
		c.Keys = secondKeys
	}})
	first.LogIn(t, apptest.Administration).ConnectTo(t, apptest.StartOtherService(t, nil), nil)
	reached := func(when string) {
		t.Helper()
		for name, p := range map[string]*apptest.Server{"first": first, "second": second} {
			apptest.Eventually(t, when+": the "+name+" reaches the service", func() bool {
				return strings.Contains(search(t, p), "Operadora de Fora")
			})
		}
	}
	reached("before")
	if _, err := app.RotateKey(t.Context(), first.Config); err == nil || !strings.Contains(err.Error(), "-prepare") {
		t.Errorf("with a key that nobody else has: %v", err)
	}
	file, err := app.PrepareKey(t.Context(), first.Config)
	if err != nil {
		t.Fatal(err)
	}
	mustWrite(t, filepath.Join(secondKeys, filepath.Base(file)), mustRead(t, file))
	if r, err := app.RotateKey(t.Context(), first.Config); err != nil || r.File != file || r.Resealed != 1 {
		t.Errorf("got %+v, %v", r, err)
	}
	reached("after")
	second.Restart(nil)
	reached("after a start")
	mustRemove(t, filepath.Join(firstKeys, "browser.key"))
	if err := app.ReplaceKeys(t.Context(), first.Config, []string{"browser"}); err == nil || !strings.Contains(err.Error(), "is running") {
		t.Errorf("lost keys beside running processes: %v", err)
	}
}

// TestKeys_ReplaceBesideService: a service without a desk that runs on another machine is found, too; once it was
// stopped nothing is in the way.
func TestKeys_ReplaceBesideService(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Standalone: true, Database: postgrestest.Database(t)})
	c := p.Config
	c.DataDir, c.Keys = t.TempDir(), filepath.Join(p.DataDir, "keys")
	mustRemove(t, filepath.Join(c.Keys, "browser.key"))
	if err := app.ReplaceKeys(t.Context(), c, []string{"browser"}); err == nil || !strings.Contains(err.Error(), "is running") {
		t.Errorf("beside a service: %v", err)
	}
	p.Stop()
	if err := app.ReplaceKeys(t.Context(), c, []string{"browser"}); err != nil {
		t.Errorf("once it was stopped: %v", err)
	}
}
