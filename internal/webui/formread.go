package webui

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/labstack/echo/v4"
)

// maxFormBytes bounds a form without files: names of 5,000 characters and a
// hundred procedures leave plenty of room.
const maxFormBytes = 2 << 20

// posted is what the form sent: what was typed, and what is around it.
type posted struct {
	form    desk.Form
	version int    // of the draft that the page showed
	action  string // name of the button: "rascunho", "adicionar", "remover-2", "buscar", "escolher", "" for none
	search  string // what stands in the field of the credential search
}

// readForm reads a form that is not multipart.
func readForm(c echo.Context) (posted, error) {
	values, err := postedValues(c)
	if err != nil {
		return posted{}, err
	}
	return fromValues(values), nil
}

// postedValues reads a posted form without files.
func postedValues(c echo.Context) (url.Values, error) { return postedUpTo(c, maxFormBytes) }

func postedUpTo(c echo.Context, bytes int64) (url.Values, error) {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, bytes)
	err := r.ParseForm()
	switch {
	case isTooLarge(err):
		return nil, textTooLong()
	case err != nil:
		return nil, problem.Wrap(problem.Unreadable, "Não deu para ler o formulário.", err)
	}
	return r.PostForm, checkText(r.PostForm)
}

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

func fromValues(values url.Values) posted {
	form := desk.Form{Values: map[string]string{}}
	for _, name := range desk.FormFields() {
		if v, ok := values[name]; ok && len(v) > 0 {
			form.Values[name] = v[0]
		}
	}
	form.Procedures = procedureRows(values)
	version, _ := strconv.Atoi(values.Get("versao")) // absent or garbled: a draft never saved
	return posted{form: form, version: version, action: values.Get("acao"), search: values.Get("Busca")}
}

// procedureRows reads procedimentos[0], procedimentos[1], … as far as the rules
// let a request go, one more so that too many are told.
func procedureRows(values url.Values) []desk.ProcedureRow {
	var rows []desk.ProcedureRow
	for i := range authorization.MaxProcedures + 1 {
		prefix := fmt.Sprintf("procedimentos[%d].", i)
		if _, ok := values[prefix+"codigoProcedimento"]; !ok {
			break
		}
		rows = append(rows, desk.ProcedureRow{Code: values.Get(prefix + "codigoProcedimento"),
			Name: values.Get(prefix + "nomeProcedimento"), Quantity: values.Get(prefix + "quantidade")})
	}
	return trimRows(rows)
}

// trimRows drops empty rows at the end: the page always offers one.
func trimRows(rows []desk.ProcedureRow) []desk.ProcedureRow {
	for len(rows) > 0 && rows[len(rows)-1].Code == "" && rows[len(rows)-1].Name == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// withoutRow returns the form after the button "remover-N".
func (p posted) withoutRow() (desk.Form, bool) {
	n, err := strconv.Atoi(strings.TrimPrefix(p.action, "remover-"))
	if err != nil || n < 0 || n >= len(p.form.Procedures) {
		return p.form, false
	}
	rows := p.form.Procedures
	p.form.Procedures = append(rows[:n:n], rows[n+1:]...)
	return p.form, true
}
