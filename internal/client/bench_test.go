package client_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/client/faultservice"
	"guiche/internal/limittest"
)

// mustBenchPair has a service that reads bodies to their end and keeps nothing.
func mustBenchPair(b *testing.B) pair {
	b.Helper()
	service, blobs := MustService(b, faultservice.Config{KeepBody: -1}), newFolder(b)
	return pair{MustClient(b, service.URL(), blobs), service, blobs}
}

func mustSend(b *testing.B, p pair, r authorization.Request) {
	b.Helper()
	if x := p.Send(context.Background(), dispatch(r)); x.HTTPStatus != http.StatusOK {
		b.Fatalf("exchange: got %+v, want 200", x)
	}
}

// BenchmarkClient_Send_Memory reports by how much the peak of sending 200 MB
// passes the peak of sending 1 MB: heap in use and, on Linux, resident memory.
// Client and service share the process, so both count. The bar is 16 MiB.
func BenchmarkClient_Send_Memory(b *testing.B) {
	p := mustBenchPair(b)
	small, large := p.attached(b, 1_000_000), p.attached(b, 200_000_000)
	mustSend(b, p, small) // what is allocated once is not counted
	var heap, resident float64
	for b.Loop() {
		smallHeap, smallRSS := limittest.Peak(func() { mustSend(b, p, small) })
		largeHeap, largeRSS := limittest.Peak(func() { mustSend(b, p, large) })
		heap = max(heap, largeHeap-smallHeap)
		resident = max(resident, largeRSS-smallRSS)
	}
	b.ReportMetric(heap, "heap-MiB")
	b.ReportMetric(resident, "rss-MiB")
}

// BenchmarkClient_Send_Throughput reports how long sending 200 MB takes compared
// to the usual way (all in memory, json.Marshal) and to hashing the same file, in
// Go and by sha256sum. Less than 1 means faster than that.
func BenchmarkClient_Send_Throughput(b *testing.B) {
	p := mustBenchPair(b)
	r := p.attached(b, 200_000_000)
	file := filepath.Join(p.blobs.path, string(r.Attachments[0].Blob))
	program, _ := exec.LookPath("sha256sum")
	var stream, marshal, hash, external time.Duration
	for b.Loop() {
		stream += timed(func() { mustSend(b, p, r) })
		marshal += timed(func() { sendMarshalled(b, p.service.URL(), file) })
		hash += timed(func() { hashFile(b, file) })
		if program != "" {
			external += timed(func() { runHash(b, program, file) })
		}
	}
	b.ReportMetric(float64(stream)/float64(marshal), "of-marshal")
	b.ReportMetric(float64(stream)/float64(hash), "of-sha256")
	if program != "" {
		b.ReportMetric(float64(stream)/float64(external), "of-sha256sum")
	}
	b.ReportMetric(200*float64(b.N)/stream.Seconds(), "file-MB/s")
}

func timed(work func()) time.Duration {
	start := time.Now()
	work()
	return time.Since(start)
}

func sendMarshalled(b *testing.B, url, file string) {
	b.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	type attachment struct {
		Base64 []byte `json:"base64"`
	}
	body, err := json.Marshal(map[string]any{"guiaPrestador": "1", "anexos": []attachment{{data}}})
	if err != nil {
		b.Fatal(err)
	}
	resp, err := http.Post(url+faultservice.SubmitPath, "application/json", bytes.NewReader(body))
	if err != nil {
		b.Fatal(err)
	}
	_, _ = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
}

func hashFile(b *testing.B, file string) {
	b.Helper()
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if _, err := io.Copy(sha256.New(), f); err != nil {
		b.Fatal(err)
	}
}

func runHash(b *testing.B, program, file string) {
	b.Helper()
	if err := exec.Command(program, file).Run(); err != nil {
		b.Fatal(err)
	}
}
