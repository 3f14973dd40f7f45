package s3_test

import (
	"crypto/x509"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/blob"
	"guiche/internal/blob/blobtest"
	"guiche/internal/blob/s3"
	"guiche/internal/blob/s3test"
	"guiche/internal/problem"
)

// failures are the ways in which a store fails, with what a person and the log are told.
var failures = map[string]struct {
	fault    s3test.Fault
	sentence string
	log      string
}{
	"Cut":       {s3test.Cut, "não responde", "cannot be reached"},
	"Busy":      {s3test.Answer(http.StatusServiceUnavailable, "SlowDown"), "não está conseguindo trabalhar", "cannot work now"},
	"Broken":    {s3test.Answer(http.StatusInternalServerError, "InternalError"), "não está conseguindo trabalhar", "cannot work now"},
	"WrongKeys": {s3test.Answer(http.StatusForbidden, "SignatureDoesNotMatch"), "não aceita o acesso", "GUICHE_BLOBS_KEY"},
	"NoBucket":  {s3test.Answer(http.StatusNotFound, "NoSuchBucket"), "não existe", "there is no such bucket"},
	"NoStore":   {noStore, "não existe", "there is no such bucket"},
	"Clock":     {s3test.Answer(http.StatusForbidden, "RequestTimeTooSkewed"), "relógio", "the clock of this machine"},
}

// noStore is what a load balancer says in the place of a store that it does not know.
func noStore(w http.ResponseWriter, r *http.Request) bool {
	_, _ = io.Copy(io.Discard, r.Body)
	http.Error(w, "default backend - 404", http.StatusNotFound)
	return true
}

// TestStore_Failures: whatever the store does, there is a sentence about it, what was there
// stays, and the same works as soon as it can.
func TestStore_Failures(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s := p.open(t)
	_, hold := blobtest.MustPut(t, s, "there already")
	defer hold.End()
	for name, tt := range failures {
		t.Run(name, func(t *testing.T) {
			p.Fail(tt.fault)
			defer p.Fail(nil)
			ref := blobtest.RefOf("there already")
			_, putErr := s.Put(t.Context(), strings.NewReader("new "+name))
			_, openErr := s.Open(t.Context(), ref)
			_, statErr := s.Stat(t.Context(), ref)
			for doing, err := range map[string]error{"Put": putErr, "Open": openErr, "Stat": statErr} {
				checkTrouble(t, doing, err, tt.sentence, tt.log)
			}
			if strings.Contains(putErr.Error(), s3test.Secret) {
				t.Error("the secret is in an error")
			}
			p.Fail(nil)
			blobtest.CheckContent(t, s, "there already")
			_, more := blobtest.MustPut(t, s, "new "+name)
			defer more.End()
			blobtest.CheckContent(t, s, "new "+name)
		})
	}
}

// TestBucket_Owner_NoStore: who is not the store cannot say that a place is nobody's.
func TestBucket_Owner_NoStore(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { noStore(w, r) }))
	defer server.Close()
	location, err := s3.ParseLocation("s3://clinica?endpoint=" + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	b, err := s3.New(s3.Config{Location: location, Key: "k", Secret: "s", Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Owner(t.Context())
	checkTrouble(t, "Owner", err, "não existe", "there is no such bucket")
}

// TestStore_Slow: a store that never answers keeps nobody waiting for long.
func TestStore_Slow(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	ref, hold := blobtest.MustPut(t, p.open(t), "there already")
	defer hold.End()
	c := p.config(t)
	c.Patience = 100 * time.Millisecond
	b, err := s3.New(c)
	if err != nil {
		t.Fatal(err)
	}
	p.Fail(s3test.Hang)
	_, openErr := b.Of("desk").Open(t.Context(), ref)
	_, statErr := b.Of("desk").Stat(t.Context(), ref)
	putErr := b.Of("desk").Put(t.Context(), blobtest.RefOf("new"), strings.NewReader("new"), 3)
	for doing, err := range map[string]error{"Put": putErr, "Open": openErr, "Stat": statErr} {
		checkTrouble(t, doing, err, "demora demais", "does not answer in time")
	}
}

// TestStore_TLS: a certificate that nobody vouches for is not taken, unless its authority is
// known or that was asked for.
func TestStore_TLS(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer server.Close()
	location, err := s3.ParseLocation("s3://clinica?endpoint=" + server.URL)
	if err != nil {
		t.Fatal(err)
	}
	known := x509.NewCertPool()
	known.AddCert(server.Certificate())
	for name, tt := range map[string]struct {
		change  func(*s3.Config)
		reached bool
	}{
		"Unknown":  {func(*s3.Config) {}, false},
		"Known":    {func(c *s3.Config) { c.Authorities = known }, true},
		"Insecure": {func(c *s3.Config) { c.Insecure = true }, true},
	} {
		t.Run(name, func(t *testing.T) {
			c := s3.Config{Location: location, Key: "k", Secret: "s", Patience: patience}
			tt.change(&c)
			b, err := s3.New(c)
			if err != nil {
				t.Fatal(err)
			}
			_, err = b.Of("desk").Open(t.Context(), blobtest.RefOf("x"))
			if reached := strings.Contains(err.Error(), "no such bucket"); reached != tt.reached {
				t.Errorf("got %v, want reached %t", err, tt.reached)
			}
		})
	}
}

func checkTrouble(t *testing.T, doing string, err error, sentence, log string) {
	t.Helper()
	var p *problem.Error
	if !errors.As(err, &p) || p.Code != problem.Busy || !errors.Is(err, blob.ErrUnreachable) {
		t.Errorf("%s: got %v, want a problem that passes", doing, err)
		return
	}
	if !strings.Contains(p.Message, sentence) || !strings.Contains(p.Message, "nada se perdeu") {
		t.Errorf("%s: a person is told %q, want %q", doing, p.Message, sentence)
	}
	if !strings.Contains(err.Error(), log) {
		t.Errorf("%s: the log is told %q, want %q", doing, err, log)
	}
}

// TestStore_Full: a store without space says so, as a full disk does.
func TestStore_Full(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	p.Fail(s3test.Answer(http.StatusInsufficientStorage, "XMinioStorageFull"))
	_, err := p.open(t).Put(t.Context(), strings.NewReader("x"))
	var full *problem.Error
	if !errors.As(err, &full) || full.Code != problem.NoSpace || !strings.Contains(full.Message, "está cheio") {
		t.Errorf("got %v", err)
	}
}

// TestStore_NoServer: nobody listens, however often it is tried.
func TestStore_NoServer(t *testing.T) {
	t.Parallel()
	location, err := s3.ParseLocation("s3://clinica?endpoint=http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	b, err := s3.New(s3.Config{Location: location, Key: "k", Secret: "s", Patience: patience})
	if err != nil {
		t.Fatal(err)
	}
	_, err = b.Of("desk").Open(t.Context(), blobtest.RefOf("x"))
	checkTrouble(t, "Open", err, "não responde", "cannot be reached")
}

// cutAfter lets so many bytes of each answer's body pass, and then cuts the connection.
type cutAfter struct {
	http.ResponseWriter
	left int
}

func (w *cutAfter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		_, _ = w.ResponseWriter.Write(p[:w.left])
		_ = http.NewResponseController(w.ResponseWriter).Flush()
		panic(http.ErrAbortHandler)
	}
	w.left -= len(p)
	return w.ResponseWriter.Write(p)
}

// TestStore_ReadCut: a connection that is cut while a blob is read is taken up where it was.
func TestStore_ReadCut(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s, content := p.open(t), strings.Repeat("0123456789abcdef", 1<<17) // 2 MiB
	_, hold := blobtest.MustPut(t, s, content)
	defer hold.End()
	var cuts atomic.Int64
	p.Wrap(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet && cuts.Add(1) < 4 {
				w = &cutAfter{w, 500 << 10}
			}
			next.ServeHTTP(w, r)
		})
	})
	if got, err := blobtest.Read(t, s, blobtest.RefOf(content)); err != nil || got != content {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	if got := cuts.Load(); got < 4 {
		t.Errorf("%d requests, want the blob taken up three times", got)
	}
}

// TestStore_PutCut: of a large blob whose parts do not all arrive nothing is there.
func TestStore_PutCut(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s, content := p.open(t), strings.Repeat("0123456789abcdef", 20<<16) // 20 MiB, three parts
	p.Fail(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Query().Get("partNumber") != "2" {
			return false
		}
		_, _ = io.CopyN(io.Discard, r.Body, 1<<20)
		panic(http.ErrAbortHandler)
	})
	if _, err := s.Put(t.Context(), strings.NewReader(content)); !errors.Is(err, blob.ErrUnreachable) {
		t.Errorf("got %v", err)
	}
	if exists(p.object(blobtest.RefOf(content))) {
		t.Error("a part of it is there")
	}
	p.Fail(nil)
	if err := p.bucket(t).Abandoned(t.Context(), farAhead()); err != nil {
		t.Error(err)
	}
	_, hold := blobtest.MustPut(t, s, content)
	defer hold.End()
	blobtest.CheckContent(t, s, content)
}

// TestStore_OtherBytes: bytes that change on their way are not stored, whoever sends them, in one request or as a part.
func TestStore_OtherBytes(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s := p.open(t)
	for name, tt := range map[string]struct {
		size int
		part string
	}{"Whole": {1000, ""}, "Part": {20 << 20, "2"}} {
		t.Run(name, func(t *testing.T) {
			p.Fail(func(_ http.ResponseWriter, r *http.Request) bool {
				if r.Method == http.MethodPut && r.URL.Query().Get("partNumber") == tt.part {
					r.Body = io.NopCloser(strings.NewReader(strings.Repeat("y", int(r.ContentLength))))
				}
				return false
			})
			defer p.Fail(nil)
			content := strings.Repeat("x", tt.size)
			_, err := s.Put(t.Context(), strings.NewReader(content))
			checkTrouble(t, "Put", err, "não chegou inteiro", "other bytes")
			if exists(p.object(blobtest.RefOf(content))) {
				t.Error("other bytes are stored under its name")
			}
		})
	}
}

// TestStore_Missing: an object that is gone is damage, and its bucket being gone is not.
func TestStore_Missing(t *testing.T) {
	t.Parallel()
	p, ok := start(t)
	if !ok {
		return
	}
	s := p.open(t)
	ref, hold := blobtest.MustPut(t, s, "x")
	defer hold.End()
	if err := os.Remove(p.object(ref)); err != nil {
		t.Fatal(err)
	}
	blobtest.CheckGone(t, s, ref)
	if err := os.RemoveAll(p.Dir); err != nil {
		t.Fatal(err)
	}
	_, openErr := s.Open(t.Context(), ref)
	_, statErr := s.Stat(t.Context(), ref)
	checkTrouble(t, "Open", openErr, "não existe", "there is no such bucket")
	checkTrouble(t, "Stat", statErr, "não existe", "there is no such bucket")
}
