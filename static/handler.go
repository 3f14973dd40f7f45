package static

import (
	"bytes"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// types are the media types of what the build writes; the host's own table may
// lack or change them.
var types = map[string]string{
	".css": "text/css; charset=utf-8",
	".js":  "text/javascript; charset=utf-8",
	".svg": "image/svg+xml", ".webp": "image/webp",
}

// codings are the compressed forms beside a file, the smallest first.
var codings = []struct{ name, suffix string }{{"br", ".br"}, {"gzip", ".gz"}}

// Handler serves the built files below Prefix: for ever cacheable, compressed
// as the browser accepts, with an ETag, and nothing that the manifest does not
// name. Only GET and HEAD.
func Handler() http.Handler { return NewHandler(FS) }

// NewHandler is Handler over the given built files.
func NewHandler(built fs.FS) http.Handler {
	known := map[string]bool{}
	for _, hashed := range manifest(built) {
		known[hashed] = true
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "Método não aceito.", http.StatusMethodNotAllowed)
		case len(known) == 0:
			http.Error(w, NotBuilt, http.StatusServiceUnavailable)
		case !known[name]:
			http.Error(w, "Arquivo não encontrado.", http.StatusNotFound)
		default:
			serve(w, r, built, name)
		}
	})
}

// serve writes one file in the best form that the browser accepts.
func serve(w http.ResponseWriter, r *http.Request, built fs.FS, name string) {
	body, coding, err := best(built, name, r.Header.Get("Accept-Encoding"))
	if err != nil {
		http.Error(w, "Arquivo não encontrado.", http.StatusNotFound)
		return
	}
	h := w.Header()
	h.Set("Content-Type", mediaType(name))
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	h.Set("ETag", strconv.Quote(strings.TrimPrefix(name+"."+coding, ".")))
	if coding != "" {
		h.Set("Content-Encoding", coding)
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(body))
}

// best returns the content of a file and its coding, "" for the file itself.
func best(built fs.FS, name, accepted string) (body []byte, coding string, err error) {
	for _, c := range codings {
		if !accepts(accepted, c.name) {
			continue
		}
		if body, err = fs.ReadFile(built, name+c.suffix); err == nil {
			return body, c.name, nil
		}
	}
	body, err = fs.ReadFile(built, name)
	return body, "", err
}

// accepts reports whether an Accept-Encoding header names the coding, or *,
// with a weight above zero.
func accepts(header, coding string) bool {
	star := false
	for part := range strings.SplitSeq(header, ",") {
		name, params, _ := strings.Cut(strings.TrimSpace(part), ";")
		name = strings.ToLower(strings.TrimSpace(name))
		switch name {
		case coding:
			return weight(params) > 0
		case "*":
			star = weight(params) > 0
		}
	}
	return star
}

// weight reads "q=0.5"; absent or unreadable is 1.
func weight(params string) float64 {
	key, value, _ := strings.Cut(strings.ReplaceAll(params, " ", ""), "=")
	if !strings.EqualFold(key, "q") {
		return 1
	}
	q, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return 1
	}
	return q
}

func mediaType(name string) string {
	if t, ok := types[path.Ext(name)]; ok {
		return t
	}
	if t := mime.TypeByExtension(path.Ext(name)); t != "" {
		return t
	}
	return "application/octet-stream"
}
