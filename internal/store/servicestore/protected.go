package servicestore

import (
	"context"
	"database/sql"
	"errors"

	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// The tables whose rows carry checksums. All writing to them is theirs.
var (
	credentialTable = checksum.Table{Name: "credential", Key: []string{"id"}, Columns: []string{
		"uid", "eligibility_uid", "name", "provider_code", "operator", "ans_register", "contractor", "cnes", "indication", "biometrics",
		"validity_required", "card_pattern", "timeout", "disabled", "sort_name", "searched", "attachments_for"}}
	unitTable         = checksum.Table{Name: "unit", Key: []string{"id"}, Columns: []string{"uid", "name", "sort_name", "disabled"}}
	carePointTable    = checksum.Table{Name: "care_point", Key: []string{"id"}, Columns: []string{"uid", "unit_id", "name", "disabled"}}
	professionalTable = checksum.Table{Name: "professional", Key: []string{"id"},
		Columns: []string{"uid", "name", "sort_name", "council", "number", "state", "disabled"}}
	specialtyTable = checksum.Table{Name: "specialty", Key: []string{"professional_id", "number"},
		Columns: []string{"name", "cbo", "disabled"}}

	requestTable = checksum.Table{Name: "request", Key: []string{"id"}, Columns: []string{"uid", "profile_id", "credential_id",
		"provider_guide", "fingerprint", "document", "received_at", "method", "access_uid", "x_request_id", "key_hash", "key_until"}}
	requestBlobTable = checksum.Table{Name: "request_blob", Key: []string{"request_id", "position"}, Columns: []string{"ref"}}
	requestKeyTable  = checksum.Table{Name: "idempotency_key", Key: []string{"profile_id", "hash"},
		Columns: []string{"request_id", "expires_at"}}
	acceptanceTable = checksum.Table{Name: "acceptance", Key: []string{"request_id"}, Columns: []string{"guide_uid", "asked_at"}}
	decisionTable   = checksum.Table{Name: "decision", Key: []string{"id"},
		Columns: []string{"request_id", "at", "actor", "failure", "simulated", "answer", "size", "errors"}}
	answerTextTable = checksum.Table{Name: "answer_text", Key: []string{"decision_id"}, Columns: []string{"text", "guide_at", "digest"}}

	entryTable = checksum.Table{Name: "authorization_entry", Key: []string{"id"},
		Columns: []string{"uid", "request_id", "number", "status", "guide", "document"}}
	statusTable = checksum.Table{Name: "authorization_status", Key: []string{"id"},
		Columns: []string{"entry_id", "before", "after", "at", "actor"}}
	revisionTable = checksum.Table{Name: "authorization_revision", Key: []string{"id"},
		Columns: []string{"entry_id", "at", "actor", "guide", "document"}}

	actTable = checksum.Table{Name: "act", Key: []string{"id"}, Columns: []string{"uid", "profile_id", "entry_id", "kind", "before",
		"fingerprint", "note", "received_at", "method", "access_uid", "x_request_id", "key_hash", "key_until"}}
	actBlobTable = checksum.Table{Name: "act_blob", Key: []string{"act_id", "position"},
		Columns: []string{"ref", "size", "name", "content_type"}}
	actKeyTable = checksum.Table{Name: "act_key", Key: []string{"profile_id", "hash"}, Columns: []string{"act_id", "expires_at"}}
	resultTable = checksum.Table{Name: "act_result", Key: []string{"id"},
		Columns: []string{"act_id", "at", "failure", "answer", "size", "actor"}}
)

// ProtectedTables are the tables of service.db whose rows carry checksums: the ledger, and
// the registers that operators are told and guides are printed from. Those of who may come
// in carry none: a damaged secret lets nobody in, and their rows change with every request.
// Nor do tasks, which say when something is asked, and never what.
func ProtectedTables() []checksum.Table {
	return []checksum.Table{
		credentialTable, unitTable, carePointTable, professionalTable, specialtyTable,
		requestTable, requestBlobTable, requestKeyTable, acceptanceTable, decisionTable, answerTextTable,
		entryTable, statusTable, revisionTable, actTable, actBlobTable, actKeyTable, resultTable,
	}
}

// part are the rows of one table that belong to one thing: a condition on its number.
type part struct {
	table checksum.Table
	where string
}

const entriesOf = `(SELECT id FROM authorization_entry WHERE request_id = ?)`

var (
	// ofRequest are what was asked, and what came of it.
	ofRequest = []part{
		{requestTable, `id = ?`},
		{acceptanceTable, `request_id = ?`},
		{decisionTable, `request_id = ?`},
		{answerTextTable, `decision_id IN (SELECT id FROM decision WHERE request_id = ?)`},
	}
	// ofEntries are the authorizations of a request.
	ofEntries = []part{
		{entryTable, `request_id = ?`},
		{revisionTable, `entry_id IN ` + entriesOf},
		{statusTable, `entry_id IN ` + entriesOf},
	}
	// ofEntry is one authorization, with whose request it is.
	ofEntry = []part{
		{entryTable, `id = ?`},
		{revisionTable, `entry_id = ?`},
		{statusTable, `entry_id = ?`},
		{requestTable, `id = (SELECT request_id FROM authorization_entry WHERE id = ?)`},
	}
	// ofActs are what partners did to the authorizations of a request.
	ofActs = []part{
		{actTable, `entry_id IN ` + entriesOf},
		{resultTable, `act_id IN (SELECT id FROM act WHERE entry_id IN ` + entriesOf + `)`},
	}
	ofAct = []part{
		{actTable, `id = ?`},
		{resultTable, `act_id = ?`},
	}
	ofAttachments = []part{{requestBlobTable, `request_id = ?`}}
)

// verify compares rows with their checksums.
func (s *Store) verify(ctx context.Context, tx *engine.Tx, id int64, parts ...part) error {
	for _, p := range parts {
		if err := s.noted(p.table.Verify(ctx, tx, p.where, id)); err != nil {
			return err
		}
	}
	return nil
}

// isWhole reports whether rows are as they were written.
func (s *Store) isWhole(ctx context.Context, tx *engine.Tx, id int64, parts ...part) (bool, error) {
	err := s.verify(ctx, tx, id, parts...)
	if problem.Is(err, problem.Damaged) {
		return false, nil
	}
	return err == nil, err
}

// whole leaves out the rows that are damaged.
func (s *Store) whole(ctx context.Context, tx *engine.Tx, ids []int64, parts ...part) (all []int64, err error) {
	for _, id := range ids {
		whole, err := s.isWhole(ctx, tx, id, parts...)
		if err != nil {
			return nil, err
		}
		if whole {
			all = append(all, id)
		}
	}
	return all, nil
}

// OnDamage has f told of every damaged row that is read, again each time. It is called
// within a transaction and must not wait.
func (s *Store) OnDamage(f func(checksum.Row)) { s.onDamage = f }

// noted tells of the damaged rows that an error is about, and returns it.
func (s *Store) noted(err error) error {
	var damaged *checksum.DamagedError
	if s.onDamage != nil && errors.As(err, &damaged) {
		for _, row := range damaged.Rows {
			s.onDamage(row)
		}
	}
	return err
}

// put writes all columns of the row with a uid, which is the first of them: a new row, or
// the one that is there.
func put(ctx context.Context, tx *engine.Tx, t checksum.Table, uid uuid.UUID, values ...any) (id int64, err error) {
	values = append([]any{engine.UID(uid)}, values...)
	id, err = rowID(ctx, tx, t.Name, uid)
	if errors.Is(err, sql.ErrNoRows) {
		return t.InsertNumbered(ctx, tx, values...)
	}
	if err != nil {
		return 0, err
	}
	return id, t.Overwrite(ctx, tx, []any{id}, values...)
}

// scanID reads the number of a row.
func scanID(r engine.Row) (id int64, err error) { return id, r.Scan(&id) }
