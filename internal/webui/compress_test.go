package webui_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/apptest"
)

// TestCompress: pages are sent compressed to whoever takes that, and say the same.
func TestCompress(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	ana := p.LogIn(t, apptest.Reception)
	submitted, draft := ana.Submit(ana.NewDraft()).Path, ana.DraftPath()
	for _, path := range []string{"/fila", "/historico", draft, submitted, "/ajuda", "/gibtesnicht"} {
		plain := ana.Get(path)
		ana.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		small := ana.Get(path)
		ana.Header.Set("Accept-Encoding", "identity")
		none := ana.Get(path)
		ana.Header.Del("Accept-Encoding")
		if small.Header.Get("Content-Encoding") != "gzip" || !slices.Contains(small.Header.Values("Vary"), "Accept-Encoding") {
			t.Errorf("%s: %v", path, small.Header)
			continue
		}
		if got := none.Header.Get("Content-Length"); got != strconv.Itoa(len(none.Body)) {
			t.Errorf("%s: a length of %q, want %d", path, got, len(none.Body))
		}
		if len(small.Body)*2 > len(none.Body) || none.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s: %d bytes, uncompressed %d %s", path, len(small.Body), len(none.Body), none.Header.Get("Content-Encoding"))
		}
		if got := unpack(t, small.Body); string(got) != string(none.Body) && string(got) != string(plain.Body) {
			t.Errorf("%s: the compressed page says something else", path)
		}
	}
}

func unpack(t *testing.T, body []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestCompress_Secrets: what shows a secret is sent as it is, and so are files.
func TestCompress_Secrets(t *testing.T) {
	t.Parallel()
	p := apptest.Start(t, apptest.Options{})
	rui := p.LogIn(t, apptest.Administration)
	partner, ana := rui.AddPartner("Hospital da Serra"), rui.PersonPath("ana")
	rui.Header.Set("Accept-Encoding", "gzip, br")
	shown := map[string]*apptest.Page{
		"Invitation": rui.Post(ana+"/convite", nil),
		"NewPerson":  rui.Post("/pessoas/nova", url.Values{"nome": {"Nova Pessoa"}, "usuario": {"nova"}, "papeis": {"administracao"}}),
		"Key":        rui.Post(partner+"/chaves", nil),
		"Client":     rui.Post(partner+"/clientes", url.Values{"cliente": {"Cliente"}}),
		"User":       rui.Post(partner+"/usuarios", url.Values{"usuario": {"integracao-2"}}),
	}
	user := shown["User"].Attr(`form[action$="/senha"]`, "action")
	shown["Password"] = rui.Post(user, nil)
	for name, page := range shown {
		coding := page.Header.Get("Content-Encoding")
		if page.Status != http.StatusOK || coding != "" || len(page.Secrets()) == 0 && !strings.Contains(page.Text("#convite"), "/ativar/") {
			t.Errorf("%s: %d at %s, coded %q", name, page.Status, page.Path, coding)
		}
	}
	link := regexp.MustCompile(`/ativar/[\w-]{20,}`).FindString(string(shown["NewPerson"].Body))
	guest := p.Client(t)
	guest.Header.Set("Accept-Encoding", "gzip")
	for name, page := range map[string]*apptest.Page{"Open": guest.Get(link),
		"Refused": guest.Post(link, url.Values{"senha": {"x"}, "senha2": {"y"}})} {
		if page.Header.Get("Content-Encoding") != "" || !strings.Contains(string(page.Body), link) {
			t.Errorf("%s: %d, coded %q", name, page.Status, page.Header.Get("Content-Encoding"))
		}
	}
}

// TestLogin_FirstVisit: what a browser fetches to show the entry page for the first time.
func TestLogin_FirstVisit(t *testing.T) {
	t.Parallel()
	const most = 25_000
	v := apptest.Start(t, apptest.Options{}).Client(t)
	html := v.Get("/entrar")
	v.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
	bytes := map[string]int{"/entrar": len(v.Get("/entrar").Body)}
	var fetch func(text, pattern string)
	fetch = func(text, pattern string) {
		for _, found := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			path, _, _ := strings.Cut(found[1], "#")
			if _, done := bytes[path]; done || !strings.HasPrefix(path, "/static/") {
				continue
			}
			got := v.Get(path)
			got.Check(t, apptest.Want{Status: http.StatusOK})
			bytes[path] = len(got.Body)
			v.Header.Set("Accept-Encoding", "identity")
			fetch(string(v.Get(path).Body), `url\(["']?([^"')]+)`)
			v.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		}
	}
	fetch(string(html.Body), `(?:href|src)="([^"]+)"`)
	total := 0
	for path, n := range bytes {
		total += n
		if strings.Contains(path, "htmx") || strings.Contains(path, "app.") && strings.HasSuffix(path, ".js") {
			t.Errorf("the entry page loads %s", path)
		}
	}
	if t.Logf("%d bytes: %v", total, bytes); total > most || len(bytes) < 4 {
		t.Errorf("got %d bytes, want at most %d", total, most)
	}
}
