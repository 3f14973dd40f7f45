package ingress_test

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/ingress"
)

// MustConnect serves a handler and opens a connection to it.
func MustConnect(t *testing.T, handler http.HandlerFunc) (net.Conn, *bufio.Reader) {
	t.Helper()
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetReadDeadline(time.Now().Add(time.Minute)) // a test that fails ends
	return c, bufio.NewReader(c)
}

// MustAnswer reads an answer, with its body, from a connection: its status, and whether
// the connection ends with it.
func MustAnswer(t *testing.T, from *bufio.Reader) (status int, ends bool) {
	t.Helper()
	answer, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatalf("no answer: %v", err)
	}
	_, err = io.Copy(io.Discard, answer.Body)
	if err := errors.Join(err, answer.Body.Close()); err != nil {
		t.Fatalf("the answer was cut: %v", err)
	}
	return answer.StatusCode, answer.Close
}

// ended tells whether the server has closed a connection; it waits until it has.
func ended(from *bufio.Reader) bool {
	_, err := from.ReadByte()
	return err != nil && !errors.Is(err, os.ErrDeadlineExceeded)
}

func refuse(w http.ResponseWriter, r *http.Request) {
	ingress.Refused(w, r)
	w.WriteHeader(http.StatusForbidden)
}

// Whoever announces a body and never sends it gets the refusal, and the connection
// ends; whoever announced none goes on with it.
func TestRefused(t *testing.T) {
	t.Parallel()
	t.Run("BodyUnsent", func(t *testing.T) {
		for _, announced := range []string{"Content-Length: 1048576", "Transfer-Encoding: chunked"} {
			c, from := MustConnect(t, refuse)
			fmt.Fprintf(c, "POST / HTTP/1.1\r\nHost: x\r\n%s\r\n\r\n", announced)
			if status, ends := MustAnswer(t, from); status != http.StatusForbidden || !ends {
				t.Errorf("%s: got %d, the connection ends: %t", announced, status, ends)
			}
			if !ended(from) {
				t.Errorf("%s: the connection did not end", announced)
			}
		}
	})
	t.Run("NoBody", func(t *testing.T) {
		c, from := MustConnect(t, refuse)
		for range 3 {
			fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
			if status, ends := MustAnswer(t, from); status != http.StatusForbidden || ends {
				t.Errorf("got %d, the connection ends: %t", status, ends)
			}
		}
	})
}

// A refusal does not wait for the body that it refuses, however long that may take.
func TestCloseAfter(t *testing.T) {
	c, from := MustConnect(t, func(w http.ResponseWriter, _ *http.Request) {
		ingress.CloseAfter(w, time.Hour)
		w.WriteHeader(http.StatusForbidden)
	})
	fmt.Fprint(c, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n")
	if status, ends := MustAnswer(t, from); status != http.StatusForbidden || !ends {
		t.Errorf("got %d, the connection ends: %t", status, ends)
	}
}

// What follows a chunked body on the connection is no request.
func TestOneAnswer(t *testing.T) {
	asked := make(chan string, 10)
	handler := ingress.OneAnswer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- r.URL.Path
	}))
	for framing, want := range map[string]int{"Content-Length: 5\r\n\r\n0\r\n\r\n": 2, "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n": 1} {
		c, from := MustConnect(t, handler.ServeHTTP)
		fmt.Fprintf(c, "POST /first HTTP/1.1\r\nHost: x\r\n%sGET /second HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", framing)
		for range want {
			MustAnswer(t, from)
		}
		if !ended(from) || len(asked) != want {
			t.Errorf("%q: %d requests were answered, want %d", framing, len(asked), want)
		}
		for range want {
			<-asked
		}
	}
}

// Somebody whom the program knows has longer for a body than the server gives others.
func TestKnown_Time(t *testing.T) {
	t.Parallel()
	begun := make(chan bool, 1)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/known" {
			ingress.Known(w, r)
			begun <- true
		}
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			w.WriteHeader(http.StatusRequestTimeout)
		}
	}))
	server.Config.ReadTimeout = 2 * time.Second
	server.Start()
	t.Cleanup(server.Close)
	half := func(path string) (net.Conn, *bufio.Reader) {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetReadDeadline(time.Now().Add(time.Minute))
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1", path)
		return c, bufio.NewReader(c)
	}
	known, answer := half("/known")
	<-begun
	_, stranger := half("/") // begins later and is cut: by then the other would have been too
	if got, _ := MustAnswer(t, stranger); got != http.StatusRequestTimeout {
		t.Errorf("a stranger: got %d, want %d", got, http.StatusRequestTimeout)
	}
	fmt.Fprint(known, "2")
	if got, _ := MustAnswer(t, answer); got != http.StatusOK {
		t.Errorf("known: got %d, want %d", got, http.StatusOK)
	}
}

// Known finds its connection behind TLS too: it stays where a stranger's goes.
func TestKnown_TLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/known" {
			ingress.Known(w, r)
		}
	}))
	server.Listener = ingress.Connections{PerAddress: 2}.Listen(server.Listener)
	server.Config.ConnContext = ingress.ConnContext
	server.StartTLS()
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	dial := func(path string) net.Conn {
		c, err := tls.Dial("tcp", server.Listener.Addr().String(), &tls.Config{RootCAs: roots})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if !answers(c, path) {
			t.Fatalf("%s: no answer", path)
		}
		return c
	}
	known, stranger, last := dial("/known"), dial("/"), dial("/")
	if !answers(known, "/") || answers(stranger, "/") || !answers(last, "/") {
		t.Error("the wrong connection went")
	}
}

// A connection that comes from no address counts in all only.
func TestConnections_Listen_NoAddress(t *testing.T) {
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "s"))
	if err != nil {
		t.Fatal(err)
	}
	bounded := ingress.Connections{Total: 2, PerAddress: 1}.Listen(l)
	for i, want := range []int{1, 2, 2} {
		c, err := net.Dial("unix", l.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		if _, err := bounded.Accept(); err != nil {
			t.Fatalf("connection %d of %d: %v", i, want, err)
		}
	}
	if err := bounded.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := bounded.Accept(); err == nil {
		t.Error("a closed listener accepts")
	}
}

// An address that cannot be read is nobody's name.
func TestHosts_Guard_Unreadable(t *testing.T) {
	none := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })
	refused := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMisdirectedRequest) })
	for _, host := range []string{"", "guiche.example", "::", "%zz"} {
		r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		r.Host = host
		if (ingress.Hosts{Public: "https://%zz"}).Guard(none, refused).ServeHTTP(w, r); w.Code != http.StatusMisdirectedRequest {
			t.Errorf("%q: got %d, want %d", host, w.Code, http.StatusMisdirectedRequest)
		}
	}
}
