package form

import (
	"cmp"
	"net/http"

	"guiche/internal/problem"
)

// VersionField is the field of a form with the version of what its page showed.
const VersionField = "versao"

// VersionToSend is the version for a form that is shown again: the one over which it was filled,
// until the person was told of a change; that of now on a page that is opened.
func VersionToSend(seen, now string, fields []problem.Field) string {
	if problem.IsChanged(fields) {
		return now
	}
	return cmp.Or(seen, now)
}

// Status is 422 for a form that is shown again because of its fields, 409 for what changed
// meanwhile, else 200.
func Status(fields []problem.Field) int {
	switch {
	case problem.IsChanged(fields):
		return http.StatusConflict
	case len(fields) > 0:
		return http.StatusUnprocessableEntity
	}
	return http.StatusOK
}
