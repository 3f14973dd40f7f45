package form

import (
	"strconv"

	"guiche/internal/desk"
)

// Biometrics reads for which authorization biometrics are given, from "autorizacao" and "visto", and
// the token; a photo is no text.
func (f *Form) Biometrics() desk.BiometricsGiven {
	about := f.Cancellation()
	return desk.BiometricsGiven{Authorization: about.Authorization, Answers: about.Answers, Token: f.Line("token")}
}

// Cancellation reads why an authorization is to be cancelled, from "autorizacao", which may be
// left out where there is one, and "motivo".
func (f *Form) Cancellation() desk.Cancellation {
	place, err := strconv.Atoi(f.Raw("autorizacao"))
	if err != nil && f.Raw("autorizacao") != "" {
		place = -1 // of no authorization
	}
	return desk.Cancellation{Authorization: place, Answers: f.Answers(), Reason: f.Text("motivo")}
}
