package desk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/retry"

	"github.com/google/uuid"
)

// ActKind is what a person asks of the service about an authorization (interface.md, row 18).
type ActKind string

// The kinds of acts.
const (
	ActCancel      ActKind = "cancelamento"
	ActBiometrics  ActKind = "biometria"
	ActAttachments ActKind = "anexos"
)

// ActState is where an act stands.
type ActState string

// The states of an act.
const (
	ActUnderWay ActState = "a_caminho" // committed, and perhaps on the wire
	ActDone     ActState = "feito"
	ActRefused  ActState = "recusado"  // the service said that it did not do it
	ActUnsent   ActState = "nao_saiu"  // the service did nothing, and it may be asked again
	ActDoubtful ActState = "em_duvida" // it may have been done, and no answer says so
)

// Act is something that a person asked of the service about an authorization of a case. It
// goes out once; asked again after a doubt, it is the same act with the same key.
type Act struct {
	UID      uuid.UUID // its idempotency key
	Kind     ActKind
	Place    int                  // of the authorization in the answer
	GuideID  string               // of the authorization
	Status   authorization.Status // of the authorization when it was asked
	Reason   string               // why it is cancelled, as typed
	Files    []Attachment         // of ActAttachments: they stand among those of the case
	State    ActState
	By       Author
	AskedAt  time.Time
	Until    time.Time // what is under way longer than this has lost its process
	EndedAt  time.Time // zero while it is under way
	Message  string    // why it was not done, or is in doubt
	Answered bool      // the authorization has stood otherwise since it was asked
}

// ActEnd is what became of an act.
type ActEnd struct {
	UID     uuid.UUID
	Until   time.Time // of the asking that ended: names it
	State   ActState
	Message string
	Told    authorization.Authorization // by the service, of ActDone
}

// ActService is what the desk asks of the service about authorizations.
type ActService interface {
	// Offers says, without asking it, what the service takes or tells beside requests.
	Offers() authorization.Offers
	// Cancel has an authorization cancelled, and returns it as it stands then. What may have been
	// done although no answer says so is authorization.Doubtful; likewise the two that follow.
	Cancel(ctx context.Context, act authorization.Act, reason string) (authorization.Authorization, error)
	// Biometrics hands captures to the operator, and returns the authorization as it stands then.
	Biometrics(ctx context.Context, act authorization.Act, captures []authorization.Capture) (authorization.Authorization, error)
	// AddAttachments hands over what an authorization lacks, and returns it as it stands then.
	AddAttachments(ctx context.Context, act authorization.Act, files []authorization.Attachment) (authorization.Authorization, error)
	// Eligibility asks whether a card is valid.
	Eligibility(ctx context.Context, q authorization.EligibilityQuestion) (authorization.Eligibility, error)
}

// ActStore keeps what people asked of the service about authorizations.
type ActStore interface {
	// BeginAct commits an act of a case that was sent to the service, before anything leaves, and
	// returns it: the earlier one where that is in doubt. problem.Conflict while another is under
	// way.
	BeginAct(ctx context.Context, uid uuid.UUID, service string, act Act, entry audit.Entry) (Act, error)
	// EndAct commits what became of an act under way. What the service told goes through settle,
	// which returns the answer in force then, false where nothing is new.
	EndAct(ctx context.Context, uid uuid.UUID, end ActEnd, settle func(Followed) (Settlement, bool)) error
}

// Times of an act, beside that of sending its files. The service's own time to answer is shorter;
// a process that ended leaves a doubt when the second is over.
const (
	actTime  = 4 * time.Minute
	actLease = 5 * time.Minute
)

// The time of an act's files, as a request has it.
const (
	slowestLine = 400_000 / 8 // bytes a second
	longestSend = 30 * time.Minute
)

// sending is how long the files of an act may take on their way, in base64.
func (a Act) sending() time.Duration {
	var size int64
	for _, f := range a.Files {
		size += f.Size
	}
	return min(time.Duration(size*4/3/slowestLine)*time.Second, longestSend)
}

// maxActMessage is how much of the service's words is kept, in characters.
const maxActMessage = 500

// Offers says what the service takes or tells beside requests.
func (d *Desk) Offers() authorization.Offers { return d.config.Service.Offers() }

// LastAct returns the latest act on the case, which stands on its page.
func (c Case) LastAct() (Act, bool) {
	if len(c.Acts) == 0 {
		return Act{}, false
	}
	return c.Acts[len(c.Acts)-1], true
}

// ActInDoubt reports whether nobody knows what became of the latest act, and the case has stood
// as before it since.
func (c Case) ActInDoubt() bool {
	act, ok := c.LastAct()
	return ok && act.State == ActDoubtful && !act.Answered
}

// ActPending reports whether an act on the case is under way.
func (c Case) ActPending() bool {
	return slices.ContainsFunc(c.Acts, func(a Act) bool { return a.State == ActUnderWay })
}

// LostAt reports whether an act under way has lost its process by a moment. One that seems to have
// more than twice its time left was begun by a clock that was put back since.
func (a Act) LostAt(now time.Time) bool {
	left := a.Until.Sub(now)
	return a.State == ActUnderWay && (left < 0 || left/2 > a.Until.Sub(a.AskedAt))
}

// actsAt says how the acts of a case stand at a moment: what lost its process is in doubt.
func (c *Case) actsAt(now time.Time) {
	for i := range c.Acts {
		a := &c.Acts[i]
		if a.LostAt(now) {
			a.State, a.Message = ActDoubtful, "O Guichê parou antes da resposta."
		}
		a.Answered = c.Answer == nil || a.differsFrom(*c.Answer) || c.MovedSince(*a)
	}
}

// MovedSince reports whether any answer since an act was asked says that its authorization stands otherwise than
// then, also where it stands so again: what was in doubt is over, and another one is asked for. Events count in
// their order: a clock may have been set back.
func (c Case) MovedSince(a Act) bool {
	asked := slices.IndexFunc(c.Events, func(e Event) bool {
		return e.Kind == EventActAsked && e.Reason == string(a.Kind) && e.At.Equal(a.AskedAt)
	})
	return asked >= 0 && slices.ContainsFunc(c.AnswersOf()[asked:], func(p *PastAnswer) bool { return p != nil && a.differsFrom(p.Answer) })
}

// differsFrom reports whether the authorization of an act stands otherwise in an answer than when it was asked.
func (a Act) differsFrom(answer authorization.Answer) bool {
	place := a.placeIn(answer)
	return place < 0 || answer.Authorizations[place].Status != a.Status
}

// takesActs reports whether the service in use got the case and can be asked about an
// authorization of it.
func (d *Desk) takesActs(c Case, place int) bool {
	if c.State != Answered || c.Answer == nil || place < 0 || place >= len(c.Answer.Authorizations) || c.ActPending() {
		return false
	}
	return c.Answer.Authorizations[place].GuideID != "" && (c.SentTo == "" || c.SentTo == d.config.Service.Name())
}

// errNotNow says that what was asked cannot be asked of the case as it stands.
func errNotNow() error {
	return problem.New(problem.Conflict, "Este pedido mudou, ou já há um pedido destes a caminho. Confira como ele está.")
}

// act commits an act and has the service told, apart from the request of the browser.
func (d *Desk) act(ctx context.Context, a permission.Actor, c Case, act Act, event audit.Event,
	tell func(context.Context, Act) (authorization.Authorization, error)) error {
	about := c.Answer.Authorizations[act.Place]
	act.UID, act.GuideID, act.Status = uuid.Must(uuid.NewV7()), about.GuideID, about.Status
	act.State, act.By, act.Until = ActUnderWay, authorOf(a), d.now().Add(actLease+act.sending())
	act, err := d.config.Store.BeginAct(ctx, c.UID, d.config.Service.Name(), act, d.entry(a, event, audit.ObjectCase, c.UID))
	if err != nil {
		return err
	}
	d.acting.Go(func() { d.perform(context.WithoutCancel(ctx), c, act, tell) })
	return nil
}

// onWire is the act as the service gets it.
func (a Act) onWire() authorization.Act {
	return authorization.Act{GuideID: a.GuideID, Key: a.UID.String()}
}

// perform tells the service and commits what became of it.
func (d *Desk) perform(ctx context.Context, c Case, act Act, tell func(context.Context, Act) (authorization.Authorization, error)) {
	ctx, cancel := context.WithTimeout(ctx, actLease+act.sending())
	defer cancel()
	ctx, hold := d.config.Blobs.Hold(ctx)
	defer hold.End()
	told, err := d.tell(ctx, act, tell)
	if err == nil {
		err = doubtful(checkStatus(told, act.GuideID, c.ProviderGuide))
	}
	end := endOf(act, told, err)
	if err != nil {
		d.config.Logger.WarnContext(ctx, "act not done", "case", c.UID, "act", string(act.Kind), "state", string(end.State), "error", err)
	}
	err = retry.Commit(ctx, func(ctx context.Context) error {
		return d.config.Store.EndAct(ctx, c.UID, end, func(f Followed) (Settlement, bool) { return d.acted(f, act, told) })
	})
	if err != nil {
		d.config.Logger.ErrorContext(ctx, "keep what became of an act", "case", c.UID, "error", err)
	}
	d.watch.changed(c.UID)
}

// doubtful is an error of an act that may have been done; nil of none.
func doubtful(err error) error {
	if err == nil {
		return nil
	}
	return &authorization.Doubtful{Err: err}
}

func (d *Desk) tell(ctx context.Context, act Act,
	tell func(context.Context, Act) (authorization.Authorization, error)) (authorization.Authorization, error) {
	ctx, cancel := context.WithTimeout(ctx, actTime+act.sending())
	defer cancel()
	return tell(ctx, act)
}

// refusedActs are the errors that say what the service did not do, and why.
var refusedActs = []problem.Code{problem.NotFound, problem.Conflict, problem.Invalid, problem.TooLarge}

// endOf is what became of an act by what the service answered.
func endOf(act Act, told authorization.Authorization, err error) ActEnd {
	end := ActEnd{UID: act.UID, Until: act.Until, State: ActDone, Told: told}
	if err == nil {
		return end
	}
	end.State = ActUnsent
	var doubtful *authorization.Doubtful
	switch {
	case errors.As(err, &doubtful):
		end.State = ActDoubtful
	case slices.Contains(refusedActs, problem.CodeOf(err)):
		end.State = ActRefused
	}
	var shown *problem.Error
	if errors.As(err, &shown) {
		end.Message = firstRunes(shown.Message, maxActMessage)
	}
	return end
}

// acted is the answer in force after an act, as following would bring it.
func (d *Desk) acted(f Followed, act Act, told authorization.Authorization) (Settlement, bool) {
	now := make([]authorization.Authorization, len(f.Said))
	place := act.placeIn(f.InForce)
	if place < 0 {
		return Settlement{}, false
	}
	now[place] = told
	news, changed := f.changed(now)
	if !changed {
		return Settlement{}, false
	}
	s := Settlement{}.answered(news)
	s.Event, s.At = EventUpdated, d.now()
	s.Follow = d.followAt(s)
	return s, true
}

// placeIn is where the authorization of an act stands in an answer, which may have come since; -1 where it does not.
func (a Act) placeIn(answer authorization.Answer) int {
	all := answer.Authorizations
	isIt := func(z authorization.Authorization) bool { return strings.EqualFold(z.GuideID, a.GuideID) }
	if a.Place < len(all) && isIt(all[a.Place]) {
		return a.Place
	}
	return slices.IndexFunc(all, isIt)
}

// AwaitAct returns as soon as no act on the case is under way any more, at the latest when the
// time is over or ctx is done.
func (d *Desk) AwaitAct(ctx context.Context, a permission.Actor, uid uuid.UUID, atMost time.Duration) error {
	changed, stop := d.watch.watch(uid)
	defer stop()
	over := time.NewTimer(atMost)
	defer over.Stop()
	for {
		if pending, err := d.ActPending(ctx, a, uid); err != nil || !pending {
			return err
		}
		select {
		case <-changed:
		case <-d.lookAgain():
		case <-over.C:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// ActPending reports whether an act on the case is under way, for a page that updates itself. It
// leaves nothing in the audit trail.
func (d *Desk) ActPending(ctx context.Context, a permission.Actor, uid uuid.UUID) (bool, error) {
	c, err := d.reachable(ctx, a, uid)
	return c.ActPending(), err
}

// awaitActs waits for what is under way when the desk stops, as long as it may take.
func (d *Desk) awaitActs(final context.Context) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		d.acting.Wait()
	}()
	select {
	case <-done:
	case <-final.Done():
	}
}

// firstRunes is the beginning of a text.
func firstRunes(text string, n int) string {
	if runes := []rune(text); len(runes) > n {
		return string(runes[:n])
	}
	return text
}
