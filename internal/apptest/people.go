package apptest

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"guiche/internal/app"

	"github.com/PuerkitoBio/goquery"
)

// The roles.
const (
	Reception      = "recepcao"
	Supervision    = "supervisao"
	Administration = "administracao"
)

// Password is that of everybody whom apptest lets in. The demo's people have
// their own: see Login.
const Password = "uma frase bem comprida"

// Login returns user and password of the person with a role: of Ana in recepção,
// Célia in supervisão, Rui in administração.
func (s *Server) Login(role string) (user, password string) {
	s.t.Helper()
	for _, p := range s.logins {
		if p.Role == role {
			return p.User, p.Password
		}
	}
	s.t.Fatalf("there is no person with the role %s", role)
	return "", ""
}

// LogIn returns the person with a role, in a new browser.
func (s *Server) LogIn(t testing.TB, role string) *Client {
	t.Helper()
	c := s.Client(t)
	if got := c.LogIn(s.Login(role)); got.Status != http.StatusOK || got.Path == "/entrar" {
		t.Fatalf("log in with the role %s: %d at %s", role, got.Status, got.Path)
	}
	return c
}

// What browsers call themselves.
const (
	WindowsChrome = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
	AndroidChrome = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
)

// LogInFrom returns the person with a role, in a new browser of that kind.
func (s *Server) LogInFrom(t testing.TB, role, userAgent string) *Client {
	t.Helper()
	c := s.Client(t)
	c.Header.Set("User-Agent", userAgent)
	if got := c.LogIn(s.Login(role)); got.Status != http.StatusOK {
		t.Fatalf("log in with the role %s: %d", role, got.Status)
	}
	return c
}

// LogIn sends the form of the entry page.
func (c *Client) LogIn(user, password string) *Page {
	c.T.Helper()
	c.user, c.password = user, password
	return c.Post("/entrar", url.Values{"usuario": {user}, "senha": {password}})
}

// LogInAgain logs in as whoever did so before by this client.
func (c *Client) LogInAgain() *Page {
	c.T.Helper()
	return c.LogIn(c.user, c.password)
}

// LoggedIn reports whether the client's session still is one.
func (c *Client) LoggedIn() bool {
	c.T.Helper()
	return c.Get("/conta").Path == "/conta"
}

// Join adds a person as `guiche user add` does and lets them in by the one-time
// link, with Password.
func (s *Server) Join(t testing.TB, p app.NewPerson) *Client {
	t.Helper()
	link, err := app.AddPerson(t.Context(), s.Config, p)
	if err != nil {
		t.Fatal(err)
	}
	c := s.Client(t)
	c.user, c.password = p.Login, Password
	if got := c.Activate(link); got.Status != http.StatusOK {
		t.Fatalf("activate %s: %d", p.Login, got.Status)
	}
	return c
}

// Activate chooses Password by a one-time link.
func (c *Client) Activate(link string) *Page {
	c.T.Helper()
	return c.Post(link, url.Values{"senha": {Password}, "senha2": {Password}})
}

// PersonPath returns the page of the person who logs in so.
func (c *Client) PersonPath(login string) string {
	c.T.Helper()
	row := c.Get("/pessoas").Find("tbody tr").FilterFunction(func(_ int, s *goquery.Selection) bool {
		return s.Find("td:nth-child(2)").Text() == login
	})
	path, ok := row.Find("a[href^='/pessoas/']").Attr("href")
	if !ok {
		c.T.Fatalf("no row of %s among the people", login)
	}
	return path
}

// Invitation returns the path of the one-time link on the page, "" without one.
func (p *Page) Invitation() string {
	p.T.Helper()
	_, secret, found := strings.Cut(p.Text("#convite"), "/ativar/")
	if !found {
		return ""
	}
	return "/ativar/" + secret
}
