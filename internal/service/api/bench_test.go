package api_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// crowds are how many callers ask at the same time where throughput is measured;
// one credential has 8 places at its operator.
var crowds = []int{1, 8, 64}

// BenchmarkService_Authorize asks for authorizations over HTTP, guide PDF and all,
// and reports how much longer that takes than a bare handler that answers the same
// bytes, and than bringing 4 KiB to the same disk. The percentiles are of requests
// one after the other; "each" is the time per request with so many callers at once,
// the inverse of the throughput.
func BenchmarkService_Authorize(b *testing.B) {
	s := mustBenchService(b, limits{})
	s.mustHaveFolders()
	answer, err := s.authorize()
	s.Must(err)
	if !bytes.Contains(answer, []byte(`"pdfGuiaAutorizacao":"JVBERi0`)) {
		b.Fatalf("answer without guide PDF: %.300s", answer)
	}
	bare, disk := mustBare(b, answer), mustDisk(b)
	ask := func(c caller) func() error { return func() error { _, err := c.authorize(); return err } }
	b.Run("Alone", func(b *testing.B) {
		var ours, others, syncs times
		for b.Loop() {
			for range 300 {
				syncs.add(b, disk.sync)
				ours.add(b, ask(s.caller))
				others.add(b, ask(bare))
			}
		}
		b.ReportMetric(ours.at(50)/others.at(50), "p50-of-bare")
		b.ReportMetric(ours.at(99)/others.at(99), "p99-of-bare")
		b.ReportMetric(ours.at(50)/syncs.at(50), "p50-of-sync")
		b.ReportMetric(ours.at(99)/syncs.at(50), "p99-of-sync")
		b.ReportMetric(ours.at(50)/float64(time.Millisecond), "p50-ms")
		b.ReportMetric(ours.at(99)/float64(time.Millisecond), "p99-ms")
		b.ReportMetric(0, "ns/op") // a round is no operation
	})
	for _, callers := range crowds {
		b.Run(fmt.Sprint("Callers", callers), func(b *testing.B) {
			const requests = 192
			var syncs times
			var ours, others time.Duration
			for b.Loop() {
				for range 20 {
					syncs.add(b, disk.sync)
				}
				ours += mustEach(b, callers, requests, func(int) error { return ask(s.caller)() })
				others += mustEach(b, callers, requests, func(int) error { return ask(bare)() })
			}
			asked := float64(b.N * requests)
			b.ReportMetric(float64(ours)/float64(others), "each-of-bare")
			b.ReportMetric(float64(ours)/asked/syncs.at(50), "each-of-sync")
			b.ReportMetric(asked/ours.Seconds(), "per-second")
			b.ReportMetric(0, "ns/op") // a round is no operation
		})
	}
}

// caller sends requests to one server and keeps its connections.
type caller struct {
	url, key string
	client   *http.Client
	guides   *atomic.Int64 // numbers that were given to requests
}

func newCaller(tb testing.TB, handler http.Handler, key string) caller {
	server := httptest.NewServer(handler)
	transport := &http.Transport{MaxIdleConnsPerHost: slices.Max(crowds)}
	tb.Cleanup(func() { transport.CloseIdleConnections(); server.Close() })
	return caller{server.URL, key, &http.Client{Transport: transport}, new(atomic.Int64)}
}

// benchService is an environment whose service is reached without the check of
// what it answers, which takes longer than the answer.
type benchService struct {
	*env
	caller
}

func mustBenchService(b *testing.B, limits limits) benchService {
	b.Helper()
	e := MustEnv(b, limits)
	return benchService{e, newCaller(b, e.API.Handler(), e.Key)}
}

// mustHaveFolders makes the folders that a blob store gets in its first days, so
// that what is measured is not their making.
func (s benchService) mustHaveFolders() {
	s.tb.Helper()
	for i := range 256 {
		if err := os.Mkdir(filepath.Join(s.Dir, "blobs", fmt.Sprintf("%02x", i)), 0o700); !errors.Is(err, os.ErrExist) {
			s.Must(err)
		}
	}
}

// mustBare is a server that reads every request to its end and answers the bytes.
func mustBare(b *testing.B, answer []byte) caller {
	b.Helper()
	return newCaller(b, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		_, _ = w.Write(answer)
	}), "")
}

// authorize asks for an authorization that nobody asked for before.
func (c caller) authorize() ([]byte, error) {
	return c.do(http.MethodPost, authorizePath, strings.NewReader(body(map[string]any{"guiaPrestador": c.guide()})))
}

func (c caller) guide() string { return fmt.Sprintf("bench-%d", c.guides.Add(1)) }

// do returns an answer of 200; any other is an error.
func (c caller) do(method, path string, body io.Reader) ([]byte, error) {
	r, err := http.NewRequest(method, c.url+path, body)
	if err != nil {
		return nil, err
	}
	r.Header.Set("X-Api-Key", c.key)
	r.Header.Set("Content-Type", "application/json")
	res, err := c.client.Do(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err == nil && res.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s %s: got %d, want 200: %.300s", method, path, res.StatusCode, answer)
	}
	return answer, err
}

// disk is a file beside the service's.
type disk struct {
	file  *os.File
	block []byte
}

func mustDisk(b *testing.B) disk {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "block"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = f.Close() })
	return disk{f, bytes.Repeat([]byte("guiche.\n"), 512)}
}

// sync writes over the same 4 KiB and waits until they are on disk.
func (d disk) sync() error {
	if _, err := d.file.WriteAt(d.block, 0); err != nil {
		return err
	}
	return d.file.Sync()
}

// mustEach does n things, some at the same time, and returns how long all of them took.
func mustEach(b *testing.B, workers, n int, do func(i int) error) time.Duration {
	b.Helper()
	start := time.Now()
	failures := make([]error, workers)
	var next atomic.Int64
	var group sync.WaitGroup
	for worker := range failures {
		group.Go(func() {
			for i := next.Add(1); i <= int64(n) && failures[worker] == nil; i = next.Add(1) {
				failures[worker] = do(int(i))
			}
		})
	}
	group.Wait()
	took := time.Since(start)
	if err := errors.Join(failures...); err != nil {
		b.Fatal(err)
	}
	return took
}

// times are how long something took, each time.
type times []time.Duration

func (t *times) add(b *testing.B, do func() error) {
	b.Helper()
	start := time.Now()
	if err := do(); err != nil {
		b.Fatal(err)
	}
	*t = append(*t, time.Since(start))
}

// at returns a percentile in nanoseconds, by nearest rank.
func (t times) at(percentile int) float64 {
	sorted := slices.Sorted(slices.Values(t))
	return float64(sorted[(len(sorted)*percentile+99)/100-1])
}
