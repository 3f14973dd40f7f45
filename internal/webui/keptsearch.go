package webui

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"guiche/internal/problem"

	"github.com/google/uuid"
	"github.com/labstack/echo/v4"
)

// searchedLists are the lists that show what a form posts to their own address.
var searchedLists = map[string]bool{
	"/pessoas": true, "/cadastros/unidades": true, "/cadastros/executantes": true, "/cadastros/procedimentos": true,
	"/cadastros/credenciais": true, "/servico/credenciais": true, "/servico/unidades": true, "/servico/profissionais": true,
	"/servico/registro": true, "/servico/descricao": true,
}

// The latest searches of lists are kept with the session, for a browser to come back to what it showed: of a page that
// was posted it shows an error instead. The address has a number that says nothing.
const (
	keptSearchParam   = "busca"
	keptSearchPrefix  = "busca:"
	keptSearches      = 8
	maxKeptSearchSize = 1 << 10 // bytes; a longer one is answered where it was posted
)

// listed serves a list as what was searched for asks, and what is posted there under an address of its own.
func (s *server) listed(c echo.Context, list echo.HandlerFunc) error {
	if c.Request().Method != http.MethodPost {
		if err := s.takeSearch(c); err != nil {
			return err
		}
		return list(c)
	}
	to, err := s.keepSearch(c)
	switch {
	case problem.Passing(err), err == nil && to == "":
		return list(c)
	case err != nil:
		return err
	}
	return redirect(c, to)
}

// keepSearch keeps what was posted and returns the address that shows it, "" for what is too long to be kept.
func (s *server) keepSearch(c echo.Context) (to string, err error) {
	values, err := postedValues(c)
	if err != nil {
		return "", err
	}
	path := c.Request().URL.Path
	maps.DeleteFunc(values, func(_ string, all []string) bool { return strings.Join(all, "") == "" })
	search := path + "?" + values.Encode()
	switch {
	case len(values) == 0:
		return path, nil
	case len(search) > maxKeptSearchSize:
		return "", nil
	}
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return "", err
	}
	id, err := uuid.NewV7() // the later one sorts behind
	if err != nil {
		return "", err
	}
	session.Values[keptSearchPrefix+id.String()] = search
	forgetSearches(session.Values)
	return path + "?" + keptSearchParam + "=" + id.String(), session.Save(c.Request(), c.Response())
}

// forgetSearches leaves the latest of them in a session's values.
func forgetSearches(values map[any]any) {
	var kept []string
	for key := range values {
		if name, ok := key.(string); ok && strings.HasPrefix(name, keptSearchPrefix) {
			kept = append(kept, name)
		}
	}
	slices.Sort(kept)
	for len(kept) > keptSearches {
		delete(values, kept[0])
		kept = kept[1:]
	}
}

// takeSearch has a request be about the search that its address names, as if it were posted there; about everything
// where that is no longer kept.
func (s *server) takeSearch(c echo.Context) error {
	id := c.QueryParam(keptSearchParam)
	if id == "" {
		return nil
	}
	session, err := s.sessions.Get(c.Request(), sessionName)
	if err != nil {
		return err
	}
	kept, _ := session.Values[keptSearchPrefix+id].(string)
	path, fields, _ := strings.Cut(kept, "?")
	if path != c.Request().URL.Path {
		return nil
	}
	c.Request().PostForm, err = url.ParseQuery(fields)
	return err
}
