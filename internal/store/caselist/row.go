// Package caselist keeps what lists of cases show, are found by and are counted by: one row
// per case in case_summary, the counters of the queue in queue_count, the values of filters
// in filter_value, and the words that are searched in history. All of it is made from the
// rows of cases, in the transaction that changes them or, the words of a case that comes,
// behind it (LearnPending), and can be made again from them.
package caselist

import (
	"context"
	"fmt"
	"slices"

	"github.com/google/uuid"

	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// Table is case_summary. Its columns are those of Row, in their order.
var Table = checksum.Table{Name: "case_summary", Key: []string{"submission_id"}, Columns: []string{
	"uid", "created_at", "unit", "credential", "sender", "patient_present", "beneficiary_name", "card_number", "credential_name",
	"unit_name", "procedure_code", "procedure_name", "procedures", "state", "status", "queue_group", "origin", "changed_at", "reason",
	"alert", "doubtful", "simulated", "corrected", "authorizations", "authorized", "items", "items_authorized", "password",
	"password_until", "has_guide"}}

// reader reads whole rows of Table.
var reader = checksum.NewReader(Table)

// Row is what lists show of a case.
type Row struct {
	ID                       int64 // of the submission
	UID                      uuid.UUID
	CreatedAt                int64
	Unit, Credential, Sender int64 // numbers of filter_value
	PatientPresent           bool
	BeneficiaryName          string
	CardNumber               string
	CredentialName, UnitName string
	ProcedureCode            string // of the first procedure
	ProcedureName            string
	Procedures               int64
	State
	HasGuide   bool  // the latest answer has a guide's PDF
	Damaged    bool  // not as it was written: of all else only ID may be relied on
	ReviewedAt int64 // of a row of the queue: when its operator was asked to look at a denial again, 0: it was not
}

// State is that part of a row that follows submission_state.
type State struct {
	State, Status                                      string
	Group                                              int64
	Origin                                             string
	ChangedAt                                          int64
	Reason, Alert                                      string
	Doubtful, Simulated, Corrected                     bool
	Authorizations, Authorized, Items, ItemsAuthorized int64
	Password, PasswordUntil                            string
}

// StateColumns are the columns of submission_state in the order of State.
var StateColumns = []string{"state", "status", "queue_group", "origin", "changed_at", "reason", "alert", "doubtful", "simulated",
	"corrected", "authorizations", "authorized", "items", "items_authorized", "password", "password_until"}

// targets are where the columns of Table are read, in their order.
func (r *Row) targets() []any {
	all := append(make([]any, 0, 31), &r.ID, &r.UID, &r.CreatedAt, &r.Unit, &r.Credential, &r.Sender, &r.PatientPresent, &r.BeneficiaryName,
		&r.CardNumber, &r.CredentialName, &r.UnitName, &r.ProcedureCode, &r.ProcedureName, &r.Procedures)
	return append(append(all, r.State.targets()...), &r.HasGuide)
}

func (s *State) targets() []any {
	return []any{&s.State, &s.Status, &s.Group, &s.Origin, &s.ChangedAt, &s.Reason, &s.Alert, &s.Doubtful, &s.Simulated, &s.Corrected,
		&s.Authorizations, &s.Authorized, &s.Items, &s.ItemsAuthorized, &s.Password, &s.PasswordUntil}
}

// values are what the columns of Table hold, in their order.
func (r *Row) values() []any {
	all := r.targets()
	for i, target := range all {
		switch v := target.(type) {
		case *int64:
			all[i] = *v
		case *string:
			all[i] = *v
		case *bool:
			all[i] = number(*v)
		case *uuid.UUID:
			all[i] = engine.UID(*v)
		}
	}
	return all
}

// shown is the row as the queue keeps it beside a case's place; nothing of no row.
func (r *Row) shown() ([]byte, error) {
	if r == nil {
		return nil, nil
	}
	return Table.Pack(r.values())
}

// rowOf returns the row of a case, nil where it is damaged or missing.
func rowOf(ctx context.Context, tx *engine.Tx, id int64) (*Row, error) {
	stored, err := Table.Rows(ctx, tx, `WHERE submission_id = ?`, id)
	if err != nil || len(stored) == 0 || stored[0].Damaged {
		return nil, err
	}
	r := new(Row)
	return r, take(r.targets(), stored[0].Values)
}

func number(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// take reads values into targets of the same order.
func take(targets, values []any) error {
	for i, target := range targets {
		if !takeOne(target, values[i]) {
			return fmt.Errorf("caselist: column %d of a row is a %T", i, values[i])
		}
	}
	return nil
}

func takeOne(target, value any) (ok bool) {
	switch t := target.(type) {
	case *int64:
		*t, ok = value.(int64)
	case *string:
		*t, ok = value.(string)
	case *bool:
		var n int64
		n, ok = value.(int64)
		*t = n != 0
	case *uuid.UUID:
		var b []byte
		if b, ok = value.([]byte); ok {
			ok = copy(t[:], b) == len(t)
		}
	}
	return ok
}

// TakeState reads a state from values in the order of StateColumns.
func TakeState(values []any) (s State, err error) {
	err = take(s.targets(), values)
	return s, err
}

// Read reads rows; the rest of the query is what follows the table's name. Found is told of
// those that are damaged.
func Read(ctx context.Context, tx *engine.Tx, found func(checksum.Row), rest string, args ...any) ([]Row, error) {
	rows, whole, err := readWhole(ctx, tx, rest, args...)
	if err == nil && !whole {
		rows, err = readOneByOne(ctx, tx, found, rest, args...)
	}
	if err != nil {
		return nil, err
	}
	known, err := damagedCases(ctx, tx)
	for i, r := range rows {
		if slices.Contains(known, r.UID) {
			rows[i] = Row{ID: r.ID, Damaged: true}
		}
	}
	return rows, err
}

// readWhole reads rows that are all as they were written.
func readWhole(ctx context.Context, tx *engine.Tx, rest string, args ...any) (rows []Row, whole bool, err error) {
	var r Row
	whole, err = reader.Read(ctx, tx, r.targets(), func() {
		if rows == nil {
			rows = make([]Row, 0, usual)
		}
		rows = append(rows, r)
	}, rest, args...)
	return rows, whole, err
}

// usual is how many rows a page of a list reads, with the one that tells of a next page.
const usual = 51

// readOneByOne reads rows of which some may be damaged.
func readOneByOne(ctx context.Context, tx *engine.Tx, found func(checksum.Row), rest string, args ...any) ([]Row, error) {
	stored, err := Table.Rows(ctx, tx, rest, args...)
	rows := make([]Row, len(stored))
	for i, s := range stored {
		r := &rows[i]
		if s.Damaged || take(r.targets(), s.Values) != nil {
			found(Table.Row(s))
			id, _ := s.Values[0].(int64) // the key is always a number
			*r = Row{ID: id, Damaged: true}
		}
	}
	return rows, err
}

// damagedKey is that of damagedCases in a snapshot.
type damagedKey struct{}

// damagedCases are those of which a row was found damaged, whatever lists know of them.
func damagedCases(ctx context.Context, tx *engine.Tx) ([]uuid.UUID, error) {
	return engine.Once(tx, damagedKey{}, func() ([]uuid.UUID, error) {
		return engine.List(ctx, tx, func(row engine.Row) (uid uuid.UUID, err error) {
			err = row.Scan(engine.ScanUID(&uid))
			return uid, err
		}, damagedQuery)
	})
}

const damagedQuery = `SELECT case_uid FROM damage WHERE half = 'desk' AND kind = 'registro' AND case_uid IS NOT NULL`

// Ahead tells of what is asked for each list of cases.
func Ahead(tx *engine.Tx) {
	tx.Ahead(damagedQuery)
	tx.Ahead(valuesQuery)
}
