package webui

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"guiche/internal/account"
	"guiche/internal/permission"
	"guiche/web/layout"

	"github.com/a-h/templ"
	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// busySeconds is when whoever is told to come again later may do so.
const busySeconds = "5"

// buffers take pages; what is in them is written over by the next one.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// render writes a view; it is rendered whole before the status goes out, so that
// a failing view can still become an error page.
func (s *server) render(c echo.Context, status int, view templ.Component) error {
	b := buffers.Get().(*bytes.Buffer) // there is nothing else in it
	defer buffers.Put(b)
	b.Reset()
	if err := view.Render(c.Request().Context(), b); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	c.Response().Header().Add("Vary", "HX-Request")
	c.Response().Header().Set(echo.HeaderContentLength, strconv.Itoa(b.Len())) // of a page that goes out whole: no chunks
	if status == http.StatusServiceUnavailable {
		c.Response().Header().Set(echo.HeaderRetryAfter, busySeconds)
	}
	return c.HTMLBlob(status, b.Bytes())
}

// frame returns what the layout needs around a page, and takes what is told once.
func (s *server) frame(c echo.Context, title string, tab layout.Tab) (layout.Page, error) {
	p, err := s.surroundings(c, title, tab)
	if err == nil {
		err = s.tellOnce(c, &p)
	}
	return p, err
}

// tellOnce adds to a page what is told once.
func (s *server) tellOnce(c echo.Context, p *layout.Page) (err error) {
	if p.Person == nil {
		return nil
	}
	if p.Person.Desk {
		p.Tour = tourStep(c)
	}
	p.Flash, p.Undo, err = s.takeFlash(c)
	return err
}

// surroundings are the header of a page and the banners above it.
func (s *server) surroundings(c echo.Context, title string, tab layout.Tab) (layout.Page, error) {
	ctx, p := c.Request().Context(), layout.Page{Title: title, Tab: tab, InsecureHTTP: s.Insecure}
	user, err := s.authenticate(c)
	if err != nil {
		return p, err
	}
	if user != nil {
		p.Person = &layout.Person{Name: user.Name, Initials: initials(user.Name), Admin: user.May(permission.ManagePeople),
			Session: lastOf(s.sessionUID(c))}
		p.Theme, p.KeysOff = themes[user.Theme], user.KeysOff
		if p.Alerts, err = s.alerts(ctx, *user); err != nil {
			return p, err
		}
		p.Shortage = s.shortage(*user)
	}
	return p, s.product.completeFrame(ctx, &p, user)
}

// lastOf are the last 12 digits of an identifier, which are random: enough to tell a tab's sessions apart.
func lastOf(uid uuid.UUID) string { return hex.EncodeToString(uid[10:]) }

// alerts tells administrators what they have to look into.
func (s *server) alerts(ctx context.Context, user account.User) ([]layout.Alert, error) {
	if !user.May(permission.ManagePeople) {
		return nil, nil
	}
	all, err := s.damageAlert(ctx)
	if s.Trail.State().Broken != nil {
		all = append(all, layout.Alert{Strong: "A corrente da auditoria não confere.",
			Text: "Registros podem ter sido alterados ou apagados fora do Guichê. Guarde uma cópia da pasta de dados e veja em Auditoria."})
	}
	return all, err
}

// themes are the themes as the layout names them; the system's choice has no name.
var themes = map[account.Theme]string{account.LightTheme: "light", account.DarkTheme: "dark"}

// initials returns the first letters of the first and the last name.
func initials(name string) string {
	var letters []rune
	for _, word := range strings.Fields(name) {
		if r := []rune(word)[0]; unicode.IsLetter(r) {
			letters = append(letters, unicode.ToUpper(r))
		}
	}
	switch len(letters) {
	case 0:
		return "?"
	case 1:
		return string(letters)
	}
	return string([]rune{letters[0], letters[len(letters)-1]})
}
