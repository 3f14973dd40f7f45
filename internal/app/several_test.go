package app_test

import (
	"log/slog"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"
	"guiche/internal/blob/s3test"
	"guiche/internal/client/faultservice"
	"guiche/internal/postgres/postgrestest"
)

// startTwo starts two processes on one database and one bucket, nil where there is no bucket.
func startTwo(t *testing.T) (first, second *apptest.Server) {
	t.Helper()
	bucket := s3test.Start(t)
	if bucket == nil {
		return nil, nil
	}
	first = apptest.Start(t, apptest.Options{Database: postgrestest.Database(t), Configure: inBucket(bucket)})
	return first, apptest.Start(t, apptest.Options{Beside: first})
}

// at is a client's browser at another process.
func at(p *apptest.Server, c *apptest.Client) *apptest.Client {
	other := p.Client(c.T)
	other.HTTP.Jar = c.HTTP.Jar // both are at the same host
	return other
}

// TestSeveral_MainJob: what one process does another shows: the session, the case, its guide and its place in
// the lists, and that somebody has left.
func TestSeveral_MainJob(t *testing.T) {
	t.Parallel()
	first, second := startTwo(t)
	if first == nil {
		return
	}
	ana := first.LogIn(t, apptest.Reception)
	there := at(second, ana)
	if !there.LoggedIn() {
		t.Fatal("the other process does not know the session")
	}
	sent := submitWithFile(t, ana, apptest.PDF(300_000))
	guide := guideOf(t, there, sent.Path)
	if guide.Status != http.StatusOK || !strings.HasPrefix(string(guide.Body), "%PDF") {
		t.Errorf("the guide at the other process: %d", guide.Status)
	}
	for _, path := range []string{"/fila", "/historico", sent.Path} {
		if page := there.Get(path); page.Status != http.StatusOK || !strings.Contains(string(page.Body), "Beneficiária de Teste") {
			t.Errorf("%s: %d", path, page.Status)
		}
	}
	twin := ana.Twin()
	there.Post("/sair", nil)
	if twin.LoggedIn() {
		t.Error("logged out at one process, still in at the other")
	}
}

// TestSeveral_Follow: a page that is open at one process shows what another one was told meanwhile.
func TestSeveral_Follow(t *testing.T) {
	t.Parallel()
	answer := make(chan struct{})
	first := apptest.Start(t, apptest.Options{Database: postgrestest.Database(t), Faults: &faultservice.Config{
		Answer: func(e faultservice.Entry) (int, []byte) {
			<-answer
			return faultservice.Authorize(e)
		}}})
	second := apptest.Start(t, apptest.Options{Beside: first})
	ana := first.LogIn(t, apptest.Reception)
	sent := ana.SubmitWith(nil)
	there := at(second, ana)
	if page := there.Get(sent.Path); page.Status != http.StatusOK || !strings.Contains(page.Text("main"), "Enviando…") {
		t.Errorf("before the answer: %d %s", page.Status, page.Text("main"))
	}
	close(answer)
	apptest.Eventually(t, "the other process shows the answer", func() bool {
		return !strings.Contains(there.Get(sent.Path).Text("main"), "Enviando…") && there.Get(sent.Path).Count(".tone-success") > 0
	})
}

// TestSeveral_Start: of processes that start at once on an empty database one makes the schema, and each works.
func TestSeveral_Start(t *testing.T) {
	t.Parallel()
	url, keys := postgrestest.Database(t), filepath.Join(t.TempDir(), "keys")
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			a, err := app.New(t.Context(), app.Config{Addr: "127.0.0.1:0", DataDir: t.TempDir(), Keys: keys, Simulated: true,
				Database: app.Database{URL: url}, Logger: slog.New(slog.DiscardHandler)})
			if err != nil {
				t.Error(err)
				return
			}
			a.Close()
		})
	}
	all.Wait()
}

// TestSeveral_OtherKeys: a process with keys of its own is refused: it would break what the others wrote.
func TestSeveral_OtherKeys(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{Empty: true, Database: postgrestest.Database(t)})
	c := p.Config
	c.DataDir, c.Keys = t.TempDir(), ""
	err := startError(t, c)
	if err == nil || !strings.Contains(err.Error(), "audit.key is missing") || !strings.Contains(err.Error(), "another machine") {
		t.Errorf("got %v", err)
	}
}
