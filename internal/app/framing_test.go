package app_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"guiche/internal/app"
)

// TestServer_Framing: a request whose end two servers in a row could see in different
// places is one request with one answer. What follows it, which the other server takes
// for its body, is answered by nobody.
func TestServer_Framing(t *testing.T) {
	t.Parallel()
	a, _ := start(t, app.Config{DataDir: t.TempDir()})
	const (
		next    = "GET /seguinte HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
		form    = "Host: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\n"
		chunked = "Transfer-Encoding: chunked\r\n"
		last    = "0\r\n\r\n"
	)
	for name, lines := range map[string]string{
		"LengthAndChunks":    form + "Content-Length: 6\r\n" + chunked + "\r\n" + last,
		"ChunksAndLength":    form + chunked + "Content-Length: 4\r\n\r\n" + last,
		"LongLength":         form + chunked + "Content-Length: 9000\r\n\r\n" + last,
		"ChunksTwice":        form + chunked + chunked + "\r\n" + last,
		"ChunksAndAnother":   form + chunked + "Transfer-Encoding: identity\r\n\r\n" + last,
		"ChunksInAList":      form + "Transfer-Encoding: gzip, chunked\r\n\r\n" + last,
		"ChunksMisspelt":     form + "Transfer-Encoding: xchunked\r\n\r\n" + last,
		"ChunksAfterTab":     form + "Transfer-Encoding:\tchunked\r\nContent-Length: 3\r\n\r\n" + last,
		"FoldedChunks":       form + "Transfer-Encoding:\r\n chunked\r\nContent-Length: 3\r\n\r\n" + last,
		"FoldedLength":       form + "Content-Length: 1\r\n 0\r\n\r\n0123456789",
		"SpaceBeforeColon":   form + "Transfer-Encoding : chunked\r\n\r\n" + last,
		"LengthTwice":        form + "Content-Length: 0\r\nContent-Length: 70\r\n\r\n",
		"LengthWithSign":     form + "Content-Length: +0\r\n\r\n",
		"LengthInAList":      form + "Content-Length: 0, 70\r\n\r\n",
		"ChunkEndsInLF":      form + chunked + "\r\n1\na\r\n" + last,
		"ChunkSizeTooLarge":  form + chunked + "\r\n1" + strings.Repeat("0", 17) + "\r\n",
		"ChunkSizeWithSign":  form + chunked + "\r\n-1\r\n" + last,
		"ChunkExtensionInLF": form + chunked + "\r\n1;a\n\r\na\r\n" + last,
		"BareLFInAName":      form + "X\nTransfer-Encoding: chunked\r\n\r\n" + last,
	} {
		for _, path := range []string{"/entrar", "/api/v1/auth/login", "/oauth/token", "/static/app.css"} {
			t.Run(name+strings.ReplaceAll(path, "/", "_"), func(t *testing.T) {
				t.Parallel()
				if got := answersTo(t, a.Address(), "POST "+path+" HTTP/1.1\r\n"+lines+next); len(got) != 1 {
					t.Errorf("got %d answers: %v", len(got), got)
				}
			})
		}
	}
	// RFC 9112, 2.2 lets a server take a lone LF for the end of a line.
	t.Run("LinesEndInLF", func(t *testing.T) {
		t.Parallel()
		got := answersTo(t, a.Address(), "GET /healthz HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n"+next)
		if len(got) != 1 || got[0] != http.StatusOK {
			t.Errorf("got %v, want one answer", got)
		}
	})
}

// answersTo sends bytes and returns the statuses of all that comes back until the
// connection ends.
func answersTo(t *testing.T, address, request string) (statuses []int) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_, _ = fmt.Fprint(conn, request) // a refusal may come before all is written
	for from := bufio.NewReader(conn); ; {
		r, err := http.ReadResponse(from, nil)
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return statuses
		}
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, r.Body)
		_ = r.Body.Close()
		statuses = append(statuses, r.StatusCode)
	}
}
