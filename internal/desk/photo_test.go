package desk_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

const photoPlace = "Comment\x00GPS 23.5505 S 46.6333 W"

// placedPhoto is a PNG that tells where it was taken.
func placedPhoto(tb testing.TB, n int) []byte {
	tb.Helper()
	b, err := io.ReadAll(picture(tb, n))
	MustDo(tb, err)
	const head = 33 // signature and IHDR
	chunk := append([]byte("tEXt"), photoPlace...)
	chunk = slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(photoPlace))), chunk, crc(chunk))
	return slices.Concat(b[:head], chunk, b[head:])
}

// attachUncleaned puts a file into a draft as versions did that left photos as they were.
func (f *fixture) attachUncleaned(tb testing.TB, draft uuid.UUID, name string, content []byte) desk.Attachment {
	tb.Helper()
	ctx, hold := f.config.Blobs.Hold(context.Background())
	defer hold.End()
	info, err := f.config.Blobs.Put(ctx, bytes.NewReader(content))
	MustDo(tb, err)
	a := desk.Attachment{UID: MustUID(tb), Attachment: authorization.Attachment{
		Name: name, ContentType: "image/png", Size: info.Size, Blob: info.Ref}}
	MustDo(tb, f.config.Store.Attach(ctx, anaID, draft, a, func([]desk.Attachment, int64) error { return nil }))
	return a
}

// submitUncleaned sends a request with such a file, and returns its case.
func (f *fixture) submitUncleaned(tb testing.TB, content []byte) desk.Case {
	tb.Helper()
	d := f.MustDraft(tb, ana, nil)
	_, err := f.Attach(tb.Context(), ana, d.UID, "pedido.png", picture(tb, 9))
	MustDo(tb, err)
	uid, err := f.Submit(tb.Context(), ana, d.UID)
	MustDo(tb, err)
	info, err := f.config.Blobs.Put(tb.Context(), bytes.NewReader(content))
	MustDo(tb, err)
	storetest.Unguard(tb, f.db)
	defer storetest.CheckAgain(tb, f.db)
	MustDo(tb, f.db.Write(tb.Context(), func(tx *engine.Tx) error {
		// as a version before checksums wrote it
		if _, err := tx.Exec(tb.Context(), `INSERT INTO checksum_pending (table_name) VALUES ('submission_attachment')
			ON CONFLICT DO NOTHING`); err != nil {
			return err
		}
		_, err := tx.Exec(tb.Context(), `UPDATE submission_attachment SET checksum = NULL, blob = ?, size = ?`, string(info.Ref), info.Size)
		return err
	}))
	return f.MustCase(tb, uid)
}

func (f *fixture) bytesOf(tb testing.TB, a desk.Attachment) []byte {
	tb.Helper()
	file, err := f.config.Blobs.Open(tb.Context(), a.Blob)
	MustDo(tb, err)
	b, err := io.ReadAll(file)
	MustDo(tb, err)
	MustDo(tb, file.Close())
	if int64(len(b)) != a.Size {
		tb.Errorf("%d bytes, want %d", len(b), a.Size)
	}
	return b
}

// checkCleaned looks at a file that was made of a placedPhoto.
func (f *fixture) checkCleaned(tb testing.TB, all []desk.Attachment, n int) {
	tb.Helper()
	want, err := io.ReadAll(picture(tb, n))
	MustDo(tb, err)
	if len(all) != 1 || !bytes.Equal(f.bytesOf(tb, all[0]), want) {
		tb.Errorf("got %+v, want the picture alone", all)
	}
}

// TestDesk_CopyToDraft_Photo: a photo that was sent before photos were cleaned is cleaned
// for the copy, and stays with the case as it was sent.
func TestDesk_CopyToDraft_Photo(t *testing.T) {
	t.Parallel()
	f, photo := MustDesk(t), placedPhoto(t, 1)
	c := f.submitUncleaned(t, photo)
	MustDo(t, f.Withdraw(t.Context(), ana, c.UID))
	copied, err := f.CopyToDraft(t.Context(), ana, c.UID)
	MustDo(t, err)
	f.checkCleaned(t, copied.Attachments, 1)
	MustDo(t, f.DiscardDraft(t.Context(), ana, copied.UID))
	f.sweep(t)
	if got := f.bytesOf(t, f.MustCase(t, c.UID).Attachments[0]); !bytes.Equal(got, photo) {
		t.Error("the case has another file than was sent")
	}
}

// TestDesk_CopyToDraft_BadPhoto: one that is damaged goes along, for that is found before
// anything leaves; one that cannot be cleaned does not.
func TestDesk_CopyToDraft_BadPhoto(t *testing.T) {
	t.Parallel()
	harm := func(change func(path string) error) func(t *testing.T, f *fixture, c desk.Case) {
		return func(t *testing.T, f *fixture, c desk.Case) {
			t.Helper()
			MustDo(t, change(filepath.Join(f.dir, filepath.FromSlash(c.Attachments[0].Blob.Path()))))
		}
	}
	whole := placedPhoto(t, 1)
	for name, tt := range map[string]struct {
		content []byte
		harm    func(t *testing.T, f *fixture, c desk.Case)
		kept    bool
	}{
		"Missing": {whole, harm(os.Remove), true},
		"Changed": {whole, harm(func(path string) error {
			return os.WriteFile(path, bytes.Replace(whole, []byte("GPS"), []byte("gps"), 1), 0o600)
		}), true},
		"Shortened":   {whole, harm(func(path string) error { return os.Truncate(path, 40) }), true},
		"Uncleanable": {[]byte("\x89PNG\r\n\x1a\nnada"), func(*testing.T, *fixture, desk.Case) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			c := f.submitUncleaned(t, tt.content)
			MustDo(t, f.Withdraw(t.Context(), ana, c.UID))
			tt.harm(t, f, c)
			copied, err := f.CopyToDraft(t.Context(), ana, c.UID)
			MustDo(t, err)
			if kept := len(copied.Attachments) == 1 && copied.Attachments[0].Attachment == c.Attachments[0].Attachment; kept != tt.kept {
				t.Errorf("got %+v", copied.Attachments)
			}
		})
	}
}

// TestDesk_Submit_Photo: so is one of a draft from then, and what was attached leaves the
// disk.
func TestDesk_Submit_Photo(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	d := f.MustDraft(t, ana, nil)
	before := f.attachUncleaned(t, d.UID, "pedido.png", placedPhoto(t, 2))
	f.MustRun(t)
	uid, err := f.Submit(ctx, ana, d.UID)
	MustDo(t, err)
	f.MustBecome(t, uid, desk.Answered)
	f.checkCleaned(t, f.MustCase(t, uid).Attachments, 2)
	if sent := f.service.Sent()[0].Request.Attachments; len(sent) != 1 || sent[0] != f.MustCase(t, uid).Attachments[0].Attachment {
		t.Errorf("sent %+v", sent)
	}
	f.sweep(t)
	if slices.Contains(f.stored(t), string(before.Blob)) {
		t.Error("the file that was attached is still there")
	}
}

// TestDesk_Resend_Photo: and one of a request that is sent again.
func TestDesk_Resend_Photo(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	c := f.submitUncleaned(t, placedPhoto(t, 3))
	f.service.Script(outcome(authorization.OutcomeUnknown, "timeout"), answered("A"))
	f.MustRun(t)
	f.MustBecome(t, c.UID, desk.Unknown)
	again, err := f.Resend(t.Context(), celia, c.UID, desk.Inquiry{Contact: "Central"})
	MustDo(t, err)
	f.MustBecome(t, again, desk.Answered)
	f.checkCleaned(t, f.MustCase(t, again).Attachments, 3)
	if got := f.MustCase(t, c.UID).Attachments[0]; got != c.Attachments[0] {
		t.Errorf("the case has %+v, want %+v", got, c.Attachments[0])
	}
}

// TestDesk_Submit_BadPhoto: one that would be refused now is a problem of the form, and
// nothing leaves.
func TestDesk_Submit_BadPhoto(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	d := f.MustDraft(t, ana, nil)
	f.attachUncleaned(t, d.UID, "pedido.png", []byte("\x89PNG\r\n\x1a\nnada"))
	_, err := f.Submit(t.Context(), ana, d.UID)
	if fields := problem.FieldsOf(err); len(fields) != 1 || fields[0].Path != "anexos" || !strings.Contains(fields[0].Message, "pedido.png") {
		t.Errorf("got %v, %+v", err, fields)
	}
	if after, err := f.Draft(t.Context(), ana, d.UID); err != nil || len(after.Attachments) != 1 {
		t.Errorf("the draft: got %+v, %v", after, err)
	}
}
