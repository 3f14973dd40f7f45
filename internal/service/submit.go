package service

import (
	"context"
	"crypto/sha256"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/authorization/stored"
	"guiche/internal/blob"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Submission is a request for authorizations as its sender means it.
type Submission struct {
	Caller   Caller
	Key      string                // Idempotency-Key, "" without one (row 11)
	Request  authorization.Request // with the defaults of 2.3; guiaPrestador "" when it was absent
	Problems []problem.Field       // types and formats that are wrong; Request lacks these values
	Prefix   string                // of the paths of Request's fields
}

// Answer is a stored answer, which is sent byte for byte at every repetition.
type Answer struct {
	Blob     blob.Ref // the SHA-256 of its bytes; it lies under that name unless there is a Text
	Text     *AnswerText
	Size     int64
	Content  []byte // all of it, where it was stored a moment ago and is short
	Replayed bool   // it was given before
}

// Acceptance is what is known of a request that is decided afterwards (row 16).
type Acceptance struct {
	Protocol      string
	ProviderGuide string
	GuideID       uuid.UUID
	Status        authorization.Status
	Replayed      bool // it was given before
}

// Submit has the operator decide on a request and returns the answer, that of an
// equal request when there was one (row 11). Problems of the request are
// problem.Invalid, and everything that is no answer is a *Refusal.
func (s *Service) Submit(ctx context.Context, in Submission) (Answer, error) {
	o, err := s.prepare(ctx, in, "")
	if err != nil {
		return Answer{}, err
	}
	if o.earlier == nil {
		earlier, answer, err := s.askNow(ctx, o)
		if err != nil || earlier == nil {
			return answer, err
		}
		o.earlier = earlier
	}
	return s.repeat(ctx, *o.earlier, o.entry.Fingerprint)
}

// acceptedMark begins the fingerprint of what is decided afterwards: an equal
// request that is to be decided at once is another one.
const acceptedMark = "solicitacao"

// Accept takes a request on which Work has the operator decide. Errors are as those
// of Submit.
func (s *Service) Accept(ctx context.Context, in Submission) (Acceptance, error) {
	o, err := s.prepare(ctx, in, acceptedMark)
	if err != nil {
		return Acceptance{}, err
	}
	if o.earlier == nil {
		o.entry.GuideID = uuid.Must(uuid.NewV7())
		request, fresh, err := s.store.Receive(ctx, o.entry)
		if err != nil {
			return Acceptance{}, err
		}
		if fresh {
			s.wake()
			return acceptanceOf(request, false), nil
		}
		o.earlier = &request
	}
	if o.earlier.Fingerprint != o.entry.Fingerprint {
		return Acceptance{}, errOtherRequest()
	}
	return acceptanceOf(*o.earlier, true), nil
}

func acceptanceOf(r LedgerRequest, replayed bool) Acceptance {
	return Acceptance{
		Protocol: r.ID.String(), ProviderGuide: r.Request.ProviderGuide, GuideID: r.GuideID,
		Status: authorization.UnderAnalysis, Replayed: replayed,
	}
}

// order is a request that was found in the ledger, or that is ready to be added.
type order struct {
	earlier    *LedgerRequest // nil for a new one; then the rest is filled in
	entry      RequestEntry   // of an earlier one only the Fingerprint
	named      References
	credential Credential // of named
	operator   Operator
}

// prepare goes in the order of row 8: it looks for an equal request by key and by
// guiaPrestador, and checks a new one. mark begins the fingerprint.
func (s *Service) prepare(ctx context.Context, in Submission, mark string) (o order, err error) {
	if o.entry.Fingerprint, err = fingerprintOf(mark, in.Request); err != nil {
		return o, err
	}
	key := hashKey(in.Key)
	if err := s.find(ctx, in, key, &o); err != nil || o.earlier != nil {
		return o, err
	}
	clean, wrong, err := s.identified(ctx, in.Request.Attachments)
	if err != nil {
		return o, err
	}
	if err := s.check(in, &o.named, wrong); err != nil {
		return o, err
	}
	o.credential = o.named.Credential
	in.Request.Attachments = clean // after the fingerprint, which is of what was sent
	connected := false
	if o.operator, connected = s.operators[o.credential.Operator]; !connected {
		return o, s.errUnconnected()
	}
	if err := s.space(); err != nil {
		return o, err
	}
	now := s.clock()
	o.entry = RequestEntry{
		ID: uuid.Must(uuid.NewV7()), Caller: in.Caller, Key: key, KeyUntil: now.Add(s.limits.KeyLife),
		Fingerprint: o.entry.Fingerprint, Request: in.Request, ReceivedAt: now, Generate: s.guideNumber(now),
		Admit: s.withinDay,
	}
	if o.entry.Request.ClinicalIndication == nil {
		o.entry.Request.ClinicalIndication = &o.credential.Indication
	}
	return o, nil
}

// find finds an equal request, or else what a new one names, in one transaction.
func (s *Service) find(ctx context.Context, in Submission, key *[sha256.Size]byte, o *order) error {
	return s.store.ReadTogether(ctx, func(ctx context.Context) (err error) {
		o.earlier = nil // it may run again
		if len(in.Problems) == 0 {
			earlier, err := s.earlier(ctx, in.Caller.ProfileID, key, in.Request.ProviderGuide)
			if err == nil {
				o.earlier = &earlier
			}
			if !problem.Is(err, problem.NotFound) {
				return err
			}
		}
		o.named, err = s.store.References(ctx, in.Request.CredentialID, in.Request.UnitID, in.Request.ProfessionalID)
		return err
	})
}

// fingerprintOf is what equal requests have in common (row 11).
func fingerprintOf(mark string, r authorization.Request) ([sha256.Size]byte, error) {
	text, err := stored.EncodeRequest(r)
	return sha256.Sum256(append([]byte(mark), text...)), err
}

// hashKey returns the hash under which a key is kept, nil without one.
func hashKey(key string) *[sha256.Size]byte {
	if key == "" {
		return nil
	}
	hash := sha256.Sum256([]byte(key))
	return &hash
}

// earlier finds the request with the same key, or else with the same guiaPrestador.
func (s *Service) earlier(ctx context.Context, profile uuid.UUID, key *[sha256.Size]byte, providerGuide string) (LedgerRequest, error) {
	if key != nil {
		request, err := s.store.RequestByKey(ctx, profile, *key, s.clock())
		if !problem.Is(err, problem.NotFound) {
			return request, err
		}
	}
	if providerGuide == "" {
		return LedgerRequest{}, problem.New(problem.NotFound, "")
	}
	return s.store.RequestByGuide(ctx, profile, providerGuide)
}

// guideNumber generates guiaPrestador as YYMMDDHHMMSS in the provider's zone
// (specification 8 and row 7).
func (s *Service) guideNumber(now time.Time) func(seconds int) string {
	return func(seconds int) string {
		return now.Add(time.Duration(seconds) * time.Second).In(s.zone).Format("060102150405")
	}
}

// repeat answers a request that is in the ledger already (row 11).
func (s *Service) repeat(ctx context.Context, earlier LedgerRequest, fingerprint [sha256.Size]byte) (Answer, error) {
	if earlier.Fingerprint != fingerprint {
		return Answer{}, errOtherRequest()
	}
	if !s.inflight.wait(ctx, earlier.ID, s.limits.BusyWait) {
		return Answer{}, errBusy()
	}
	if earlier.Answer == "" {
		if err := s.awaitElsewhere(ctx, earlier.ID); err != nil {
			return Answer{}, err
		}
	}
	settled, err := s.settle(ctx, earlier.ID)
	if err != nil {
		return Answer{}, err
	}
	return answerOf(settled, true)
}

func errOtherRequest() error {
	return errOtherBody("Já existe outro pedido com esta chave ou esta guia do prestador.")
}

// answerOf is what the ledger says of a request: the answer, the failure, or that
// nothing is known yet.
func answerOf(r LedgerRequest, replayed bool) (Answer, error) {
	switch {
	case r.Answer != "":
		return Answer{Blob: r.Answer, Text: r.AnswerText, Size: r.AnswerSize, Replayed: replayed}, nil
	case r.Failure != "":
		return Answer{}, errUnknownOutcome(r.Failure)
	}
	return Answer{}, errBusy()
}

// check refuses a request with everything that is wrong with it: what could not be
// read, then what the rules of row 1 and the directory say about the rest, and what is
// wrong with the attachments.
func (s *Service) check(in Submission, named *References, attachments []problem.Field) error {
	p := newFieldProblems(in.Problems...)
	if named.Credential.Disabled {
		named.Credential = Credential{}
	}
	rules, err := named.Credential.Rules()
	if err != nil {
		return err
	}
	rules.Today = authorization.NewLocalTime(s.clock().In(s.zone))
	p.prefix = in.Prefix
	for _, f := range in.Request.Problems(rules) {
		p.add(forPrograms(f))
	}
	for _, f := range attachments {
		p.add(f)
	}
	if named.Credential.ID == uuid.Nil {
		p.unknown("credencialId", "Esta credencial não existe.")
	}
	checkReferences(in.Request, *named, p)
	return p.err()
}

// checkReferences adds the identifiers that the directory does not know.
func checkReferences(r authorization.Request, named References, p *fieldProblems) {
	unit, professional := named.Unit, named.Professional
	if unit.ID == uuid.Nil || unit.Disabled {
		p.unknown("unidadeId", "Esta unidade não existe.")
	}
	if unit.ID != uuid.Nil && !unit.point(r.CarePointID) {
		p.unknown("pontoAtendimentoId", "Este ponto de atendimento não existe na unidade.")
	}
	if professional.ID == uuid.Nil || professional.Disabled {
		p.unknown("profissionalExecutanteId", "Este profissional executante não existe.")
	}
	if specialty, ok := professional.specialty(r.SpecialtyID); professional.ID != uuid.Nil && (!ok || specialty.Disabled) {
		p.unknown("especialidadeExecutanteId", "O profissional executante não tem esta especialidade.")
	}
}

// fieldProblems collects what is wrong with a request, one problem for each path.
type fieldProblems struct {
	fields []problem.Field
	known  map[string]bool
	prefix string // of the paths that are added
}

func newFieldProblems(fields ...problem.Field) *fieldProblems {
	p := &fieldProblems{known: map[string]bool{}}
	for _, f := range fields {
		p.add(f)
	}
	return p
}

func (p *fieldProblems) add(f problem.Field) {
	f.Path = p.prefix + f.Path
	if !p.known[f.Path] {
		p.known[f.Path] = true
		p.fields = append(p.fields, f)
	}
}

func (p *fieldProblems) unknown(path, message string) {
	p.add(problem.Field{Path: path, Code: authorization.CodeDomain, Message: message})
}

// err is problem.Invalid about the fields, nil without any.
func (p *fieldProblems) err() error { return problem.InvalidFields(p.fields) }

// undecided is the authorization of an accepted request before its operator said
// anything.
func undecided(r LedgerRequest) authorization.Authorization {
	a := authorization.Authorization{
		Number: 1, Success: true, Status: authorization.UnderAnalysis, GuideID: r.GuideID.String(),
		ProviderGuide: r.Request.ProviderGuide, Protocol: r.ID.String(),
	}
	for _, p := range r.Request.Procedures {
		a.Procedures = append(a.Procedures, authorization.ProcedureResult{Code: p.Code, Name: p.Name, Quantity: p.Quantity})
	}
	return a
}
