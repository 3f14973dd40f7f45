package e2e_test

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"guiche/internal/apptest"
	"guiche/internal/authorization"
)

// storedAtService returns the SHA-256 of the bytes that the service's blob of
// that name holds, "" when there is none.
func storedAtService(t *testing.T, folder, name string) string {
	t.Helper()
	f, err := os.Open(filepath.Join(folder, "service", "blobs", name[:2], name))
	if os.IsNotExist(err) {
		return ""
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		t.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func sum(content []byte) string {
	h := sha256.Sum256(content)
	return hex.EncodeToString(h[:])
}

// pngHead is what a PNG begins with.
const pngHead = "\x89PNG\r\n\x1a\n"

// TestContract_AttachmentBytes: the largest attachment that the service takes is
// there what it was here, through base64, the wire and the reader that lifts it
// out of the JSON (row 10).
func TestContract_AttachmentBytes(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	content := make([]byte, 20<<20)
	_, _ = rand.NewChaCha8([32]byte{7}).Read(content) // never fails
	copy(content, "%PDF-")
	r := k.plain("9999250001", "1")
	r.Attachments = []authorization.Attachment{k.attachment("exame.pdf", "application/pdf", content),
		k.attachment("b.png", "image/png", []byte(pngHead))}
	_, outcome := k.exchange(r)
	if outcome.Kind != authorization.OutcomeAnswered || outcome.Answer.Authorizations[0].Status != authorization.Authorized {
		t.Fatalf("got %+v, want it authorized", outcome)
	}
	for _, want := range []string{sum(content), sum([]byte(pngHead))} {
		if got := storedAtService(t, k.folder, want); got != want {
			t.Errorf("the service holds %q, want %s", got, want)
		}
	}
}

// TestContract_ChosenBytes: a file chosen in the form is at the service byte for
// byte; the desk alters no PDF on its way.
func TestContract_ChosenBytes(t *testing.T) {
	t.Parallel()
	k := MustContract(t)
	v := k.p.LogIn(t, apptest.Reception)
	address, form := v.NewDraft()
	chosen := apptest.PDF(14 << 20)
	if got := v.Upload(address+"/anexos", form, map[string][]byte{"pedido médico.pdf": chosen}); got.Status != 200 {
		t.Fatalf("upload: %d %s", got.Status, got.Text("#anexos"))
	}
	form.Set("versao", "1")
	if got := v.Submit(address, form); got.Text("#veredito .verdict") != "Autorizado" {
		t.Fatalf("got %q", got.Text("#veredito"))
	}
	if got := storedAtService(t, k.folder, sum(chosen)); got != sum(chosen) {
		t.Errorf("the service holds %q, want %s", got, sum(chosen))
	}
}
