package access

import "time"

// Reason says why somebody does not come in. Of unknown, ended and revoked secrets
// it says the same.
type Reason string

// The reasons.
const (
	InvalidKey      Reason = "invalid key"
	InvalidToken    Reason = "invalid token"
	InvalidLogin    Reason = "invalid login"
	InvalidRefresh  Reason = "invalid refresh token"
	InvalidClient   Reason = "invalid client"
	MethodOff       Reason = "method is off"     // the profile does not allow it
	MissingScope    Reason = "missing scope"     // the caller does not have it
	UnknownScope    Reason = "unknown scope"     // a client asks for more than its profile has
	TooManyRequests Reason = "too many requests" // of the profile (row 10)
	TooManyGuesses  Reason = "too many guesses"  // from the address or at the account
)

// Refusal is the error of whoever does not come in.
type Refusal struct {
	Reason Reason
	Method Method        // by which the caller came, of MissingScope
	Scope  Scope         // of MissingScope
	Wait   time.Duration // until it makes sense to come again, of TooManyRequests and TooManyGuesses
}

// Error implements error.
func (r *Refusal) Error() string { return "access: " + string(r.Reason) }

func refuse(reason Reason) *Refusal { return &Refusal{Reason: reason} }
