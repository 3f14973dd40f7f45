package postgrestest

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// Ways stands between a program and a PostgreSQL server and counts how often the program waits
// for the server. The end of what only read does not count: nobody waits for it. It can also end
// connections, as a server does that goes: see Cut.
type Ways struct {
	folder   string // of its socket
	to       string // the server's socket
	listener net.Listener

	mu      sync.Mutex
	went    []string
	open    map[net.Conn]bool // of the program
	gone    map[net.Conn]bool // see Vanish
	cut     int               // ways until all connections end, 0 for never
	unsure  string            // see CutAnswer
	refuses bool              // the next connection
}

// socketName is that of a server's socket in its folder.
const socketName = ".s.PGSQL.5432"

// Counted returns a counter before the server that the tests of a binary share.
func Counted(tb testing.TB) *Ways {
	tb.Helper()
	server, err := shared()
	w, err := CountWays(context.Background(), usable(tb, server, err).folder) // it outlives the test's context
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = w.Close() })
	return w
}

// CountWays returns a counter before the server with its socket in a folder.
func CountWays(ctx context.Context, serverFolder string) (*Ways, error) {
	folder, err := os.MkdirTemp("", "ways") // the path of a socket is short
	if err != nil {
		return nil, err
	}
	w := &Ways{folder: folder, to: filepath.Join(serverFolder, socketName), open: map[net.Conn]bool{}}
	if w.listener, err = (&net.ListenConfig{}).Listen(ctx, "unix", filepath.Join(folder, socketName)); err != nil {
		return nil, err
	}
	go w.accept(ctx)
	return w, nil
}

// Close ends it; connections through it end with the program's.
func (w *Ways) Close() error { return errors.Join(w.listener.Close(), os.RemoveAll(w.folder)) }

// Through is a server's address of a database, through the counter.
func (w *Ways) Through(url string) string {
	return strings.Replace(url, filepath.Dir(w.to), w.folder, 1)
}

// Take returns the statements of each way since it was called last, apart by semicolons.
func (w *Ways) Take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	went := w.went
	w.went = nil
	return went
}

// Cut ends all connections instead of the nth way from now on, and then refuses one: as a server
// that ends and starts again.
func (w *Ways) Cut(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cut = n
}

// CutAnswer ends the connection on which a statement that begins so runs next, when its transaction ends: the server
// is told, and the program does not hear of it.
func (w *Ways) CutAnswer(statement string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unsure = statement
}

// unheard reports whether a connection ends as CutAnswer was told.
func (w *Ways) unheard(c *connection) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	begins := func(statement string) bool { return strings.HasPrefix(statement, w.unsure) }
	if w.unsure == "" || !slices.Contains(c.way, "COMMIT") || !slices.ContainsFunc(c.ran, begins) {
		return false
	}
	w.unsure = ""
	return true
}

// Vanish has nothing pass any more on the connections that there are, and neither side hear of it: as a machine does that
// loses its power while another one takes over.
func (w *Ways) Vanish() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone = maps.Clone(w.open)
}

func (w *Ways) vanished(client net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.gone[client]
}

// IsCut reports whether what Cut was told has happened.
func (w *Ways) IsCut() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.cut == 0
}

// add counts a way, and reports whether the server is to get it.
func (w *Ways) add(way []string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.went = append(w.went, strings.Join(way, "; "))
	if w.cut == 0 {
		return true
	}
	if w.cut--; w.cut > 0 {
		return true
	}
	w.refuses = true
	for c := range w.open {
		_ = c.Close()
	}
	return false
}

// takes reports whether a new connection goes on to the server.
func (w *Ways) takes(client net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refuses {
		w.refuses = false
		return false
	}
	w.open[client] = true
	return true
}

func (w *Ways) closed(client net.Conn) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, client)
	_ = client.Close()
}

func (w *Ways) accept(ctx context.Context) {
	for {
		client, err := w.listener.Accept()
		if err != nil {
			return
		}
		if !w.takes(client) {
			_ = client.Close()
			continue
		}
		server, err := (&net.Dialer{}).DialContext(ctx, "unix", w.to)
		if err != nil {
			w.closed(client)
			continue
		}
		var both sync.WaitGroup
		both.Go(func() { _, _ = io.Copy(client, server); w.closed(client) })
		both.Go(func() { w.pass(client, server); _ = server.Close() })
	}
}

// pass hands messages on to the server.
func (w *Ways) pass(client, server net.Conn) {
	c := connection{texts: map[string]string{}}
	for first := true; ; first = false {
		kind, message, err := nextMessage(client, first)
		if err != nil {
			return
		}
		if w.vanished(client) {
			continue
		}
		if c.ends(kind, message) {
			if !c.reads() && !w.add(c.way) {
				return
			}
			if w.unheard(&c) {
				_ = client.Close()
			}
			c.way = nil
		}
		if err := send(server, kind, message, first); err != nil {
			return
		}
	}
}

// connection is what is known of one.
type connection struct {
	texts map[string]string // of statements, by name
	way   []string          // statements since the last way
	begun string            // with which its transaction began
	ran   []string          // statements since then
}

// ends notes a message, and reports whether the program waits after it.
func (c *connection) ends(kind byte, message []byte) bool {
	name, rest, _ := bytes.Cut(message, []byte{0})
	switch kind {
	case 'P':
		text, _, _ := bytes.Cut(rest, []byte{0})
		c.texts[string(name)] = string(text)
	case 'B':
		statement, _, _ := bytes.Cut(rest, []byte{0})
		c.runs(c.texts[string(statement)])
	case 'Q':
		c.runs(string(name))
		return true
	}
	return kind == 'S'
}

// shown is how many bytes of a statement are kept.
const shown = 90

func (c *connection) runs(statement string) {
	if strings.HasPrefix(statement, "BEGIN") {
		c.begun, c.ran = statement, nil
	}
	statement = strings.Join(strings.Fields(statement), " ")
	statement = statement[:min(len(statement), shown)]
	c.way, c.ran = append(c.way, statement), append(c.ran, statement)
}

// reads reports whether the way is the end of a transaction that only read.
func (c *connection) reads() bool {
	return slices.Equal(c.way, []string{"COMMIT"}) && strings.Contains(c.begun, "READ ONLY")
}

// nextMessage reads a message of the protocol; the first one has no kind.
func nextMessage(from io.Reader, first bool) (kind byte, message []byte, err error) {
	head := make([]byte, 5)
	if first {
		head = head[1:]
	}
	if _, err := io.ReadFull(from, head); err != nil {
		return 0, nil, err
	}
	if !first {
		kind = head[0]
	}
	message = make([]byte, int(binary.BigEndian.Uint32(head[len(head)-4:]))-4)
	_, err = io.ReadFull(from, message)
	return kind, message, err
}

func send(to io.Writer, kind byte, message []byte, first bool) error {
	var head []byte
	if !first {
		head = []byte{kind}
	}
	head = binary.BigEndian.AppendUint32(head, uint32(len(message)+4)) // as it came
	_, err := to.Write(append(head, message...))
	return err
}
