package api_test

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/access"
	"guiche/internal/service/api"

	"github.com/google/uuid"
)

// TestAPI_RetryAfter is rows 8 to 10: Retry-After is right to the second, and
// the rate is looked at before anything of the body.
func TestAPI_RetryAfter(t *testing.T) {
	e := MustEnv(t, limits{})
	admin := e.Admin
	for _, rate := range []int{1, 7, 50, 61, 600} {
		t.Run(strconv.Itoa(rate), func(t *testing.T) {
			p := access.Profile{ID: uuid.New(), Name: "Com ritmo", Methods: access.Methods(), Scopes: access.Scopes(), Rate: rate}
			e.Must(admin.PutProfile(t.Context(), p))
			key, err := admin.MintKey(t.Context(), p.ID, 0)
			e.Must(err)
			ask := func() reply {
				return e.Send(http.MethodPost, authorizePath, strings.NewReader("{"), http.Header{"X-Api-Key": {key}, "Content-Type": {"text/plain"}})
			}
			for range rate {
				checkRefusal(t, ask(), http.StatusUnsupportedMediaType)
			}
			res := ask()
			checkRefusal(t, res, http.StatusTooManyRequests)
			seconds, err := strconv.Atoi(res.Header.Get("Retry-After"))
			if err != nil || seconds < 1 {
				t.Fatalf("Retry-After: got %q", res.Header.Get("Retry-After"))
			}
			if seconds > 1 {
				e.Clock.Move(time.Duration(seconds-1) * time.Second)
				checkRefusal(t, ask(), http.StatusTooManyRequests)
			}
			e.Clock.Move(time.Second)
			checkRefusal(t, ask(), http.StatusUnsupportedMediaType)
		})
	}
}

// TestLimits_WithDefaults is rows 9 to 14: the numbers that nobody set.
func TestLimits_WithDefaults(t *testing.T) {
	l := api.Limits{}.WithDefaults()
	if l.MaxBody != 96<<20 || l.MaxAttachment != 20<<20 || l.MaxAttachments != 20 || l.MaxKey != 255 ||
		l.MaxCaptures != 10 || l.PageSize != 50 || l.MaxPageSize != 200 {
		t.Errorf("got %+v", l)
	}
}

// TestAPI_BodyLimit is row 10, with a sender that asks before it sends: 96 MiB
// are let through, one byte more is not.
func TestAPI_BodyLimit(t *testing.T) {
	e := MustEnv(t, limits{})
	for size, want := range map[int]int{96 << 20: http.StatusContinue, 96<<20 + 1: http.StatusRequestEntityTooLarge} {
		got := e.raw(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Type: application/json\r\nExpect: "+
			"100-continue\r\nContent-Length: %d\r\n\r\n",
			authorizePath, e.Key, size))
		if got.Status != want {
			t.Errorf("%d bytes: got %d, want %d", size, got.Status, want)
		}
	}
}
