package page

import (
	"strconv"

	"guiche/web/component"
	"guiche/web/layout"
)

// AccountView is GET /conta, and the answer to its forms when something is wrong:
// fields atual, senha, senha2 of the password, tema and teclas of the preferences.
type AccountView struct {
	layout.Page
	Name     string
	User     string
	Roles    string
	Units    string
	MinLen   int // shortest password, in characters
	Themes   []component.Choice
	Theme    string // value of the theme in force
	Keys     bool   // function keys are on
	Sessions []SessionRow
	Fields   // their problems alone: what was typed is secret
}

func (a AccountView) password(name, label, complete string) component.Field {
	f := component.Field{Name: name, Label: label, Secret: true, Autocomplete: complete, Error: a.message(name)}
	if name == "senha" {
		f.Hint = "Pelo menos " + strconv.Itoa(a.MinLen) + " caracteres; uma frase serve."
	}
	return f
}

func (a AccountView) theme() component.Select {
	return component.Select{Choices: a.Themes,
		Field: component.Field{Name: "tema", Label: "Tema", Value: a.Theme, Error: a.message("tema")}}
}

func (a AccountView) sessions() sessionList {
	return sessionList{rows: a.Sessions, allPath: "/conta/sessoes/encerrar", allText: "Encerrar as outras"}
}
