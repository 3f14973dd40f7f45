package api_test

import (
	"bufio"
	"encoding/base64"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"

	"guiche/internal/limittest"
	"guiche/internal/service/api"
)

const mebibyte = 1 << 20

// BenchmarkService_Authorize_Memory reports by how much the peak of a request with
// an attachment of 200 MB passes the peak of one with 1 MB: heap in use and, on
// Linux, resident memory. Caller and service share the process, so both count. The
// bar is 16 MiB.
func BenchmarkService_Authorize_Memory(b *testing.B) {
	s := mustBenchService(b, limits{API: api.Limits{MaxBody: 300 * mebibyte, MaxAttachment: 200_000_000}})
	small, large := func() { s.mustAttach(1_000_000) }, func() { s.mustAttach(200_000_000) }
	small() // what is allocated once is not counted
	var heap, resident float64
	for b.Loop() {
		smallHeap, smallRSS := limittest.Peak(small)
		largeHeap, largeRSS := limittest.Peak(large)
		heap = max(heap, largeHeap-smallHeap)
		resident = max(resident, largeRSS-smallRSS)
	}
	b.ReportMetric(heap, "heap-MiB")
	b.ReportMetric(resident, "rss-MiB")
	b.ReportMetric(0, "ns/op") // both sizes together are no operation
}

// mustAttach asks for an authorization with an attachment of that many bytes,
// which lies nowhere as a whole, and sees that the operator is told of all of it.
func (s benchService) mustAttach(size int64) {
	s.tb.Helper()
	text := body(map[string]any{"guiaPrestador": s.guide(), "anexos": []any{"HERE"}})
	before, after, _ := strings.Cut(text, "HERE")
	content := base64Of(size)
	_, err := s.do(http.MethodPost, authorizePath, struct {
		io.Reader
		io.Closer
	}{io.MultiReader(strings.NewReader(before), content, strings.NewReader(after)), content})
	s.Must(err)
	if told := s.Operator.Told().Request.Attachments; len(told) != 1 || told[0].Size != size {
		s.tb.Fatalf("attachments: got %+v, want one of %d bytes", told, size)
	}
}

// base64Of streams so many bytes in base64; Close ends it early.
func base64Of(size int64) io.ReadCloser {
	reader, writer := io.Pipe()
	go func() {
		buffer := bufio.NewWriterSize(writer, 64<<10)
		encoder := base64.NewEncoder(base64.StdEncoding, buffer)
		_, err := io.CopyN(encoder, io.MultiReader(strings.NewReader("%PDF-"), rand.NewChaCha8([32]byte{})), size)
		if err == nil {
			err = encoder.Close()
		}
		if err == nil {
			err = buffer.Flush()
		}
		_ = writer.CloseWithError(err) // never fails
	}()
	return reader
}
