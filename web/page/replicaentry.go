package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// ReplicaEntryView is GET /servico/unidades/{uid} and /servico/profissionais/{uid}
// where the service follows the desk's directory: shown, and changed there.
type ReplicaEntryView struct {
	layout.Page
	Purpose   string
	List      component.Link
	Notice    component.Notice
	State     component.Situation
	Facts     []component.Copyable // identifier and the like
	Parts     string               // heading over them: "Pontos de atendimento"
	Columns   []string             // of the parts, without the last one, the state
	Rows      []ConsoleRow         // without addresses
	EmptyText string               // what no parts mean
}
