package guide_test

import (
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"codeberg.org/go-pdf/fpdf"

	"guiche/internal/guide"
)

// empty writes a page with nothing on it: what the library costs without a guide.
func empty(b *testing.B) {
	b.Helper()
	pdf := fpdf.New("L", "pt", "A4", "")
	pdf.AddPage()
	if err := pdf.Output(io.Discard); err != nil {
		b.Fatal(err)
	}
}

func write(b *testing.B, sheets ...guide.Sheet) {
	b.Helper()
	if err := guide.Write(io.Discard, sheets...); err != nil {
		b.Fatal(err)
	}
}

// ratio reports how many times longer work takes than base, their garbage included.
// Both are done in turns, so that whatever else the machine does meets both.
func ratio(b *testing.B, turns int, base, work func()) {
	b.Helper()
	timed := func(f func()) time.Duration {
		start := time.Now()
		f()
		return time.Since(start)
	}
	work() // the fonts are prepared once
	var one, other time.Duration
	for b.Loop() {
		for range turns {
			one += timed(base)
			other += timed(work)
		}
	}
	b.ReportMetric(float64(other)/float64(one), "ratio")
	b.ReportMetric(float64(other)/float64(b.N*turns)/float64(time.Millisecond), "ms")
	b.ReportMetric(0, "ns/op") // a round is no operation
}

// BenchmarkWrite compares one guide with an empty PDF of the same library
// (expected under 10).
func BenchmarkWrite(b *testing.B) {
	s := sample(5)
	ratio(b, 400, func() { empty(b) }, func() { write(b, s) })
}

// BenchmarkWrite_hundred compares a hundred guides in one PDF with one guide
// (expected under 100: the fonts are there once), and reports how much more memory
// is in use at most than before.
func BenchmarkWrite_hundred(b *testing.B) {
	sheets := make([]guide.Sheet, 100)
	for i := range sheets {
		sheets[i] = sample(5)
	}
	ratio(b, 20, func() { write(b, sheets[0]) }, func() { write(b, sheets...) })
	b.ReportMetric(float64(peak(func() { write(b, sheets...) }))/(1<<20), "peak-MiB")
}

// peak returns by how much the heap grows while f runs, garbage included.
func peak(f func()) uint64 {
	var before, now runtime.MemStats
	var most atomic.Uint64
	runtime.GC()
	runtime.ReadMemStats(&before)
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for tick := time.NewTicker(time.Millisecond); ; {
			runtime.ReadMemStats(&now)
			most.Store(max(most.Load(), now.HeapInuse))
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
			}
		}
	}()
	f()
	close(done)
	<-stopped
	return most.Load() - min(most.Load(), before.HeapInuse)
}
