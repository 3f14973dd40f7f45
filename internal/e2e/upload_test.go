package e2e_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"guiche/internal/app"
	"guiche/internal/apptest"

	"github.com/chromedp/cdproto/input"
	cd "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// huge is a file that nobody may send.
const huge = 200 << 20

// TestUpload_Browser: the refusals that a person sees, beside their files; nothing
// typed is lost.
func TestUpload_Browser(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	b := MustBrowse(t, p, "422", "413")
	b.logIn("recepcao")
	b.open("/nova")
	b.fill("#nomeBeneficiario", "Zoë d'Ávila")
	folder := t.TempDir()
	var paths []string
	for _, bad := range apptest.BadFiles() {
		path := filepath.Join(folder, bad.Name)
		if err := os.WriteFile(path, bad.Content, 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	b.upload(append(paths, sparse(t, "ressonância.pdf", huge))...)
	b.waitFor("each is refused", fmt.Sprintf("document.querySelectorAll('#anexos .error').length === %d", len(paths)+1))
	for i, bad := range apptest.BadFiles() {
		if got := eval[string](b, fmt.Sprintf("document.querySelectorAll('#anexos li')[%d].innerText", i)); !strings.Contains(got, bad.Told) {
			t.Errorf("%q: the row says %q, want %q", bad.Name, got, bad.Told)
		}
	}
	if got := b.value("#nomeBeneficiario"); got != "Zoë d'Ávila" {
		t.Errorf("the name is %q", got)
	}
	b.look("nova-anexos-recusados")
	b.press(kb.F8)
	b.see("#erros")
	if got := b.value("#nomeBeneficiario"); got != "Zoë d'Ávila" {
		t.Errorf("after the review the name is %q", got)
	}
}

// TestUpload_Folder: a folder that is dropped beside a file is refused by name, and keeps neither the file nor the request
// waiting for a network that is there.
func TestUpload_Folder(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}), "ERR_ACCESS_DENIED")
	b.logIn(apptest.Reception)
	b.open("/nova")
	b.drop(t.TempDir(), pngFile(t, "pedido.png"))
	b.see("#anexos [data-attachment]")
	if got := b.text("#anexos li:first-child"); !strings.Contains(got, "Não deu para ler.") {
		t.Errorf("at the folder stands %q", got)
	}
}

// drop lets files fall on the page, as from a window of the system.
func (b *browser) drop(paths ...string) {
	b.t.Helper()
	b.do("drop", cd.Func(func(ctx context.Context, _ *cd.Target) (err error) {
		for _, kind := range []input.DispatchDragEventType{"dragEnter", "dragOver", "drop"} {
			_, failed := cd.Call(ctx, input.DispatchDragEvent, input.DispatchDragEventParams{
				Type: kind, X: 400, Y: 400, Data: &input.DragData{Items: []*input.DragDataItem{}, Files: paths, DragOperationsMask: 1}})
			err = errors.Join(err, failed)
		}
		return err
	}))
}

// TestUpload_NotRemoved: a file that could not be taken out says so where it stands, also to who sees the page.
func TestUpload_NotRemoved(t *testing.T) {
	t.Parallel()
	b := MustBrowse(t, apptest.Start(t, apptest.Options{}), unplugged, "Failed to fetch")
	b.logIn("recepcao")
	b.open("/nova")
	b.upload(writeFile(t, "pedido.pdf", apptest.PDF(400)))
	b.see("[data-remove-attachment]")
	b.offline(true)
	b.click("[data-remove-attachment]")
	b.see("#anexos [data-attachment] .error")
	b.waitFor("the page says that there is no network", "!document.getElementById('rede').hidden")
	b.look("nova-anexo-nao-removido")
	b.offline(false)
	b.click("[data-remove-attachment]")
	b.waitFor("it is gone", "document.querySelectorAll('#anexos li').length === 0")
}

// TestUpload_NoRoom: what a person sees whose file is fine and has no room.
func TestUpload_NoRoom(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		configure    func(c *app.Config)
		status, told string
	}{
		"disco":    {func(c *app.Config) { c.MinFree = 1 << 60 }, "507", "Falta espaço no disco"},
		"rascunho": {func(c *app.Config) { c.DraftBytes = 1000 }, "422", "limite por pessoa"},
	} {
		t.Run(name, func(t *testing.T) {
			b := MustBrowse(t, apptest.Start(t, apptest.Options{Configure: tc.configure}), tc.status)
			b.logIn("recepcao")
			b.open("/nova")
			b.upload(writeFile(t, "pedido médico de dona Zuleica.pdf", apptest.PDF(4000)))
			b.waitFor("it is refused", "document.querySelectorAll('#anexos .error').length === 1")
			if got := eval[string](b, "document.querySelector('#anexos li').innerText"); !strings.Contains(got, tc.told) {
				t.Errorf("the row says %q, want %q", got, tc.told)
			}
			b.look("nova-anexos-sem-espaco-" + name)
		})
	}
}

// sparse is a file of that size that takes no room.
func sparse(t testing.TB, name string, size int64) string {
	t.Helper()
	path := writeFile(t, name, []byte("%PDF-1.7\n"))
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	return path
}
