package apptest

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"guiche/internal/postgres"
	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// Database opens the desk's file beside the program. On another engine the test is left out.
func (s *Server) Database(t testing.TB) *sql.DB {
	t.Helper()
	return s.file(t, desk)
}

// ServiceDatabase opens the embedded service's file beside the program, as Database does.
func (s *Server) ServiceDatabase(t testing.TB) *sql.DB {
	t.Helper()
	return s.file(t, service)
}

// half is where a half of the program keeps its rows: a file of that name, or a schema.
type half struct{ name, file string }

var desk, service = half{"desk", "guiche.db"}, half{"service", "service.db"}

func (s *Server) file(t testing.TB, h half) *sql.DB {
	t.Helper()
	storetest.OfSQLite(t)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(s.DataDir, h.name, h.file)+"?_pragma=busy_timeout(10000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// beside opens a half's database beside the program, whatever keeps it, until the test ends.
func (s *Server) beside(t testing.TB, h half) (db engine.DB) {
	t.Helper()
	var err error
	if s.database != "" {
		db, err = postgres.Open(t.Context(), postgres.Options{URL: s.database, Schema: h.name})
	} else {
		db, err = sqlite.Open(t.Context(), sqlite.Options{Path: filepath.Join(s.DataDir, h.name, h.file)})
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// Exec runs a statement against the desk's database, past the program.
func (s *Server) Exec(t testing.TB, statement string, args ...any) {
	t.Helper()
	if s.database == "" {
		if _, err := s.Database(t).ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatal(err)
		}
		return
	}
	db := s.beside(t, desk)
	if err := db.Write(t.Context(), func(tx *engine.Tx) error {
		_, err := tx.Exec(t.Context(), statement, args...)
		return err
	}); err != nil {
		t.Fatal(err)
	}
}

// Unguard takes away what keeps the rules of the desk's schema.
func (s *Server) Unguard(t testing.TB) {
	t.Helper()
	storetest.Unguard(t, s.beside(t, desk))
}

// ExecRows is Exec for a statement that writes rows that carry checksums, with NULL for
// them: they are rows from before checksums.
func (s *Server) ExecRows(t testing.TB, statement string, args ...any) {
	t.Helper()
	db := s.beside(t, desk)
	defer func() { _ = db.Close() }()
	must(t, writeRows(t.Context(), db, deskstore.ProtectedTables(), statement, args...))
	must(t, listAnew(t.Context(), db))
}

// ExecServiceRows is ExecRows for the embedded service's database.
func (s *Server) ExecServiceRows(t testing.TB, statement string, args ...any) {
	t.Helper()
	db := s.beside(t, service)
	defer func() { _ = db.Close() }()
	must(t, writeRows(t.Context(), db, servicestore.ProtectedTables(), statement, args...))
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// writeRows runs a statement and gives the rows that it wrote their checksums.
func writeRows(ctx context.Context, db engine.DB, tables []checksum.Table, statement string, args ...any) error {
	pending := func(tx *engine.Tx) (err error) {
		for _, table := range tables {
			if err == nil {
				_, err = tx.Exec(ctx, `INSERT INTO checksum_pending (table_name) VALUES (?) ON CONFLICT DO NOTHING`, table.Name)
			}
		}
		return err
	}
	err := db.Write(ctx, func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, statement, args...)
		return errors.Join(err, pending(tx))
	})
	if err == nil { // again: the program may just have filled what was pending
		err = db.Write(ctx, pending)
	}
	if err == nil {
		err = checksum.Fill(ctx, db, tables)
	}
	return err
}

// listAnew has the lists of the desk say what its cases do.
func listAnew(ctx context.Context, db engine.DB) error {
	store := deskstore.New(db, nil)
	differing, err := store.CheckLists(ctx, nil)
	if err == nil {
		_, err = store.RepairLists(ctx, differing)
	}
	return err
}

// Event is an entry of the audit trail.
type Event struct{ Name, Object, ObjectID, Detail, Address string }

// String returns the entry in one line, without the address.
func (e Event) String() string { return e.Name + " " + e.Object + " " + e.ObjectID + " " + e.Detail }

// Trail returns all that the audit trail holds, oldest first.
func (s *Server) Trail(t testing.TB) []Event {
	t.Helper()
	db := s.beside(t, desk)
	defer func() { _ = db.Close() }()
	if s.database != "" {
		Eventually(t, "every entry has its place in the trail", func() bool { return countOf(t, db, "audit_unlinked") == 0 })
	}
	all, err := engine.Get(t.Context(), db, func(tx *engine.Tx) ([]Event, error) {
		return engine.List(t.Context(), tx, scanEvent, `SELECT event, object, object_id, detail, coalesce(address, '')
			FROM audit_entry LEFT JOIN audit_address ON entry = id ORDER BY id`)
	})
	must(t, err)
	return all
}

func countOf(t testing.TB, db engine.DB, table string) (n int) {
	t.Helper()
	must(t, db.Read(t.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT COUNT(*) FROM `+table).Scan(&n)
	}))
	return n
}

func scanEvent(row engine.Row) (e Event, err error) {
	var id uuid.NullUUID
	err = row.Scan(&e.Name, &e.Object, &id, &e.Detail, &e.Address)
	if id.Valid {
		e.ObjectID = id.UUID.String()
	}
	return e, err
}

// AddCases stops the program, adds so many answered cases to its folder and starts
// it again. Their procedure is TSH, their requester "semente".
func (s *Server) AddCases(t testing.TB, n int) {
	t.Helper()
	s.Stop()
	db := s.Database(t)
	tx, err := db.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now().UnixMicro()
	for _, statement := range caseStatements {
		if _, err := tx.ExecContext(t.Context(), statement, n, now); err != nil {
			t.Fatalf("add cases: %v", err)
		}
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
	s.ExecRows(t, `SELECT 1`)
	s.Restart(nil)
}

// addedCases finds the rows that caseStatements added.
const addedCases = `(SELECT id FROM submission WHERE requester_name = 'semente')`

// caseStatements add answered cases of the first unit: one a minute until now, with
// 140 names, every tenth one denied. Each statement takes how many there are to
// be and the present moment, and names both.
var caseStatements = []string{
	`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1),
	k (i, unit, place, name, credential, sender) AS (SELECT i, (SELECT uid FROM care_unit ORDER BY id LIMIT 1),
		(SELECT name FROM care_unit ORDER BY id LIMIT 1),
		json_extract('["Helena","Pedro","Lia","Nair","Davi","Iara","Olga","José","Marta","Rosângela",
			"Tomás","Cecília","Otávio","Benedito","Iracema","Ivone","Caio","Elisa","Ivo","Célia"]', '$[' || (i % 20) || ']')
			|| json_extract('[" Duarte"," Reis"," Ferraz"," Moura"," d''Ávila"," Lacerda"," Ramos"]', '$[' || (i % 7) || ']'),
		(SELECT uid FROM care_unit ORDER BY id LIMIT 1), (SELECT uid FROM person ORDER BY id LIMIT 1) FROM n)
	INSERT INTO submission (uid, token, sender, idempotency_key, created_at, credential_uid, card_number, beneficiary_name,
		unit_uid, provider_guide, credential_name, unit_name, care_point_uid, executant_uid,
		deadline_at, card_validity, beneficiary_plan, newborn, newborn_name, newborn_birth, patient_present, requester_name,
		requester_council, requester_number, requester_state, specialty, accident_type, care_regime, care_type, follow_up,
		contact_name, contact_area_code, contact_phone, contact_email, care_point_name, executant_name, specialty_name)
	SELECT randomblob(16), randomblob(16), sender, hex(randomblob(16)), ?2 - (?1 - i) * 60000000, credential,
		printf('0310%012d', i * 7919), name, unit, printf('9%019d', i), 'Vale Sereno', place, unit, unit, 1, '', '', 0, '', '', 0, 'semente',
		'CRM', '1', 'SP', 1, '9', 'E', '05', 0, '', '', '', '', 'Balcão', 'Executante', 'Especialidade' FROM k`,
	`INSERT INTO submission_procedure (submission_id, position, code, name, quantity)
		SELECT id, 0, '40316521', 'Tireoestimulante, hormônio (TSH)', 1 FROM submission WHERE ?1 > 0 AND ?2 > 0 AND id IN ` + addedCases,
	`INSERT INTO submission_state (submission_id, unit_uid, state, queue_group, origin, changed_at, due_at, deadline_at)
		SELECT id, unit_uid, 'queued', 6, 'guiche', created_at, 1, ?2 + ?1 FROM submission WHERE id IN ` + addedCases,
	`UPDATE submission_state SET state = 'sending', due_at = 0, lease = zeroblob(16)
		WHERE ?1 > 0 AND ?2 > 0 AND submission_id IN ` + addedCases,
	`UPDATE submission_state SET state = 'answered', lease = NULL, origin = 'operadora', simulated = 1,
		password = 'SIM' || (submission_id * 31 + 400000),
		status = CASE WHEN submission_id % 10 = 0 THEN 'N' ELSE 'A' END,
		queue_group = CASE WHEN submission_id % 10 = 0 THEN 3 ELSE 5 END
		WHERE ?1 > 0 AND ?2 > 0 AND submission_id IN ` + addedCases,
	`INSERT INTO answer (submission_id, attempt, read_at, success, guide_pdf, receipt_pdf)
		SELECT id, 1, created_at, 1, '', '' FROM submission WHERE ?1 > 0 AND ?2 > 0 AND id IN ` + addedCases,
	`INSERT INTO authorization (answer_id, position, number, success, status, guide_id, guide_number, password, password_until, protocol,
		provider_guide, partner_guide, request_number, authorized_at, guide_pdf)
		SELECT a.id, 0, 1, 1, st.status, '', 700000 + a.id, st.password, '', 'PROT-' || a.id, '', '', '', '', ''
		FROM answer a JOIN submission_state st ON st.submission_id = a.submission_id
		WHERE ?1 > 0 AND ?2 > 0 AND a.submission_id IN ` + addedCases,
}
