package deskstore

import (
	"context"
	"fmt"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// BeginAct implements desk.ActStore.
func (s *Store) BeginAct(ctx context.Context, uid uuid.UUID, service string, act desk.Act, entry audit.Entry) (begun desk.Act, err error) {
	err = s.db.Write(ctx, func(tx *engine.Tx) error {
		begun = act
		begun.AskedAt = tx.Now
		id, err := actable(ctx, tx, uid, service)
		if err != nil {
			return err
		}
		if err := rememberAuthor(ctx, tx, act.By); err != nil {
			return err
		}
		again, same, err := s.openAct(ctx, tx, id, act)
		switch {
		case err != nil:
			return err
		case same:
			begun.UID, begun.Reason = again.UID, again.Reason
			if begun.Files, err = filesOfAct(ctx, tx, id, again.files); err != nil {
				return err
			}
			err = askAgain(ctx, tx, again.id, begun)
		default:
			err = insertAct(ctx, tx, id, begun)
		}
		if err != nil {
			return err
		}
		return s.told(ctx, tx, id, desk.Event{Kind: desk.EventActAsked, Actor: act.By, Reason: string(act.Kind)}, entry)
	})
	return begun, err
}

func errActUnderWay() error {
	return problem.New(problem.Conflict, "Já há um pedido à operadora a caminho sobre este caso. Espere a resposta.")
}

// actable finds an answered case whose latest attempt went to the service.
func actable(ctx context.Context, tx *engine.Tx, uid uuid.UUID, service string) (int64, error) {
	ids, err := engine.List(ctx, tx, scanID, `SELECT s.id FROM submission s JOIN submission_state st ON st.submission_id = s.id
		WHERE s.uid = ? AND st.state = 'answered'
			AND COALESCE((SELECT a.service FROM attempt a WHERE a.submission_id = s.id ORDER BY a.number DESC LIMIT 1), '') IN ('', ?)`,
		engine.UID(uid), service)
	if err == nil && len(ids) == 0 {
		err = problem.New(problem.Conflict, "Este pedido já não é do serviço de autorização em uso.")
	}
	if err != nil {
		return 0, err
	}
	return ids[0], nil
}

// actRow is an act with its number.
type actRow struct {
	id    int64
	files filePlaces
	desk.Act
}

// openAct is the act of a case in doubt that asks for the same as act, if there is one; Conflict while any is under way.
// One that is damaged refuses all others.
func (s *Store) openAct(ctx context.Context, tx *engine.Tx, id int64, act desk.Act) (found actRow, same bool, err error) {
	if err := actTable.Verify(ctx, tx, `submission_id = ?`, id); err != nil {
		return found, false, err
	}
	rows, err := engine.List(ctx, tx, scanOpenAct, `SELECT id, uid, kind, guide_id, status, reason, state, asked_at, until,
			file_first, file_count FROM act
		WHERE submission_id = ? AND state IN ('a_caminho', 'em_duvida')
		ORDER BY state = 'a_caminho' AND until >= ? AND 2 * asked_at - until <= ? DESC,
			kind = ? AND guide_id = ? AND status = ? DESC, id DESC LIMIT 1`,
		id, engine.Micros(tx.Now), engine.Micros(tx.Now), act.Kind, act.GuideID, string(act.Status))
	if err != nil || len(rows) == 0 {
		return found, false, err
	}
	found = rows[0]
	switch {
	case found.State == desk.ActUnderWay && !found.LostAt(tx.Now):
		return found, false, errActUnderWay()
	case found.Kind != act.Kind || found.GuideID != act.GuideID || found.Status != act.Status:
		return found, false, nil
	}
	moved, err := s.movedSince(ctx, tx, id, found.Act)
	return found, !moved, err
}

func scanOpenAct(row engine.Row) (a actRow, err error) {
	err = row.Scan(&a.id, engine.ScanUID(&a.UID), &a.Kind, &a.GuideID, &a.Status, &a.Reason, &a.State, engine.ScanTime(&a.AskedAt),
		engine.ScanTime(&a.Until), &a.files.first, &a.files.count)
	a.Act, a.files = a.files.ofAct(a.Act)
	return a, err
}

// movedSince is desk.Case.MovedSince of a case as it is stored.
func (s *Store) movedSince(ctx context.Context, tx *engine.Tx, id int64, act desk.Act) (bool, error) {
	rows, err := s.verified(ctx, tx, id, wholeCase)
	if err != nil {
		return false, err
	}
	var c desk.Case
	if c.Answers, _, err = answersOf(rows); err == nil {
		err = readEvents(rows, surroundings{}, &c)
	}
	return c.MovedSince(act), engine.Error(err)
}

// insertAct adds an act, and its files to the attachments of its case.
func insertAct(ctx context.Context, tx *engine.Tx, id int64, a desk.Act) error {
	files, err := keepFiles(ctx, tx, id, a.Files)
	if err != nil {
		return err
	}
	_, err = actTable.InsertNumbered(ctx, tx, engine.UID(a.UID), id, a.Kind, a.Place, a.GuideID, string(a.Status), a.Reason, a.State,
		engine.UID(a.By.User), engine.Micros(a.AskedAt), engine.Micros(a.Until), 0, "", files.first, files.count)
	return err
}

// filePlaces are where the files of an act stand among the attachments of its case, one after
// the other.
type filePlaces struct{ first, count int }

// ofAct reads an act of whatever version: one from before these columns has its places in its reason.
func (p filePlaces) ofAct(a desk.Act) (desk.Act, filePlaces) {
	if a.Kind != desk.ActAttachments || p.count > 0 {
		return a, p
	}
	if n, _ := fmt.Sscanf(a.Reason, "%d %d", &p.first, &p.count); n == 2 {
		a.Reason = ""
	}
	return a, p
}

// among are the files themselves.
func (p filePlaces) among(all []desk.Attachment) []desk.Attachment {
	return all[min(p.first, len(all)):min(p.first+p.count, len(all))]
}

// keepFiles adds files to the attachments of a case.
func keepFiles(ctx context.Context, tx *engine.Tx, id int64, files []desk.Attachment) (p filePlaces, err error) {
	if len(files) == 0 {
		return p, nil
	}
	err = tx.QueryRow(ctx, `SELECT COALESCE(MAX(position) + 1, 0) FROM submission_attachment WHERE submission_id = ?`, id).Scan(&p.first)
	if err != nil {
		return p, engine.Error(err)
	}
	p.count = len(files)
	return p, insertAttachments(ctx, tx, id, p.first, files)
}

// filesOfAct reads the files of an act as they were sent.
func filesOfAct(ctx context.Context, tx *engine.Tx, id int64, p filePlaces) ([]desk.Attachment, error) {
	return engine.List(ctx, tx, scanAttachment, `SELECT uid, name, content_type, size, blob FROM submission_attachment
		WHERE submission_id = ? AND position >= ? AND position < ? ORDER BY position`, id, p.first, p.first+p.count)
}

// askAgain puts an act in doubt under way once more.
func askAgain(ctx context.Context, tx *engine.Tx, act int64, a desk.Act) error {
	_, err := actTable.UpdateWritten(ctx, tx, []any{act}, checksum.Change{
		Set:    `state = ?, actor = ?, asked_at = ?, until = ?, ended_at = 0, message = ''`,
		Values: []any{desk.ActUnderWay, engine.UID(a.By.User), engine.Micros(a.AskedAt), engine.Micros(a.Until)}})
	return err
}

// EndAct implements desk.ActStore.
func (s *Store) EndAct(ctx context.Context, uid uuid.UUID, end desk.ActEnd,
	settle func(desk.Followed) (desk.Settlement, bool)) error {
	return s.db.Write(ctx, func(tx *engine.Tx) error {
		var act, id int64
		var kind string
		err := tx.QueryRow(ctx, `SELECT id, submission_id, kind FROM act WHERE uid = ?`, engine.UID(end.UID)).Scan(&act, &id, &kind)
		if err != nil {
			return engine.Error(err)
		}
		changed, err := actTable.Update(ctx, tx, []any{act}, ending(tx, end))
		if err != nil || !changed {
			return err
		}
		if end.State != desk.ActDone {
			if err := addEvent(ctx, tx, id, desk.Event{Kind: desk.EventActEnded, Reason: kind}); err != nil {
				return err
			}
			return lookSoon(ctx, tx, id)
		}
		return s.settleAct(ctx, tx, uid, id, settle)
	})
}

// ending is the change of an act that ends. One that was asked again since goes on; but what is known to be done is so.
func ending(tx *engine.Tx, end desk.ActEnd) checksum.Change {
	c := checksum.Change{Set: `state = ?, ended_at = ?, message = ?`, Values: []any{end.State, engine.Micros(tx.Now), end.Message},
		Condition: `state = 'a_caminho' AND until = ?`, Args: []any{engine.Micros(end.Until)}}
	if end.State == desk.ActDone {
		c.Condition, c.Args = `state IN ('a_caminho', 'em_duvida')`, nil
	}
	return c
}

// lookSoon has the service asked how the case stands as soon as may be.
func lookSoon(ctx context.Context, tx *engine.Tx, id int64) error {
	_, err := exec(ctx, tx, `INSERT INTO follow (submission_id, due_at) VALUES (?1, ?2)
		ON CONFLICT (submission_id) DO UPDATE SET due_at = ?2, tries = 0`, id, engine.Micros(tx.Now))
	return err
}

// settleAct adds what the service told as the answer in force, as following does; a question
// that is under way meanwhile has lost its lease.
func (s *Store) settleAct(ctx context.Context, tx *engine.Tx, uid uuid.UUID, id int64,
	settle func(desk.Followed) (desk.Settlement, bool)) error {
	if err := lookSoon(ctx, tx, id); err != nil {
		return err
	}
	f, err := s.loadFollowed(ctx, tx, id)
	if err != nil {
		return err
	}
	to, changed := settle(f)
	if !changed {
		return nil
	}
	_, err = exec(ctx, tx, `UPDATE follow SET due_at = ?, tries = 0, told_at = ? WHERE submission_id = ?`,
		engine.Micros(to.Follow), engine.Micros(to.At), id)
	if err != nil {
		return err
	}
	if _, err := amendState(ctx, tx, uid, to, `state = 'answered'`); err != nil {
		return err
	}
	return addOutcome(ctx, tx, id, f.Attempt, to)
}

// readActs reads what people asked of the service.
func readActs(rows checksum.Rows, around surroundings, c *desk.Case) (err error) {
	c.Acts, err = checksum.Scan(rows, caseActColumns, func(row engine.Row) (a desk.Act, err error) {
		var files filePlaces
		err = row.Scan(engine.ScanUID(&a.UID), &a.Kind, &a.Place, &a.GuideID, &a.Status, &a.Reason, &a.State, engine.ScanUID(&a.By.User),
			engine.ScanTime(&a.AskedAt), engine.ScanTime(&a.Until), engine.ScanTime(&a.EndedAt), &a.Message, &files.first, &files.count)
		a.By.Name = around.names[a.By.User]
		if a, files = files.ofAct(a); files.count > 0 {
			a.Files = files.among(c.Attachments)
		}
		return a, err
	})
	return err
}
