package desk_test

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// MustWaitForAttachment returns a case whose operator takes attachments through the service, and
// decides then.
func (f *fixture) MustWaitForAttachment(tb testing.TB) uuid.UUID {
	tb.Helper()
	uid := f.MustAuthorize(tb, authorization.AwaitingAttachment)
	f.service.acts = acts{offers: authorization.Offers{Attachments: true},
		told: authorization.Authorization{GuideID: "g-1", Success: true, Status: authorization.UnderAnalysis}}
	return uid
}

// awaitsAttachment is an outcome whose operator takes attachments through the service.
func (f *fixture) awaitsAttachment() authorization.Outcome {
	f.service.acts = acts{offers: authorization.Offers{Attachments: true},
		told: authorization.Authorization{GuideID: "g-1", Success: true, Status: authorization.UnderAnalysis}}
	outcome := answered(authorization.AwaitingAttachment)
	outcome.Answer.Authorizations[0].GuideID = "g-1"
	return outcome
}

// add sends files, pictures of so many points, about the only authorization of a case.
func (f *fixture) add(tb testing.TB, by permission.Actor, uid uuid.UUID, answers int, names ...string) error {
	tb.Helper()
	return f.AddAttachments(tb.Context(), by, uid, func(keep desk.KeepFile) (desk.LaterFiles, error) {
		for i, name := range names {
			content := picture(tb, 9+i)
			if strings.HasSuffix(name, ".txt") {
				content = strings.NewReader("nada")
			}
			if err := keep(name, content); err != nil {
				return desk.LaterFiles{}, err
			}
		}
		return desk.LaterFiles{Answers: answers}, nil
	})
}

func (f *fixture) MustAdd(tb testing.TB, uid uuid.UUID, names ...string) desk.Case {
	tb.Helper()
	MustDo(tb, f.add(tb, ana, uid, len(f.MustCase(tb, uid).Answers), names...))
	MustDo(tb, f.AwaitAct(tb.Context(), ana, uid, time.Minute))
	return f.MustCase(tb, uid)
}

// TestDesk_AddAttachments: what an operator lacks goes out once, and stays with the case.
func TestDesk_AddAttachments(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	uid := f.MustWaitForAttachment(t)
	before := len(f.MustCase(t, uid).Attachments)
	c := f.MustAdd(t, uid, "laudo.png", "pedido.png")
	act, _ := c.LastAct()
	if c.Status != authorization.UnderAnalysis || act.State != desk.ActDone || len(act.Files) != 2 || act.Files[1].Name != "pedido.png" ||
		act.Reason != "" {
		t.Errorf("the case is %s after %+v", c.Status, act)
	}
	if later := c.Attachments[before:]; !slices.Equal(later, act.Files) {
		t.Errorf("the case has %+v", later)
	}
	sent := f.service.acts.files
	if len(sent) != 1 || !slices.Equal(sent[0], []authorization.Attachment{act.Files[0].Attachment, act.Files[1].Attachment}) {
		t.Errorf("the service got %+v", sent)
	}
	file, err := f.CaseAttachment(t.Context(), ana, uid, act.Files[0].UID, desk.FileOpen)
	MustDo(t, err)
	MustDo(t, file.Close())
}

// TestDesk_AddAttachments_SlowLine: files are given the time that they take on a line of 400 kbit/s, in base64, and the act
// stays under way as long.
func TestDesk_AddAttachments_SlowLine(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	uid := f.MustWaitForAttachment(t)
	content := noise(t, 1500)
	onLine := time.Duration(content.Len()) * 4 / 3 * time.Second / 50_000
	begun := time.Now()
	MustDo(t, f.AddAttachments(t.Context(), ana, uid, func(keep desk.KeepFile) (desk.LaterFiles, error) {
		return desk.LaterFiles{Answers: 1}, keep("laudo.png", content)
	}))
	MustDo(t, f.AwaitAct(t.Context(), ana, uid, time.Minute))
	act, _ := f.MustCase(t, uid).LastAct()
	wire, lease := f.service.acts.until.Sub(begun), act.Until.Sub(act.AskedAt)
	if act.State != desk.ActDone || wire < onLine+3*time.Minute || lease < onLine+4*time.Minute {
		t.Errorf("%s, with %s of the %s on its way, under way for %s", act.State, wire, onLine, lease)
	}
}

// noise is a picture of so many lines and columns that nothing makes smaller.
func noise(tb testing.TB, n int) *bytes.Buffer {
	tb.Helper()
	img := image.NewNRGBA(image.Rect(0, 0, n, n))
	_, _ = rand.NewChaCha8([32]byte{}).Read(img.Pix) // never fails
	var content bytes.Buffer
	MustDo(tb, png.Encode(&content, img))
	return &content
}

// TestDesk_AddAttachments_AskedAgain: after a doubt the same files go out with the same key,
// whatever is chosen then; after a refusal others do, as another act.
func TestDesk_AddAttachments_AskedAgain(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	uid := f.MustWaitForAttachment(t)
	f.service.acts.err = &authorization.Doubtful{Err: errors.New("cut")}
	if c := f.MustAdd(t, uid, "laudo.png"); len(c.FilesInDoubt(0)) != 1 {
		t.Errorf("in doubt: %+v", c.FilesInDoubt(0))
	}
	f.service.acts.err = problem.New(problem.Conflict, "Ilegível.")
	f.MustAdd(t, uid, "outro.png", "mais.png")
	f.service.acts.err = nil
	c := f.MustAdd(t, uid, "legivel.png")
	got := f.service.acts
	if len(c.Acts) != 2 || got.asked[0] != got.asked[1] || got.asked[1] == got.asked[2] || !slices.Equal(got.files[0], got.files[1]) ||
		len(c.Acts[1].Files) != 1 || c.Acts[1].Files[0].Name != "legivel.png" {
		t.Errorf("acts %+v, asked %+v with %+v", c.Acts, got.asked, got.files)
	}
	for _, a := range c.Attachments {
		if a.Name == "outro.png" {
			t.Error("a file that did not go out stands on the case")
		}
	}
}

// TestDesk_AddAttachments_OtherCase: where the service spells the identifier of the guide with other letters meanwhile,
// the case has no news, and the same files go out with the same key.
func TestDesk_AddAttachments_OtherCase(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustEnd(t, f.awaitsAttachment())[0]
	f.service.recourse, f.service.acts.err = follows, &authorization.Doubtful{Err: errors.New("cut")}
	f.MustAdd(t, uid, "laudo.png")
	told := f.MustCase(t, uid).Answer.Authorizations[0]
	f.service.Stand(told)
	told.GuideID = strings.ToUpper(told.GuideID)
	f.service.standing["g-1"] = told
	f.MustFollow(t, time.Hour)
	if c := f.MustCase(t, uid); len(f.service.Looked()) != 1 || len(c.Answers) != 1 {
		t.Errorf("asked about %q, %d answers", f.service.Looked(), len(c.Answers))
	}
	told.Protocol = "P-77"
	f.service.standing["g-1"] = told
	f.MustFollow(t, 24*time.Hour)
	if c := f.MustCase(t, uid); c.Answer.Authorizations[0].Protocol != "P-77" || len(c.FilesInDoubt(0)) != 1 {
		t.Errorf("got %+v, in doubt %+v", c.Answer.Authorizations[0], c.FilesInDoubt(0))
	}
	f.service.acts.err = nil
	f.MustAdd(t, uid, "outro.png")
	if got := f.service.acts; len(got.asked) != 2 || got.asked[0] != got.asked[1] || !slices.Equal(got.files[0], got.files[1]) {
		t.Errorf("asked %+v with %+v", got.asked, got.files)
	}
}

// TestDesk_AddAttachments_AskedForMore: files in doubt are over once the operator went on and asks for another document:
// what is chosen then goes out, with a key of its own.
func TestDesk_AddAttachments_AskedForMore(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	uid := f.MustEnd(t, f.awaitsAttachment())[0]
	f.service.recourse, f.service.acts.err = follows, &authorization.Doubtful{Err: errors.New("cut")}
	if c := f.MustAdd(t, uid, "laudo.png"); len(c.FilesInDoubt(0)) != 1 || !c.ActInDoubt() {
		t.Fatalf("in doubt: %+v", c.Acts)
	}
	for _, status := range []authorization.Status{authorization.UnderAnalysis, authorization.AwaitingAttachment} {
		f.service.Stand(authorization.Authorization{GuideID: "g-1", Success: true, Status: status})
		f.MustFollow(t, time.Hour)
	}
	if c := f.MustCase(t, uid); c.Status != authorization.AwaitingAttachment || len(c.FilesInDoubt(0)) != 0 || c.ActInDoubt() {
		t.Errorf("%s, in doubt: %+v", c.Status, c.FilesInDoubt(0))
	}
	f.service.acts.err = nil
	c := f.MustAdd(t, uid, "exame.png")
	got := f.service.acts
	if len(c.Acts) != 2 || got.asked[0] == got.asked[1] || got.files[1][0].Name != "exame.png" {
		t.Errorf("acts %+v, asked %+v with %+v", c.Acts, got.asked, got.files)
	}
}

// TestDesk_AddAttachments_Denied: what is no document, not asked for or not announced is not sent.
func TestDesk_AddAttachments_Denied(t *testing.T) {
	t.Parallel()
	takes := authorization.Offers{Attachments: true}
	for name, tt := range map[string]struct {
		by     permission.Actor
		status authorization.Status
		offers authorization.Offers
		seen   int
		files  []string
		code   problem.Code
	}{
		"Nothing":      {ana, authorization.AwaitingAttachment, takes, 1, nil, problem.Invalid},
		"NoDocument":   {ana, authorization.AwaitingAttachment, takes, 1, []string{"laudo.txt"}, problem.Unsupported},
		"TooMany":      {ana, authorization.AwaitingAttachment, takes, 1, slices.Repeat([]string{"a.png"}, 12), problem.TooLarge},
		"Changed":      {ana, authorization.AwaitingAttachment, takes, 2, []string{"laudo.png"}, problem.Conflict},
		"OtherUnit":    {bia, authorization.AwaitingAttachment, takes, 1, []string{"laudo.png"}, problem.NotFound},
		"Authorized":   {ana, authorization.Authorized, takes, 1, []string{"laudo.png"}, problem.Conflict},
		"NotAnnounced": {ana, authorization.AwaitingAttachment, authorization.Offers{}, 1, []string{"laudo.png"}, problem.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.MustRun(t)
			uid := f.MustAuthorize(t, tt.status)
			f.service.acts.offers = tt.offers
			before := len(f.MustCase(t, uid).Attachments)
			if err := f.add(t, tt.by, uid, tt.seen, tt.files...); !problem.Is(err, tt.code) {
				t.Errorf("got %v, want %s", err, tt.code)
			}
			if c := f.MustCase(t, uid); len(f.service.acts.asked) != 0 || len(c.Acts) != 0 || len(c.Attachments) != before {
				t.Error("the service was asked, or something was kept")
			}
		})
	}
}

// TestDesk_AddAttachments_Several: files in doubt about one authorization are those of no other.
func TestDesk_AddAttachments_Several(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	several := answered(authorization.AwaitingAttachment, authorization.AwaitingAttachment)
	several.Answer.Authorizations[0].GuideID, several.Answer.Authorizations[1].GuideID = "g-1", "g-2"
	f.service.Script(several)
	uid := f.MustSubmit(t, ana, nil)
	f.MustBecome(t, uid, desk.Answered)
	f.service.acts = acts{offers: authorization.Offers{Attachments: true}, err: &authorization.Doubtful{Err: errors.New("cut")}}
	for _, to := range []struct {
		place int
		name  string
	}{{0, "laudo.png"}, {1, "pedido.png"}, {0, "outro.png"}, {1, "mais.png"}} {
		MustDo(t, f.AddAttachments(t.Context(), ana, uid, func(keep desk.KeepFile) (desk.LaterFiles, error) {
			return desk.LaterFiles{Authorization: to.place, Answers: 1}, keep(to.name, picture(t, len(to.name)))
		}))
		MustDo(t, f.AwaitAct(t.Context(), ana, uid, time.Minute))
	}
	for i, want := range []struct{ guide, file string }{
		{"g-1", "laudo.png"}, {"g-2", "pedido.png"}, {"g-1", "laudo.png"}, {"g-2", "pedido.png"},
	} {
		if asked, sent := f.service.acts.asked[i], f.service.acts.files[i]; asked.GuideID != want.guide || sent[0].Name != want.file {
			t.Errorf("%d: %+v got %+v, want %+v", i, asked, sent, want)
		}
	}
	if c := f.MustCase(t, uid); len(c.Acts) != 2 || len(c.FilesInDoubt(0)) != 1 || len(c.FilesInDoubt(2)) != 0 {
		t.Errorf("acts %+v", c.Acts)
	}
}

// TestDesk_AddAttachments_OtherPlace: files go only to an authorization that waits for them, not to
// another of the same answer.
func TestDesk_AddAttachments_OtherPlace(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	several := answered(authorization.AwaitingAttachment, authorization.UnderAnalysis)
	several.Answer.Authorizations[0].GuideID, several.Answer.Authorizations[1].GuideID = "g-1", "g-2"
	f.service.Script(several)
	uid := f.MustSubmit(t, ana, nil)
	f.MustBecome(t, uid, desk.Answered)
	f.service.acts = acts{offers: authorization.Offers{Attachments: true}}
	for _, place := range []int{-1, 1, 2} {
		err := f.AddAttachments(t.Context(), ana, uid, func(keep desk.KeepFile) (desk.LaterFiles, error) {
			return desk.LaterFiles{Authorization: place, Answers: 1}, keep("laudo.png", picture(t, 9))
		})
		if !problem.Is(err, problem.Conflict) || len(f.service.acts.asked) != 0 {
			t.Errorf("place %d: got %v after %+v", place, err, f.service.acts.asked)
		}
	}
}
