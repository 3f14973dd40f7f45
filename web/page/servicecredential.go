package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// ServiceCredential is GET and POST /servico/credenciais/nova and
// /servico/credenciais/{uid}: a credential with the settings by which the service
// reads its requests.
type ServiceCredential struct {
	layout.Page
	Typed         // nome, codigoPrestador, operadora, registroANS, contratado, cnes, formatoCarteira, anexosObrigatorios, indicacaoClinica, tempoLimite, validadeObrigatoria, exigeBiometria
	Connectors    []component.Choice
	New           bool
	Path          string // "/servico/credenciais/{uid}"
	ID            string
	EligibilityID string
	State         component.Situation
	Off           bool
}

func (m ServiceCredential) list() component.Link {
	return component.Link{Href: "/servico/credenciais", Text: "Credenciais"}
}

func (m ServiceCredential) action() string {
	if m.New {
		return "/servico/credenciais/nova"
	}
	return m.Path
}

// connector is the select of the operator's connector.
func (m ServiceCredential) connector() component.Select {
	f := m.field(component.Field{Name: "operadora", Label: "Conector"})
	return component.Select{Field: f, Choices: m.Connectors, Prompt: "–"}
}
