package page

import (
	"encoding/json"
	"strconv"

	"guiche/web/component"
)

// WhoList is the answer to POST /busca/quem: beneficiaries of earlier requests, and operators
// for whom a form begins empty.
type WhoList struct {
	Search        string
	Beneficiaries []BeneficiaryOption
	More          bool // some were left out
	Operators     CredentialList
}

// BeneficiaryOption is a beneficiary as the latest request within reach tells of them.
type BeneficiaryOption struct {
	ID       string // of that request's case
	Name     string
	Card     string            // as it is searched
	Facts    string            // "Vale Sereno · 0310 …4821 · válida até 31/12/2027 · Essencial"
	Last     string            // "último pedido em 02/10/2026: Cardiotocografia (Autorizado)"
	Expired  bool              // the card
	Fields   map[string]string // of the form, by wire name
	Operator CredentialOption
}

// expiredCard marks a beneficiary whose card has expired.
var expiredCard = component.Situation{Tone: component.ToneAttention, Icon: "exclamation-triangle", Label: "Carteira vencida"}

// fields are what the script fills in.
func (o BeneficiaryOption) fields() string {
	text, _ := json.Marshal(o.Fields) // a map of texts always has one
	return string(text)
}

// parties are what the script fills in where nothing is chosen, "" for nothing.
func (o CredentialOption) parties() string {
	if len(o.Parties) == 0 {
		return ""
	}
	text, _ := json.Marshal(o.Parties) // a map of texts always has one
	return string(text)
}

func (l WhoList) empty() bool {
	return len(l.Beneficiaries) == 0 && len(l.Operators.Items) == 0 && l.Operators.Problem == ""
}

// nobody is the line of a list that is empty.
func (l WhoList) nobody() string {
	return "Ninguém conhecido com “" + l.Search + "”. Enter leva ao campo certo do formulário."
}

// RequesterList is the answer to POST /busca/solicitantes.
type RequesterList struct {
	Search string
	Items  []RequesterOption
}

// RequesterOption is a requester as the latest request tells of them.
type RequesterOption struct{ Name, Council, Number, State string }

// registration is "CRM 104552 SP".
func (o RequesterOption) registration() string { return o.Council + " " + o.Number + " " + o.State }

// LatestCase is a case with the card that stands in the form.
type LatestCase struct {
	Href      string
	Procedure string
	Day       string // "02/10/2026"
	Situation component.Situation
	Copy      Action // what can be made of it; no path for nothing
	Draft     string // the form that it stands beside
}

func listOption(list string, i int) string { return list + "-" + strconv.Itoa(i) }
