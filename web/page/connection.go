package page

import (
	"slices"

	"guiche/web/component"
	"guiche/web/layout"
)

// ConnectionView is GET and POST /servico/conexao, and POST /servico/conexao/testar;
// the fields are those that package connection names.
type ConnectionView struct {
	layout.Page
	Fields                     // no secrets
	Service  string            // what is in force now: "serviço embutido", "servico.exemplo.com.br"
	Outside  map[string]string // by field: the variable that sets it and wins
	Stored   map[string]string // by field of a secret: "guardada em 21/11/2026"
	Lost     bool              // the stored secret does not open any more
	Methods  []component.Choice
	Features []component.Choice
	Usual    map[string]string // what each field holds at first
	Test     ConnectionTest
}

// ConnectionTest is what the test found; the zero value is before it.
type ConnectionTest struct {
	Problems []component.Problem // why it could not begin
	Steps    []ConnectionStep
	Retype   bool // the page was loaded again: a secret has to be typed once more
}

// ConnectionStep is one step: its outcome has an icon, a word and a colour.
type ConnectionStep struct {
	Name, Word, Text string
	Icon             string
	Tone             component.Tone
}

func (m ConnectionView) field(f component.Field) component.Field {
	f = m.Fields.field(f)
	if variable := m.Outside[f.Name]; variable != "" {
		f.ReadOnly, f.Optional, f.Hint = true, false, "Definido por "+variable+", que vale mais que esta página."
	}
	return f
}

// secret is a field whose value is never shown again.
func (m ConnectionView) secret(name, label string) component.Field {
	f := component.Field{Name: name, Label: label, Secret: true, Autocomplete: "new-password", Error: m.message(name)}
	if m.Stored[name] != "" {
		f.Optional, f.Hint = true, m.Stored[name]+". Deixe vazio para manter."
	}
	return f
}

func (m ConnectionView) pick(name, label string, choices []component.Choice) component.Select {
	return component.Select{Choices: choices, Field: m.field(component.Field{Name: name, Label: label})}
}

// unusual reports whether one of the fields is not as it is at first, or wrong: it
// must not be hidden.
func (m ConnectionView) unusual(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool {
		return m.Values[name] != m.Usual[name] || m.message(name) != ""
	})
}

func (m ConnectionView) markedByHand() bool { return m.Values["origemRecursos"] == "manual" }

func (m ConnectionView) methodLabel() string {
	for _, c := range m.Methods {
		if c.Value == m.Values["metodo"] {
			return c.Label
		}
	}
	return ""
}

// accessVariables are those that a method's access from outside comes from.
func (m ConnectionView) accessVariables() string {
	switch m.Values["metodo"] {
	case "senha":
		return "GUICHE_SERVICE_USER e GUICHE_SERVICE_PASSWORD"
	case "oauth":
		return "GUICHE_CLIENT_ID e GUICHE_CLIENT_SECRET"
	}
	return "GUICHE_API_KEY"
}

func serviceChoices() []component.Choice {
	return []component.Choice{{Value: "embutido", Label: "Serviço embutido no Guichê"}, {Value: "outro", Label: "Outro serviço, pelo endereço"}}
}

func attachmentChoices() []component.Choice {
	return []component.Choice{{Value: "object", Label: "Objeto com base64, nome e tipo"}, {Value: "string", Label: "Só o texto base64"}}
}

func clientChoices() []component.Choice {
	return []component.Choice{{Value: "formulario", Label: "No formulário"}, {Value: "basic", Label: "No cabeçalho, por HTTP Basic"}}
}

func eligibilityChoices() []component.Choice {
	return []component.Choice{{Value: "recursos", Label: "Se estiver nos recursos"}, {Value: "sempre", Label: "Sempre"}, {Value: "nunca", Label: "Nunca"}}
}

func featureOrigins() []component.Choice {
	return []component.Choice{{Value: "anunciados", Label: "O que o serviço anuncia"}, {Value: "manual", Label: "Recursos à mão, abaixo"}}
}
