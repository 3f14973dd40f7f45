package api_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
)

// TestAPI_RequestID: the id that a sender gives its request is answered, logged and
// kept in the ledger; anything but a UUID is replaced.
func TestAPI_RequestID(t *testing.T) {
	const given = "0198a000-0000-4000-8000-00000000000a"
	for name, c := range map[string]struct {
		header []string
		kept   bool
	}{"given": {[]string{given}, true}, "none": {nil, false}, "a word": {[]string{"CANARIO"}, false}, "two": {[]string{given, given}, false}} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			r := e.Post(body(nil), http.Header{"X-Request-Id": c.header})
			id := r.Header.Get("X-Request-Id")
			if uuid.Validate(id) != nil || (id == given) != c.kept {
				t.Fatalf("got %q, want the given one: %v", id, c.kept)
			}
			guide := r.Entry()["guiaId"].(string)
			done := e.Act(guide, "cancelamento", someReason, http.Header{"X-Request-Id": c.header})
			want := id + " " + done.Header.Get("X-Request-Id")
			if got := strings.Join(e.Texts(`SELECT x_request_id FROM request UNION ALL SELECT x_request_id FROM act`), " "); got != want {
				t.Errorf("the ledger has %q, want %q", got, want)
			}
			if !strings.Contains(e.Log.String(), "msg=request id="+id+" method=POST") {
				t.Errorf("the log does not say %s: %s", id, e.Log.String())
			}
		})
	}
}
