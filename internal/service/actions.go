package service

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/retry"

	"github.com/google/uuid"
)

// ActionRequest is an action as its partner sent it (row 18). Of the last three
// fields its kind fills one.
type ActionRequest struct {
	Caller  Caller
	GuideID uuid.UUID // of the authorization
	Key     string    // Idempotency-Key, "" without one (row 11)
	Kind    ActionKind

	Attachments []authorization.Attachment
	Captures    []Capture
	Reason      string // why it is cancelled
}

// ActionResult is what an action led to: the stored answer, or, when the outcome was
// unknown and turned out to be one, the authorization as it is now.
type ActionResult struct {
	Answer        Answer // without a Blob there is none
	Authorization authorization.Authorization
}

// actionRule says when a kind of action is allowed and how its operator is told.
type actionRule struct {
	from []authorization.Status // where it is allowed (row 19)
	only string                 // the same for a person
	can  func(o Operator) bool
	tell func(ctx context.Context, o Operator, at OpenAuthorization, r ActionRequest) (Update, error)
}

// actionRules are the kinds of actions (row 18). Each tell is called only where can
// holds.
var actionRules = map[ActionKind]actionRule{
	ActionAttachments: {
		from: []authorization.Status{authorization.AwaitingAttachment}, only: "só recebe anexos a que está com falta de anexo",
		can: implements[AttachmentTaker],
		tell: func(ctx context.Context, o Operator, at OpenAuthorization, r ActionRequest) (Update, error) {
			return o.(AttachmentTaker).AddAttachments(ctx, at, r.Attachments)
		},
	},
	ActionBiometrics: {
		from: []authorization.Status{authorization.AwaitingBiometrics, authorization.InvalidBiometrics},
		only: "só recebe biometria a que está com falta de biometria ou biometria inválida",
		can:  implements[BiometricChecker],
		tell: func(ctx context.Context, o Operator, at OpenAuthorization, r ActionRequest) (Update, error) {
			return o.(BiometricChecker).CheckBiometrics(ctx, at, r.Captures)
		},
	},
	ActionCancel: {
		from: allBefore(authorization.AwaitingCancellation), only: "não pode mais ser cancelada",
		can: implements[Canceller],
		tell: func(ctx context.Context, o Operator, at OpenAuthorization, r ActionRequest) (Update, error) {
			return o.(Canceller).Cancel(ctx, at, r.Reason)
		},
	},
}

func implements[T any](o Operator) bool {
	_, ok := o.(T)
	return ok
}

// fingerprint is what equal actions have in common: the kind and what it says, of
// captures only what may be kept.
func (r ActionRequest) fingerprint() [sha256.Size]byte {
	var parts []string
	switch r.Kind {
	case ActionAttachments:
		for _, a := range r.Attachments {
			parts = append(parts, a.Name, a.ContentType, string(a.Blob))
		}
	case ActionBiometrics:
		for _, c := range r.Captures {
			parts = append(parts, c.Kind+"/"+c.Device)
		}
	case ActionCancel:
		parts = []string{r.Reason}
	}
	return sha256.Sum256([]byte(string(r.Kind) + "\x00" + strings.Join(parts, "\x00")))
}

// MayAct refuses an action before its body is read (row 8): the authorization must
// be the caller's and decided. The error is ErrNoAuthorization or a *Refusal.
func (s *Service) MayAct(ctx context.Context, c Caller, guideID uuid.UUID) error {
	current, err := s.store.LedgerAuthorization(ctx, guideID)
	switch {
	case problem.Is(err, problem.NotFound):
		return s.notDecided(ctx, c.ProfileID, guideID)
	case err == nil && current.ProfileID != c.ProfileID:
		return ErrNoAuthorization
	}
	return err
}

// notDecided is the error about an authorization that the ledger does not have: its request was accepted and is not
// decided yet, or there is none.
func (s *Service) notDecided(ctx context.Context, profile, guideID uuid.UUID) error {
	_, err := s.store.RequestByGuideID(ctx, profile, guideID)
	switch {
	case err == nil:
		return errBusy()
	case problem.Is(err, problem.NotFound):
		return ErrNoAuthorization
	}
	return err
}

// Act has an operator told what a partner does to an authorization and returns what
// it led to. Only one action or look at an authorization runs at a time. MayAct must
// have allowed it.
func (s *Service) Act(ctx context.Context, r ActionRequest) (ActionResult, error) {
	if !s.inflight.enter(ctx, r.GuideID, s.limits.BusyWait) {
		return ActionResult{}, errBusy()
	}
	id, repeated, err := s.beginAction(ctx, r)
	if err != nil {
		s.inflight.end(r.GuideID)
		return ActionResult{}, err
	}
	s.inflight.wait(ctx, r.GuideID, 0)
	return s.actionResult(ctx, id, repeated)
}

// beginAction notes an action and starts it; the caller has entered inflight, which
// ends when the action does. A repeated action has begun before.
func (s *Service) beginAction(ctx context.Context, r ActionRequest) (id uuid.UUID, repeated bool, err error) {
	current, err := s.store.LedgerAuthorization(ctx, r.GuideID) // anew: others may have been in flight
	if err != nil {
		return uuid.Nil, false, err
	}
	credential, err := s.store.Credential(ctx, current.Request.Request.CredentialID)
	if err != nil {
		return uuid.Nil, false, err
	}
	operator := s.operators[credential.Operator]
	earlier, err := s.earlierAction(ctx, r)
	if err == nil {
		s.working.Go(func() { s.reconsider(earlier, current, credential, operator) })
		return earlier.ID, true, nil
	}
	if !problem.Is(err, problem.NotFound) {
		return uuid.Nil, false, err
	}
	if err := s.checkAction(r.Kind, current.Authorization.Status, operator); err != nil {
		return uuid.Nil, false, err
	}
	return s.startAction(ctx, r, current, credential, operator)
}

// earlierAction finds the action with the same key (row 11).
func (s *Service) earlierAction(ctx context.Context, r ActionRequest) (Action, error) {
	key := hashKey(r.Key)
	if key == nil {
		return Action{}, problem.New(problem.NotFound, "")
	}
	a, err := s.store.ActionByKey(ctx, r.Caller.ProfileID, *key, s.clock())
	if err == nil && !a.repeats(r) {
		return Action{}, errOtherAction()
	}
	return a, err
}

// repeats reports whether a request with the key of an action is that action again.
func (a Action) repeats(r ActionRequest) bool {
	return a.GuideID == r.GuideID && a.Kind == r.Kind && a.Fingerprint == r.fingerprint()
}

func errOtherAction() error { return errOtherBody("Já existe outro pedido com esta chave.") }

// checkAction refuses an action for which the authorization does not stand, or that
// its operator does not take.
func (s *Service) checkAction(kind ActionKind, status authorization.Status, operator Operator) error {
	rule := actionRules[kind]
	switch {
	case !slices.Contains(rule.from, status):
		return &Refusal{Reason: WrongStatus,
			Message: fmt.Sprintf("A autorização está na situação %s (%s): %s.", status, status.Info().Label, rule.only)}
	case operator == nil:
		return s.errUnconnected()
	case !rule.can(operator):
		return errNotOffered("A operadora desta autorização não aceita " + string(kind) + " por aqui.")
	}
	return nil
}

// startAction commits a new action and has the operator told, unless another process was faster.
func (s *Service) startAction(ctx context.Context, r ActionRequest, current LedgerAuthorization,
	credential Credential, operator Operator,
) (id uuid.UUID, repeated bool, err error) {
	told, err := s.tellable(ctx, r)
	if err != nil {
		return uuid.Nil, false, err
	}
	release := s.calls.acquire(ctx, credential.ID, s.limits.BusyWait, current.Request.Request.PatientPresent)
	if release == nil {
		return uuid.Nil, false, errCrowded()
	}
	now := s.clock()
	a, fresh, err := s.store.AddAction(ctx, Action{
		ID: uuid.Must(uuid.NewV7()), Caller: r.Caller, GuideID: r.GuideID, Kind: r.Kind, Before: current.Authorization.Status,
		Key: hashKey(r.Key), KeyUntil: now.Add(s.limits.KeyLife), Fingerprint: r.fingerprint(),
		Attachments: told.Attachments, Admit: s.withinDay, Note: r.Reason, ReceivedAt: now,
	})
	if err == nil && !fresh && !a.repeats(r) {
		err = errOtherAction() // it came for another authorization just now
	}
	if err != nil {
		release()
		return uuid.Nil, false, err
	}
	if !fresh {
		release()
		s.working.Go(func() { s.reconsider(a, current, credential, operator) })
		return a.ID, true, nil
	}
	s.working.Go(func() { s.act(a, told, current, credential, operator, release) })
	return a.ID, false, nil
}

// tellable is an action as its operator may be told of it, or problem.Invalid.
func (s *Service) tellable(ctx context.Context, r ActionRequest) (ActionRequest, error) {
	clean, wrong, err := s.identified(ctx, r.Attachments)
	if err == nil {
		err = problem.InvalidFields(wrong)
	}
	r.Attachments = clean
	return r, err
}

// act tells the operator and commits what came of it, apart from the request.
func (s *Service) act(a Action, r ActionRequest, current LedgerAuthorization, credential Credential, operator Operator, release func()) {
	defer s.inflight.end(a.GuideID)
	ctx, cancel := s.operatorContext(s.base, credential)
	defer cancel()
	u, err := within(ctx, release, func(ctx context.Context) (Update, error) {
		return actionRules[a.Kind].tell(ctx, operator, s.openAuthorization(current, credential), r)
	})
	if err == nil {
		u, err = settled(a.Kind, current, u)
	}
	if err == nil {
		err = s.update(current, credential, u, a.ID)
	}
	if err != nil {
		s.actionFailed(a, credential, err)
	}
}

// settled fills in the status to which an action leads when the operator says no
// other, and refuses what no action of its kind leads to.
func settled(kind ActionKind, current LedgerAuthorization, u Update) (Update, error) {
	least := map[ActionKind]authorization.Status{
		ActionAttachments: authorization.UnderAnalysis, ActionCancel: authorization.AwaitingCancellation,
	}[kind]
	if u.Authorization.Status == "" && least != "" {
		u.Authorization = current.Authorization
		u.Authorization.Status = least
	}
	if err := u.Check(); err != nil || u.Authorization.Status == "" {
		return u, errDecision
	}
	if kind == ActionCancel && u.Authorization.Status != least && u.Authorization.Status != authorization.Cancelled {
		return u, errTransition
	}
	return u, nil
}

func (s *Service) actionFailed(a Action, credential Credential, cause error) {
	reason := failureOf(cause)
	s.logger.Warn("operator failed", "act", a.ID, "operator", credential.Operator, "code", string(reason), "cause", cause)
	entry := ActionFailureEntry{
		ActionID: a.ID, At: s.clock(), Operator: credential.Operator, Reason: reason,
		Due: s.nextPoll(credential, a.Before, pollFirst, 0),
	}
	err := retry.Commit(s.base, func(ctx context.Context) error { return s.store.AddActionFailure(ctx, entry) })
	if err != nil {
		s.logger.Error("failure not stored", "act", a.ID, "cause", err)
	}
	s.wake()
}

// reconsider asks how an authorization stands when the outcome of an action is
// unknown: what was told once is not told again (row 11).
func (s *Service) reconsider(a Action, current LedgerAuthorization, credential Credential, operator Operator) {
	defer s.inflight.end(a.GuideID)
	if a.Answer != "" || current.Authorization.Status != a.Before {
		return
	}
	a, err := s.awaitAction(a, credential)
	if err != nil || a.Answer != "" {
		return // the caller reads what the ledger says
	}
	if a.Failure == "" && s.overdue(a.ReceivedAt, credential) {
		s.actionFailed(a, credential, errInterrupted)
	}
	poller, ok := operator.(StatusPoller)
	if !ok {
		return
	}
	release := s.calls.acquire(s.base, credential.ID, s.limits.BusyWait, current.Request.Request.PatientPresent)
	if release == nil {
		return
	}
	t := Task{RequestID: current.Request.ID, GuideID: a.GuideID}
	if err := s.poll(s.base, t, current, credential, poller, release); err != nil {
		s.logger.Warn("look-up failed", "act", a.ID, "cause", err)
	}
}

// actionResult is what the ledger says of an action: its answer; the authorization
// as it is now when an action of unknown outcome turns out to have had one; or the
// failure. Only the answer can come again (row 11).
func (s *Service) actionResult(ctx context.Context, id uuid.UUID, repeated bool) (ActionResult, error) {
	a, err := s.store.Action(ctx, id)
	if err != nil {
		return ActionResult{}, problem.AfterAct(err)
	}
	if a.Answer != "" {
		return ActionResult{Answer: Answer{Blob: a.Answer, Size: a.AnswerSize, Replayed: repeated}}, nil
	}
	current, err := s.store.LedgerAuthorization(ctx, a.GuideID)
	switch {
	case err != nil:
		return ActionResult{}, problem.AfterAct(err)
	case current.Authorization.Status != a.Before:
		return ActionResult{Authorization: current.Authorization}, nil
	case a.Failure != "":
		return ActionResult{}, errUnknownOutcome(a.Failure)
	}
	return ActionResult{}, errBusy()
}

// Features are the words of what the service does beyond the specification (row
// 17): what it does itself, and what at least one of its operators does.
func (s *Service) Features() []string {
	words := []string{"idempotencia", "situacao", "consulta-por-guia"}
	for _, f := range []struct {
		word string
		can  func(Operator) bool
	}{
		{"anexos", actionRules[ActionAttachments].can}, {"biometria", actionRules[ActionBiometrics].can},
		{"cancelamento", actionRules[ActionCancel].can}, {"elegibilidade", implements[EligibilityChecker]},
	} {
		for _, o := range s.operators {
			if f.can(o) {
				words = append(words, f.word)
				break
			}
		}
	}
	return append(words, "cadastros")
}
