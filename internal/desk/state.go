package desk

import (
	"cmp"
	"slices"
	"time"

	"guiche/internal/authorization"
)

// State is where a submission stands.
type State string

// The states. A draft is a row of its own, before all of them.
const (
	Queued    State = "queued"    // committed; waits to be sent, or to be sent again
	Sending   State = "sending"   // an attempt is on the wire
	Answered  State = "answered"  // the operator's answer was read
	Refused   State = "refused"   // the service said it is not valid, or it never left in time
	Unknown   State = "unknown"   // sent, and nobody knows what became of it
	Withdrawn State = "withdrawn" // taken out of the queue before anything was sent
	Resent    State = "resent"    // replaced by a new submission after Unknown
)

// transitions are the transitions; the database holds the same table in a trigger.
var transitions = map[State][]State{
	Queued:  {Sending, Refused, Withdrawn},
	Sending: {Queued, Answered, Refused, Unknown},
	Unknown: {Answered, Resent},
}

// CanBecome reports whether a submission may go from s to next.
func (s State) CanBecome(next State) bool { return slices.Contains(transitions[s], next) }

// Pending reports whether an answer may still come by itself.
func (s State) Pending() bool { return s == Queued || s == Sending }

// Origin is who says so about the state of a case.
type Origin string

// The origins.
const (
	OriginDesk     Origin = "guiche"    // the desk itself: queued, sent, not sent in time
	OriginService  Origin = "servico"   // the authorization service: not valid
	OriginOperator Origin = "operadora" // the operator's answer
	OriginPerson   Origin = "pessoa"    // somebody of the provider
)

// Label names the origin for a person.
func (o Origin) Label() string {
	return originLabels[o]
}

var originLabels = map[Origin]string{
	OriginDesk: "Guichê", OriginService: "serviço de autorização", OriginOperator: "operadora", OriginPerson: "registro manual",
}

// CaseState is the state of a case, who says so and since when.
type CaseState struct {
	State     State
	Status    authorization.Status // of the authorization that needs action first; "" unless Answered
	Group     authorization.Group  // what the clerk does next; 0 while Unknown, which is counted apart
	Origin    Origin
	At        time.Time
	Reason    string // fixed word, "" when there is none: "http_503", ReasonLate
	Alert     Alert  // what administração is told
	Simulated bool   // the operator is a simulation: nothing of the answer has any value
	Corrected bool   // a correction of it was sent and not withdrawn

	UnknownOutcome bool // the service may have acted on an attempt, and nobody knows
}

// Standing is the word of how a case stands, by which a page tells it again: the status of an answered one, the
// state of any other.
func (s CaseState) Standing() string { return cmp.Or(string(s.Status), string(s.State)) }

// Held reports whether the submission waits for administração.
func (s CaseState) Held() bool { return s.State == Queued && s.Alert == AlertHeld }

// SomethingCame reports whether of an unknown outcome there is an answer that nobody
// could understand, in place of none.
func (s CaseState) SomethingCame() bool { return s.State == Unknown && !silent[s.Reason] }

// silent are the reasons of an unknown outcome for which no answer of the operator came:
// nothing at all, an empty one, a gateway's word that there is none, or the service's
// that it knows the number with another request.
var silent = map[string]bool{
	"":                                   true, // nobody said
	string(authorization.FailureConnect): true, string(authorization.FailureTimeout): true, string(authorization.FailureCut): true,
	string(authorization.FailureCancelled): true, string(authorization.FailureLocal): true, "sem_corpo": true,
	"http_502": true, "http_503": true, "http_504": true, "corpo_diferente": true, ReasonNoAnswer: true, ReasonInterrupted: true,
	ReasonRestored: true, ReasonAbsent: true, ReasonDamaged: true, ReasonElsewhere: true,
}

// Contradictory reports whether the answer both authorizes and says that it failed.
func (s CaseState) Contradictory() bool { return s.State == Answered && s.Group.Contradicts(s.Status) }

// Alert is what administração is told about a submission.
type Alert string

// The alerts.
const (
	AlertNone     Alert = ""
	AlertHeld     Alert = "held"     // queued: the service did not accept the desk's key (401, 403)
	AlertConflict Alert = "conflict" // unknown: the service knows the number with another request (409)
)

// Reasons that the desk itself gives; all others come from the outcome.
const (
	ReasonLate        = "nao_saiu_a_tempo"   // the deadline passed and nothing had been sent
	ReasonNoAnswer    = "prazo_sem_resposta" // the deadline passed, and an attempt may have been acted on
	ReasonInterrupted = "interrompido"       // the process ended while the request was on the wire
	ReasonRestored    = "restaurado"         // a copy was restored that held it as queued or on the wire
	ReasonUnreadable  = "resposta_ilegivel"  // the stored answer could not be read back
	ReasonAbsent      = "nao_chegou"         // the service says that it never got the request
	ReasonDamaged     = "anexo_danificado"   // an attachment is missing or damaged here
	ReasonElsewhere   = "outro_servico"      // another service is in use than the one that may have acted on it
)

// GroupOf returns the group of the queue to which a state belongs; an answer's is that
// of its status unless the answer contradicts itself.
func GroupOf(state State, status authorization.Status) authorization.Group {
	switch state {
	case Answered:
		return status.Group()
	case Refused:
		return authorization.ToFix
	case Queued, Sending:
		return authorization.Waiting
	case Withdrawn, Resent:
		return authorization.Closed
	default:
		return 0
	}
}
