package torture

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/PuerkitoBio/goquery"
)

// browser is somebody's browser, without scripts: cookies, and an address that may move.
type browser struct {
	world  *world
	client *http.Client
	user   string // who logs in when a session has ended; "" for nobody

	mu     sync.Mutex
	logins int // so many times
}

// view is what came back.
type view struct {
	status   int
	location string // path that it leads to, "" of no redirect
	header   http.Header
	body     []byte
}

func (w *world) browser() *browser {
	jar, _ := cookiejar.New(nil) // only options can be wrong
	return &browser{world: w, client: &http.Client{
		Jar: jar, Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 16},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// send makes a request, and logs in and makes it again when the session has ended. An error
// means that nobody knows what became of it.
func (b *browser) send(ctx context.Context, method, path, contentType string, body []byte, header http.Header) (view, error) {
	b.mu.Lock()
	logins := b.logins
	b.mu.Unlock()
	v, err := b.sendOnce(ctx, method, path, contentType, body, header)
	if err != nil || b.user == "" || v.location != "/entrar" && v.status != http.StatusUnauthorized {
		return v, err
	}
	if err := b.logIn(ctx, logins); err != nil {
		return view{}, err
	}
	return b.sendOnce(ctx, method, path, contentType, body, header)
}

// LoggedOut is the trouble of a session that ended.
const LoggedOut = "a request to log in"

// logIn logs in, unless another tab did since there were so many logins.
func (b *browser) logIn(ctx context.Context, since int) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.logins != since {
		return nil
	}
	form := url.Values{"usuario": {b.user}, "senha": {password}}
	v, err := b.until(ctx, func() (view, error) {
		return b.sendOnce(ctx, http.MethodPost, "/entrar", formType, []byte(form.Encode()), nil)
	})
	if err == nil && v.status != http.StatusSeeOther {
		err = unexpected(v, "log in")
	}
	b.logins++
	b.world.trouble(LoggedOut)
	return err
}

// formType is the Content-Type of a form without files.
const formType = "application/x-www-form-urlencoded"

// sendOnce makes one request.
func (b *browser) sendOnce(ctx context.Context, method, path, contentType string, body []byte, header http.Header) (view, error) {
	address, err := b.world.process.address(ctx)
	if err != nil {
		return view{}, err
	}
	r, err := http.NewRequestWithContext(ctx, method, address+path, bytes.NewReader(body))
	if err != nil {
		return view{}, err
	}
	for name, values := range header {
		r.Header[name] = values
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
		r.Header.Set("Origin", address)
	}
	res, err := b.client.Do(r)
	if err != nil {
		return view{}, err
	}
	defer func() { _ = res.Body.Close() }() // read to its end
	v := view{status: res.StatusCode, header: res.Header}
	if to, err := res.Location(); err == nil {
		v.location = to.Path
	}
	if v.body, err = io.ReadAll(res.Body); err != nil {
		return view{}, err
	}
	if v.status >= http.StatusInternalServerError {
		b.world.trouble(fmt.Sprintf("%d at %s %s", v.status, method, shape(path)))
	}
	return v, nil
}

func (b *browser) get(ctx context.Context, path string) (view, error) {
	return b.send(ctx, http.MethodGet, path, "", nil, nil)
}

func (b *browser) post(ctx context.Context, path string, form url.Values) (view, error) {
	return b.send(ctx, http.MethodPost, path, formType, []byte(form.Encode()), nil)
}

// until repeats a request until it is answered with something else than a failure.
func (b *browser) until(ctx context.Context, try func() (view, error)) (view, error) {
	for {
		v, err := try()
		if err == nil && v.status < http.StatusInternalServerError || ctx.Err() != nil {
			return v, err
		}
		pause(ctx, 30*time.Millisecond)
	}
}

// document reads a page.
func (v view) document() *goquery.Document {
	doc, err := goquery.NewDocumentFromReader(bytes.NewReader(v.body))
	if err != nil {
		return &goquery.Document{Selection: &goquery.Selection{}}
	}
	return doc
}

// text is the text of the first match, with single spaces.
func text(s *goquery.Selection) string { return strings.Join(strings.Fields(s.First().Text()), " ") }

// shape is a path without its identifiers.
func shape(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		if len(p) >= 32 {
			parts[i] = "…"
		}
	}
	return strings.Join(parts, "/")
}

// fields are what a browser sends for a form that nobody touched.
func fields(form *goquery.Selection, page *goquery.Document) url.Values {
	values := url.Values{}
	all := form.Find("input[name], select[name], textarea[name]")
	if id := form.AttrOr("id", ""); id != "" {
		all = all.AddSelection(page.Find(`[form="` + id + `"][name]`))
	}
	all.Each(func(_ int, f *goquery.Selection) {
		_, checked := f.Attr("checked")
		switch kind := f.AttrOr("type", ""); {
		case goquery.NodeName(f) == "button", kind == "file", (kind == "checkbox" || kind == "radio") && !checked:
		case goquery.NodeName(f) == "textarea":
			values.Add(f.AttrOr("name", ""), f.Text())
		case goquery.NodeName(f) == "select":
			values.Add(f.AttrOr("name", ""), f.Find("option[selected]").AttrOr("value", ""))
		default:
			values.Add(f.AttrOr("name", ""), f.AttrOr("value", ""))
		}
	})
	return values
}
