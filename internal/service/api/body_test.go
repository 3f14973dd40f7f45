package api_test

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"guiche/internal/service/api"
)

// TestAPI_BrokenChunks: a body whose framing is wrong is the sender's fault
// (row 9), wherever a body is read.
func TestAPI_BrokenChunks(t *testing.T) {
	e := MustEnv(t, limits{})
	for path, kind := range map[string]string{authorizePath: "application/json",
		"/oauth/token": "application/x-www-form-urlencoded", "/api/v1/auth/login": "application/json"} {
		res := e.raw(fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nX-Api-Key: %s\r\nContent-Type: %s\r\nTransfer-Encoding: "+
			"chunked\r\n\r\n5\r\n{\"a\":\r\nzz\r\n", path, e.Key, kind))
		if res.Status != http.StatusBadRequest || !strings.Contains(res.Text, "O corpo chegou cortado.") {
			t.Errorf("%s: got %d %s", path, res.Status, res.Text)
		}
	}
}

// raw sends bytes as they are and returns the answer.
func (e *env) raw(request string) reply {
	e.tb.Helper()
	conn, err := net.Dial("tcp", e.Server.Listener.Addr().String())
	e.Must(err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, request)
	e.Must(err)
	res, err := http.ReadResponse(bufio.NewReader(conn), nil)
	e.Must(err)
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	e.Must(err)
	return reply{Status: res.StatusCode, Header: res.Header, Text: string(text)}
}

// TestAPI_TooManyLargeAttachments is row 10: whatever the size of what is too
// many, the refusal says that it is too many.
func TestAPI_TooManyLargeAttachments(t *testing.T) {
	e := MustEnv(t, limits{API: api.Limits{MaxAttachments: 2}})
	large := base64.StdEncoding.EncodeToString(make([]byte, 1<<20))
	for name, item := range map[string]any{"text": large, "object": map[string]any{"base64": large}} {
		for _, o := range []struct{ path, field, body string }{
			{authorizePath, "anexos", body(map[string]any{"anexos": []any{"JVBERi0xLjQK", "JVBERi0xLjQK", item}})},
			{"/api/v1/solicitacao", "solicitacao.anexos", `{"solicitacao":` + body(map[string]any{"anexos": []any{"JVBERi0xLjQK",
				"JVBERi0xLjQK", item, item}}) + `}`},
		} {
			res := e.Send(http.MethodPost, o.path, strings.NewReader(o.body), nil)
			checkRefusal(t, res, http.StatusUnprocessableEntity)
			if got := res.Fields(); got[0] != o.field+" limite" {
				t.Errorf("%s %s: got %q, want %s limite", o.path, name, got, o.field)
			}
		}
	}
}
