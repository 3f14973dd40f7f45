package api_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestAPI_Token_Unmeasured: a form that does not say how long it is is read to its end or
// refused, and never cut where the room ends.
func TestAPI_Token_Unmeasured(t *testing.T) {
	e := MustEnv(t, limits{})
	p := e.MustPartner(t)
	form := grant(p.Client.ID.String(), p.Secret).Encode() + "&audience="
	const room = 64 << 10
	for size, want := range map[int]int{1000: http.StatusOK, room: http.StatusOK, room + 1: http.StatusRequestEntityTooLarge,
		3 * room: http.StatusRequestEntityTooLarge} {
		text := form + strings.Repeat("x", size-len(form))
		got := e.Send(http.MethodPost, "/oauth/token", io.MultiReader(strings.NewReader(text)),
			http.Header{"Content-Type": {"application/x-www-form-urlencoded"}, "X-Api-Key": nil})
		if got.Status != want {
			t.Errorf("%d bytes: got %d, want %d", size, got.Status, want)
		}
	}
}
