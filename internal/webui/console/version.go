package console

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"guiche/internal/problem"
	"guiche/internal/webui/form"
)

// versionField is the field of a form with the version of what its page showed.
const versionField = "versao"

// versionOf tells what is kept from what it is after any change.
func versionOf(kept any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%+v", kept))
	return hex.EncodeToString(sum[:8])
}

// checkSeen refuses a form that was filled over another version than what is kept: what
// somebody else changed meanwhile would be undone unseen.
func checkSeen(f *form.Form, kept any) error {
	if seen := f.Raw(versionField); seen != "" && seen != versionOf(kept) {
		return problem.NewChanged()
	}
	return nil
}

// versionToSend is the version for a form that is shown again: its own, until the person was
// told of a change.
func versionToSend(f *form.Form, kept any, fields []problem.Field) string {
	if problem.IsChanged(fields) {
		return versionOf(kept)
	}
	return f.Raw(versionField)
}
