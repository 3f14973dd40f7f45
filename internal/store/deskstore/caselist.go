package deskstore

import (
	"context"
	"slices"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// Cases lists at most q.Limit cases of the queue.
func (s *Store) Cases(ctx context.Context, reach permission.Reach, q desk.Query) ([]desk.CaseSummary, error) {
	if err := s.FillQueue(ctx); err != nil {
		return nil, err
	}
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.CaseSummary, error) {
		caselist.Ahead(tx)
		queue, err := queueOf(ctx, tx, reach, q)
		if err != nil {
			return nil, err
		}
		if q.Before != uuid.Nil {
			err := tx.QueryRow(ctx, `SELECT id FROM submission WHERE uid = ?`, engine.UID(q.Before)).Scan(&queue.After)
			if err = engine.Error(err); problem.Is(err, problem.NotFound) {
				return nil, nil // nothing comes after what is not there
			}
			if err != nil {
				return nil, err
			}
		}
		if tx.AsksAhead() {
			aheadOfPage(tx, queue, q.Beside)
		}
		rows, err := queue.Read(ctx, tx, s.Found)
		if err != nil {
			return nil, err
		}
		return summaries(ctx, tx, rows)
	})
}

// aheadOfPage tells of what a page of the queue asks besides.
func aheadOfPage(tx *engine.Tx, queue caselist.Queue, beside desk.Beside) {
	if beside.EndingDays == 0 {
		return
	}
	tx.Ahead(lostFiles)
	queue.AheadOfCounts(tx)
	queue.Limit = beside.EndingLimit
	queue.AheadOfEnding(tx, beside.From.String(), beside.Until.String())
	tx.Ahead(openDrafts, engine.UID(beside.Drafts))
}

// queueOf is the part of the queue that a query asks for.
func queueOf(ctx context.Context, tx *engine.Tx, reach permission.Reach, q desk.Query) (queue caselist.Queue, err error) {
	queue = caselist.Queue{Group: caselist.AnyGroup, Today: engine.Micros(q.Today), Limit: q.Limit}
	switch {
	case q.Unknown:
		queue.Group = int64(desk.GroupOf(desk.Unknown, ""))
	case q.Group != 0:
		queue.Group = int64(q.Group)
	}
	queue.Units, err = caselist.UnitsWithin(ctx, tx, reach)
	return queue, err
}

// summaries are rows as the desk lists them.
func summaries(ctx context.Context, tx *engine.Tx, rows []caselist.Row) (cases []desk.CaseSummary, err error) {
	cases = make([]desk.CaseSummary, len(rows))
	for i := range rows {
		if rows[i].Damaged {
			cases[i] = damagedCase(ctx, tx, rows[i].ID)
			continue
		}
		if cases[i], err = summaryOf(&rows[i]); err != nil {
			return nil, err
		}
	}
	return cases, markLost(ctx, tx, cases)
}

// lostFiles says whether there are damaged files of cases: few installations have any.
const lostFiles = `SELECT EXISTS (SELECT 1 FROM damage WHERE half = 'desk' AND kind = 'arquivo')`

// lostGuides are the cases of which the PDF that they show first is damaged.
const lostGuides = `SELECT s.uid FROM damage d JOIN submission s ON s.uid = d.case_uid
	JOIN answer a ON a.id = (SELECT MAX(l.id) FROM answer l WHERE l.submission_id = s.id)
	WHERE d.half = 'desk' AND d.kind = 'arquivo' AND d.name = CASE WHEN a.guide_pdf <> '' THEN a.guide_pdf ELSE (SELECT z.guide_pdf
		FROM "authorization" z WHERE z.answer_id = a.id AND z.guide_pdf <> '' ORDER BY z.position LIMIT 1) END`

// markLost says of which cases the guide cannot be printed.
func markLost(ctx context.Context, tx *engine.Tx, cases []desk.CaseSummary) error {
	if !slices.ContainsFunc(cases, func(c desk.CaseSummary) bool { return c.HasGuide }) {
		return nil
	}
	var some bool
	if err := tx.QueryRow(ctx, lostFiles).Scan(&some); err != nil || !some {
		return engine.Error(err)
	}
	lost, err := engine.List(ctx, tx, func(row engine.Row) (uid uuid.UUID, err error) {
		err = row.Scan(engine.ScanUID(&uid))
		return uid, err
	}, lostGuides)
	for i := range cases {
		cases[i].GuideLost = slices.Contains(lost, cases[i].UID)
	}
	return err
}

// Ending lists cases to be attended whose senha ends from one day to another.
func (s *Store) Ending(ctx context.Context, reach permission.Reach, from, until authorization.LocalTime,
	limit int) ([]desk.CaseSummary, error) {
	if err := s.FillQueue(ctx); err != nil {
		return nil, err
	}
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.CaseSummary, error) {
		queue, err := queueOf(ctx, tx, reach, desk.Query{Limit: limit})
		if err != nil {
			return nil, err
		}
		rows, err := queue.Ending(ctx, tx, s.Found, from.String(), until.String())
		if err != nil {
			return nil, err
		}
		return summaries(ctx, tx, rows)
	})
}

// damagedCase is what a list tells of a damaged case: its identifier, where it has one.
func damagedCase(ctx context.Context, tx *engine.Tx, id int64) desk.CaseSummary {
	uid, err := uidOf(ctx, tx, id)
	if err != nil {
		uid = uuid.Nil
	}
	return desk.CaseSummary{UID: uid, Damaged: true}
}

// Counts counts the cases of the queue by group.
func (s *Store) Counts(ctx context.Context, reach permission.Reach, today time.Time) (desk.Counts, error) {
	if err := s.FillQueue(ctx); err != nil {
		return desk.Counts{}, err
	}
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (desk.Counts, error) {
		counts := desk.Counts{Groups: map[authorization.Group]desk.GroupCount{}}
		queue, err := queueOf(ctx, tx, reach, desk.Query{Today: today})
		if err != nil {
			return counts, err
		}
		tallies, err := queue.Counts(ctx, tx)
		for _, t := range tallies {
			count := desk.GroupCount{Count: t.Cases, Oldest: engine.Time(t.Oldest)}
			if t.Group == 0 {
				counts.Unknown = count
			} else {
				counts.Groups[authorization.Group(t.Group)] = count
			}
		}
		return counts, err
	})
}

// FillQueue puts cases from before into the queue. Whoever asks for the queue meanwhile waits
// for that, so that nobody sees a part of it; without space for it they see what there is.
func (s *Store) FillQueue(ctx context.Context) error {
	s.queue.Lock()
	defer s.queue.Unlock()
	if s.queue.whole {
		return nil
	}
	err := caselist.FillQueue(ctx, s.db)
	s.queue.whole = err == nil
	if problem.Passing(err) {
		return nil
	}
	return err
}

const (
	learnPause = 250 * time.Millisecond // cases that come are gathered so long before their words are written
	firstAgain = time.Second            // what could not be written is tried again, after twice as long each time
	lastAgain  = time.Minute
)

// LearnWords writes the words of cases that come behind the requests, until ctx is done: see caselist.LearnPending.
// Until then a search reads those of such cases by themselves, so that nobody misses what is late. Why words cannot
// be written is told to late each time that it was tried.
func (s *Store) LearnWords(ctx context.Context, late func(error)) {
	for again := firstAgain; ctx.Err() == nil; {
		err := caselist.LearnPending(ctx, s.db)
		switch {
		case ctx.Err() != nil:
		case err != nil:
			late(err)
			wait(ctx, again)
			again = min(2*again, lastAgain)
		default:
			again = firstAgain
			select {
			case <-ctx.Done():
			case <-s.came:
			}
			wait(ctx, learnPause)
		}
	}
}

// wait waits for so long, or until ctx is done.
func wait(ctx context.Context, pause time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

// tellCame has LearnWords look for cases.
func (s *Store) tellCame() {
	select {
	case s.came <- struct{}{}:
	default: // it will look
	}
}

// MergeWords has searches look into few parts of their index: see caselist.MergeWords.
func (s *Store) MergeWords(ctx context.Context, next func() error) error {
	return caselist.MergeWords(ctx, s.db, next)
}
