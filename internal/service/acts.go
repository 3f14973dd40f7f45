package service

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// deed is a kind of act: when it is allowed and how its operator is told.
type deed struct {
	kind Kind
	from []authorization.Status // which may do it (row 19)
	only string                 // the same for a person
	read func(s *Service, c *call) (wish, error)
	can  func(o Operator) bool
}

// wish is an act as its partner sent it.
type wish struct {
	fingerprint [sha256.Size]byte
	attachments []authorization.Attachment
	note        string
	tell        func(ctx context.Context, o Operator, at Standing) (Update, error)
}

// The acts (row 18).
var (
	attaching = deed{
		kind: ActAttachments, from: []authorization.Status{authorization.AwaitingAttachment}, only: "só recebe anexos a que está com falta de anexo",
		read: (*Service).readAttachments, can: implements[AttachmentTaker],
	}
	collecting = deed{
		kind: ActBiometrics, from: []authorization.Status{authorization.AwaitingBiometrics, authorization.InvalidBiometrics},
		only: "só recebe biometria a que está com falta de biometria ou biometria inválida",
		read: (*Service).readCaptures, can: implements[BiometricChecker],
	}
	cancelling = deed{
		kind: ActCancel, from: before(authorization.AwaitingCancellation), only: "não pode mais ser cancelada",
		read: (*Service).readCancel, can: implements[Canceller],
	}
)

func implements[T any](o Operator) bool {
	_, ok := o.(T)
	return ok
}

// before returns the statuses that another may follow, in the order of the codes.
func before(after authorization.Status) []authorization.Status {
	var all []authorization.Status
	for _, info := range authorization.Statuses() {
		if Follows(info.Code, after) {
			all = append(all, info.Code)
		}
	}
	return all
}

// perform serves POST /api/v2/autorizacoes/{guiaId}/anexos, biometria and
// cancelamento (row 18), in the order of row 8.
func (s *Service) perform(d deed) func(http.ResponseWriter, *call) error {
	return func(w http.ResponseWriter, c *call) error {
		stood, err := s.stoodOf(c)
		if err != nil {
			return err
		}
		given, err := d.read(s, c)
		if err != nil {
			return err
		}
		key, err := s.idempotencyKey(c.Header)
		if err != nil {
			return err
		}
		id := uuid.MustParse(stood.Authorization.GuideID)
		if !s.flights.enter(c.Context(), id, s.limits.BusyWait) {
			return errBusy()
		}
		act, again, err := s.begin(c, d, given, key, id)
		if err != nil {
			s.flights.end(id)
			return err
		}
		s.flights.wait(c.Context(), id, 0)
		return s.actReply(w, c, act, again)
	}
}

// begin notes the act and starts it; whoever calls holds the flight, which ends
// when the act does. A repeated act has begun before.
func (s *Service) begin(c *call, d deed, given wish, key *[sha256.Size]byte, id uuid.UUID) (act uuid.UUID, again bool, err error) {
	stood, err := s.store.Stood(c.Context(), id) // anew: others may have been in flight
	if err != nil {
		return uuid.Nil, false, err
	}
	credential, err := s.store.Credential(c.Context(), stood.Record.Request.CredentialID)
	if err != nil {
		return uuid.Nil, false, err
	}
	operator := s.operators[credential.Operator]
	known, err := s.repeated(c, d, given, key, id)
	if err == nil {
		s.working.Go(func() { s.reconsider(known, stood, credential, operator) })
		return known.ID, true, nil
	}
	if !problem.Is(err, problem.NotFound) {
		return uuid.Nil, false, err
	}
	if err := s.mayAct(d, stood, operator); err != nil {
		return uuid.Nil, false, err
	}
	act, err = s.start(c, d, given, key, stood, credential, operator)
	return act, false, err
}

// mayAct refuses an act for which the authorization does not stand, or that its
// operator does not take.
func (s *Service) mayAct(d deed, stood Stood, operator Operator) error {
	switch {
	case !slices.Contains(d.from, stood.Authorization.Status):
		return errStatus(d, stood.Authorization.Status)
	case operator == nil:
		return s.errUnconnected()
	case !d.can(operator):
		return conflict(codeNotOffered, "A operadora desta autorização não aceita "+string(d.kind)+" por aqui.")
	}
	return nil
}

// start commits a new act and has the operator told.
func (s *Service) start(c *call, d deed, given wish, key *[sha256.Size]byte, stood Stood, credential Credential, operator Operator) (uuid.UUID, error) {
	leave := s.calls.take(c.Context(), credential.ID, s.limits.BusyWait)
	if leave == nil {
		return uuid.Nil, s.errCrowded()
	}
	now := s.clock()
	act, fresh, err := s.store.AddAct(c.Context(), Act{
		ID: uuid.Must(uuid.NewV7()), ProfileID: c.profile.ID, Access: c.access, GuideID: uuid.MustParse(stood.Authorization.GuideID), Kind: d.kind, Before: stood.Authorization.Status,
		Key: key, KeyUntil: now.Add(s.limits.KeyLife), Fingerprint: given.fingerprint, Attachments: given.attachments, Note: given.note, ReceivedAt: now,
	})
	if err == nil && !fresh {
		err = conflict(codeOtherBody, "Já existe outro pedido com esta chave.") // it came for another authorization just now
	}
	if err != nil {
		leave()
		return uuid.Nil, err
	}
	s.working.Go(func() { s.do(act, stood, credential, operator, given, leave) })
	return act.ID, nil
}

// errStatus refuses an act that the life of row 19 does not know.
func errStatus(d deed, status authorization.Status) *refusal {
	return conflict(codeStatus, fmt.Sprintf("A autorização está na situação %s (%s): %s.", status, status.Info().Label, d.only))
}

// repeated finds the act with the same key (row 11).
func (s *Service) repeated(c *call, d deed, given wish, key *[sha256.Size]byte, id uuid.UUID) (Act, error) {
	if key == nil {
		return Act{}, problem.New(problem.NotFound, "")
	}
	act, err := s.store.ActByKey(c.Context(), c.profile.ID, *key, s.clock())
	if err == nil && (act.GuideID != id || act.Kind != d.kind || act.Fingerprint != given.fingerprint) {
		return Act{}, conflict(codeOtherBody, "Já existe outro pedido com esta chave.")
	}
	return act, err
}

// do tells the operator and commits what came of it, apart from the request.
func (s *Service) do(act Act, stood Stood, credential Credential, operator Operator, given wish, leave func()) {
	defer s.flights.end(act.GuideID)
	ctx, cancel := s.operatorContext(s.base, credential)
	defer cancel()
	u, err := within(ctx, leave, func(ctx context.Context) (Update, error) {
		return given.tell(ctx, operator, s.standing(stood, credential))
	})
	if err == nil {
		u, err = settled(act.Kind, stood, u)
	}
	if err == nil {
		_, err = s.update(context.WithoutCancel(ctx), stood, credential, u, &act.ID)
	}
	if err != nil {
		s.actFailed(act, credential, err)
	}
}

// settled fills in the status to which an act leads when the operator says no
// other, and refuses what no act of its kind leads to.
func settled(kind Kind, stood Stood, u Update) (Update, error) {
	least := map[Kind]authorization.Status{ActAttachments: authorization.UnderAnalysis, ActCancel: authorization.AwaitingCancellation}[kind]
	if u.Authorization.Status == "" && least != "" {
		simulated := u.Simulated
		u.Authorization, u.Simulated = stood.Authorization, simulated
		u.Authorization.Status = least
	}
	if err := u.Check(); err != nil || u.Authorization.Status == "" {
		return u, errDecision
	}
	if kind == ActCancel && u.Authorization.Status != least && u.Authorization.Status != authorization.Cancelled {
		return u, errLife
	}
	return u, nil
}

func (s *Service) actFailed(act Act, credential Credential, cause error) {
	code := failureCode(cause)
	s.logger.Warn("operator failed", "act", act.ID, "operator", credential.Operator, "code", code, "cause", cause)
	now := s.clock()
	due := s.nextFollow(credential, act.Before, followFirst, 0)
	if err := s.store.AddActFailure(context.WithoutCancel(s.base), ActFailed{ActID: act.ID, At: now, Operator: credential.Operator, Code: code, Due: due}); err != nil {
		s.logger.Error("failure not stored", "act", act.ID, "cause", err)
	}
	s.wake()
}

// reconsider asks how an authorization stands when the outcome of an act is
// unknown: what was told once is not told again (row 11).
func (s *Service) reconsider(act Act, stood Stood, credential Credential, operator Operator) {
	defer s.flights.end(act.GuideID)
	if act.Answer != "" || stood.Authorization.Status != act.Before {
		return
	}
	if act.Failure == "" && s.overdue(act.ReceivedAt, credential) {
		s.actFailed(act, credential, errInterrupted)
	}
	follower, ok := operator.(Follower)
	if !ok {
		return
	}
	leave := s.calls.take(s.base, credential.ID, s.limits.BusyWait)
	if leave == nil {
		return
	}
	t := Task{RequestID: stood.Record.ID, GuideID: act.GuideID}
	if err := s.follow(s.base, t, stood, credential, follower, leave); err != nil {
		s.logger.Warn("look-up failed", "act", act.ID, "cause", err)
	}
}

// actReply sends what the ledger says of an act: its answer byte for byte; the
// authorization as it stands when an act of unknown outcome turns out to have
// had one; or the failure. Only the answer can come again (row 11).
func (s *Service) actReply(w http.ResponseWriter, c *call, id uuid.UUID, again bool) error {
	act, err := s.store.Act(c.Context(), id)
	if err != nil {
		return err
	}
	if act.Answer != "" {
		if again {
			w.Header().Set("Idempotency-Replayed", "true")
		}
		return s.replay(w, c, Record{Answer: act.Answer, AnswerSize: act.AnswerSize})
	}
	stood, err := s.store.Stood(c.Context(), act.GuideID)
	switch {
	case err != nil:
		return err
	case stood.Authorization.Status != act.Before:
		return s.stream(w, c.Context(), func(a *answerWriter) { a.single(stood.Authorization) })
	case act.Failure != "":
		return operatorFailure(act.Failure)
	}
	return errBusy()
}

// stoodOf returns the authorization that the address names.
func (s *Service) stoodOf(c *call) (Stood, error) {
	id, err := guideID(c)
	if err != nil {
		return Stood{}, err
	}
	stood, err := s.store.Stood(c.Context(), id)
	if problem.Is(err, problem.NotFound) {
		if _, err := s.store.RecordByGuideID(c.Context(), c.profile.ID, id); err == nil {
			return Stood{}, errBusy() // accepted, and not decided yet
		}
		return Stood{}, errNoAuthorization()
	}
	if err == nil && stood.ProfileID != c.profile.ID {
		return Stood{}, errNoAuthorization()
	}
	return stood, err
}

// fingerprintOf is that of an act: its kind and what it says.
func fingerprintOf(kind Kind, parts ...string) [sha256.Size]byte {
	return sha256.Sum256([]byte(string(kind) + "\x00" + strings.Join(parts, "\x00")))
}
