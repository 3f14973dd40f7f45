package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// ServiceCredentialView is GET and POST /servico/credenciais/nova and
// /servico/credenciais/{uid}: a credential with the settings by which the service
// reads its requests.
type ServiceCredentialView struct {
	layout.Page
	// Fields are nome, codigoPrestador, operadora, registroANS, contratado, cnes,
	// formatoCarteira, anexosObrigatorios, indicacaoClinica, tempoLimite,
	// validadeObrigatoria and exigeBiometria.
	Fields
	Connectors    []component.Choice
	New           bool
	Path          string // "/servico/credenciais/{uid}"
	ID            string
	EligibilityID string
	State         component.Situation
	Disabled      bool
}

func (m ServiceCredentialView) list() component.Link {
	return component.Link{Href: "/servico/credenciais", Text: "Credenciais"}
}

func (m ServiceCredentialView) action() string {
	if m.New {
		return "/servico/credenciais/nova"
	}
	return m.Path
}

// connector is the select of the operator's connector.
func (m ServiceCredentialView) connector() component.Select {
	f := m.field(component.Field{Name: "operadora", Label: "Conector"})
	return component.Select{Field: f, Choices: m.Connectors, Prompt: "–"}
}
