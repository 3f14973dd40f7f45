package service

import (
	"time"

	"guiche/internal/problem"
)

// Reason says why the service does not answer with what an operator decided. It is
// the word of errosDetalhados[].codigo (row 9).
type Reason string

// The reasons.
const (
	Busy            Reason = "em_processamento"       // an equal request has no answer yet
	OtherBody       Reason = "corpo_diferente"        // the key or guiaPrestador belongs to another request
	WrongStatus     Reason = "situacao_nao_permite"   // row 19 does not know this action
	NotOffered      Reason = "operacao_nao_oferecida" // the operator cannot do it
	OperatorFailed  Reason = "falha_operadora"        // stored in the ledger
	OperatorTimeout Reason = "tempo_operadora"        // stored in the ledger
	DayBytes        Reason = "cota_de_anexos"         // the partner sent as much as it may in a day
	Unavailable            = Reason(problem.Unavailable)
)

// Refusal is the error of what the service does not do. What is wrong with a
// request is problem.Invalid instead, and what does not exist problem.NotFound.
type Refusal struct {
	Reason     Reason
	Message    string        // for the author of the partner's program
	RetryAfter time.Duration // when it makes sense to ask again; 0 says nothing
	cause      error
}

// Error implements error.
func (r *Refusal) Error() string {
	if r.cause != nil {
		return string(r.Reason) + ": " + r.cause.Error()
	}
	return string(r.Reason)
}

// Unwrap returns what led to the refusal.
func (r *Refusal) Unwrap() error { return r.cause }

// ErrNoAuthorization is the error about an authorization that the partner does not
// have.
var ErrNoAuthorization = problem.New(problem.NotFound, "Esta autorização não existe.")

func errBusy() *Refusal {
	return &Refusal{Reason: Busy, Message: "Este pedido ainda está sendo processado. Consulte de novo em instantes.", RetryAfter: busyRetry}
}

// busyRetry is told to whoever has to wait for an operator that is being asked.
const busyRetry = 5 * time.Second

func errOtherBody(message string) *Refusal { return &Refusal{Reason: OtherBody, Message: message} }

func errNotOffered(message string) *Refusal { return &Refusal{Reason: NotOffered, Message: message} }

func (s *Service) errUnconnected() *Refusal {
	return &Refusal{
		Reason: Unavailable, RetryAfter: s.limits.RetryAfter,
		Message: "A operadora desta credencial não está ligada ao serviço.",
	}
}

func errCrowded() *Refusal {
	return &Refusal{
		Reason: Unavailable, RetryAfter: busyRetry,
		Message: "A operadora está lenta e há pedidos demais à espera dela. Tente de novo em instantes.",
	}
}

// errUnknownOutcome is the refusal for a failure that is stored in the ledger:
// equal requests get equal bytes.
func errUnknownOutcome(failure Reason) *Refusal {
	if failure == OperatorTimeout {
		return &Refusal{Reason: failure, Message: "A operadora não respondeu a tempo. Não se sabe se o pedido foi processado."}
	}
	return &Refusal{
		Reason:  OperatorFailed,
		Message: "Houve uma falha na comunicação com a operadora. Não se sabe se o pedido foi processado.",
	}
}

// errNoAnswer is the refusal for a question that changes nothing.
func errNoAnswer(cause error) *Refusal {
	r := &Refusal{
		Reason: failureOf(cause), cause: cause,
		Message: "Houve uma falha na comunicação com a operadora. Tente de novo em instantes.",
	}
	if r.Reason == OperatorTimeout {
		r.Message = "A operadora não respondeu a tempo. Tente de novo em instantes."
	}
	return r
}
