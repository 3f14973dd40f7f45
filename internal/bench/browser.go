package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"time"
)

// browser is somebody's browser, for all that is not measured by bytes of a connection.
type browser struct {
	address string
	client  *http.Client
}

// view is what came back.
type view struct {
	status   int
	location string // "" of no redirect
	body     string
}

// logIn logs somebody in.
func logIn(ctx context.Context, address, login, password string) (*browser, error) {
	jar, err := cookiejar.New(nil)
	if err != nil {
		return nil, err
	}
	b := &browser{address: address, client: &http.Client{Jar: jar, Timeout: time.Minute,
		Transport:     &http.Transport{MaxIdleConnsPerHost: clerks, DisableCompression: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}}
	v, err := b.post(ctx, "/entrar", url.Values{"usuario": {login}, "senha": {password}})
	if err == nil && v.status != http.StatusSeeOther {
		err = fmt.Errorf("%w: %d at the entry of %s", errAnswer, v.status, login)
	}
	return b, err
}

func (b *browser) send(ctx context.Context, method, path string, form url.Values, headers ...string) (view, error) {
	r, err := http.NewRequestWithContext(ctx, method, b.address+path, strings.NewReader(form.Encode()))
	if err != nil {
		return view{}, err
	}
	if method == http.MethodPost {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("Origin", b.address)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	res, err := b.client.Do(r)
	if err != nil {
		return view{}, err
	}
	defer func() { _ = res.Body.Close() }() // read to its end
	body, err := io.ReadAll(res.Body)
	return view{res.StatusCode, res.Header.Get("Location"), string(body)}, err
}

func (b *browser) get(ctx context.Context, path string, headers ...string) (view, error) {
	v, err := b.send(ctx, http.MethodGet, path, nil, headers...)
	if err == nil && v.status != http.StatusOK {
		err = fmt.Errorf("%w: %d", errAnswer, v.status)
	}
	return v, err
}

func (b *browser) post(ctx context.Context, path string, form url.Values) (view, error) {
	return b.send(ctx, http.MethodPost, path, form)
}

// cookie is the header that says who it is.
func (b *browser) cookie() string {
	at, err := url.Parse(b.address)
	if err != nil {
		return ""
	}
	var all []string
	for _, c := range b.client.Jar.Cookies(at) {
		all = append(all, c.Name+"="+c.Value)
	}
	return strings.Join(all, "; ")
}

// request is what asks for a page of this person's over a connection.
func (b *browser) request(path string, headers ...string) []byte {
	return request(b.address, path, b.cookie(), headers...)
}
