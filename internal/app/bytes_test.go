package app_test

import (
	"bytes"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"image/color"
	"image/jpeg"
	"io/fs"
	"maps"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/app"
	"guiche/internal/apptest"
)

// blobName is the name of a stored file: the SHA-256 of its bytes.
var blobName = regexp.MustCompile(`^[0-9a-f]{64}$`)

// stored lists the blobs of one half of a server, by name.
func stored(t testing.TB, p *apptest.Server, half string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	root := filepath.Join(p.DataDir, half, "blobs")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && blobName.MatchString(entry.Name()) && filepath.Base(filepath.Dir(path)) == entry.Name()[:2] {
			names[entry.Name()] = true
		}
		return nil // what went away meanwhile is no error
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// onDisk waits until every small file of one half is on disk: until then the database has
// its bytes too, and the file can be made again.
func onDisk(t testing.TB, p *apptest.Server, half string) {
	t.Helper()
	name := map[string]string{"desk": "guiche.db", "service": "service.db"}[half]
	db, err := sql.Open("sqlite", "file:"+filepath.Join(p.DataDir, half, name))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	apptest.Eventually(t, "the files are on disk", func() bool {
		var waiting int
		err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM unsynced_blob`).Scan(&waiting)
		return err == nil && waiting == 0
	})
}

// TestBytes_LeaveTheDesk: what is refused, taken out or thrown away leaves the disk, and
// what is still named stays.
func TestBytes_LeaveTheDesk(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	gone := func(t *testing.T) {
		t.Helper()
		apptest.Eventually(t, "the bytes leave the disk", func() bool { return len(stored(t, p, "desk")) == 0 })
	}
	address, form := ana.NewDraft()
	upload := func(name string, content []byte) *apptest.Page {
		return ana.Upload(address+"/anexos", form, map[string][]byte{name: content})
	}
	t.Run("Refused", func(t *testing.T) {
		for _, bad := range apptest.BadFiles() {
			upload(bad.Name, bad.Content)
		}
		gone(t)
	})
	t.Run("TakenOut", func(t *testing.T) {
		form.Set("versao", ana.Get(address).Value("#versao"))
		page := upload("pedido.png", apptest.PNG())
		if len(stored(t, p, "desk")) != 1 {
			t.Fatalf("upload: %d, nothing stored", page.Status)
		}
		ana.Post(address+page.AttachmentPath()+"/remover", nil)
		gone(t)
	})
	t.Run("Discarded", func(t *testing.T) {
		form.Set("versao", ana.Get(address).Value("#versao"))
		upload("pedido.png", apptest.PNG())
		ana.Post(address+"/descartar", url.Values{})
		gone(t)
	})
	t.Run("SameBytesElsewhere", func(t *testing.T) {
		kept, keptForm := ana.NewDraft()
		page := ana.Upload(kept+"/anexos", keptForm, map[string][]byte{"pedido.png": apptest.PNG(), "outro.pdf": apptest.PDF(4000)})
		other, otherForm := ana.NewDraft()
		ana.Upload(other+"/anexos", otherForm, map[string][]byte{"pedido.png": apptest.PNG(), "laudo.pdf": apptest.PDF(9000)})
		ana.Post(other+"/descartar", url.Values{})
		apptest.Eventually(t, "only what the other draft has stays", func() bool { return len(stored(t, p, "desk")) == 2 })
		if file := ana.Get(kept + page.AttachmentPath()); file.Status != http.StatusOK {
			t.Errorf("the kept attachment: got %d, want 200", file.Status)
		}
	})
}

// TestBytes_Photo: what a camera wrote beside a photo is neither kept nor sent, and the
// photo is upright.
func TestBytes_Photo(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	address, form := ana.NewDraft()
	draft := ana.Upload(address+"/anexos", form, map[string][]byte{"pedido.jpg": apptest.Photo()})
	if kept := ana.Get(address + draft.AttachmentPath()); kept.Status != http.StatusOK ||
		bytes.Contains(kept.Body, []byte(apptest.PhotoPlace)) {
		t.Errorf("in the draft: %d, or the place is still there", kept.Status)
	}
	form.Set("versao", draft.Value("#versao"))
	sent := ana.Submit(address, form)
	if got := sent.Text("h1"); !strings.Contains(sent.Text("main"), "Autorizado") {
		t.Fatalf("sent: got %q", got)
	}
	photo := ana.Get(sent.Path + sent.AttachmentPath())
	m, err := jpeg.Decode(bytes.NewReader(photo.Body))
	if err != nil {
		t.Fatal(err)
	}
	if size := m.Bounds().Size(); size.X != 120 || size.Y != 160 {
		t.Errorf("got %v, want it upright", size)
	}
	if top, bottom := m.At(60, 5).(color.Gray).Y, m.At(60, 155).(color.Gray).Y; top >= bottom {
		t.Errorf("the top has %d and the bottom %d: it is upside down", top, bottom)
	}
	apptest.Eventually(t, "no file has the place any more", func() bool {
		for _, half := range []string{"desk", "service"} {
			for name := range stored(t, p, half) {
				b, err := os.ReadFile(filepath.Join(p.DataDir, half, "blobs", name[:2], name))
				if err == nil && bytes.Contains(b, []byte(apptest.PhotoPlace)) {
					return false
				}
			}
		}
		return true
	})
}

// TestBytes_LeaveTheService: a request that is refused leaves nothing of its
// attachments, and one that was taken keeps them.
func TestBytes_LeaveTheService(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	partner := p.Partner(t, p.APIKey())
	before := len(stored(t, p, "service"))
	request := partner.Request()
	request["anexos"], request["numeroCarteira"] = pdfAttachment(apptest.PDF(50_000)), ""
	if status := partner.Ask(request); status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", status)
	}
	apptest.Eventually(t, "the refused bytes leave the disk", func() bool { return len(stored(t, p, "service")) == before })

	request = partner.Request()
	request["anexos"] = pdfAttachment(apptest.PDF(20_000))
	if status := partner.Ask(request); status != http.StatusOK {
		t.Fatalf("got %d, want 200", status)
	}
	apptest.Eventually(t, "attachment and guide stay", func() bool { return len(stored(t, p, "service")) == before+2 })

	other := maps.Clone(request)
	other["guiaPrestador"] = "1"
	if status := partner.Ask(other); status != http.StatusOK {
		t.Fatalf("got %d, want 200", status)
	}
	other["anexos"] = pdfAttachment(apptest.PDF(30_000))
	if status := partner.Ask(other); status != http.StatusConflict {
		t.Errorf("another request with its number: got %d, want 409", status)
	}
	decided := partner.Items("/api/v2/autorizacoes?guiaPrestador=1")
	status, _ := partner.Send(http.MethodPost, "/api/v2/autorizacoes/"+decided[0]["guiaId"].(string)+"/anexos", "application/json",
		mustJSON(t, map[string]any{"anexos": pdfAttachment(apptest.PDF(40_000))}))
	if status != http.StatusConflict {
		t.Errorf("attachments for what is authorized: got %d, want 409", status)
	}
	apptest.Eventually(t, "of three more requests a guide stays", func() bool { return len(stored(t, p, "service")) == before+3 })
}

// unfinished lists files that are still being written, or were given up.
func unfinished(t testing.TB, p *apptest.Server) []string {
	t.Helper()
	left, err := filepath.Glob(filepath.Join(p.DataDir, "*", "blobs", "tmp", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return left
}

func pdfAttachment(content []byte) []any {
	return []any{map[string]any{"name": "pedido.pdf", "contentType": "application/pdf",
		"base64": base64.StdEncoding.EncodeToString(content)}}
}

func mustJSON(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// codeIn is the first code of an envelope's errors.
func codeIn(envelope map[string]any) string {
	details, _ := envelope["errosDetalhados"].([]any)
	if len(details) == 0 {
		return ""
	}
	first, _ := details[0].(map[string]any)
	code, _ := first["codigo"].(string)
	return code
}

// TestBytes_DraftQuota: however many files a person attaches at once, to however many
// drafts, together they stay within the quota; what is thrown away makes room at once.
func TestBytes_DraftQuota(t *testing.T) {
	t.Parallel()
	const quota = 50_000
	p := apptest.Start(t, apptest.Options{Configure: func(c *app.Config) { c.DraftBytes = quota }})
	ana := p.LogIn(t, apptest.Reception)
	drafts := make([]string, 8)
	for i := range drafts {
		drafts[i] = ana.DraftPath()
	}
	upload := func(i int) *apptest.Page {
		return ana.UploadHTMX(drafts[i]+"/anexos", "pedido.pdf", bytes.NewReader(apptest.PDF(20_000+i)))
	}
	var working sync.WaitGroup
	pages := make([]*apptest.Page, len(drafts))
	for i := range drafts {
		working.Go(func() { pages[i] = upload(i) })
	}
	working.Wait()
	if got := attached(t, p); got == 0 || got > quota {
		t.Errorf("got %d bytes in drafts, want at most %d", got, quota)
	}
	upload(0)
	upload(1) // now it is used up, whichever were refused before
	if page := upload(2); page.Status != http.StatusUnprocessableEntity || !strings.Contains(page.Text(".error"), "limite por pessoa") {
		t.Errorf("got %d %q, want 422 and the reason", page.Status, page.Text(".error"))
	}
	if got := attached(t, p); got > quota {
		t.Errorf("got %d bytes in drafts, want at most %d", got, quota)
	}
	for _, draft := range drafts {
		ana.Post(draft+"/descartar", nil)
	}
	if again := ana.UploadHTMX(ana.DraftPath()+"/anexos", "pedido.pdf", bytes.NewReader(apptest.PDF(30_000))); again.Status != http.StatusOK {
		t.Errorf("after they were thrown away: got %d %q", again.Status, again.Text(".error"))
	}
	if bia := p.LogIn(t, apptest.Supervision); bia.UploadHTMX(bia.DraftPath()+"/anexos", "a.pdf",
		bytes.NewReader(apptest.PDF(30_000))).Status != http.StatusOK {
		t.Error("the quota is shared with another person")
	}
}

// attached sums the attachments of drafts.
func attached(t testing.TB, p *apptest.Server) (bytes int64) {
	t.Helper()
	if err := p.Database(t).QueryRowContext(t.Context(), `SELECT coalesce(sum(size), 0) FROM draft_attachment`).Scan(&bytes); err != nil {
		t.Fatal(err)
	}
	return bytes
}

// TestBytes_PartnerQuota: a partner sends so much in a day and no more, however much of it
// at once; the next day it may again.
func TestBytes_PartnerQuota(t *testing.T) {
	t.Parallel()
	const quota = 50_000
	p := apptest.Start(t, apptest.Options{Now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC),
		Configure: func(c *app.Config) { c.PartnerBytes = quota }})
	partner := p.Partner(t, p.APIKey())
	request := partner.Request()
	ask := func(i int) (int, string) {
		own := maps.Clone(request)
		own["anexos"] = pdfAttachment(apptest.PDF(20_000 + i))
		status, answer := partner.Send(http.MethodPost, "/api/v2/autorizar/sp-sadt", "application/json", mustJSON(t, own))
		return status, codeIn(answer)
	}
	var working sync.WaitGroup
	var accepted, refused atomic.Int64
	for i := range 8 {
		working.Go(func() {
			switch status, code := ask(i); {
			case status == http.StatusOK:
				accepted.Add(1)
			case status == http.StatusRequestEntityTooLarge && code == "cota_de_anexos":
				refused.Add(1)
			default:
				t.Errorf("got %d %s, want 200 or 413 cota_de_anexos", status, code)
			}
		})
	}
	working.Wait()
	if accepted.Load() > 2 || accepted.Load()+refused.Load() != 8 {
		t.Errorf("got %d accepted and %d refused, want at most 2 accepted", accepted.Load(), refused.Load())
	}
	ask(10)
	ask(11) // now it is used up, whichever were refused before
	if status, code := ask(12); status != http.StatusRequestEntityTooLarge {
		t.Errorf("beyond the quota: got %d %s, want 413", status, code)
	}
	if status := partner.Ask(request); status != http.StatusOK {
		t.Errorf("without attachments: got %d, want 200", status)
	}
	p.Clock.Advance(25 * time.Hour)
	if status, code := ask(12); status != http.StatusOK {
		t.Errorf("the next day: got %d %s, want 200", status, code)
	}
}
