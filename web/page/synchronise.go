package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// SynchroniseView is GET and POST /cadastros/sincronizar: what taking units and
// professionals from the service would do.
type SynchroniseView struct {
	layout.Page
	Notice      *component.Notice // why nothing can be shown, or why it is shown again; nil for neither
	Lists       []SyncList        // none when the service could not be asked
	Skipped     []SyncSkipped     // what of the service cannot be taken
	Button      string            // text of the button, "" when there is nothing to do
	Fingerprint string            // names what is shown: sent back as conferido
	Message     string            // said in place of a button when there is nothing to do
}

// SyncList is one list of the directory beside the service's list.
type SyncList struct {
	ID, Title string
	Count     string // "o serviço lista 3 unidades"
	Changes   []SyncChange
	Unchanged string   // said when there are none
	Local     []string // names of what the service does not list and that stays
}

// SyncChange is what would become of one entry.
type SyncChange struct {
	Name, Word string
	Icon       string
	Tone       component.Tone
	Lines      []string // "Nome: Centro → Sede"
}

// SyncSkipped is something that the service lists and that stays out.
type SyncSkipped struct{ Name, Reason string }
