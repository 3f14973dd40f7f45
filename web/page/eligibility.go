package page

import (
	"encoding/json"

	"guiche/web/component"
)

// Eligibility is what the operator said of a card, beside it: the answer to POST
// /busca/elegibilidade.
type Eligibility struct {
	Tone   component.Tone
	Icon   string
	Strong string // "Elegível."
	Text   string // what the operator knows: "Helena Duarte · Essencial · válida até 31/12/2027"
	Words  []string
	Fill   map[string]string // by wire name: what goes into fields that are empty
	Card   string            // that was asked about, with its operator: the answer holds for no other
	Of     string
}

// fill is Fill for the script.
func (e Eligibility) fill() (string, error) {
	text, err := json.Marshal(e.Fill)
	return string(text), err
}
