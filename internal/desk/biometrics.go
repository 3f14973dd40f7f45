package desk

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/document"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// MaxCapturePhoto is how large a photo of a beneficiary may be, in bytes. It stays in memory,
// and in base64 within what a service takes.
const MaxCapturePhoto = 5 << 20

// maxToken is how long a typed token may be, in characters.
const maxToken = 60

// BiometricsGiven is what a person gives for the biometrics of an authorization: a photo of the
// beneficiary, the token that the operator sent them, or both.
type BiometricsGiven struct {
	Authorization int // place in the answer
	Answers       int // that the case had when the person saw it
	Photo         []byte
	Token         string
}

// Collectable are the places of the authorizations whose biometrics the operator takes through
// the service; none where that does not offer it.
func (d *Desk) Collectable(c Case) (places []int) {
	if !d.Offers().Biometrics || c.Answer == nil {
		return nil
	}
	waits := []authorization.Status{authorization.AwaitingBiometrics, authorization.InvalidBiometrics}
	for i, a := range c.Answer.Authorizations {
		if d.takesActs(c, i) && slices.Contains(waits, a.Status) {
			places = append(places, i)
		}
	}
	return places
}

// SendBiometrics hands biometrics to the operator through the service, once. The captures are
// in memory until they are sent, and are kept nowhere; that they were sent is. What is wrong
// with them is problem.Invalid; a case that stands otherwise by now is problem.Conflict.
func (d *Desk) SendBiometrics(ctx context.Context, a permission.Actor, uid uuid.UUID, given BiometricsGiven) error {
	c, err := d.reachable(ctx, a, uid)
	if err != nil {
		return err
	}
	if given.Answers != len(c.Answers) || !slices.Contains(d.Collectable(c), given.Authorization) {
		return errNotNow()
	}
	captures, err := given.captures(ctx)
	if err != nil {
		return err
	}
	return d.act(ctx, a, c, Act{Kind: ActBiometrics, Place: given.Authorization}, audit.BiometricsSent,
		func(ctx context.Context, act Act) (authorization.Authorization, error) {
			return d.config.Service.Biometrics(ctx, act.onWire(), captures)
		})
}

// captures are what was given as the service takes it.
func (g BiometricsGiven) captures(ctx context.Context) (all []authorization.Capture, err error) {
	token := strings.TrimSpace(g.Token)
	switch {
	case len(g.Photo) == 0 && token == "":
		return nil, refusedCapture("captura", authorization.CodeRequired, "Tire a foto do beneficiário ou informe o token.")
	case utf8.RuneCountInString(token) > maxToken:
		return nil, problem.InvalidFields(tooLong("token", token, maxToken))
	}
	if len(g.Photo) > 0 {
		photo, err := cleanCapture(ctx, g.Photo)
		if err != nil {
			return nil, err
		}
		all = append(all, authorization.Capture{Kind: authorization.CaptureFace, Device: "câmera", Data: photo})
	}
	if token != "" {
		all = append(all, authorization.Capture{Kind: authorization.CaptureToken, Data: []byte(token)})
	}
	return all, nil
}

func refusedCapture(path, code, message string) error {
	return problem.InvalidFields([]problem.Field{{Path: path, Code: code, Message: message}})
}

// cleanCapture is a photo upright and without what its camera wrote beside it.
func cleanCapture(ctx context.Context, photo []byte) ([]byte, error) {
	limits := document.Limits{MaxFiles: 1, MaxFile: MaxCapturePhoto, MaxTotal: MaxCapturePhoto}
	info, err := document.Identify(bytes.NewReader(photo), "foto")
	if err == nil {
		info, err = document.Check(bytes.NewReader(photo), info.Name, limits)
	}
	if err != nil || photoKind(info.ContentType) == "" {
		return nil, refusedCapture("captura", authorization.CodeFormat,
			"A foto deve ser uma imagem JPG ou PNG de até "+document.FormatSize(MaxCapturePhoto)+".")
	}
	var clean bytes.Buffer
	if err := document.CleanPhoto(ctx, &clean, bytes.NewReader(photo), info); err != nil {
		return nil, fmt.Errorf("desk: clean a capture: %w", err)
	}
	return clean.Bytes(), nil
}
