package api_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"guiche/internal/service/api"
	"guiche/internal/service/servicetest"
)

// TestAPI_Captures_Memory: captures wait for memory before their body is read, are told
// when there is none, and find it once others have gone.
func TestAPI_Captures_Memory(t *testing.T) {
	e := MustEnv(t, limits{API: api.Limits{CaptureMemory: 1000, CaptureWait: time.Millisecond}})
	id, _ := e.MustAuthorize("999930")
	conn, err := net.Dial("tcp", e.Server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	_, err = fmt.Fprintf(conn, "POST /api/v2/autorizacoes/%s/biometria HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\n"+
		"Content-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n", id, e.Key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(conn, make([]byte, len("HTTP/1.1 100 "))); err != nil { // its body is being read
		t.Fatal(err)
	}
	refused := e.Act(id, "biometria", someCapture, nil)
	if refused.Status != http.StatusServiceUnavailable || refused.Header.Get("Retry-After") == "" {
		t.Errorf("got %d, want 503 with Retry-After", refused.Status)
	}
	unmeasured := e.Send(http.MethodPost, servicetest.GuidePath(id)+"/biometria", io.MultiReader(strings.NewReader(someCapture)), nil)
	if unmeasured.Status != http.StatusServiceUnavailable {
		t.Errorf("a body that does not say how long it is: got %d, want 503", unmeasured.Status)
	}
	other := http.Header{"X-Api-Key": {e.MustPartner(t).Key}}
	if got := e.Act(id, "biometria", someCapture, other); got.Status != http.StatusNotFound {
		t.Errorf("another partner: got %d, want room, and 404 for a guide that is not theirs", got.Status)
	}
	e.StandsAt(id, "H")
	_ = conn.Close()
	for i := range 4 { // each gives its room back
		got := servicetest.Reply{Status: http.StatusServiceUnavailable}
		for end := time.Now().Add(time.Minute); got.Status == http.StatusServiceUnavailable && time.Now().Before(end); {
			got = e.Send(http.MethodPost, servicetest.GuidePath(id)+"/biometria", io.MultiReader(strings.NewReader(someCapture)), nil)
		}
		if got.Status == http.StatusServiceUnavailable || i == 0 && got.Status != http.StatusOK {
			t.Fatalf("capture %d: got %d, want the memory free again", i+1, got.Status)
		}
	}
}
