package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// FollowedEntry is GET /servico/unidades/{uid} and /servico/profissionais/{uid}
// where the service follows the desk's registers: shown, and changed there.
type FollowedEntry struct {
	layout.Page
	Purpose string
	List    component.Link
	Notice  component.Notice
	State   component.Situation
	Facts   []component.Copyable // identifier and the like
	Parts   string               // heading over them: "Pontos de atendimento"
	Columns []string             // of the parts, without the last one, the state
	Rows    []ConsoleRow         // without addresses
	Nothing string               // what no parts mean
}
