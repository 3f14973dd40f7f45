package form

import (
	"cmp"
	"net/url"
	"strconv"
	"strings"
	"unicode"

	"guiche/internal/authorization"
	"guiche/internal/desk"
)

// Values of the buttons of a request's form; adding and removing rows has
// buttons as well.
const (
	ButtonLater  = "rascunho"      // leaves the draft for later
	ButtonSearch = "buscar"        // searches for a credential without a script
	ButtonWho    = "quem"          // searches for beneficiaries and operators without a script
	ButtonFill   = "preencher"     // fills the form from what that found, without a script
	ButtonFind   = "procedimentos" // searches for procedures without a script
	ButtonAsk    = "elegibilidade" // asks the operator about the card, without a script
	ButtonRow    = addRow          // adds a row of procedures without a script
)

// Request is the posted form of an authorization request.
type Request struct {
	Form    desk.Form // what was typed
	Version int       // of the draft that the page showed; 0 of one never saved
	Button  string    // the button that was pressed, "" for none
	Search  string    // what stands in the field of the credential search
	Who     string    // what stands in the field "Quem é?"
	Chosen  string    // of what that found: a case of the beneficiary, or a credential
}

// ReadRequest reads a request's form.
func ReadRequest(posted url.Values) Request {
	typed := desk.Form{Values: map[string]string{}}
	for _, name := range desk.FormFields() {
		if values := posted[name]; len(values) > 0 {
			typed.Values[name] = values[0]
		}
	}
	typed.Procedures = readProcedures(New(posted))
	version, _ := strconv.Atoi(posted.Get("versao")) // absent or garbled: a draft never saved
	return Request{Form: typed, Version: version, Button: posted.Get(button), Search: posted.Get("Busca"),
		Who: posted.Get("Quem"), Chosen: posted.Get("beneficiario")}
}

// readProcedures reads procedimentos[0], procedimentos[1], … as far as the rules
// let a request go and one more, so that too many are noticed. Empty rows at the
// end are left out: the page always offers one.
func readProcedures(f *Form) []desk.ProcedureRow {
	var rows []desk.ProcedureRow
	for i := range authorization.MaxProcedures + 1 {
		row := Row{f, rowPrefix("procedimentos", i)}
		if !f.posted.Has(row.Name("codigoProcedimento")) {
			break
		}
		rows = append(rows, readProcedure(row))
	}
	for len(rows) > 0 && rows[len(rows)-1].Code == "" && rows[len(rows)-1].Name == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

// readProcedure reads a row. What was chosen without a script, of what the typed words found,
// takes their place unless they were changed since.
func readProcedure(row Row) desk.ProcedureRow {
	typed := desk.ProcedureRow{Code: row.Raw("codigoProcedimento"), Name: row.Raw("nomeProcedimento"), Quantity: row.Raw("quantidade")}
	if chosen := row.Raw("escolha"); chosen != "" && row.Raw("buscado") == ProcedureWords(typed.Code, typed.Name) {
		typed.Code, typed.Name = chosen, ""
	}
	return typed
}

// ProcedureWords returns what a row is searched by without a script, "" of one that has its code
// and name.
func ProcedureWords(code, name string) string {
	code, name = strings.TrimSpace(code), strings.TrimSpace(name)
	if code != "" && name != "" && !strings.ContainsFunc(code, unicode.IsLetter) {
		return ""
	}
	return cmp.Or(code, name)
}

// WithoutRemoved returns what was typed without the row whose button for removing
// it was pressed.
func (r Request) WithoutRemoved() desk.Form {
	index, pressed := strings.CutPrefix(r.Button, removeRow)
	n, err := strconv.Atoi(index)
	if !pressed || err != nil || n < 0 || n >= len(r.Form.Procedures) {
		return r.Form
	}
	typed, rows := r.Form, r.Form.Procedures
	typed.Procedures = append(rows[:n:n], rows[n+1:]...)
	return typed
}
