package desk_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"guiche/internal/desk"
	"guiche/internal/problem"
)

// TestDesk_JoinPhotos: the photos of a draft become one PDF in their place, which nobody but
// its owner can do, and one photo is not joined.
func TestDesk_JoinPhotos(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	draft := f.MustDraft(t, ana, nil)
	for i, name := range []string{"frente.png", "verso.png"} {
		if err := f.JoinPhotos(ctx, ana, draft.UID); !problem.Is(err, problem.Conflict) {
			t.Errorf("of %d photos: got %v, want conflict", i, err)
		}
		_, err := f.Attach(ctx, ana, draft.UID, name, picture(t, i))
		MustDo(t, err)
	}
	report, err := f.Attach(ctx, ana, draft.UID, "laudo.pdf", strings.NewReader(scriptPDF))
	MustDo(t, err)
	if err := f.JoinPhotos(ctx, bia, draft.UID); !problem.Is(err, problem.NotFound) {
		t.Errorf("somebody else's: got %v, want not found", err)
	}
	MustDo(t, f.JoinPhotos(ctx, ana, draft.UID))
	joined, err := f.Draft(ctx, ana, draft.UID)
	MustDo(t, err)
	var made desk.Attachment
	for _, a := range joined.Attachments {
		if a.UID != report.UID {
			made = a
		}
	}
	if len(joined.Attachments) != 2 || made.Name != "fotos.pdf" || made.ContentType != "application/pdf" {
		t.Fatalf("got %+v, want the report and the photos", joined.Attachments)
	}
	file, err := f.DraftAttachment(ctx, ana, draft.UID, made.UID, desk.FileDownload)
	MustDo(t, err)
	content := MustRead(t, file)
	if int64(len(content)) != made.Size || !bytes.HasPrefix(content, []byte("%PDF-")) {
		t.Errorf("got %d bytes of %d: %.20q", len(content), made.Size, content)
	}
}

// TestDesk_JoinPhotos_TooLarge: a PDF with which the files of a request would be too large leaves the
// photos where they are.
func TestDesk_JoinPhotos_TooLarge(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	draft, total := f.MustDraft(t, ana, nil).UID, int64(0)
	for name, content := range map[string]io.Reader{"frente.png": picture(t, 1), "verso.png": picture(t, 2),
		"laudo.pdf": strings.NewReader(scriptPDF)} {
		a, err := f.Attach(ctx, ana, draft, name, content)
		MustDo(t, err)
		total += a.Size
	}
	limits := f.Limits()
	limits.MaxTotal = total + 1
	f.SetLimits(limits)
	if err := f.JoinPhotos(ctx, ana, draft); !problem.Is(err, problem.TooLarge) {
		t.Errorf("got %v, want too large", err)
	}
	left, err := f.Draft(ctx, ana, draft)
	MustDo(t, err)
	if len(left.Attachments) != 3 {
		t.Errorf("left: %+v", left.Attachments)
	}
}

// TestDesk_AttachAgain: what was sent with a case of the person's units is offered to a draft
// once, and goes into it as it was.
func TestDesk_AttachAgain(t *testing.T) {
	t.Parallel()
	f, ctx := MustDesk(t), t.Context()
	sent := f.MustCase(t, f.MustSubmitFiles(t, 2))
	draft := f.MustDraft(t, ana, nil)
	offered := func() (names []string) {
		t.Helper()
		d, err := f.Draft(ctx, ana, draft.UID)
		MustDo(t, err)
		files, err := f.SentFiles(ctx, ana, d, []desk.CaseSummary{sent.CaseSummary, sent.CaseSummary})
		MustDo(t, err)
		for _, file := range files {
			if file.Case != sent.UID {
				t.Errorf("%s: of case %v, want %v", file.Name, file.Case, sent.UID)
			}
			names = append(names, file.Name)
		}
		return names
	}
	if got := offered(); len(got) != 2 {
		t.Errorf("got %q, want both files", got)
	}
	again, err := f.AttachAgain(ctx, ana, draft.UID, sent.UID, sent.Attachments[0].UID)
	MustDo(t, err)
	if again.Attachment != sent.Attachments[0].Attachment || again.UID == sent.Attachments[0].UID {
		t.Errorf("got %+v, want the bytes of %+v", again, sent.Attachments[0])
	}
	if got := offered(); len(got) != 1 || got[0] != sent.Attachments[1].Name {
		t.Errorf("then: got %q, want the other one", got)
	}
	theirs := f.MustDraft(t, bia, nil)
	if _, err := f.AttachAgain(ctx, bia, theirs.UID, sent.UID, sent.Attachments[1].UID); !problem.Is(err, problem.NotFound) {
		t.Errorf("from another unit: got %v, want not found", err)
	}
	if _, err := f.AttachAgain(ctx, ana, draft.UID, sent.UID, MustUID(t)); !problem.Is(err, problem.NotFound) {
		t.Errorf("no such file: got %v, want not found", err)
	}
	if _, err := f.SentFiles(ctx, admin, draft, nil); !problem.Is(err, problem.Forbidden) {
		t.Errorf("administração: got %v, want forbidden", err)
	}
}
