package page

import "guiche/web/component"

// ReviewView is the panel between the form and sending: what will be sent, with the
// desk's warnings. Confirming posts to /nova/{uid}/enviar.
type ReviewView struct {
	Operator    string // "Vale Sereno"
	Warnings    []component.Notice
	Beneficiary []Fact
	Parties     []Fact // who asks and who performs
	Others      []Fact // only what is not a default
	Procedures  []ProcedureRow
	Attachments string // "pedido-medico.jpg, carteira-frente.jpg"; "" for none
	TotalSize   string // "5,5 MB ao todo"
	Revision    int    // of what is shown; sent back, so that nothing else is confirmed
}
