package apptest

import (
	"bytes"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/http/cookiejar"
	"net/textproto"
	"net/url"
	"strconv"
	"strings"
	"testing"
)

// formType is the content type of a form without files.
const formType = "application/x-www-form-urlencoded"

// Client is a person with a browser that runs no script: HTTP with a cookie jar.
type Client struct {
	Server *Server
	HTTP   *http.Client
	Header http.Header // sent with every request

	T testing.TB // the test that it belongs to

	user, password string // last logged in with
}

// Client returns somebody who is not logged in.
func (s *Server) Client(t testing.TB) *Client {
	t.Helper()
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &Client{Server: s, HTTP: &http.Client{Jar: newJar(), Transport: transport}, Header: http.Header{}, T: t}
}

// anyScheme is a browser's cookies where a proxy would end TLS: what is Secure comes back
// over plain http.
type anyScheme struct{ http.CookieJar }

func newJar() anyScheme {
	jar, _ := cookiejar.New(nil) // only options can be wrong
	return anyScheme{jar}
}

// SetCookies implements http.CookieJar.
func (j anyScheme) SetCookies(u *url.URL, cookies []*http.Cookie) {
	for _, c := range cookies {
		c.Secure = false
	}
	j.CookieJar.SetCookies(u, cookies)
}

// StayOnRedirect makes the client show a redirect in place of where it leads.
func (c *Client) StayOnRedirect() *Client {
	c.HTTP.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c
}

// FailOnServerError makes every answer of 5xx fail the test.
func (c *Client) FailOnServerError() *Client {
	c.HTTP.Transport = noServerErrors{c.T, c.HTTP.Transport}
	return c
}

// noServerErrors fails the test on any 5xx that the client meets, wherever it happens.
type noServerErrors struct {
	t    testing.TB
	next http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (n noServerErrors) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := n.next.RoundTrip(r)
	if err == nil && res.StatusCode >= http.StatusInternalServerError {
		n.t.Errorf("%s %s is answered with %d", r.Method, r.URL.Path, res.StatusCode)
	}
	return res, err
}

// Forget empties the cookie jar.
func (c *Client) Forget() {
	c.HTTP.Jar = newJar()
}

// Twin returns another client with the cookies that this one has now, as somebody
// has who copied them.
func (c *Client) Twin() *Client {
	c.T.Helper()
	twin := c.Server.Client(c.T)
	for _, cookie := range c.Cookies() {
		twin.Header.Add("Cookie", cookie.String())
	}
	return twin
}

// Cookies are the cookies that the client holds of the server.
func (c *Client) Cookies() []*http.Cookie {
	c.T.Helper()
	address, err := url.Parse(c.Server.URL)
	if err != nil {
		c.T.Fatal(err)
	}
	return c.HTTP.Jar.Cookies(address)
}

// Get opens a page and follows redirects.
func (c *Client) Get(path string) *Page {
	c.T.Helper()
	return c.Send(http.MethodGet, path, "", nil, nil)
}

// Post sends a form and follows the redirect.
func (c *Client) Post(path string, form url.Values) *Page {
	c.T.Helper()
	return c.Send(http.MethodPost, path, formType, strings.NewReader(form.Encode()), nil)
}

// htmx is what htmx sends with every request.
var htmx = http.Header{"Hx-Request": {"true"}}

// GetHTMX asks for a page as htmx does.
func (c *Client) GetHTMX(path string) *Page {
	c.T.Helper()
	return c.Send(http.MethodGet, path, "", nil, htmx)
}

// PostHTMX sends a form as htmx does.
func (c *Client) PostHTMX(path string, form url.Values) *Page {
	c.T.Helper()
	return c.Send(http.MethodPost, path, formType, strings.NewReader(form.Encode()), htmx)
}

// Upload sends a form with files.
func (c *Client) Upload(path string, form url.Values, files map[string][]byte) *Page {
	c.T.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for name, values := range form {
		for _, value := range values {
			if err := w.WriteField(name, value); err != nil {
				c.T.Fatal(err)
			}
		}
	}
	for name, content := range files {
		part, err := w.CreateFormFile("arquivo", name)
		if err == nil {
			_, err = part.Write(content)
		}
		if err != nil {
			c.T.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		c.T.Fatal(err)
	}
	return c.Send(http.MethodPost, path, w.FormDataContentType(), &b, nil)
}

// UploadHTMX sends one file as the page's script does; its size need not be known.
func (c *Client) UploadHTMX(path, name string, content io.Reader) *Page {
	c.T.Helper()
	read, write := io.Pipe()
	form := multipart.NewWriter(write)
	go func() {
		part, err := form.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {`form-data; name="arquivo"; filename=` + strconv.Quote(name)},
		})
		if err == nil {
			_, err = io.Copy(part, content)
		}
		if err == nil {
			err = form.Close()
		}
		_ = write.CloseWithError(err)
	}()
	return c.Send(http.MethodPost, path, form.FormDataContentType(), read, htmx)
}

// Send sends a request as it is told to and follows redirects.
func (c *Client) Send(method, path, contentType string, body io.Reader, header http.Header) *Page {
	c.T.Helper()
	req, err := http.NewRequestWithContext(c.T.Context(), method, c.Server.URL+path, body)
	if err != nil {
		c.T.Fatal(err)
	}
	req.Host = c.Server.Host
	maps.Copy(req.Header, c.Header)
	maps.Copy(req.Header, header)
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	res, err := c.HTTP.Do(req)
	if err != nil {
		c.T.Fatalf("%s %s: %v", method, path, err)
	}
	defer res.Body.Close()
	content, err := io.ReadAll(res.Body)
	if err != nil {
		c.T.Fatalf("%s %s: %v", method, path, err)
	}
	return &Page{Status: res.StatusCode, Path: res.Request.URL.Path, Header: res.Header, Body: content, T: c.T}
}
