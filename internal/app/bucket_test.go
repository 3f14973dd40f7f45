package app_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/backup"
	"guiche/internal/blob/s3test"
)

// inBucket are the settings of an installation that keeps its files in a bucket.
func inBucket(server *s3test.Server) func(*app.Config) {
	return func(c *app.Config) {
		c.Blobs = app.Blobs{Place: server.Place(), Key: s3test.Key, Secret: s3test.Secret}
	}
}

// startInBucket starts a program that keeps its files in a bucket; both are nil where no server
// can be had.
func startInBucket(t *testing.T) (*s3test.Server, *apptest.Server) {
	t.Helper()
	server := s3test.Start(t)
	if server == nil {
		return nil, nil
	}
	return server, apptest.Start(t, apptest.Options{Configure: inBucket(server)})
}

// objects are the files of a half in the bucket, by name.
func objects(t *testing.T, server *s3test.Server, half string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(server.File("guiche/"+half+"/blobs"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && blobName.MatchString(e.Name()) {
			all[e.Name()] = path
		}
		return nil // what went away meanwhile is no error
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// settled waits until everything is in the bucket and nothing is left on its way.
func settled(t *testing.T, server *s3test.Server, p *apptest.Server) {
	t.Helper()
	onDisk(t, p, "desk")
	onDisk(t, p, "service")
	apptest.Eventually(t, "nothing is on its way", func() bool {
		return len(stored(t, p, "desk"))+len(stored(t, p, "service"))+len(unfinished(t, p)) == 0
	})
	if len(objects(t, server, "desk")) == 0 {
		t.Error("nothing is in the bucket")
	}
}

// guideOf reads the first guide of a case.
func guideOf(t *testing.T, c *apptest.Client, path string) *apptest.Page {
	t.Helper()
	address, _, _ := strings.Cut(c.Get(path).Attr("iframe", "src"), "#")
	if address == "" {
		t.Fatal("the case shows no guide")
	}
	return c.Get(address)
}

// upload attaches a file to a draft.
func upload(t *testing.T, c *apptest.Client, draft string, form url.Values, content []byte) {
	t.Helper()
	c.Upload(draft+"/anexos", form, map[string][]byte{"pedido.pdf": content}).Check(t, apptest.Want{Status: http.StatusOK})
}

// submitWithFile sends a request with an attachment and returns its case.
func submitWithFile(t *testing.T, c *apptest.Client, content []byte) *apptest.Page {
	t.Helper()
	address, form := c.NewDraft()
	upload(t, c, address, form, content)
	return c.Submit(address, form)
}

// TestBucket_MainJob: with files in a bucket the whole way goes as with files in a folder.
func TestBucket_MainJob(t *testing.T) {
	t.Parallel()
	server, p := startInBucket(t)
	if server == nil {
		return
	}
	ana := p.LogIn(t, apptest.Reception)
	sent := submitWithFile(t, ana, apptest.PDF(300_000))
	guide := guideOf(t, ana, sent.Path)
	if guide.Status != http.StatusOK || !strings.HasPrefix(string(guide.Body), "%PDF") {
		t.Errorf("the guide: %d, %d bytes", guide.Status, len(guide.Body))
	}
	settled(t, server, p)
	address, _, _ := strings.Cut(ana.Get(sent.Path).Attr("iframe", "src"), "#")
	part := ana.Send(http.MethodGet, address, "", nil, http.Header{"Range": {"bytes=100-199"}})
	if part.Status != http.StatusPartialContent || string(part.Body) != string(guide.Body[100:200]) {
		t.Errorf("a part of the guide: %d, %d bytes", part.Status, len(part.Body))
	}
	before := len(objects(t, server, "desk"))
	draft, form := ana.NewDraft()
	upload(t, ana, draft, form, apptest.PDF(200_000))
	if got := len(objects(t, server, "desk")); got != before+1 {
		t.Errorf("%d objects after an upload, want %d", got, before+1)
	}
	ana.Post(draft+"/descartar", nil)
	apptest.Eventually(t, "what was thrown away leaves the bucket", func() bool { return len(objects(t, server, "desk")) == before })
	p.Restart(nil)
	if again := guideOf(t, ana, sent.Path); string(again.Body) != string(guide.Body) {
		t.Error("the guide is another one after a restart")
	}
	wantReady(t, p.Client(t), "ready\n")
}

// TestBucket_Outage: while the bucket is out of reach, what needs no file goes on, what came
// over the wire is kept, whoever brings a file is told and keeps what was typed, and all is back
// by itself.
func TestBucket_Outage(t *testing.T) {
	t.Parallel()
	server, p := startInBucket(t)
	if server == nil {
		return
	}
	ana, ready := p.LogIn(t, apptest.Reception), p.Client(t)
	earlier := submitWithFile(t, ana, apptest.PDF(4000))
	settled(t, server, p)
	address, form := ana.NewDraft()

	server.Fail(s3test.Answer(http.StatusServiceUnavailable, "SlowDown"))
	form = apptest.With(form, map[string]string{"observacoes": "uma linha a mais"})
	page := ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.pdf": apptest.PDF(4000)})
	page.Check(t, apptest.Want{Status: http.StatusServiceUnavailable, Value: map[string]string{"#observacoes": "uma linha a mais"}})
	const failing = "O depósito dos arquivos não está conseguindo trabalhar"
	if got := page.Text("#anexos .tone-error .error"); !strings.Contains(got, failing) {
		t.Errorf("the file's row says %q", got)
	}
	apptest.Eventually(t, "it is known", func() bool { return string(ready.Get("/readyz").Body) == "degraded: blobs\n" })
	ana.Get(earlier.Path).Check(t, apptest.Want{Status: http.StatusOK, Count: map[string]int{"iframe": 0}, Text: map[string]string{
		"#guias": "Esta guia não pode ser mostrada agora"}})
	partner := p.Partner(t, p.APIKey())
	request := partner.Request()
	request["anexos"] = pdfAttachment(apptest.PDF(4000))
	status, answer := partner.Send(http.MethodPost, "/api/v2/autorizar/sp-sadt", "application/json", mustJSON(t, request))
	if status != http.StatusServiceUnavailable || codeIn(answer) != "indisponivel" {
		t.Errorf("a partner's request with a file: got %d %s, want 503 indisponivel", status, codeIn(answer))
	}
	sent := ana.SubmitWith(nil)
	if guide := guideOf(t, ana, sent.Path); guide.Status != http.StatusOK || !strings.HasPrefix(string(guide.Body), "%PDF") {
		t.Errorf("a guide that came meanwhile: %d", guide.Status)
	}
	p.Restart(nil) // one that does not answer keeps no installation from starting
	apptest.Eventually(t, "it is known", func() bool { return string(p.Client(t).Get("/readyz").Body) == "degraded: blobs\n" })
	if guide := guideOf(t, ana, sent.Path); guide.Status != http.StatusOK {
		t.Errorf("that guide after a restart: %d", guide.Status)
	}

	server.Fail(nil)
	apptest.Eventually(t, "it is back", func() bool { return string(p.Client(t).Get("/readyz").Body) == "ready\n" })
	settled(t, server, p)
	upload(t, ana, address, form, apptest.PDF(4000))
	ana.Get(earlier.Path).Check(t, apptest.Want{Status: http.StatusOK})
	if guide := guideOf(t, ana, sent.Path); guide.Status != http.StatusOK {
		t.Errorf("that guide from the bucket: %d", guide.Status)
	}
}

// replaced is another place.
func replaced(part, by string) func(*app.Config) {
	return func(c *app.Config) { c.Blobs.Place = strings.Replace(c.Blobs.Place, part, by, 1) }
}

// TestBucket_Start: a bucket that is of no use is said at start, and a prefix belongs to one
// installation.
func TestBucket_Start(t *testing.T) {
	t.Parallel()
	server, p := startInBucket(t)
	if server == nil {
		return
	}
	p.Stop()
	for name, tt := range map[string]struct {
		dir    string
		change func(*app.Config)
		want   string
	}{
		"WithoutIt":      {p.DataDir, func(c *app.Config) { c.Blobs = app.Blobs{} }, "keeps its files in s3://clinica/guiche"},
		"WrongSecret":    {p.DataDir, func(c *app.Config) { c.Blobs.Secret = "another" }, "refuses the keys"},
		"NoSuchBucket":   {t.TempDir(), replaced("clinica", "outro"), "no such bucket"},
		"Another":        {t.TempDir(), func(*app.Config) {}, "belongs to another installation"},
		"NotMoved":       {p.DataDir, replaced("guiche", "novo"), "copy all"},
		"NoKey":          {p.DataDir, func(c *app.Config) { c.Blobs.Key = "" }, "GUICHE_BLOBS_KEY"},
		"NoAddress":      {t.TempDir(), func(c *app.Config) { c.Blobs.Place = "clinica" }, "GUICHE_BLOBS: want s3://"},
		"KeysAlone":      {t.TempDir(), func(c *app.Config) { c.Blobs.Place = "" }, "none is set"},
		"FirstWithoutIt": {t.TempDir(), func(c *app.Config) { c.Blobs.Place = "s3://clinica?endpoint=http://127.0.0.1:1" }, "cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			c := p.Config
			c.DataDir = tt.dir
			tt.change(&c)
			a, err := app.New(t.Context(), c)
			if err == nil {
				a.Close()
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), s3test.Secret) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
	p.Restart(nil)
	wantReady(t, p.Client(t), "ready\n")
}

// TestBucket_Backup: a backup names the files, and is restored where all of them are; the bucket
// is the restored installation's then.
func TestBucket_Backup(t *testing.T) {
	t.Parallel()
	server, p := startInBucket(t)
	if server == nil {
		return
	}
	ana := p.LogIn(t, apptest.Reception)
	sent := submitWithFile(t, ana, apptest.PDF(300_000))
	settled(t, server, p)
	all := objects(t, server, "desk")
	late := ana.SubmitWith(nil) // its guide may be in the database alone
	folder := t.TempDir()
	made := mustBackUp(t, p, app.Backups{Folder: folder})
	if made.Manifest.Missing() != 0 || made.Copied != 0 || made.Manifest.Place() != "s3://clinica/guiche" {
		t.Errorf("got %+v", made)
	}
	verify := func(c app.Config, path string) backup.Report {
		r, err := app.Verify(t.Context(), c, path, "")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := verify(app.Config{}, folder); !r.Whole() || !strings.Contains(strings.Join(r.Unchecked, " "), "a cópia só os nomeia") {
		t.Errorf("without the bucket: %+v", r)
	}
	settled(t, server, p)
	if r := verify(p.Config, folder); !r.Whole() || r.Blobs == 0 || len(r.Unchecked) > 1 {
		t.Errorf("with the bucket: %+v", r)
	}
	if r := verify(p.Config, p.DataDir); !r.Whole() || r.Blobs == 0 {
		t.Errorf("the installation: %+v", r)
	}
	one := all[anyName(all)]
	content, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	mustWrite(t, one, strings.Repeat("x", len(content)))
	wrong := "s3://clinica/guiche: " + filepath.Base(one)
	if r := verify(p.Config, p.DataDir); len(r.Damage) != 1 || !strings.Contains(r.Damage[0], wrong) {
		t.Errorf("other bytes: %+v", r)
	}
	if err := os.Remove(one); err != nil {
		t.Fatal(err)
	}
	if r := verify(p.Config, folder); len(r.Damage) != 1 || !strings.Contains(r.Damage[0], filepath.Base(one)) {
		t.Errorf("an object is gone: %+v", r)
	}
	p.Stop()
	c, r := p.Config, app.Restoration{From: folder, Keys: filepath.Join(p.DataDir, "keys")}
	c.DataDir = filepath.Join(t.TempDir(), "restored")
	_, err = app.Restore(t.Context(), c, r)
	if err == nil || !strings.Contains(err.Error(), "1 files that it names are not in s3://clinica") {
		t.Errorf("while an object is gone: got %v", err)
	}
	without := c
	without.Blobs = app.Blobs{}
	if _, err := app.Restore(t.Context(), without, r); !errors.Is(err, backup.ErrRemote) {
		t.Errorf("without the bucket: got %v", err)
	}
	mustWrite(t, one, string(content))
	if _, err := app.Restore(t.Context(), c, r); err != nil {
		t.Fatal(err)
	}
	a, err := app.New(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	a.Close()
	if a, err := app.New(t.Context(), p.Config); err == nil || !strings.Contains(err.Error(), "another installation") {
		a.Close()
		t.Errorf("the installation before: got %v", err)
	}
	p.DataDir = c.DataDir
	p.Restart(nil)
	celia := p.LogIn(t, apptest.Reception)
	for _, path := range []string{sent.Path, late.Path} {
		if guide := guideOf(t, celia, path); guide.Status != http.StatusOK {
			t.Errorf("a guide after the restore: %d", guide.Status)
		}
	}
}

// anyName is one of the names.
func anyName(all map[string]string) string {
	for name := range all {
		return name
	}
	return ""
}

// TestBucket_Integrity: an object that is gone is told of, with where its earlier version is.
func TestBucket_Integrity(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	if server == nil {
		return
	}
	folder := t.TempDir()
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) {
		inBucket(server)(c)
		c.Backups.Folder = folder
	}})
	sent := submitWithFile(t, p.LogIn(t, apptest.Reception), apptest.PDF(4000))
	settled(t, server, p)
	for _, path := range objects(t, server, "desk") {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
	}
	rui := p.LogIn(t, apptest.Administration)
	apptest.Eventually(t, "a backup is made and found whole", func() bool { return rui.Get("/copias").Count("#copias tbody tr") > 0 })
	rui.Get("/copias").Check(t, apptest.Want{Status: http.StatusOK, Text: map[string]string{
		"main": "Ficam em s3://clinica/guiche. A cópia só os nomeia", "#copias tbody tr": "sem danos"}})
	p.Restart(nil) // the check of all begins with the start
	p.LogIn(t, apptest.Reception).Get(sent.Path)
	apptest.Eventually(t, "it is known", func() bool {
		return strings.Contains(rui.Get("/integridade").Text("main"), "s3://clinica/guiche/desk/blobs/")
	})
	if got := rui.Get("/integridade").Text("main"); !strings.Contains(got, "a versão anterior do objeto") {
		t.Errorf("the page says %q", got)
	}
}

// TestBucket_Insecure: that anybody on the way may read is told by every start, and only where it was asked for.
func TestBucket_Insecure(t *testing.T) {
	t.Parallel()
	server := s3test.Start(t)
	if server == nil {
		return
	}
	for name, o := range map[string]apptest.Options{"Desk": {Empty: true}, "Service": {Standalone: true, Empty: true}} {
		t.Run(name, func(t *testing.T) {
			o.Configure = func(c *app.Config) {
				inBucket(server)(c)
				c.Blobs.Place = strings.Replace(c.Blobs.Place, "/guiche?", "/"+name+"?", 1)
			}
			wantWarnings(t, apptest.Start(t, o), "GUICHE_BLOBS_INSECURE", func(c *app.Config) { c.Blobs.Insecure = true })
		})
	}
}
