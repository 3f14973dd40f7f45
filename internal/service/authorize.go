package service

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// authorize serves POST /api/v2/autorizar/sp-sadt (4.2).
func (s *Service) authorize(w http.ResponseWriter, c *call) error { return s.take(w, c, atOnce) }

// submitRequest serves POST /api/v1/solicitacao (4.5 and row 16).
func (s *Service) submitRequest(w http.ResponseWriter, c *call) error {
	return s.take(w, c, afterwards)
}

// take goes in the order of row 8: read, look for an equal request by key and by
// guiaPrestador, check, ask.
func (s *Service) take(w http.ResponseWriter, c *call, o operation) error {
	in, err := s.readBody(c, o)
	if err != nil {
		return err
	}
	key, err := s.idempotencyKey(c.Header)
	if err != nil {
		return err
	}
	if len(in.wrong) == 0 {
		record, err := s.known(c, key, in)
		if err == nil {
			return s.repeat(w, c, record, in)
		}
		if !problem.Is(err, problem.NotFound) {
			return err
		}
	}
	credential, err := s.check(c.Context(), in)
	if err != nil {
		return err
	}
	operator, ok := s.operators[credential.Operator]
	if !ok {
		return s.errUnconnected()
	}
	receipt := s.receipt(c, key, in, credential)
	if o.afterwards {
		return s.accept(w, c, receipt, in)
	}
	return s.submit(w, c, receipt, in, credential, operator)
}

// idempotencyKey returns the hash of Idempotency-Key, nil without one (row 11).
func (s *Service) idempotencyKey(h http.Header) (*[sha256.Size]byte, error) {
	values, ok := h["Idempotency-Key"]
	if !ok {
		return nil, nil
	}
	if n := utf8.RuneCountInString(values[0]); len(values) > 1 || n == 0 || n > s.limits.MaxKey {
		return nil, invalid(problem.Field{Path: "Idempotency-Key", Code: authorization.CodeLimit,
			Message: fmt.Sprintf("O cabeçalho Idempotency-Key vem uma vez e tem de 1 a %d caracteres.", s.limits.MaxKey)})
	}
	hash := sha256.Sum256([]byte(values[0]))
	return &hash, nil
}

// known finds the request with the same key, or else with the same guiaPrestador.
func (s *Service) known(c *call, key *[sha256.Size]byte, in reading) (Record, error) {
	if key != nil {
		record, err := s.store.RecordByKey(c.Context(), c.profile.ID, *key, s.clock())
		if !problem.Is(err, problem.NotFound) {
			return record, err
		}
	}
	if in.request.ProviderGuide == "" {
		return Record{}, problem.New(problem.NotFound, "")
	}
	return s.store.RecordByGuide(c.Context(), c.profile.ID, in.request.ProviderGuide)
}

func (s *Service) errUnconnected() error {
	return later(problem.Unavailable, "A operadora desta credencial não está ligada ao serviço.", s.limits.RetryAfter)
}

// crowdedWait is told to whoever found no place at an operator.
const crowdedWait = 5 * time.Second

func (s *Service) errCrowded() error {
	return later(problem.Unavailable, "A operadora está lenta e há pedidos demais à espera dela. Tente de novo em instantes.", crowdedWait)
}

// receipt is the request as the ledger takes it.
func (s *Service) receipt(c *call, key *[sha256.Size]byte, in reading, credential Credential) Receipt {
	now := s.clock()
	receipt := Receipt{
		ID: uuid.Must(uuid.NewV7()), ProfileID: c.profile.ID, Access: c.access, Key: key, KeyUntil: now.Add(s.limits.KeyLife),
		Fingerprint: in.fingerprint, Request: in.request, ReceivedAt: now, Generate: s.guideNumber(now),
	}
	if receipt.Request.ClinicalIndication == nil {
		receipt.Request.ClinicalIndication = &credential.Indication
	}
	return receipt
}

// submit commits the request once there is a place at its operator, has it asked
// and answers.
func (s *Service) submit(w http.ResponseWriter, c *call, receipt Receipt, in reading, credential Credential, operator Operator) error {
	leave := s.calls.take(c.Context(), credential.ID, s.limits.BusyWait)
	if leave == nil {
		return s.errCrowded()
	}
	s.flights.begin(receipt.ID)
	record, fresh, err := s.store.Receive(c.Context(), receipt)
	if err != nil || !fresh {
		leave()
		s.flights.end(receipt.ID)
	}
	if err != nil {
		return err
	}
	if !fresh {
		return s.repeat(w, c, record, in)
	}
	s.working.Go(func() { s.ask(record, credential, operator, leave) })
	s.flights.wait(c.Context(), record.ID, 0)
	return s.conclude(w, c, record.ID)
}

// guideNumber generates guiaPrestador as YYMMDDHHMMSS in the provider's zone
// (specification 8 and row 7).
func (s *Service) guideNumber(now time.Time) func(seconds int) string {
	return func(seconds int) string {
		return now.Add(time.Duration(seconds) * time.Second).In(s.zone).Format("060102150405")
	}
}

// repeat answers a request that is in the ledger already (row 11).
func (s *Service) repeat(w http.ResponseWriter, c *call, record Record, in reading) error {
	if record.Fingerprint != in.fingerprint {
		return conflict(codeOtherBody, "Já existe outro pedido com esta chave ou esta guia do prestador.")
	}
	if record.GuideID != uuid.Nil {
		w.Header().Set("Idempotency-Replayed", "true")
		return sendAccepted(w, record)
	}
	if !s.flights.wait(c.Context(), record.ID, s.limits.BusyWait) {
		return errBusy()
	}
	record, err := s.settle(c.Context(), record.ID)
	if err != nil {
		return err
	}
	if record.Answer != "" {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	return s.reply(w, c, record)
}

// conclude answers the request that was just asked for.
func (s *Service) conclude(w http.ResponseWriter, c *call, id uuid.UUID) error {
	record, err := s.store.Record(c.Context(), id)
	if err != nil {
		return err
	}
	return s.reply(w, c, record)
}

// reply sends what the ledger says: the answer byte for byte, the failure, or
// that nothing is known yet.
func (s *Service) reply(w http.ResponseWriter, c *call, record Record) error {
	switch {
	case record.Answer != "":
		return s.replay(w, c, record)
	case record.Failure != "":
		return operatorFailure(record.Failure)
	}
	return errBusy()
}

func errBusy() *refusal {
	return conflict(codeBusy, "Este pedido ainda está sendo processado. Consulte de novo em instantes.").with("Retry-After", "5")
}

// settle returns the record of a request that no longer is in flight here. One
// without an answer was interrupted, or its operator failed: the operator is
// asked what became of it, never to decide again. Once nobody can be asking any
// more, an interrupted one counts as a failure of unknown outcome.
func (s *Service) settle(ctx context.Context, id uuid.UUID) (Record, error) {
	record, err := s.store.Record(ctx, id)
	if err != nil || record.Answer != "" {
		return record, err
	}
	credential, err := s.store.Credential(ctx, record.Request.CredentialID)
	if err != nil {
		return record, err
	}
	operator, ok := s.operators[credential.Operator]
	if !ok {
		return record, nil
	}
	if record.Failure == "" && s.overdue(record.ReceivedAt, credential) {
		s.failed(record, credential, errInterrupted)
	}
	s.lookUp(ctx, record, credential, operator)
	return s.store.Record(ctx, id)
}

// operatorRequest is what an operator is told of a record.
func (s *Service) operatorRequest(record Record, credential Credential) OperatorRequest {
	return OperatorRequest{ID: record.ID, ReceivedAt: record.ReceivedAt.In(s.zone), Credential: credential, Request: record.Request}
}
