package page

import "guiche/web/component"

// AlarmView is the form that ends the alarm about a broken trail.
type AlarmView struct {
	Fields  // motivo
	Mark    string
	Reasons []component.Choice
}

func (m AlarmView) reason() component.Select {
	return m.pick(component.Select{Field: component.Field{Name: "motivo", Label: "Motivo"}, Prompt: "Escolha",
		Choices: m.Reasons})
}
