package bench

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// files are those that a page or a style names.
var files = regexp.MustCompile(`(?:href="|src="|url\(["']?)(/static/[^"')]+|[\w.-]+\.(?:svg|woff2?|png))`)

// firstVisit is what a browser fetches to show a page for the first time: the page, its
// styles, scripts, icons and fonts, compressed.
func (h *history) firstVisit(ctx context.Context) error {
	looks, err := h.many.user.get(ctx, "/historico")
	if err != nil {
		return err
	}
	pages := append([]string{"/fila", "/historico", "/nova"}, cases(looks.body)[:1]...)
	var most int64
	heaviest := ""
	for i, page := range pages {
		size, err := h.visit(ctx, page)
		if err != nil {
			return err
		}
		if size > most {
			most, heaviest = size, pages[i]
		}
	}
	h.table.note("  the heaviest is /%s", strings.Split(heaviest, "/")[1])
	h.table.add("first visit of the heaviest page, compressed", float64(most)/1000, "kB", atMost(45))
	return nil
}

// visit is how many bytes a page has with all files that it and its styles name.
func (h *history) visit(ctx context.Context, page string) (total int64, err error) {
	seen := map[string]bool{page: true}
	for todo := []string{page}; len(todo) > 0; todo = todo[1:] {
		at := todo[0]
		size, err := h.size(h.many.user.request(at, asBrowsers))
		if err != nil {
			return 0, fmt.Errorf("%s: %w", at, err)
		}
		total += size
		if at != page && !strings.HasSuffix(at, ".css") {
			continue
		}
		v, err := h.many.user.get(ctx, at)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", at, err)
		}
		for _, found := range files.FindAllStringSubmatch(v.body, -1) {
			if name := path.Join("/static", strings.TrimPrefix(found[1], "/static/")); !seen[name] {
				seen[name] = true
				todo = append(todo, name)
			}
		}
	}
	return total, nil
}

// acceptsGzip is a header of a client that takes answers compressed, asBrowsers that of a
// browser over TLS.
const (
	acceptsGzip = "Accept-Encoding: gzip"
	asBrowsers  = "Accept-Encoding: gzip, deflate, br, zstd"
)

// compressed compares a compressed page with the same bytes that a process compresses in
// the same way, and does nothing else.
func (h *history) compressed(ctx context.Context) (err error) {
	for _, page := range []struct{ name, path string }{{"history page", "/historico"}, {"queue page", "/fila"}} {
		if err := h.compressedPage(ctx, page.name, page.path); err != nil {
			return fmt.Errorf("%s: %w", page.name, err)
		}
	}
	return nil
}

func (h *history) compressedPage(ctx context.Context, name, path string) (err error) {
	v, err := h.many.user.get(ctx, path)
	if err != nil {
		return err
	}
	bare, err := h.bare(ctx, h.many.folder, []byte(v.body))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, bare.stop()) }()
	ours, plain := always(h.many.user.request(path, acceptsGzip)), always(request(bare.address, "/", "", acceptsGzip))
	ratio, err := compare(h.rounds(), func() (float64, error) { return loop(h.many.address, ours, 2, h.turn()) },
		func() (float64, error) { return loop(bare.address, plain, 2, h.turn()) })
	h.table.add(name+" over bare answer, both compressed", ratio, "", none)
	return err
}
