package client_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/client"
	"guiche/internal/client/faultservice"
)

const tooLargeBody = `{"sucesso":false,"erros":["O pedido passa do limite."],"data":null}`

// attached is a request whose body has a few megabytes.
func (p pair) attached(tb testing.TB, size int) authorization.Request {
	tb.Helper()
	r := plainRequest()
	r.Attachments = []authorization.Attachment{p.MustAttachment(tb, "exame.pdf", "application/pdf", noise(size))}
	return r
}

// A service may refuse a large body at its first bytes and hang up; the refusal
// must be read, every time.
func TestClient_Send_EarlyRefusal(t *testing.T) {
	const times = 20
	tests := map[string]faultservice.Fault{
		"DropsTheConnection": faultservice.Early(413, tooLargeBody),
		"DrainsAndCloses":    faultservice.Answer(413, tooLargeBody),
		"AsksToClose":        faultservice.Answer(413, tooLargeBody, "Connection", "close"),
	}
	for name, fault := range tests {
		t.Run(name, func(t *testing.T) {
			p := MustPair(t)
			p.service.Add(faultservice.Rule{Unread: true, Fault: fault})
			request := dispatch(p.attached(t, 8<<20))
			for i := range times {
				o := p.MustInterpret(t, p.Send(t.Context(), request))
				if o.Kind != authorization.OutcomeRefused || len(o.Answer.Errors) != 1 {
					t.Fatalf("refusal %d of %d: got %+v, want refused with its error", i+1, times, o)
				}
			}
			if got := p.service.Count(faultservice.Received, ""); got != times {
				t.Errorf("requests: got %d, want %d", got, times)
			}
		})
	}
	t.Run("OverAPipe", func(t *testing.T) {
		p := mustPipePair(t)
		p.service.Add(faultservice.Rule{Unread: true, Fault: faultservice.Early(413, tooLargeBody)})
		request := dispatch(p.attached(t, 8<<20))
		for i := range times {
			if o := p.MustInterpret(t, p.Send(t.Context(), request)); o.Kind != authorization.OutcomeRefused {
				t.Fatalf("refusal %d of %d: got %+v, want refused", i+1, times, o)
			}
		}
	})
}

// pipeListener accepts in-memory connections, as the embedded service does.
type pipeListener struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

func (l *pipeListener) Close() error   { l.once.Do(func() { close(l.done) }); return nil }
func (l *pipeListener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }

func (l *pipeListener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- far:
		return near, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func mustPipePair(tb testing.TB) pair {
	tb.Helper()
	service, blobs := faultservice.New(faultservice.Config{}), newFolder(tb)
	l := &pipeListener{conns: make(chan net.Conn), done: make(chan struct{})}
	ended := make(chan error, 1)
	go func() { ended <- service.Serve(l) }()
	tb.Cleanup(func() { _ = service.Close(); <-ended })
	dial := func(cfg *client.Config) { cfg.Dial = l.dial }
	return pair{MustClient(tb, "http://servico.interno", blobs, dial), service, blobs}
}

func TestClient_Send_OverAPipe(t *testing.T) {
	p := mustPipePair(t)
	x := p.Send(t.Context(), dispatch(p.attached(t, 1<<20)))
	if o := p.MustInterpret(t, x); o.Kind != authorization.OutcomeAnswered {
		t.Errorf("outcome: got %+v of %+v, want answered", o, x)
	}
}

func TestClient_Send_NothingSent(t *testing.T) {
	refusing := func(tb testing.TB) string {
		tb.Helper()
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			tb.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		return "http://" + l.Addr().String()
	}
	hanging := func(cfg *client.Config) {
		cfg.ConnectTimeout = 20 * time.Millisecond
		cfg.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) { <-ctx.Done(); return nil, ctx.Err() }
	}
	dead := func(cfg *client.Config) {
		cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
			near, far := net.Pipe()
			return near, far.Close()
		}
	}
	without := func(cause syscall.Errno) func(cfg *client.Config) {
		return func(cfg *client.Config) {
			cfg.Dial = func(context.Context, string, string) (net.Conn, error) {
				return nil, &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("socket", cause)}
			}
		}
	}
	tests := map[string]struct {
		url    string
		option func(*client.Config)
		want   authorization.Failure
	}{
		"NoDescriptors":     {"http://servico.example", without(syscall.EMFILE), authorization.FailureLocal},
		"NoneInTheSystem":   {"http://servico.example", without(syscall.ENFILE), authorization.FailureLocal},
		"NoPorts":           {"http://servico.example", without(syscall.EADDRNOTAVAIL), authorization.FailureLocal},
		"ConnectionRefused": {refusing(t), nil, authorization.FailureConnect},
		"ConnectionHangs":   {"http://servico.example", hanging, authorization.FailureConnect},
		"NotTLS": {strings.Replace(MustService(t, faultservice.Config{}).URL(), "http:", "https:", 1), nil,
			authorization.FailureConnect},
		"UnknownCertificate": {mustTLSServer(t).URL, nil, authorization.FailureConnect},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p := pair{blobs: newFolder(t)}
			p.Client = MustClient(t, tt.url, p.blobs)
			if tt.option != nil {
				p.Client = MustClient(t, tt.url, p.blobs, tt.option)
			}
			x := p.Send(t.Context(), dispatch(plainRequest()))
			if x.SentBytes != 0 || x.HTTPStatus != 0 || x.Failure != tt.want {
				t.Errorf("exchange: got %+v, want %s with nothing sent", x, tt.want)
			}
			if o := p.MustInterpret(t, x); o.Kind != authorization.OutcomeRetry || o.Reason != string(tt.want) {
				t.Errorf("outcome: got %+v, want retry for %s", o, tt.want)
			}
		})
	}
	t.Run("CountedBeforeItIsPassedOn", func(t *testing.T) {
		p := pair{blobs: newFolder(t)}
		p.Client = MustClient(t, "http://servico.example", p.blobs, dead)
		// Whether the dead connection was written to is a race; both readings are safe.
		x := p.Send(t.Context(), dispatch(plainRequest()))
		want := authorization.OutcomeUnknown
		if x.SentBytes == 0 {
			want = authorization.OutcomeRetry
		}
		if o := p.MustInterpret(t, x); x.HTTPStatus != 0 || o.Kind != want {
			t.Errorf("outcome: got %+v of %+v, want %s", o, x, want)
		}
	})
	t.Run("CancelledBefore", func(t *testing.T) {
		p := MustPair(t)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		x := p.Send(ctx, dispatch(plainRequest()))
		if x.SentBytes != 0 || x.Failure != authorization.FailureCancelled || len(p.service.Ledger()) != 0 {
			t.Errorf("exchange: got %+v, want cancelled with nothing sent", x)
		}
	})
}

// mustTLSServer answers over HTTP/1.1 or HTTP/2 and echoes which.
func mustTLSServer(tb testing.TB) *httptest.Server {
	tb.Helper()
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, r.Proto+" "+r.TLS.NegotiatedProtocol)
	}))
	s.TLS = &tls.Config{NextProtos: []string{"h2", "http/1.1"}}
	s.EnableHTTP2 = true
	s.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	s.StartTLS()
	tb.Cleanup(s.Close)
	return s
}

func TestClient_Send_TLS(t *testing.T) {
	s, blobs := mustTLSServer(t), newFolder(t)
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	c := MustClient(t, s.URL, blobs, func(cfg *client.Config) { cfg.TLS = &tls.Config{RootCAs: roots} })
	x := c.Send(t.Context(), dispatch(plainRequest()))
	if x.HTTPStatus != 200 {
		t.Fatalf("exchange: got %+v, want 200", x)
	}
	if got, want := string(blobs.MustRead(t, x.Body)), "HTTP/1.1 http/1.1"; got != want {
		t.Errorf("protocol: got %q, want %q", got, want)
	}
	// Head and body, but no TLS record or handshake.
	if head := x.SentBytes - int64(len(goldenDefaults)); head < 100 || head > 400 {
		t.Errorf("sent: got %d bytes beside the body, want those of the head alone", head)
	}
}

func TestClient_Send_NoProxyFromEnvironment(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://proxy.example:3128")
	t.Setenv("http_proxy", "http://proxy.example:3128")
	var asked []string
	dial := func(_ context.Context, _, addr string) (net.Conn, error) {
		asked = append(asked, addr)
		return nil, errors.New("no network here")
	}
	c := MustClient(t, "http://servico.example", newFolder(t), func(cfg *client.Config) { cfg.Dial = dial })
	c.Send(t.Context(), dispatch(plainRequest()))
	if len(asked) != 1 || asked[0] != "servico.example:80" {
		t.Errorf("dialled: got %q, want the service alone", asked)
	}
}

func TestClient_Send_Failures(t *testing.T) {
	_, full := faultservice.Authorize(faultservice.Entry{Guide: plainRequest().ProviderGuide})
	never := make(chan struct{})
	tests := map[string]struct {
		fault   faultservice.Fault
		option  func(*client.Config)
		status  int
		failure authorization.Failure
		stored  int // bytes of the answer that are kept; -1: not told
	}{
		"Reset":          {faultservice.Reset(), nil, 0, authorization.FailureCut, 0},
		"HangUp":         {faultservice.HangUp(), nil, 0, authorization.FailureCut, 0},
		"Never":          {faultservice.Never(), withAnswerTimeout(time.Second), 0, authorization.FailureTimeout, 0},
		"CutInTheMiddle": {faultservice.Cut(100), nil, 200, authorization.FailureCut, 100},
		"CutAtOnce":      {faultservice.Cut(0), nil, 200, authorization.FailureCut, 0},
		"LengthTooLong":  {faultservice.WrongLength(7), nil, 200, authorization.FailureCut, len(full)},
		"Drip":           {faultservice.Drip(never), withAnswerTimeout(time.Second), 200, authorization.FailureTimeout, 0},
		"Endless":        {faultservice.Endless(), withAnswerTimeout(time.Second), 200, authorization.FailureTimeout, len(full)},
		"TooLarge": {faultservice.Huge(4 << 20), func(cfg *client.Config) { cfg.MaxAnswer = 1 << 20 }, 200,
			authorization.FailureTooLarge, 1 << 20},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var options []func(*client.Config)
			if tt.option != nil {
				options = append(options, tt.option)
			}
			p := MustPair(t, options...)
			p.service.Add(faultservice.Rule{After: true, Fault: tt.fault})
			x := p.Send(t.Context(), dispatch(plainRequest()))
			if x.HTTPStatus != tt.status || x.Failure != tt.failure || x.Complete || x.BodySize != int64(tt.stored) {
				t.Errorf("exchange: got %+v, want status %d, failure %s, %d bytes stored", x, tt.status, tt.failure, tt.stored)
			}
			if x.SentBytes == 0 {
				t.Error("sent: got 0 bytes of a request that was acted on")
			}
			if o := p.MustInterpret(t, x); o.Kind != authorization.OutcomeUnknown || o.Reason != string(tt.failure) {
				t.Errorf("outcome: got %+v, want unknown for %s", o, tt.failure)
			}
			if got := p.service.Count(faultservice.Received, ""); got != 1 {
				t.Errorf("requests: got %d, want 1", got)
			}
		})
	}
}

func TestClient_Send_LengthTooShort(t *testing.T) {
	p := MustPair(t)
	p.service.Add(faultservice.Rule{After: true, Fault: faultservice.WrongLength(-7)})
	x := p.Send(t.Context(), dispatch(plainRequest()))
	if o := p.MustInterpret(t, x); o.Kind != authorization.OutcomeUnknown || o.Reason != "json_invalido" {
		t.Errorf("outcome: got %+v of %+v, want unknown: what lies past the length is no answer", o, x)
	}
}

// The time of the answer runs from the last byte that could be sent: a service
// that reads slowly is not late.
func TestClient_Send_SlowUpload(t *testing.T) {
	t.Parallel()
	blobs, calls := newFolder(t), make(chan net.Conn)
	const idle = 900 * time.Millisecond
	dial := func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go func() { calls <- far }()
		return near, nil
	}
	c := MustClient(t, "http://servico.example", blobs, withAnswerTimeout(idle),
		func(cfg *client.Config) { cfg.Dial = dial; cfg.ConnectTimeout = time.Millisecond })
	p := pair{Client: c, blobs: blobs}
	sent := make(chan authorization.Exchange, 1)
	request := dispatch(p.attached(t, 1<<20))
	go func() { sent <- c.Send(context.Background(), request) }()
	far, started := <-calls, time.Now()
	defer func() { _ = far.Close() }()
	tick := time.NewTicker(idle / 12)
	defer tick.Stop()
	piece := make([]byte, 1<<20)
	for time.Since(started) < idle+idle/3 {
		<-tick.C
		if _, err := io.ReadAtLeast(far, piece[:32<<10], 32<<10); err != nil {
			t.Fatalf("the upload was given up while it moved: %v", err)
		}
	}
	if x := <-sent; x.Failure != authorization.FailureTimeout || x.SentBytes < 32<<10 {
		t.Errorf("exchange: got %+v, want a timeout once nothing moves", x)
	}
}

// Whatever becomes of an attempt, it leaves no goroutine and no connection.
func TestClient_Send_LeavesNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	p := MustPair(t)
	for _, rule := range []faultservice.Rule{
		{Nth: 1, Unread: true, Fault: faultservice.Early(413, tooLargeBody)}, {Nth: 1, Fault: faultservice.Cut(9)},
		{Nth: 1, Fault: faultservice.Reset()}, {Nth: 1, Fault: faultservice.Huge(1 << 20)}, {Nth: 1, Fault: faultservice.WrongLength(9)},
	} {
		p.service.Add(rule)
	}
	request := dispatch(p.attached(t, 4<<20))
	for range 7 {
		p.Send(t.Context(), request)
	}
	if err := p.service.Close(); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(time.Minute)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for runtime.NumGoroutine() > before {
		select {
		case <-tick.C:
		case <-deadline:
			stacks := make([]byte, 1<<20)
			t.Fatalf("goroutines: got %d, want the %d of before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

func TestClient_Send_Cancelled(t *testing.T) {
	p := MustPair(t)
	p.service.Add(faultservice.Rule{After: true, Fault: faultservice.Never()})
	ctx, cancel := context.WithCancel(t.Context())
	sent := make(chan authorization.Exchange, 1)
	go func() { sent <- p.Send(ctx, dispatch(plainRequest())) }()
	if err := p.service.Wait(t.Context(), func(e []faultservice.Entry) bool { return len(e) == 2 }); err != nil {
		t.Fatal(err)
	}
	cancel()
	x := <-sent
	if x.Failure != authorization.FailureCancelled || x.SentBytes == 0 {
		t.Errorf("exchange: got %+v, want cancelled after sending", x)
	}
	if o := p.MustInterpret(t, x); o.Kind != authorization.OutcomeUnknown {
		t.Errorf("outcome: got %+v, want unknown", o)
	}
}

func TestClient_Send_RedirectNotFollowed(t *testing.T) {
	for _, status := range []int{301, 302, 303, 307, 308} {
		p, other := MustPair(t), MustService(t, faultservice.Config{})
		p.service.Add(faultservice.Rule{Fault: faultservice.Redirect(status, other.URL()+faultservice.SubmitPath)})
		x := p.Send(t.Context(), dispatch(plainRequest()))
		if x.HTTPStatus != status || len(other.Ledger()) != 0 {
			t.Errorf("%d: got %+v and %d requests elsewhere, want the redirect itself", status, x, len(other.Ledger()))
		}
	}
}

// Every submission has a connection of its own, so that none can die under a
// second request and be repeated by net/http behind our back.
func TestClient_Send_NoReusedConnection(t *testing.T) {
	const times = 40
	for _, announced := range []bool{false, true} {
		p := MustPair(t, withFeatures(client.Features{Idempotency: announced}))
		// What follows an answer on the same connection would meet a dead one.
		p.service.Add(faultservice.Rule{Nth: 2, After: true, Fault: faultservice.Reset()})
		p.service.Add(faultservice.Rule{Nth: 5, After: true, Fault: faultservice.HangUp()})
		conns := map[string]bool{}
		for range times {
			p.Send(t.Context(), dispatch(plainRequest()))
		}
		for _, e := range p.service.Ledger() {
			if e.Event == faultservice.Received {
				conns[e.Conn] = true
			}
		}
		if got := p.service.Count(faultservice.Received, ""); got != times || len(conns) != times {
			t.Errorf("announced %v: got %d requests on %d connections, want %d of each", announced, got, len(conns), times)
		}
	}
}

// damaged tells at the end of a file that its bytes are not what they were.
type damaged struct{ *folder }

var errDamaged = errors.New("blob is damaged")

func (d damaged) Open(ctx context.Context, ref blob.Ref) (io.ReadSeekCloser, error) {
	f, err := d.folder.Open(ctx, ref)
	return damagedFile{f}, err
}

type damagedFile struct{ io.ReadSeekCloser }

func (f damagedFile) Read(p []byte) (int, error) {
	n, err := f.ReadSeekCloser.Read(p)
	if errors.Is(err, io.EOF) {
		err = errDamaged
	}
	return n, err
}

func TestClient_Send_DamagedAttachmentIsCut(t *testing.T) {
	p := MustPair(t)
	p.Client = MustClient(t, p.service.URL(), damaged{p.blobs})
	x := p.Send(t.Context(), dispatch(p.attached(t, 1<<20)))
	if x.Failure != authorization.FailureCut || x.SentBytes == 0 {
		t.Errorf("exchange: got %+v, want a cut attempt", x)
	}
	if err := p.service.Wait(t.Context(), func(e []faultservice.Entry) bool { return len(e) > 0 }); err != nil {
		t.Fatal(err)
	}
	if e := only(t, p.service, faultservice.Received); e.Complete || p.service.Count(faultservice.Acted, "") != 0 {
		t.Errorf("the service got a complete request of %d bytes, want a cut one", e.BodySize)
	}
}

func TestClient_Send_AnswerCannotBeStored(t *testing.T) {
	p := MustPair(t)
	p.blobs.putErr = errors.New("disk is full")
	x := p.Send(t.Context(), dispatch(plainRequest()))
	if x.HTTPStatus != 200 || x.Complete || x.Body != "" || x.Failure == "" {
		t.Errorf("exchange: got %+v, want an answer that is not kept and says so", x)
	}
}

// waiting are blobs on a disk without space: an answer is stored as far as it can wait.
type waiting struct {
	*folder
	waited bool
}

func (w *waiting) Put(ctx context.Context, _ io.Reader) (blob.Info, error) {
	select {
	case <-blob.SpaceDeadline(ctx):
	default:
		w.waited = true
		<-blob.SpaceDeadline(ctx)
	}
	return blob.Info{}, syscall.ENOSPC
}

// TestClient_Send_AnswerWaitsForSpace: an answer for which there is no space waits for it
// at its sender within the answer's time.
func TestClient_Send_AnswerWaitsForSpace(t *testing.T) {
	blobs := &waiting{folder: newFolder(t)}
	c := MustClient(t, MustService(t, faultservice.Config{}).URL(), blobs, withAnswerTimeout(100*time.Millisecond))
	x := c.Send(t.Context(), dispatch(plainRequest()))
	if !blobs.waited || x.HTTPStatus != 200 || x.Complete || x.Failure != authorization.FailureTimeout {
		t.Errorf("waited: %v, exchange: %+v", blobs.waited, x)
	}
}

func TestClient_Logs(t *testing.T) {
	var out bytes.Buffer
	logger := slog.New(slog.NewJSONHandler(&out, &slog.HandlerOptions{Level: slog.LevelDebug}))
	p := MustPair(t, func(cfg *client.Config) { cfg.Logger = logger })
	p.service.Add(faultservice.Rule{Nth: 2, Fault: faultservice.Cut(50)})
	p.service.Add(faultservice.Rule{Nth: 3, Fault: faultservice.Answer(422, `{"sucesso":false,"erros":["Ana Nina 00012345678900017"]}`)})
	for range 4 {
		p.MustInterpret(t, p.Send(t.Context(), dispatch(fullRequest())))
	}
	if _, err := p.SearchCredentials(t.Context(), "00012345678900017"); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"Nina", "00012345678900017", "Conceição", "chave-1", "ana@example.org", "Busca", "Hemograma"} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("log holds %q: %s", secret, out.String())
		}
	}
	contains(t, out.String(), fullRequest().ProviderGuide)
}

// nobody is a Dial that nobody answers. A port that was just closed may be somebody else's.
func nobody(context.Context, string, string) (net.Conn, error) { return nil, syscall.ECONNREFUSED }

// TestClient_Logs_Error: the text of an error is logged where it is ours or the
// connection's, and not where it may quote the service.
func TestClient_Logs_Error(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(p pair)
		logged  bool
	}{
		"NoConnection":    {func(pair) {}, true},
		"AnswerNotStored": {func(p pair) { p.blobs.putErr = errors.New("disk is full") }, true},
		"CutByTheService": {func(p pair) { p.service.Add(faultservice.Rule{Fault: faultservice.Cut(50)}) }, false},
		"AnsweredAsUsual": {func(pair) {}, false},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			p := MustPair(t, func(cfg *client.Config) {
				cfg.Logger = logTo(&out)
				if name == "NoConnection" {
					cfg.Dial = nobody
				}
			})
			c.prepare(p)
			p.Send(t.Context(), dispatch(plainRequest()))
			if got := strings.Contains(out.String(), "error="); got != c.logged {
				t.Errorf("got %s, want an error in it: %t", out.String(), c.logged)
			}
		})
	}
}
