package deskstore

import (
	"context"
	"math"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Past is a case that is over when it is written. Its request has its number already:
// see desk.ProviderGuide.
type Past struct {
	Submission desk.Submission
	To         desk.Recipient          // where its only attempt went
	Exchange   *authorization.Exchange // of that attempt; nil where nothing was sent
	Settlement desk.Settlement         // how it ended: see desk.SettledAt
	By         desk.Author             // who ended it; zero where the program did
	Entry      audit.Entry             // of its submission

	id    int64
	state caselist.State
}

// AddPast writes cases in one commit, each row as it is written when cases come one at a
// time. All rows of one kind come before those of the next, so that many are written with
// one statement: a batch of some thousands is fast.
func (s *Store) AddPast(ctx context.Context, cases []Past) error {
	return s.db.WriteMany(ctx, func(tx *engine.Tx) error {
		now := tx.Now
		lease, err := uuid.NewRandom()
		if err != nil {
			return err
		}
		p := &pastWriter{tx: tx, lease: lease, values: map[valueKey]int64{}}
		for _, write := range []func(context.Context, *Past) error{p.request, p.sent, p.answer, p.event, p.state, p.settled, p.summary} {
			if err := p.each(ctx, cases, write); err != nil {
				return err
			}
		}
		tx.Now = now // the queue is that of today
		if err := caselist.Begin(ctx, tx, p.rows...); err != nil {
			return err
		}
		if err := caselist.LearnAhead(ctx, tx, math.MaxInt); err != nil {
			return err
		}
		if err := p.each(ctx, cases, p.corrected); err != nil {
			return err
		}
		if err := keepKnownOfPast(ctx, tx, cases); err != nil {
			return err
		}
		ids := make([]int64, len(cases))
		for i, c := range cases {
			ids[i] = c.id
		}
		if err := keepLatestUses(ctx, tx, ids...); err != nil {
			return err
		}
		return s.tellPast(ctx, tx, cases)
	})
}

// keepKnownOfPast notes whom the requests tell of, of each what the last one tells.
func keepKnownOfPast(ctx context.Context, tx *engine.Tx, cases []Past) error {
	last, names := map[known]known{}, []known{}
	for _, c := range cases {
		for _, k := range knownOf(c.id, c.Submission.Request) {
			n := known{unit: k.unit, credential: k.credential, number: k.number}
			if _, ok := last[n]; !ok {
				names = append(names, n)
			}
			last[n] = k
		}
	}
	for _, n := range names {
		if err := last[n].keep(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

// tellPast writes who was at work, and the entries of the trail.
func (s *Store) tellPast(ctx context.Context, tx *engine.Tx, cases []Past) error {
	known, entries := map[desk.Author]bool{}, make([]audit.Entry, len(cases))
	for i, c := range cases {
		entries[i] = c.Entry
		for _, a := range []desk.Author{c.Submission.Sender, c.By} {
			if a == (desk.Author{}) || known[a] {
				continue
			}
			if err := rememberAuthor(ctx, tx, a); err != nil {
				return err
			}
			known[a] = true
		}
	}
	return s.trail.AppendAll(ctx, tx, entries)
}

// pastWriter writes the rows of cases, a kind at a time.
type pastWriter struct {
	tx     *engine.Tx
	lease  uuid.UUID          // under which they were sent
	rows   []caselist.Row     // what lists show of them
	values map[valueKey]int64 // numbers of what they are filtered by
}

type valueKey struct {
	kind string
	uid  uuid.UUID
}

// each does something for each case, at the time of it.
func (p *pastWriter) each(ctx context.Context, cases []Past, write func(context.Context, *Past) error) error {
	for i := range cases {
		p.tx.Now = cases[i].Submission.At.UTC()
		if err := write(ctx, &cases[i]); err != nil {
			return err
		}
	}
	return nil
}

func (p *pastWriter) request(ctx context.Context, c *Past) (err error) {
	c.id, err = insertRequest(ctx, p.tx, c.Submission)
	return err
}

func (p *pastWriter) sent(ctx context.Context, c *Past) error {
	if c.Exchange == nil {
		return nil
	}
	p.tx.Now = c.Exchange.StartedAt
	attempt, err := writeAttempt(ctx, p.tx, c.id, 1, p.lease, c.To)
	if err != nil {
		return err
	}
	return writeExchange(ctx, p.tx, attempt, *c.Exchange)
}

func (p *pastWriter) answer(ctx context.Context, c *Past) error {
	if c.Settlement.Answer == nil {
		return nil
	}
	return writeAnswer(ctx, p.tx, c.id, c.attempts(), c.Settlement)
}

// attempts is how many there were.
func (c *Past) attempts() int {
	if c.Exchange == nil {
		return 0
	}
	return 1
}

func (p *pastWriter) event(ctx context.Context, c *Past) error {
	err := addEvent(ctx, p.tx, c.id, desk.Event{Kind: desk.EventSubmitted, Actor: c.Submission.Sender})
	if err == nil && c.Exchange != nil {
		p.tx.Now = c.Exchange.StartedAt
		err = addEvent(ctx, p.tx, c.id, desk.Event{Kind: desk.EventSent, Attempt: 1})
	}
	if err != nil {
		return err
	}
	p.tx.Now = c.Settlement.At
	return addEvent(ctx, p.tx, c.id, desk.Event{Kind: c.Settlement.Event, Actor: c.By, Attempt: c.attempts(), Reason: c.Settlement.Reason})
}

func (p *pastWriter) state(ctx context.Context, c *Past) error {
	var lease uuid.UUID
	if c.Exchange != nil {
		lease = p.lease
	}
	_, err := beginState(ctx, p.tx, c.id, c.Submission, lease)
	return err
}

// settled writes the state that a case ended with over the one that it began with.
func (p *pastWriter) settled(ctx context.Context, c *Past) error {
	sub, to := c.Submission, c.Settlement
	c.state = settledState(sub.Simulated, to)
	began := unsettled{unit: sub.Request.UnitID, attempt: int64(c.attempts()), deadline: engine.Micros(sub.Deadline)}
	if err := stateTable.Overwrite(ctx, p.tx, []any{c.id}, stateValues(began, to, c.state)...); err != nil {
		return err
	}
	return beginFollow(ctx, p.tx, c.id, to)
}

// summary puts together what lists show, as the case ended.
func (p *pastWriter) summary(ctx context.Context, c *Past) error {
	row, err := summaryRow(c.id, c.Submission, p.tx.Now, func(kind string, uid uuid.UUID, name string) (int64, error) {
		return p.value(ctx, kind, uid, name)
	})
	if err != nil {
		return err
	}
	row.HasGuide = c.Settlement.Answer != nil && hasGuide(*c.Settlement.Answer)
	row.State = c.state
	p.rows = append(p.rows, row)
	return nil
}

// value is caselist.Value that asks once.
func (p *pastWriter) value(ctx context.Context, kind string, uid uuid.UUID, name string) (number int64, err error) {
	number, known := p.values[valueKey{kind, uid}]
	if known {
		return number, nil
	}
	number, err = caselist.Value(ctx, p.tx, kind, uid, name)
	p.values[valueKey{kind, uid}] = number
	return number, err
}

func (p *pastWriter) corrected(ctx context.Context, c *Past) error {
	if c.Submission.Copy != desk.Correction {
		return nil
	}
	return markCorrected(ctx, p.tx, c.id)
}
