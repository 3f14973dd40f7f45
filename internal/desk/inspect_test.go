package desk_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"guiche/internal/blob"
	"guiche/internal/desk"
	"guiche/internal/document"
)

// scriptPDF is a PDF of one page that runs a script, readers of which find its objects
// by themselves.
const scriptPDF = "%PDF-1.4\n1 0 obj <</Type /Catalog /Pages 2 0 R /OpenAction <</S /JavaScript /JS (app.alert)>> >> endobj\n" +
	"2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj\n3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 99 99]>> endobj\n" +
	"trailer <</Size 4 /Root 1 0 R>>\nstartxref\n9\n%%EOF\n"

// TestDesk_DraftAttachment_Copy: what is shown of a PDF that does something is a copy, of which
// nothing is kept.
func TestDesk_DraftAttachment_Copy(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	d := f.MustDraft(t, ana, nil)
	a, err := f.Attach(ctx, ana, d.UID, "laudo.pdf", strings.NewReader(scriptPDF))
	MustDo(t, err)
	photo, err := f.Attach(ctx, ana, d.UID, "foto.png", picture(t, 1))
	MustDo(t, err)
	show := func(a desk.Attachment) desk.File {
		file, err := f.DraftAttachment(ctx, ana, d.UID, a.UID, desk.FileOpen)
		MustDo(t, err)
		return file
	}
	for range 2 {
		if got := f.Inspect(ctx, a.Blob); got != (document.Inspection{Active: document.Scripts}) {
			t.Errorf("got %+v, want scripts", got)
		}
		shown := show(a)
		if content := MustRead(t, shown); !shown.Copy || shown.Download || shown.Name != "laudo (cópia).pdf" ||
			int64(len(content)) != shown.Size || bytes.Contains(content, []byte("app.alert")) {
			t.Errorf("got %+v, %q", shown, content)
		}
	}
	shown := show(photo)
	MustDo(t, shown.Close())
	if shown.Copy || shown.Download || shown.Size != photo.Size {
		t.Errorf("a photo: got %+v", shown)
	}
	if got, want := f.stored(t), f.named(t); !slices.Equal(got, want) {
		t.Errorf("got %d files, want the %d that rows name", len(got), len(want))
	}
	if got := f.Inspect(ctx, blob.Ref(strings.Repeat("0", 64))); !got.Unreadable {
		t.Errorf("bytes that are gone: got %+v, want unreadable", got)
	}
}

// endless is a PDF whose reading does not end before release.
type endless struct {
	*bytes.Reader
	release <-chan struct{}
}

// Seek claims that there is something to read.
func (endless) Seek(int64, int) (int64, error) { return 1 << 20, nil }

// Read implements io.Reader.
func (e endless) Read([]byte) (int, error) {
	<-e.release
	return 0, io.ErrUnexpectedEOF
}

// TestDesk_DraftAttachment_NoTime: where others leave no time for a copy, the file is there to be
// saved; once they have ended, it is shown.
func TestDesk_DraftAttachment_NoTime(t *testing.T) {
	template(t)
	synctest.Test(t, func(t *testing.T) {
		f, ctx := MustDesk(t), t.Context()
		d := f.MustDraft(t, ana, nil)
		seen, err := f.Attach(ctx, ana, d.UID, "laudo.pdf", strings.NewReader(scriptPDF))
		MustDo(t, err)
		unseen, err := f.Attach(ctx, ana, d.UID, "exame.pdf", strings.NewReader(scriptPDF+"\n"))
		MustDo(t, err)
		f.Inspect(ctx, seen.Blob)
		release := make(chan struct{})
		for range 2 {
			go func() { _, _ = document.Inert(ctx, endless{release: release}) }()
		}
		check := func(when string, download bool) {
			synctest.Wait() // until those that copy are stuck, or have ended
			for _, a := range []desk.Attachment{seen, unseen} {
				file, err := f.DraftAttachment(ctx, ana, d.UID, a.UID, desk.FileOpen)
				MustDo(t, err)
				if content := MustRead(t, file); file.Download != download || file.Copy == download || len(content) == 0 {
					t.Errorf("%s: got %+v of %s", when, file, a.Name)
				}
			}
		}
		check("no time", true)
		close(release)
		check("later", false)
	})
}

// TestDesk_Inspect_Unread: a PDF that cannot be read now, or not to its end, is taken for one
// that is not to be shown, and is looked at again.
func TestDesk_Inspect_Unread(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	a, err := f.Attach(ctx, ana, f.MustDraft(t, ana, nil).UID, "laudo.pdf", strings.NewReader(scriptPDF))
	MustDo(t, err)
	blobs := &brokenBlobs{Blobs: f.config.Blobs}
	f.MustOpen(t, func(c *desk.Config) { c.Blobs = blobs })
	for _, broken := range []string{"Open", "Read", "Read" + scriptPDF} { // the last as far as it is inspected, not copied
		blobs.broken = broken
		if got := f.Inspect(ctx, a.Blob); got != (document.Inspection{Unreadable: true}) {
			t.Errorf("%.4s fails: got %+v, want unreadable", broken, got)
		}
	}
	blobs.broken = ""
	if got := f.Inspect(ctx, a.Blob); got != (document.Inspection{Active: document.Scripts}) {
		t.Errorf("afterwards: got %+v, want scripts", got)
	}
}
