package authorization

// EligibilityQuestion asks about a card (specification 4.4 and row 15).
type EligibilityQuestion struct {
	EligibilityID string // credencialElegibilityId of the credential
	CardNumber    string
	CardValidity  LocalTime // zero where the card carries none
}

// Eligibility is what an operator says about a card.
type Eligibility struct {
	Told         bool // the answer says whether the card is eligible
	Eligible     bool
	Situation    string // the operator's word
	Name         string // of the beneficiary
	Plan         string
	CardValidity LocalTime
	Messages     []string
}
