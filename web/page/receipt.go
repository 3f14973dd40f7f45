package page

import (
	"guiche/web/component"
	"guiche/web/layout"
)

// ReceiptView is GET /casos/{uid}/comprovante: half a sheet for the patient.
type ReceiptView struct {
	layout.Page
	Case           string // path of the case
	Simulated      bool   // said on the sheet, in place of the page's banner
	Unit           string
	UnitPhone      string
	Patient        []Fact
	Situation      component.Situation
	Words          string // what that means for the patient
	Reasons        []ErrorLine
	Authorizations []Authorization // at least one, without a title where it is the only one
	Operator       string
	OperatorPhone  string
	Denied         bool   // whom to turn to stands there
	Printed        string // "20/11/2026, 14:05"
	By             string
}
