// Package s3test starts a real S3 server on a folder, for tests, with a proxy before it that can
// fail as networks and stores do.
package s3test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/atomicfile"
	"guiche/internal/notrun"

	"github.com/gofrs/flock"
)

// module is the server, Apache-2.0.
const module = "github.com/versity/versitygw/cmd/versitygw@v1.8.0"

// Access to the server and its one bucket.
const (
	Key    = "guiche-test"
	Secret = "a secret of tests alone"
	Bucket = "clinica"
)

// Server is a running server.
type Server struct {
	URL string // of the proxy before it
	Dir string // of the bucket: the objects are its files

	fault    atomic.Pointer[Fault]
	wrap     atomic.Pointer[http.Handler]
	proxy    http.Handler
	requests atomic.Int64
}

// Fault answers in place of the server, or changes what passes; it reports whether it has
// answered. It may panic with http.ErrAbortHandler to cut the connection.
type Fault func(w http.ResponseWriter, r *http.Request) (answered bool)

// Start starts a server for a test, nil where none can be had: then that is said and counted,
// and the test ends there.
func Start(tb testing.TB) *Server {
	tb.Helper()
	binary, err := build(tb.Context())
	if err != nil {
		notrun.Say(tb, "the blobs in S3: the server cannot be built from "+module)
		tb.Logf("%v", err)
		return nil
	}
	root := tb.TempDir()
	s := &Server{Dir: filepath.Join(root, "buckets", Bucket)}
	folder, err := os.MkdirTemp("", "s3") // the path of a socket is short
	err = errors.Join(err, atomicfile.MkdirAll(s.Dir, 0o700), atomicfile.MkdirAll(filepath.Join(root, "meta"), 0o700),
		atomicfile.MkdirAll(filepath.Join(root, "versions"), 0o700))
	if err != nil {
		tb.Fatal(err)
	}
	socket := filepath.Join(folder, "s")
	cmd := exec.CommandContext(context.WithoutCancel(tb.Context()), binary,
		"--port", socket, "--access", Key, "--secret", Secret, "--quiet", "--keep-alive",
		"posix", "--sidecar", filepath.Join(root, "meta"), "--versioning-dir", filepath.Join(root, "versions"), filepath.Dir(s.Dir))
	output, err := os.Create(filepath.Join(root, "output"))
	if err != nil {
		tb.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(folder)
	})
	awaitSocket(tb, socket)
	s.serve(tb, socket)
	return s
}

// build builds the server once for all tests, into the user's cache.
func build(ctx context.Context) (binary string, err error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	folder := filepath.Join(cache, "guiche-tests", filepath.Base(module))
	if err := atomicfile.MkdirAll(folder, 0o700); err != nil {
		return "", err
	}
	lock := flock.New(filepath.Join(folder, "lock"))
	if err := lock.Lock(); err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	binary = filepath.Join(folder, "versitygw")
	if _, err := os.Stat(binary); err == nil {
		return binary, nil
	}
	cmd := exec.CommandContext(ctx, "go", "install", module)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "GOBIN="+folder, "GOFLAGS=-trimpath")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return binary, nil
}

// awaitSocket waits until the server answers.
func awaitSocket(tb testing.TB, socket string) {
	tb.Helper()
	for end := time.After(20 * time.Second); ; {
		conn, err := new(net.Dialer).DialContext(tb.Context(), "unix", socket)
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-end:
			tb.Fatalf("the S3 server does not answer: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// serve puts the proxy before the server.
func (s *Server) serve(tb testing.TB, socket string) {
	tb.Helper()
	transport := &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", socket)
		},
		DisableCompression: true, MaxIdleConnsPerHost: 32,
	}
	var proxy http.Handler = &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = "http", "server", r.In.Host // what was signed
		},
		Transport: transport, FlushInterval: -1,
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) },
	}
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.requests.Add(1)
		if fault := s.fault.Load(); fault != nil && (*fault)(w, r) {
			return
		}
		next := proxy
		if wrap := s.wrap.Load(); wrap != nil {
			next = *wrap
		}
		next.ServeHTTP(w, r)
	}))
	front.Config.ErrorLog = nil
	tb.Cleanup(func() {
		front.CloseClientConnections()
		front.Close()
		transport.CloseIdleConnections()
	})
	s.URL, s.proxy = front.URL, proxy
}

// Wrap puts a handler before the server that changes what passes.
func (s *Server) Wrap(wrap func(http.Handler) http.Handler) {
	wrapped := wrap(s.proxy)
	s.wrap.Store(&wrapped)
}

// Requests is how many requests came so far.
func (s *Server) Requests() int64 { return s.requests.Load() }

// Fail has requests meet a fault from now on; nil ends that.
func (s *Server) Fail(f Fault) {
	if f == nil {
		s.fault.Store(nil)
		return
	}
	s.fault.Store(&f)
}

// Place is where an installation is to keep its blobs.
func (s *Server) Place() string { return "s3://" + Bucket + "/guiche?endpoint=" + s.URL }

// File is the file of an object.
func (s *Server) File(key string) string { return filepath.Join(s.Dir, filepath.FromSlash(key)) }

// Answer is a fault that answers with a status and a word of the protocol.
func Answer(status int, code string) Fault {
	return func(w http.ResponseWriter, r *http.Request) bool {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			_, _ = fmt.Fprintf(w, "<Error><Code>%s</Code><Message>so it is</Message></Error>", code)
		}
		return true
	}
}

// Cut is a fault that cuts the connection without an answer.
func Cut(http.ResponseWriter, *http.Request) bool { panic(http.ErrAbortHandler) }

// Hang is a fault that never answers, until whoever asks gives up.
func Hang(_ http.ResponseWriter, r *http.Request) bool {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
	panic(http.ErrAbortHandler)
}
