package bench

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// Bare answers whatever it is asked with the bytes of a file, as net/http does without
// anything else, until ctx is done. It says its address.
func Bare(ctx context.Context, file string, say io.Writer) error {
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(body)
	})}
	_, _ = fmt.Fprintf(say, "http://%s\n", l.Addr())
	ended := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer ended()
	if err := server.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}
