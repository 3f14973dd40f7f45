package page

import "guiche/web/component"

// DecideView is what a person does about a case by the operator's word: of one of which
// nobody knows what became, the forms of whoever may end the doubt, or a notice for whoever
// may not; of an answered one the form for what the operator told since.
type DecideView struct {
	Fields
	Path     string // of the case
	May      bool
	Number   string // to quote on the phone, in groups
	Answered bool   // there is an answer, to which this is added
	Answers  string // how many there are
	Statuses []component.Choice
	Which    []component.Choice // of several authorizations
	Settled  *component.Notice  // what was typed came too late
	Closed   bool               // nothing can be recorded any more
}

// replies reports whether the form for what the operator told since was opened, and not sent yet.
func (m DecideView) replies() bool {
	return m.Answered && m.May && !m.Closed && m.Settled == nil && len(m.Problems) == 0
}

func (m DecideView) which() component.Select {
	return m.pick(component.Select{Field: component.Field{Name: "autorizacao", Label: "De qual autorização",
		Focus: m.replies()},
		Prompt: "Escolha", Choices: m.Which})
}

func (m DecideView) status() component.Select {
	return m.pick(component.Select{Field: component.Field{Name: "situacao", Label: "Situação informada",
		Focus: m.replies() && len(m.Which) == 0},
		Prompt: "Escolha", Choices: m.Statuses})
}

func (m DecideView) senha() component.Field {
	return m.field(component.Field{Name: "senha", Label: "Senha", Code: true, Hint: "Se foi autorizado."})
}

func (m DecideView) until() component.Field {
	return m.field(component.Field{Name: "validade", Label: "Validade", Optional: true, Date: true})
}

func (m DecideView) guide() component.Field {
	return m.field(component.Field{Name: "guia", Label: "Número da guia", Optional: true, Code: true})
}

func (m DecideView) contact(name string) component.Field {
	return m.field(component.Field{Name: name, Label: "Com quem falou", Hint: "Ou onde consultou: portal, aplicativo."})
}

func (m DecideView) note() component.Field {
	return m.field(component.Field{Name: "observacao", Label: "Observação", Optional: true, Long: true})
}

func (m DecideView) callProtocol() component.Field {
	return m.field(component.Field{Name: "reenvio-protocolo", Label: "Protocolo da ligação", Optional: true, Code: true})
}

func (m DecideView) confirm() component.Check {
	return m.check("reenvio-confirmo", "A operadora confirmou que não há pedido com a guia "+m.Number)
}
