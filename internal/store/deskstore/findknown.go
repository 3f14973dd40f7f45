package deskstore

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// mostKnown is how many rows of the index a search reads: more share their words only where
// somebody has typed too little.
const mostKnown = 120

// Beneficiaries finds beneficiaries of cases within the reach, the latest first.
func (s *Store) Beneficiaries(ctx context.Context, reach permission.Reach, text string, limit int) ([]desk.Beneficiary, error) {
	words, some := knownWords(text)
	if !some || !reach.All && len(reach.Units) == 0 {
		return nil, nil
	}
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.Beneficiary, error) {
		search, some, err := withinUnits(ctx, tx, words, reach)
		if err != nil || !some {
			return nil, err
		}
		ids, err := latestKnown(ctx, tx, search, limit)
		if err != nil {
			return nil, err
		}
		if ids, err = s.whole(ctx, tx, ids, rowOfRequest); err != nil {
			return nil, err
		}
		return s.beneficiariesOf(ctx, tx, ids)
	})
}

// withinUnits restricts a search to the beneficiaries that a reach lets a person see, if that is
// anybody.
func withinUnits(ctx context.Context, tx *engine.Tx, words engine.Search, reach permission.Reach) (
	search engine.Search, some bool, err error) {
	if reach.All {
		return engine.Except(words, engine.Label("unit", requesters)), true, nil
	}
	within, err := caselist.UnitsWithin(ctx, tx, reach)
	if err != nil || len(within) == 0 {
		return engine.Search{}, false, err
	}
	units := make([]engine.Search, len(within))
	for i, number := range within {
		units[i] = engine.Label("unit", strconv.FormatInt(number, 10))
	}
	return engine.All(words, engine.Any(units...)), true, nil
}

// knownWords looks for the beginnings of words that a person typed; a single letter counts only
// as the whole word of several, and finds nobody alone.
func knownWords(text string) (search engine.Search, some bool) {
	words := slices.DeleteFunc(engine.Words(text), func(w string) bool { return len([]rune(w)) < 2 })
	if len(words) == 0 {
		return engine.Search{}, false
	}
	lists := engine.Alternatives(words)
	if card := authorization.CleanCard(text); strings.ContainsAny(card, "0123456789") {
		if whole := engine.Words(card); len(whole) == 1 {
			lists = append(lists, whole)
		}
	}
	return engine.BeginAll(lists...), true
}

// latestKnown returns the requests that tell last of whom a query finds, the latest first.
func latestKnown(ctx context.Context, tx *engine.Tx, search engine.Search, limit int) ([]int64, error) {
	in := tx.Match(knownIndex, search)
	type hit struct {
		key        string
		submission int64
	}
	hits, err := engine.List(ctx, tx, func(row engine.Row) (h hit, err error) {
		err = row.Scan(&h.key, &h.submission)
		return h, err
	}, `SELECT k.key, k.submission_id FROM `+in.From+` CROSS JOIN known k WHERE k.id = `+in.ID+`
		ORDER BY `+in.ID+` DESC LIMIT ?`, in.Value, mostKnown)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Compare(b.submission, a.submission) })
	var ids []int64
	seen := map[string]bool{} // a card that several units know
	for _, h := range hits {
		if !seen[h.key] && len(ids) < limit {
			ids = append(ids, h.submission)
		}
		seen[h.key] = true
	}
	return ids, nil
}

// beneficiariesOf reads what requests tell of their beneficiaries.
func (s *Store) beneficiariesOf(ctx context.Context, tx *engine.Tx, ids []int64) ([]desk.Beneficiary, error) {
	last, err := s.summaries(ctx, tx, ids)
	if err != nil {
		return nil, err
	}
	var all []desk.Beneficiary
	for _, id := range ids {
		b := desk.Beneficiary{Last: last[id]}
		err := tx.QueryRow(ctx, `SELECT `+strings.Join(slices.Concat(requestColumns, nameColumns), ", ")+` FROM submission WHERE id = ?`, id).
			Scan(slices.Concat(requestTargets(&b.Request), nameTargets(&b.Names))...)
		if err != nil {
			return nil, engine.Error(err)
		}
		all = append(all, b)
	}
	return all, nil
}

// summaries reads what lists show of cases.
func (s *Store) summaries(ctx context.Context, tx *engine.Tx, ids []int64) (map[int64]desk.CaseSummary, error) {
	rows, err := caselist.Read(ctx, tx, s.Found, `WHERE submission_id `+engine.InNumbers, engine.Numbers(ids))
	if err != nil {
		return nil, err
	}
	found := make(map[int64]desk.CaseSummary, len(rows))
	for _, r := range rows {
		if r.Damaged {
			continue
		}
		if found[r.ID], err = summaryOf(&r); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// Requesters finds requesters by name and number in their council, the latest first.
func (s *Store) Requesters(ctx context.Context, text string, limit int) ([]desk.Requester, error) {
	words, some := knownWords(text)
	if !some {
		return nil, nil
	}
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.Requester, error) {
		ids, err := latestKnown(ctx, tx, engine.All(words, engine.Label("unit", requesters)), limit)
		if err != nil {
			return nil, err
		}
		if ids, err = s.whole(ctx, tx, ids, rowOfRequest); err != nil {
			return nil, err
		}
		var all []desk.Requester
		for _, id := range ids {
			var r desk.Requester
			err := tx.QueryRow(ctx, `SELECT requester_name, requester_council, requester_number, requester_state FROM submission WHERE id = ?`, id).
				Scan(&r.Name, &r.Council, &r.Number, &r.State)
			if err != nil {
				return nil, engine.Error(err)
			}
			all = append(all, r)
		}
		return all, nil
	})
}

// LatestOf lists the latest cases within the reach with a card of a credential.
func (s *Store) LatestOf(ctx context.Context, reach permission.Reach, credential uuid.UUID, card string, limit int) (
	[]desk.CaseSummary, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) ([]desk.CaseSummary, error) {
		values, err := caselist.ReadValues(ctx, tx)
		if err != nil {
			return nil, err
		}
		where, args := `s.card_number = ? AND s.credential_uid = ?`, []any{card, engine.UID(credential)}
		if !reach.All {
			where, args = where+` AND c.unit `+engine.InNumbers, append(args, engine.Numbers(values.Within(reach)))
		}
		ids, err := engine.List(ctx, tx, scanID, `SELECT s.id FROM submission s CROSS JOIN case_summary c
			WHERE c.submission_id = s.id AND `+where+` ORDER BY s.created_at DESC LIMIT ?`, append(args, limit)...)
		if err != nil {
			return nil, err
		}
		found, err := s.summaries(ctx, tx, ids)
		var cases []desk.CaseSummary
		for _, id := range ids {
			if c, ok := found[id]; ok {
				cases = append(cases, c)
			}
		}
		return cases, err
	})
}

// latestWith is how many of an operator's requests are looked at for one within a reach.
const latestWith = 50

// LatestWith is the latest request within the reach to a credential, as far as its row tells.
func (s *Store) LatestWith(ctx context.Context, reach permission.Reach, credential uuid.UUID) (authorization.Request, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (r authorization.Request, err error) {
		values, err := caselist.ReadValues(ctx, tx)
		if err != nil {
			return r, err
		}
		within := engine.Numbers(values.Within(reach))
		return s.latestRequest(ctx, tx, `SELECT max(submission_id) FROM (SELECT submission_id, unit FROM case_summary
				WHERE credential = (SELECT id FROM filter_value WHERE kind = 'credential' AND uid = ?)
				ORDER BY submission_id DESC LIMIT ?) latest
			WHERE ? OR unit `+engine.InNumbers, engine.UID(credential), latestWith, reach.All, within)
	})
}

// LatestBy is the latest request that somebody sent, as far as its row tells.
func (s *Store) LatestBy(ctx context.Context, sender uuid.UUID) (authorization.Request, error) {
	return engine.Get(ctx, s.db, func(tx *engine.Tx) (authorization.Request, error) {
		return s.latestRequest(ctx, tx, `SELECT max(submission_id) FROM case_summary
			WHERE sender = (SELECT id FROM filter_value WHERE kind = 'sender' AND uid = ?)`, engine.UID(sender))
	})
}

// latestRequest is the request of which a query finds the number. One that cannot be read because it is
// damaged tells nothing, like none.
func (s *Store) latestRequest(ctx context.Context, tx *engine.Tx, number string, args ...any) (r authorization.Request, err error) {
	var id int64
	err = engine.Error(tx.QueryRow(ctx, `SELECT id, `+strings.Join(requestColumns, ", ")+` FROM submission WHERE id = (`+number+`)`, args...).
		Scan(slices.Concat([]any{&id}, requestTargets(&r))...))
	if err == nil || problem.Is(err, problem.NotFound) {
		return r, err
	}
	if damaged := s.verify(ctx, tx, id, rowOfRequest); problem.Is(damaged, problem.Damaged) {
		return authorization.Request{}, problem.Wrap(problem.NotFound, "Não encontrado.", damaged)
	}
	return r, err
}
