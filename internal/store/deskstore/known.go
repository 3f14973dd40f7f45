package deskstore

import (
	"context"
	"strings"

	"guiche/internal/authorization"
	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// known is a row of the table known: of the beneficiary of a request, or of its requester.
type known struct {
	unit       uuid.UUID // of a beneficiary the unit that asked; none of a requester, who belongs to no unit
	credential uuid.UUID // of a beneficiary
	number     string    // of the card, or in a council
	words      string
	submission int64
}

// knownOf is whom a request tells of.
func knownOf(submission int64, r authorization.Request) []known {
	return []known{
		{r.UnitID, r.CredentialID, r.CardNumber, r.BeneficiaryName + " " + r.CardNumber, submission},
		{uuid.Nil, uuid.Nil, r.RequesterCouncil + " " + r.RequesterNumber + " " + r.RequesterState,
			r.RequesterName + " " + r.RequesterNumber, submission},
	}
}

// requesters is known.unit of them.
const requesters = "0"

// place and its arguments say where a row stands: unit and key.
func (k known) place() (query string, args []any) {
	if k.unit == uuid.Nil {
		return requesters + `, ?`, []any{k.number}
	}
	return `(SELECT id FROM filter_value WHERE kind = 'unit' AND uid = ?),
		(SELECT id FROM filter_value WHERE kind = 'credential' AND uid = ?) || ' ' || ?`,
		[]any{engine.UID(k.unit), engine.UID(k.credential), k.number}
}

// keepKnown notes whom a request tells of, unless a later one does already. What lists show
// of it is written before.
func keepKnown(ctx context.Context, tx *engine.Tx, submission int64, r authorization.Request) error {
	for _, k := range knownOf(submission, r) {
		if err := k.keep(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}

func (k known) keep(ctx context.Context, tx *engine.Tx) error {
	var id, last int64
	var words string
	place, args := k.place()
	err := engine.Error(tx.QueryRow(ctx, `SELECT id, submission_id, words FROM known WHERE (unit, key) = (`+place+`)`, args...).
		Scan(&id, &last, &words))
	switch {
	case problem.Is(err, problem.NotFound):
		if id, err = insert(ctx, tx, `INSERT INTO known (unit, key, submission_id, words) VALUES (`+place+`, ?, ?)`,
			append(args, k.submission, k.words)...); err != nil {
			return err
		}
		return k.index(ctx, tx, id, tx.AddText, k.words)
	case err != nil || last >= k.submission:
		return err
	case words == k.words:
		_, err = exec(ctx, tx, `UPDATE known SET submission_id = ? WHERE id = ?`, k.submission, id)
		return err
	}
	if err := k.index(ctx, tx, id, tx.RemoveText, words); err != nil {
		return err
	}
	if _, err := exec(ctx, tx, `UPDATE known SET submission_id = ?, words = ? WHERE id = ?`, k.submission, k.words, id); err != nil {
		return err
	}
	return k.index(ctx, tx, id, tx.AddText, k.words)
}

// knownIndex finds the rows of known by their words, and by their unit.
var knownIndex = engine.TextIndex{Table: "known_text", Columns: []string{"words"}, Labels: []string{"unit"}}

// KnownTexts are those that beneficiaries and requesters are found by.
func KnownTexts() engine.TextSource {
	return engine.TextSource{Index: knownIndex, Table: "known", ID: "id", Texts: []string{"words", "CAST(unit AS text)"}}
}

// index has a row found by words, or found no more.
func (k known) index(ctx context.Context, tx *engine.Tx, id int64, change func(context.Context, engine.TextIndex, int64, ...string) error,
	words string) error {
	var unit string
	if err := tx.QueryRow(ctx, `SELECT CAST(unit AS text) FROM known WHERE id = ?`, id).Scan(&unit); err != nil {
		return engine.Error(err)
	}
	return change(ctx, knownIndex, id, words, unit)
}

// pieceOfKnown is how many requests from before are read in one commit.
const pieceOfKnown = 200

// FillKnown notes whom the requests from before tell of, in pieces that each commit: beside
// the requests, and again from the next start where it was cut short.
func (s *Store) FillKnown(ctx context.Context) error {
	for {
		pending, err := engine.Get(ctx, s.db, func(tx *engine.Tx) (through []int64, err error) {
			return engine.List(ctx, tx, scanID, `SELECT through FROM known_pending`)
		})
		if err != nil || len(pending) == 0 {
			return err
		}
		if err := s.db.Write(ctx, func(tx *engine.Tx) error { return s.fillKnown(ctx, tx, pending[0]) }); err != nil {
			return err
		}
	}
}

// fillKnown notes whom the next requests tell of. What is damaged tells of nobody.
func (s *Store) fillKnown(ctx context.Context, tx *engine.Tx, through int64) error {
	ids, err := engine.List(ctx, tx, scanID, `SELECT id FROM submission WHERE id > ? ORDER BY id LIMIT ?`, through, pieceOfKnown)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.keepKnownOf(ctx, tx, id); err != nil {
			return err
		}
	}
	if len(ids) < pieceOfKnown {
		_, err = exec(ctx, tx, `DELETE FROM known_pending`)
		return err
	}
	_, err = exec(ctx, tx, `UPDATE known_pending SET through = ?`, ids[len(ids)-1])
	return err
}

// keepKnownOf notes whom a stored request tells of.
func (s *Store) keepKnownOf(ctx context.Context, tx *engine.Tx, id int64) error {
	switch err := s.verify(ctx, tx, id, rowOfRequest); {
	case problem.Is(err, problem.Damaged):
		return nil
	case err != nil:
		return err
	}
	if err := caselist.Name(ctx, tx, id); err != nil {
		return err
	}
	var r authorization.Request
	err := tx.QueryRow(ctx, `SELECT `+strings.Join(requestColumns, ", ")+` FROM submission WHERE id = ?`, id).Scan(requestTargets(&r)...)
	if err != nil {
		return engine.Error(err)
	}
	return keepKnown(ctx, tx, id, r)
}

// rowOfRequest is the row of a request itself.
var rowOfRequest = checksum.NewGroup(checksum.Part{Table: submissionTable, Where: `id = ?`})
