package bench

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/klauspost/compress/gzhttp"
)

// Bare answers whatever it is asked with the bytes of a file, as net/http does without
// anything else, compressed for whoever takes it so, until ctx is done. It says its address.
func Bare(ctx context.Context, file string, say io.Writer) error {
	body, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	plain := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(body)
	})
	compress, err := gzhttp.NewWrapper(gzhttp.CompressionLevel(6), gzhttp.EnableZstd(false)) // as pages are
	if err != nil {
		return err
	}
	compressed := compress(plain)
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Accept-Encoding") == "" {
			plain(w, r)
			return
		}
		compressed.ServeHTTP(w, r)
	})}
	_, _ = fmt.Fprintf(say, "http://%s\n", l.Addr())
	ended := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer ended()
	if err := server.Serve(l); ctx.Err() == nil {
		return err
	}
	return nil
}
