// Package demo gives the demonstration its past: about sixty requests of the last three
// weeks and two drafts, made through the desk as people make them, under a clock that is
// set back. Nothing of it is written past the desk and the service.
package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"guiche/internal/desk"
	"guiche/internal/directory"
	"guiche/internal/permission"
	"guiche/internal/problem"

	"github.com/google/uuid"
)

// Config is what a past is made with. Everything in it is required.
type Config struct {
	Desk   *desk.Desk                      // nothing else sends of it meanwhile
	Follow func(ctx context.Context) error // has the service ask its operators what is due
	Clock  *Clock                          // of desk and service
	Zone   *time.Location

	// People are the Typists, and Reader, by their logins.
	People map[string]permission.Actor

	Units         []directory.Unit
	Professionals []directory.Professional
	Credentials   []directory.Credential
}

// Reader is the login of whoever sees the cases of all units.
const Reader = "celia"

// Typist is a receptionist of the past and where they sit.
type Typist struct{ Login, Name, Unit, CarePoint string }

// Typists are the receptionists of the past.
func Typists() []Typist {
	return []Typist{
		{"ana", "Ana Prado", "Centro", "Balcão 1"},
		{"marcelo", "Marcelo Pinho", "Centro", "Balcão 2"},
		{"bruna", "Bruna Teixeira", "Jardim das Acácias", "Recepção"},
	}
}

// Past makes the past of one installation.
type Past struct {
	Config
	now    time.Time            // in the zone: when the past ends
	at     time.Time            // how far it is made; it never goes back
	latest map[string]uuid.UUID // the case that a patient had last
}

// New returns a past that ends now.
func New(c Config) *Past {
	return &Past{Config: c, now: c.Clock.Now().In(c.Zone), latest: map[string]uuid.UUID{}}
}

// Start is a time before the first visit of a past that ends now.
func Start(now time.Time) time.Time { return workday(now, visits[0].day+1) }

// Missing reports whether there is something left to make: the desk has no cases yet, or
// a start before ended on the way.
func (p *Past) Missing(ctx context.Context) (bool, error) {
	if !p.People[visits[0].by].May(permission.SeePatients) || !p.People[Reader].May(permission.SeePatients) {
		return false, nil // somebody has changed who works here
	}
	last := len(visits) - 1
	if made, err := p.Desk.DraftOpened(ctx, p.People[visits[last].by], draftID(last)); made || err != nil {
		return false, err
	}
	begun, err := p.Desk.DraftOpened(ctx, p.People[visits[0].by], draftID(0))
	if begun || err != nil {
		return begun, err
	}
	page, err := p.Desk.Cases(ctx, p.People[Reader], desk.Query{Limit: 1})
	return len(page.Cases) == 0, err
}

// Make makes what is missing, and has the clock show the present again.
func (p *Past) Make(ctx context.Context) error {
	defer p.Clock.Return()
	if err := p.resume(ctx); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	for n, v := range visits {
		if err := p.visit(ctx, n, v); err != nil {
			return fmt.Errorf("demo: visit %d: %w", n, err)
		}
	}
	return nil
}

// resume finishes what an earlier start left on the way, at the time of that.
func (p *Past) resume(ctx context.Context) error {
	page, err := p.Desk.Cases(ctx, p.People[Reader], desk.Query{Limit: desk.MaxPage})
	if err != nil || len(page.Cases) == 0 {
		return err
	}
	for _, c := range page.Cases {
		if c.CreatedAt.After(p.at) {
			p.at = c.CreatedAt
		}
	}
	p.Clock.Set(p.at)
	return p.Desk.RunDue(ctx)
}

// visit makes a visit, unless an earlier start did.
func (p *Past) visit(ctx context.Context, n int, v visit) error {
	made, err := p.made(ctx, n, v)
	if err != nil {
		return err
	}
	if made != uuid.Nil {
		p.latest[v.patient] = made
		return p.attend(ctx, v)
	}
	if err := p.set(v); err != nil {
		return err
	}
	draft, err := p.draft(ctx, n, v)
	if err != nil || v.has(unsent) {
		return err
	}
	if err := p.send(ctx, draft, v); err != nil {
		return err
	}
	return p.attend(ctx, v)
}

// attend takes the case of a visit out of the queue when the patient was attended.
func (p *Past) attend(ctx context.Context, v visit) error {
	if v.day < 2 && !v.has(attended) {
		return nil
	}
	actor := p.People[v.by]
	c, err := p.Desk.Case(ctx, actor, p.latest[v.patient], 0)
	if step := c.NextStep(); err != nil || step != desk.StepAttend && step != desk.StepPrint || !c.CanConclude() {
		return err
	}
	p.Clock.Set(p.at.Add(attending))
	p.at = p.Clock.Now()
	return p.Desk.Conclude(ctx, actor, p.latest[v.patient])
}

// made returns the case that a visit has become, uuid.Nil without one.
func (p *Past) made(ctx context.Context, n int, v visit) (uuid.UUID, error) {
	if v.has(again) {
		before, err := p.Desk.Case(ctx, p.People[v.by], p.latest[v.patient], 0)
		if copies := slices.Concat(before.Corrections, before.Repetitions); len(copies) > 0 {
			return copies[0], err
		}
		return uuid.Nil, err
	}
	uid, err := p.Desk.CaseOf(ctx, p.People[v.by], draftID(n))
	if problem.Is(err, problem.NotFound) {
		return uuid.Nil, nil
	}
	return uid, err
}

// set has the clock show the time of a visit.
func (p *Past) set(v visit) error {
	at, err := v.when(p.now)
	if at.After(p.at) {
		p.at = at
	}
	p.Clock.Set(p.at)
	return err
}

// How long things take at the counter and at the operators.
const (
	typing    = 70 * time.Second
	answering = 4 * time.Second
	attending = 5 * time.Minute
	following = 50 * time.Second
	follows   = 2 // until nothing more follows that operators do within seconds
)

// send submits a draft, has it answered and follows what the operators do.
func (p *Past) send(ctx context.Context, draft uuid.UUID, v visit) (err error) {
	p.Clock.Advance(typing)
	actor := p.People[v.by]
	if p.latest[v.patient], err = p.Desk.Submit(ctx, actor, draft); err != nil {
		return err
	}
	p.Clock.Advance(answering)
	if v.has(withdrawn) {
		err = p.Desk.Withdraw(ctx, actor, p.latest[v.patient])
	} else {
		err = p.settle(ctx, actor, p.latest[v.patient])
	}
	if err != nil {
		return err
	}
	for range follows {
		p.Clock.Advance(following)
		p.at = p.Clock.Now()
		if err := p.Follow(ctx); err != nil {
			return err
		}
		if err := p.Desk.FollowDue(ctx); err != nil {
			return err
		}
	}
	return nil
}

// mostAttempts is more than the desk makes before it leaves a request to people.
const mostAttempts = 100

// settle has a request sent, again too where nobody answers, until the desk makes no more
// attempts: nothing of the past goes on in the present.
func (p *Past) settle(ctx context.Context, actor permission.Actor, uid uuid.UUID) error {
	for range mostAttempts {
		if err := p.Desk.RunDue(ctx); err != nil {
			return err
		}
		c, err := p.Desk.Case(ctx, actor, uid, 0)
		if err != nil || !c.State.Pending() {
			return err
		}
		p.Clock.Advance(following)
	}
	return nil
}
