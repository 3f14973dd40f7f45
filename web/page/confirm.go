package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// ConfirmView answers the POST of a sensitive act when the password was given a while
// ago: the field confirmacao-da-senha goes to the same address with all that was
// posted.
type ConfirmView struct {
	layout.Page
	Path    string    // of the act
	Back    string    // where the person came from
	Problem string    // about the password, "" at first
	Carried []Carried // what was posted
}

func (m ConfirmView) password() component.Field {
	return component.Field{Name: "confirmacao-da-senha", Label: "Sua senha", Secret: true, Autocomplete: "current-password",
		Focus: true, Error: m.Problem}
}
