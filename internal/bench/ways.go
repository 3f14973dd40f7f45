package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
)

// ways stands between the program and a PostgreSQL server and counts how often the program waits
// for the server.
type ways struct {
	folder   string // of its socket
	to       string // the server's socket
	listener net.Listener
	awaited  atomic.Int64
	ends     atomic.Int64 // of reads, for which nobody waits
}

// socketName is that of a server's socket in its folder.
const socketName = ".s.PGSQL.5432"

func countWays(ctx context.Context, serverFolder string) (*ways, error) {
	folder, err := os.MkdirTemp("", "ways") // the path of a socket is short
	if err != nil {
		return nil, err
	}
	w := &ways{folder: folder, to: filepath.Join(serverFolder, socketName)}
	if w.listener, err = (&net.ListenConfig{}).Listen(ctx, "unix", filepath.Join(folder, socketName)); err != nil {
		return nil, err
	}
	go w.accept(ctx)
	return w, nil
}

func (w *ways) close() error { return errors.Join(w.listener.Close(), os.RemoveAll(w.folder)) }

func (w *ways) accept(ctx context.Context) {
	for {
		client, err := w.listener.Accept()
		if err != nil {
			return
		}
		server, err := (&net.Dialer{}).DialContext(ctx, "unix", w.to)
		if err != nil {
			_ = client.Close()
			continue
		}
		var both sync.WaitGroup
		both.Go(func() { _, _ = io.Copy(client, server); _ = client.Close() })
		both.Go(func() { w.pass(client, server); _ = server.Close() })
	}
}

// pass hands messages on to the server and counts those after which the program waits.
func (w *ways) pass(client, server net.Conn) {
	reads := map[string]bool{} // statements that begin a transaction: whether it only reads
	reading := false
	for first := true; ; first = false {
		kind, message, err := nextMessage(client, first)
		if err != nil {
			return
		}
		name, rest, _ := bytes.Cut(message, []byte{0})
		switch kind {
		case 'P':
			if text := string(rest); len(text) >= 5 && text[:5] == "BEGIN" {
				reads[string(name)] = bytes.Contains(rest, []byte("READ ONLY"))
			}
		case 'B':
			statement, _, _ := bytes.Cut(rest, []byte{0})
			if only, begins := reads[string(statement)]; begins {
				reading = only
			}
		case 'Q':
			if reading && string(name) == "COMMIT" {
				w.ends.Add(1)
				break
			}
			w.awaited.Add(1)
		case 'S':
			w.awaited.Add(1)
		}
		if err := send(server, kind, message, first); err != nil {
			return
		}
	}
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
	head = binary.BigEndian.AppendUint32(head, uint32(len(message)+4)) //nolint:gosec // as it came
	_, err := to.Write(append(head, message...))
	return err
}
