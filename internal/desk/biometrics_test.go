package desk_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	_ "image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// token is what an operator sent to a beneficiary.
const token = "7719-tokendobeneficiario-4402"

// MustWaitForBiometrics returns a case whose operator takes biometrics through the service, which
// authorizes it then.
func (f *fixture) MustWaitForBiometrics(tb testing.TB) uuid.UUID {
	tb.Helper()
	uid := f.MustAuthorize(tb, authorization.AwaitingBiometrics)
	f.service.acts = acts{offers: authorization.Offers{Biometrics: true},
		told: authorization.Authorization{GuideID: "g-1", Success: true, Status: authorization.Authorized}}
	return uid
}

func (f *fixture) MustSendBiometrics(tb testing.TB, uid uuid.UUID, given desk.BiometricsGiven) desk.Case {
	tb.Helper()
	given.Answers = len(f.MustCase(tb, uid).Answers)
	MustDo(tb, f.SendBiometrics(tb.Context(), ana, uid, given))
	MustDo(tb, f.AwaitAct(tb.Context(), ana, uid, time.Minute))
	return f.MustCase(tb, uid)
}

// keeps reports whether any file of the installation, its database or its log holds some bytes.
func (f *fixture) keeps(tb testing.TB, secret []byte) (found bool) {
	tb.Helper()
	MustDo(tb, filepath.WalkDir(f.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		found = found || bytes.Contains(content, secret)
		return err
	}))
	return found || bytes.Contains(f.log.Bytes(), secret) || strings.Contains(f.db.Held(tb), string(secret))
}

// TestDesk_SendBiometrics: captures go out once, as they were given, and are kept nowhere.
func TestDesk_SendBiometrics(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	uid := f.MustWaitForBiometrics(t)
	c := f.MustSendBiometrics(t, uid, desk.BiometricsGiven{Token: " " + token + " "})
	act, _ := c.LastAct()
	if c.Status != authorization.Authorized || len(c.Answers) != 2 || act.Kind != desk.ActBiometrics || act.State != desk.ActDone {
		t.Errorf("the case is %s after %+v", c.Status, act)
	}
	got := f.service.acts
	if len(got.asked) != 1 || got.asked[0].Key != act.UID.String() || len(got.captures) != 1 || string(got.captures[0].Data) != token ||
		got.captures[0].Kind != authorization.CaptureToken {
		t.Errorf("the service got %+v, %d captures", got.asked, len(got.captures))
	}
	if f.keeps(t, []byte(token)) {
		t.Error("the token was kept")
	}
	again := desk.BiometricsGiven{Answers: 2, Token: token}
	if err := f.SendBiometrics(t.Context(), ana, uid, again); !problem.Is(err, problem.Conflict) || len(f.service.acts.asked) != 1 {
		t.Errorf("once more: got %v, asked %d times", err, len(f.service.acts.asked))
	}
}

// TestDesk_SendBiometrics_AskedAgain: after a doubt the captures are given anew for the same act,
// with the same key; after a refusal it is another one.
func TestDesk_SendBiometrics_AskedAgain(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	uid := f.MustWaitForBiometrics(t)
	for _, tt := range []struct {
		err   error
		state desk.ActState
	}{
		{&authorization.Doubtful{Err: errors.New("cut")}, desk.ActDoubtful},
		{problem.New(problem.Conflict, "Token vencido."), desk.ActRefused},
		{nil, desk.ActDone},
	} {
		f.service.acts.err = tt.err
		c := f.MustSendBiometrics(t, uid, desk.BiometricsGiven{Token: token})
		if act, _ := c.LastAct(); act.State != tt.state || c.ActInDoubt() != (tt.state == desk.ActDoubtful) {
			t.Errorf("got %+v, in doubt %v, want %s", act, c.ActInDoubt(), tt.state)
		}
	}
	if asked := f.service.acts.asked; asked[0] != asked[1] || asked[1] == asked[2] {
		t.Errorf("asked %+v", asked)
	}
	if f.keeps(t, []byte(token)) {
		t.Error("the token of a doubt was kept")
	}
}

// TestDesk_SendBiometrics_Denied: what is no capture, not asked for or not announced is not sent.
func TestDesk_SendBiometrics_Denied(t *testing.T) {
	t.Parallel()
	takes := authorization.Offers{Biometrics: true}
	given := desk.BiometricsGiven{Answers: 1, Token: token}
	for name, tt := range map[string]struct {
		by     permission.Actor
		status authorization.Status
		given  desk.BiometricsGiven
		offers authorization.Offers
		code   problem.Code
	}{
		"Nothing": {ana, authorization.AwaitingBiometrics, desk.BiometricsGiven{Answers: 1}, takes, problem.Invalid},
		"NoPhoto": {ana, authorization.AwaitingBiometrics, desk.BiometricsGiven{Answers: 1, Photo: []byte("x")}, takes, problem.Invalid},
		"PhotoThatIsAPDF": {ana, authorization.AwaitingBiometrics, desk.BiometricsGiven{Answers: 1, Photo: []byte(scriptPDF)},
			takes, problem.Invalid},
		"PhotoTooLarge": {ana, authorization.AwaitingBiometrics, desk.BiometricsGiven{Answers: 1,
			Photo: append(pictureBytes(t, 1), make([]byte, desk.MaxCapturePhoto)...)}, takes, problem.Invalid},
		"LongToken": {ana, authorization.AwaitingBiometrics, desk.BiometricsGiven{Answers: 1, Token: strings.Repeat("9", 61)},
			takes, problem.Invalid},
		"OtherUnit":    {bia, authorization.AwaitingBiometrics, given, takes, problem.NotFound},
		"Authorized":   {ana, authorization.Authorized, given, takes, problem.Conflict},
		"NotAnnounced": {ana, authorization.AwaitingBiometrics, given, authorization.Offers{}, problem.Conflict},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			f.MustRun(t)
			uid := f.MustAuthorize(t, tt.status)
			f.service.acts.offers = tt.offers
			if err := f.SendBiometrics(t.Context(), tt.by, uid, tt.given); !problem.Is(err, tt.code) {
				t.Errorf("got %v, want %s", err, tt.code)
			}
			if len(f.service.acts.asked) != 0 || len(f.MustCase(t, uid).Acts) != 0 {
				t.Error("the service was asked, or an act was kept")
			}
		})
	}
}

// TestDesk_SendBiometrics_Photo: a photo goes out upright and without what its camera wrote beside it,
// before the token, and is kept nowhere.
func TestDesk_SendBiometrics_Photo(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	f.MustRun(t)
	uid := f.MustWaitForBiometrics(t)
	secret, clean := []byte("feita no balcao 4402"), pictureBytes(t, 7)
	end := len(clean) - 12 // of the chunk IEND
	photo := slices.Concat(clean[:end], pngChunk("tEXt", append([]byte("Comment\x00"), secret...)), clean[end:])
	f.MustSendBiometrics(t, uid, desk.BiometricsGiven{Photo: photo, Token: token})
	got := f.service.acts.captures
	if len(got) != 2 || got[0].Kind != authorization.CaptureFace || got[1].Kind != authorization.CaptureToken {
		t.Fatalf("the service got %d captures", len(got))
	}
	sent, _, err := image.Decode(bytes.NewReader(got[0].Data))
	if err != nil || sent.Bounds().Dx() != 8 || bytes.Contains(got[0].Data, secret) {
		t.Errorf("got %v with %v, want the picture alone", sent, err)
	}
	if f.keeps(t, secret) || f.keeps(t, got[0].Data) {
		t.Error("the photo was kept")
	}
}

// pngChunk is one chunk of a PNG file.
func pngChunk(kind string, data []byte) []byte {
	chunk := append([]byte(kind), data...)
	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(len(data))), chunk, crc(chunk))
}

func pictureBytes(tb testing.TB, n int) []byte {
	tb.Helper()
	b, err := io.ReadAll(picture(tb, n))
	MustDo(tb, err)
	return b
}
