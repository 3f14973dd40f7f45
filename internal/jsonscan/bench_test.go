package jsonscan_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"runtime"
	"testing"
	"time"

	"guiche/internal/jsonscan"
)

// hashSink hashes what it is given, as a blob store does, and notes the heap.
func hashSink(peak *uint64) jsonscan.Sink {
	return func(_ context.Context, r io.Reader) (string, int64, error) {
		h := sha256.New()
		n, err := io.Copy(h, &heapWatch{r: r, peak: peak})
		return hex.EncodeToString(h.Sum(nil)), n, err
	}
}

// heapWatch notes the largest heap seen while reading, every MiB.
type heapWatch struct {
	r    io.Reader
	peak *uint64
	read int
}

func (w *heapWatch) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if before := w.read; before>>20 != (before+n)>>20 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		*w.peak = max(*w.peak, m.HeapAlloc)
	}
	w.read += n
	return n, err
}

// base64Text streams {"anexos":["…"]} without holding it.
func base64Text(size int64) io.Reader {
	pattern := []byte(base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("guiche "), 3<<10)))
	content := &repeat{pattern: pattern, left: size * 4 / 3 / 4 * 4}
	return io.MultiReader(bytes.NewReader([]byte(`{"anexos":["`)), content, bytes.NewReader([]byte(`"]}`)))
}

type repeat struct {
	pattern []byte
	at      int
	left    int64
}

func (r *repeat) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(int64(len(p)), r.left)], r.pattern[r.at:])
	r.at = (r.at + n) % len(r.pattern)
	r.left -= int64(n)
	return n, nil
}

// BenchmarkRead tells the largest heap while one string of the size passes, and
// how the time compares with only hashing the same bytes.
func BenchmarkRead(b *testing.B) {
	for _, size := range []int64{20 << 20, 200 << 20} {
		b.Run(fmt.Sprintf("%dMiB", size>>20), func(b *testing.B) {
			var peak uint64
			b.SetBytes(size)
			for b.Loop() {
				if _, err := jsonscan.Read(b.Context(), base64Text(size), hashSink(&peak), jsonscan.Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(peak)/(1<<20), "peak-heap-MiB")
			b.ReportMetric(float64(b.Elapsed())/float64(b.N)/float64(hashTime(size)), "times-hashing")
		})
	}
}

func hashTime(size int64) time.Duration {
	start := time.Now()
	h := sha256.New()
	_, _ = io.Copy(h, &repeat{pattern: bytes.Repeat([]byte("guiche "), 4<<10), left: size})
	return time.Since(start)
}
