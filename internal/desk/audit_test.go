package desk_test

import (
	"testing"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
)

func TestDesk_Trail(t *testing.T) {
	t.Parallel()
	t.Run("CredentialSearched", func(t *testing.T) {
		f, ctx := MustDesk(t), t.Context()
		f.service.findErr = problem.New(problem.Unavailable, "")
		for _, who := range []permission.Actor{ana, admin} { // what is refused or fails is no secret way to search
			if _, err := f.FindCredentials(ctx, who, "helena duarte"); err == nil {
				t.Errorf("%s: got no error, want one", who.Name)
			}
		}
		f.wantTrail(t, audit.Entry{Actor: anaID, Event: audit.CredentialSearched})
	})
	t.Run("AttachmentOfADraft", func(t *testing.T) {
		f, ctx := MustDesk(t), t.Context()
		d := f.MustDraft(t, ana, nil)
		a, err := f.Attach(ctx, ana, d.UID, "a.png", picture(t, 1))
		MustDo(t, err)
		file, err := f.DraftAttachment(ctx, ana, d.UID, a.UID, desk.FileOpen)
		MustDo(t, err)
		MustRead(t, file)
		if _, err := f.DraftAttachment(ctx, ana, d.UID, d.UID, desk.FileOpen); !problem.Is(err, problem.NotFound) {
			t.Errorf("no such file: got %v, want not found", err)
		}
		f.wantTrail(t, audit.Entry{Actor: anaID, Event: audit.AttachmentOpened, Object: audit.ObjectDraft, ObjectID: d.UID,
			Detail: "anexo=" + a.UID.String() + " modo=aberta"})
	})
	t.Run("CaseCopied", func(t *testing.T) {
		f, ctx := MustDesk(t), t.Context()
		f.service.Script(answered(authorization.Denied))
		uid := f.MustSubmit(t, ana, nil)
		f.MustRun(t)
		f.MustBecome(t, uid, desk.Answered)
		_, err := f.CopyToDraft(ctx, celia, uid)
		MustDo(t, err)
		f.wantTrail(t, audit.Entry{Actor: celiaID, Event: audit.CaseCopied, Object: audit.ObjectCase, ObjectID: uid},
			audit.Entry{Actor: anaID, Event: audit.RequestSubmitted, Object: audit.ObjectCase, ObjectID: uid})
	})
}
