package s3_test

import (
	"io"
	"math/rand/v2"
	"testing"

	"guiche/internal/blob/s3"
	"guiche/internal/limittest"
)

// BenchmarkStore_Memory reports by how much the peak of 200 MB that go into the bucket and come
// back passes that of 1 MB: heap in use and, on Linux, resident memory. The proxy before the
// server is in this process, too. The bar is 16 MiB.
func BenchmarkStore_Memory(b *testing.B) {
	p, ok := start(b)
	if !ok {
		return
	}
	s := p.open(b)
	small, large := func() { mustPass(b, s, 1_000_000) }, func() { mustPass(b, s, 200_000_000) }
	small() // what is allocated once is not counted
	var heap, resident float64
	for b.Loop() {
		smallHeap, smallRSS := limittest.Peak(small)
		largeHeap, largeRSS := limittest.Peak(large)
		heap, resident = max(heap, largeHeap-smallHeap), max(resident, largeRSS-smallRSS)
	}
	b.ReportMetric(heap, "heap-MiB")
	b.ReportMetric(resident, "rss-MiB")
	b.ReportMetric(0, "ns/op") // both sizes together are no operation
}

// mustPass puts so many bytes, which lie nowhere in memory, and reads them.
func mustPass(b *testing.B, s *s3.Store, size int64) {
	b.Helper()
	ctx, hold := s.Hold(b.Context())
	defer hold.End()
	info, err := s.Put(ctx, io.LimitReader(rand.NewChaCha8([32]byte{}), size))
	if err != nil || info.Size != size {
		b.Fatalf("put %d bytes: %v", info.Size, err)
	}
	f, err := s.Open(ctx, info.Ref)
	if err != nil {
		b.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, f); err != nil || n != size {
		b.Fatalf("read %d bytes: %v", n, err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
}
