package ingress_test

import (
	"bytes"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"testing"
	"time"

	"guiche/internal/ingress"

	"golang.org/x/sys/unix"
)

// TestConn_Write: answers of all lengths about that of a buffer arrive whole, one after the other.
func TestConn_Write(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	body := bytes.Repeat([]byte("guichê\n"), 3000)
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.Query().Get("n"))
		_, _ = w.Write(body[:n/2])
		_, _ = w.Write(body[n/2 : n])
	})}
	go func() { _ = server.Serve(ingress.Connections{}.Listen(l)) }()
	t.Cleanup(func() { _ = server.Close() })
	lengths := []int{0, 1, 8192, 12288, 20000}
	for n := range 400 { // with the head one of them is a buffer's
		lengths = append(lengths, 3800+n)
	}
	for _, n := range lengths {
		got, err := http.Get("http://" + l.Addr().String() + "/?n=" + strconv.Itoa(n))
		if err != nil {
			t.Fatal(err)
		}
		read, err := io.ReadAll(got.Body)
		if err != nil || !bytes.Equal(read, body[:n]) {
			t.Errorf("%d bytes: got %d, %v", n, len(read), err)
		}
		_ = got.Body.Close()
	}
}

// TestConn_Write_Holds: what is as long as the buffer waits for more, and leaves when its writer waits for a request.
func TestConn_Write_Holds(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	client, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	server, err := ingress.Connections{}.Listen(l).Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if n, err := server.Write(make([]byte, 4096)); n != 4096 || err != nil {
		t.Fatalf("wrote %d, %v", n, err)
	}
	_ = server.SetReadDeadline(time.Now())
	if _, err := server.Read(make([]byte, 1)); err == nil {
		t.Fatal("got a request that nobody sent")
	}
	if left := unsent(t, server); left != 0 {
		t.Errorf("%d bytes are held from whoever waits for them", left)
	}
	if n, err := io.ReadFull(client, make([]byte, 4096)); n != 4096 {
		t.Errorf("got %d bytes, %v", n, err)
	}
}

// unsent is how many bytes the system holds of a connection.
func unsent(t *testing.T, c net.Conn) (n int) {
	t.Helper()
	inner, ok := ingress.Inner(c).(syscall.Conn)
	if !ok {
		t.Fatal("no connection of the system")
	}
	raw, err := inner.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if err := raw.Control(func(fd uintptr) { n, err = unix.IoctlGetInt(int(fd), unix.SIOCOUTQNSD) }); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return n
}
