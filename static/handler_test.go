package static_test

import (
	"compress/gzip"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"guiche/static"
)

const (
	styles  = "body{color:red}"
	address = "/static/app.0123456789ab.css"
)

func built() fs.FS {
	file := func(content string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(content)} }
	return fstest.MapFS{
		"manifest.json":           file(`{"app.css":"app.0123456789ab.css","only.svg":"only.0123456789ab.svg"}`),
		"app.0123456789ab.css":    file(styles),
		"app.0123456789ab.css.br": file("as brotli"),
		"app.0123456789ab.css.gz": file("as gzip"),
		"only.0123456789ab.svg":   file("<svg/>"),
		".stamp":                  file("x"),
	}
}

// answer is a response with its body read.
type answer struct {
	status int
	header http.Header
	body   string
}

func mustAsk(tb testing.TB, h http.Handler, method, path string, header http.Header) answer {
	tb.Helper()
	server := httptest.NewServer(h)
	defer server.Close()
	r, err := http.NewRequest(method, server.URL+path, nil)
	if err != nil {
		tb.Fatal(err)
	}
	maps.Copy(r.Header, header)
	client := &http.Client{Transport: &http.Transport{DisableCompression: true}}
	resp, err := client.Do(r)
	if err != nil {
		tb.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		tb.Fatal(err)
	}
	return answer{resp.StatusCode, resp.Header, string(body)}
}

func TestHandler_Coding(t *testing.T) {
	for _, tt := range []struct{ name, accept, coding, body string }{
		{"None", "", "", styles},
		{"Identity", "identity", "", styles},
		{"Gzip", "gzip, deflate", "gzip", "as gzip"},
		{"BrotliIsSmaller", "gzip, deflate, br, zstd", "br", "as brotli"},
		{"BrotliRefused", "gzip;q=0.5, br;q=0", "gzip", "as gzip"},
		{"Star", "*", "br", "as brotli"},
		{"StarRefused", "*;q=0", "", styles},
		{"NamedBeatsStar", "br;q=0, *", "gzip", "as gzip"},
		{"Unreadable", "gzip;q=x", "gzip", "as gzip"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp := mustAsk(t, static.NewHandler(built()), http.MethodGet, address, http.Header{"Accept-Encoding": {tt.accept}})
			if resp.status != http.StatusOK {
				t.Fatalf("got status %d, want 200", resp.status)
			}
			if got := resp.header.Get("Content-Encoding"); got != tt.coding {
				t.Errorf("got coding %q, want %q", got, tt.coding)
			}
			if got := resp.body; got != tt.body {
				t.Errorf("got body %q, want %q", got, tt.body)
			}
		})
	}
}

func TestHandler_Headers(t *testing.T) {
	resp := mustAsk(t, static.NewHandler(built()), http.MethodGet, address, nil)
	for name, want := range map[string]string{
		"Content-Type":           "text/css; charset=utf-8",
		"Cache-Control":          "public, max-age=31536000, immutable",
		"Vary":                   "Accept-Encoding",
		"X-Content-Type-Options": "nosniff",
		"ETag":                   `"app.0123456789ab.css."`,
	} {
		if got := resp.header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	t.Run("NotModified", func(t *testing.T) {
		again := mustAsk(t, static.NewHandler(built()), http.MethodGet, address, http.Header{"If-None-Match": {resp.header.Get("ETag")}})
		if again.status != http.StatusNotModified {
			t.Errorf("got status %d, want 304", again.status)
		}
	})
	t.Run("EachCodingHasItsOwnTag", func(t *testing.T) {
		gz := mustAsk(t, static.NewHandler(built()), http.MethodGet, address, http.Header{"Accept-Encoding": {"gzip"}})
		if gz.header.Get("ETag") == resp.header.Get("ETag") {
			t.Errorf("got %s for both", gz.header.Get("ETag"))
		}
	})
	t.Run("Image", func(t *testing.T) {
		svg := mustAsk(t, static.NewHandler(built()), http.MethodHead, "/static/only.0123456789ab.svg", http.Header{"Accept-Encoding": {"br"}})
		if got := svg.header.Get("Content-Type"); got != "image/svg+xml" || svg.header.Get("Content-Encoding") != "" {
			t.Errorf("got %q %q, want image/svg+xml and no coding", got, svg.header.Get("Content-Encoding"))
		}
	})
}

func TestHandler_Refuses(t *testing.T) {
	for _, tt := range []struct {
		name, method, path string
		status             int
	}{
		{"Unknown", http.MethodGet, "/static/app.css", http.StatusNotFound},
		{"Manifest", http.MethodGet, "/static/manifest.json", http.StatusNotFound},
		{"Stamp", http.MethodGet, "/static/.stamp", http.StatusNotFound},
		{"CompressedForm", http.MethodGet, address + ".gz", http.StatusNotFound},
		{"Folder", http.MethodGet, "/static/", http.StatusNotFound},
		{"Parent", http.MethodGet, "/static/..%2fstatic.go", http.StatusNotFound},
		{"Post", http.MethodPost, address, http.StatusMethodNotAllowed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			resp := mustAsk(t, static.NewHandler(built()), tt.method, tt.path, nil)
			if resp.status != tt.status {
				t.Errorf("got status %d, want %d", resp.status, tt.status)
			}
			if got := resp.header.Get("Cache-Control"); got != "no-store" {
				t.Errorf("got Cache-Control %q on a refusal", got)
			}
		})
	}
}

func TestHandler_NotBuilt(t *testing.T) {
	resp := mustAsk(t, static.NewHandler(fstest.MapFS{".keep": &fstest.MapFile{}}), http.MethodGet, "/static/app.css", nil)
	if resp.status != http.StatusServiceUnavailable {
		t.Errorf("got status %d, want 503", resp.status)
	}
	if got := resp.body; !strings.Contains(got, "npm ci && npm run build") {
		t.Errorf("got %q, want what to run", got)
	}
	if got := resp.header.Get("Content-Type"); !strings.HasPrefix(got, "text/plain") {
		t.Errorf("got Content-Type %q, want text/plain", got)
	}
}

// What the build wrote is served, and its compressed form is the same content.
func TestHandler_Built(t *testing.T) {
	if !isBuilt() {
		resp := mustAsk(t, static.Handler(), http.MethodGet, static.Path("app.css"), nil)
		if resp.status != http.StatusServiceUnavailable {
			t.Errorf("got status %d, want 503", resp.status)
		}
		return
	}
	for _, name := range []string{"app.css", "app.js", "form.css", "form.js", "form-icons.svg", "htmx.js", "icons.svg", "mark.svg"} {
		plain := mustAsk(t, static.Handler(), http.MethodGet, static.Path(name), nil)
		packed := mustAsk(t, static.Handler(), http.MethodGet, static.Path(name), http.Header{"Accept-Encoding": {"gzip"}})
		if plain.status != http.StatusOK || packed.header.Get("Content-Encoding") != "gzip" {
			t.Fatalf("%s: got status %d and coding %q", name, plain.status, packed.header.Get("Content-Encoding"))
		}
		unpacked, err := gzip.NewReader(strings.NewReader(packed.body))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(unpacked)
		if err != nil || string(got) != plain.body {
			t.Errorf("%s: the gzip form differs (error %v)", name, err)
		}
	}
}
