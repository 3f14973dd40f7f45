package app_test

import (
	"encoding/base64"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"testing"

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

// TestBytes_LeaveTheService: a request that is refused leaves nothing of its
// attachments, and one that was taken keeps them.
func TestBytes_LeaveTheService(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	partner := p.Partner(t, p.APIKey())
	before := len(stored(t, p, "service"))
	attachment := func(content []byte) []any {
		return []any{map[string]any{"name": "pedido.pdf", "contentType": "application/pdf",
			"base64": base64.StdEncoding.EncodeToString(content)}}
	}
	request := partner.Request()
	request["anexos"], request["numeroCarteira"] = attachment(apptest.PDF(50_000)), ""
	if status := partner.Ask(request); status != http.StatusUnprocessableEntity {
		t.Fatalf("got %d, want 422", status)
	}
	apptest.Eventually(t, "the refused bytes leave the disk", func() bool { return len(stored(t, p, "service")) == before })

	request = partner.Request()
	request["anexos"] = attachment(apptest.PDF(20_000))
	if status := partner.Ask(request); status != http.StatusOK {
		t.Fatalf("got %d, want 200", status)
	}
	apptest.Eventually(t, "attachment, guide and answer stay", func() bool { return len(stored(t, p, "service")) == before+3 })
}
