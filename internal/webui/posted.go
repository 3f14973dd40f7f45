package webui

import (
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"guiche/internal/problem"
	"guiche/internal/webui/form"
	"guiche/web/page"

	"github.com/labstack/echo/v4"
)

// maxFormBytes bounds a form without files: names of 5,000 characters and a
// hundred procedures leave plenty of room.
const maxFormBytes = 2 << 20

// readForm reads a request's form that is not multipart.
func readForm(c echo.Context) (form.Request, error) {
	values, err := postedValues(c)
	if err != nil {
		return form.Request{}, err
	}
	return form.ReadRequest(values), nil
}

// posted reads a posted form without files.
func posted(c echo.Context) (*form.Form, error) {
	values, err := postedValues(c)
	return form.New(values), err
}

// postedValues reads the fields of a posted form without files.
func postedValues(c echo.Context) (url.Values, error) { return postedUpTo(c, maxFormBytes) }

// postedUpTo reads a form of at most so many bytes; the limit keeps a single request
// from filling the memory. Longer forms answer 413, unreadable ones 400.
func postedUpTo(c echo.Context, bytes int64) (url.Values, error) {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, bytes)
	err := r.ParseForm()
	switch {
	case isTooLarge(err):
		return nil, textTooLong()
	case err != nil:
		return nil, unreadable(err, "Não deu para ler o formulário.")
	}
	return r.PostForm, checkText(r.PostForm)
}

// textTooLong is the 413 for a form, with advice that a clerk can follow.
func textTooLong() error {
	return problem.New(problem.TooLarge, "O formulário tem texto demais. Volte e escreva menos nos campos longos.")
}

// checkText refuses what is not UTF-8: it would be kept as other characters than
// those that were sent.
func checkText(values url.Values) error {
	for name, all := range values {
		if !utf8.ValidString(name) || !utf8.ValidString(strings.Join(all, " ")) {
			return problem.New(problem.Unreadable, "O formulário traz bytes que não são texto, e nada foi gravado.")
		}
	}
	return nil
}

// fieldsOf is a form as its page shows it.
func fieldsOf(f *form.Form) page.Fields {
	return page.Fields{Values: f.Values(), Problems: problems(f.Problems())}
}
