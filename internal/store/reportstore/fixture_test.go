package reportstore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/permission"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/reportstore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

var (
	centro  = uuid.MustParse("01970000-0000-7000-8000-000000000001")
	jardim  = uuid.MustParse("01970000-0000-7000-8000-000000000002")
	sereno  = uuid.MustParse("01970000-0000-7000-8000-000000000011")
	guarida = uuid.MustParse("01970000-0000-7000-8000-000000000012")
	ana     = uuid.MustParse("01970000-0000-7000-8000-000000000021")
	ivone   = uuid.MustParse("01970000-0000-7000-8000-000000000022")

	noon       = time.Date(2026, 11, 20, 15, 0, 0, 0, time.UTC)
	everything = permission.Reach{All: true}
)

// kase is a case as a test wants it; the zero value of a field takes a default.
type kase struct {
	name, card       string
	unit, credential uuid.UUID
	sender           uuid.UUID
	at               time.Time
	procedures       []string // code and name, "40316521 TSH"
	status           string   // of the answer; "" leaves it queued
	group            int
	password         string
	numbers          []string // numeroGuia, protocolo, guiaParceiro, numeroSolicitacao
	guide            bool
}

func (k kase) withDefaults() kase {
	if k.card == "" {
		k.card = "0310004512063345"
	}
	if k.unit == uuid.Nil {
		k.unit = centro
	}
	if k.credential == uuid.Nil {
		k.credential = sereno
	}
	if k.sender == uuid.Nil {
		k.sender = ana
	}
	if k.at.IsZero() {
		k.at = noon
	}
	if k.procedures == nil {
		k.procedures = []string{"40316521 Tireoestimulante, hormônio (TSH)"}
	}
	k.numbers = append(k.numbers, "", "", "", "")[:4]
	return k
}

// clock is set by tests.
type clock struct{ now time.Time }

func (c *clock) Now() time.Time { return c.now }

// MustOpen returns an empty database, its store and its clock.
func MustOpen(tb testing.TB) (engine.DB, *reportstore.Store, *clock) {
	tb.Helper()
	c := &clock{noon}
	db := storetest.Open(tb, migrations.Desk, c.Now)
	for _, table := range deskstore.ProtectedTables() { // the rows of these tests have no sums
		MustExec(tb, db, `INSERT INTO checksum_pending (table_name) VALUES (?) ON CONFLICT DO NOTHING`, table.Name)
	}
	return db, reportstore.New(db, auditlog.New(db, audit.Key{1}), deskstore.New(db, nil)), c
}

func MustDo(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// mustID is the number of somebody's case.
func mustID(tb testing.TB, db engine.DB, name string) (id int64) {
	tb.Helper()
	MustDo(tb, db.Read(tb.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(tb.Context(), `SELECT id FROM submission WHERE beneficiary_name = ?`, name).Scan(&id)
	}))
	return id
}

// MustExec runs statements in one transaction.
func MustExec(tb testing.TB, db engine.DB, query string, args ...any) {
	tb.Helper()
	MustDo(tb, db.Write(context.Background(), func(tx *engine.Tx) error {
		_, err := tx.Exec(context.Background(), query, args...)
		return err
	}))
}

// MustList has lists show what the cases are.
func MustList(tb testing.TB, db engine.DB) {
	tb.Helper()
	s := deskstore.New(db, nil)
	differing, err := s.CheckLists(context.Background(), nil)
	MustDo(tb, err)
	if _, err := s.RepairLists(context.Background(), differing); err != nil {
		tb.Fatal(err)
	}
}

// MustAdd puts a case into the database and into the lists, and returns its uid.
func MustAdd(tb testing.TB, db engine.DB, k kase) uuid.UUID {
	tb.Helper()
	uid := MustWrite(tb, db, k)
	MustList(tb, db)
	return uid
}

// MustWrite writes the rows of a case as the desk does, step by step.
func MustWrite(tb testing.TB, db engine.DB, k kase) uuid.UUID {
	tb.Helper()
	k = k.withDefaults()
	ctx, uid := context.Background(), uuid.New()
	MustDo(tb, db.Write(ctx, func(tx *engine.Tx) error {
		step := func(query string, args ...any) {
			tb.Helper()
			_, err := tx.Exec(ctx, query, args...)
			MustDo(tb, err)
		}
		id, err := tx.InsertID(ctx, insertSubmission, uid[:], uid[:],
			k.sender[:], uid.String(), k.at.UnixMicro(), k.credential[:], k.card, k.name, k.unit[:],
			fmt.Sprintf("%020d", uid.ID()), "Operadora "+k.credential.String()[35:], "Unidade "+k.unit.String()[35:])
		MustDo(tb, err)
		for i, p := range k.procedures {
			code, name, _ := strings.Cut(p, " ")
			step(`INSERT INTO submission_procedure (submission_id, position, code, name, quantity) VALUES (?, ?, ?, ?, 1)`, id, i, code, name)
		}
		step(`INSERT INTO submission_state (submission_id, unit_uid, state, queue_group, origin, changed_at, due_at, deadline_at)
			VALUES (?, ?, 'queued', 6, 'guiche', ?, 1, 1)`, id, k.unit[:], k.at.UnixMicro())
		if k.status == "" {
			return nil
		}
		step(`UPDATE submission_state SET state = 'sending', due_at = 0, lease = ? WHERE submission_id = ?`, uid[:], id)
		step(`UPDATE submission_state SET state = 'answered', lease = NULL, status = ?, queue_group = ?, password = ? WHERE submission_id = ?`,
			k.status, k.group, k.password, id)
		answer, err := tx.InsertID(ctx, `INSERT INTO answer (submission_id, attempt, read_at, success, guide_pdf, receipt_pdf)
			VALUES (?, 1, 1, 1, '', '')`, id)
		MustDo(tb, err)
		pdf := ""
		if k.guide {
			pdf = strings.Repeat("a", 64)
		}
		step(`INSERT INTO "authorization" (answer_id, position, number, success, status, guide_id, guide_number, password, password_until,
			protocol, provider_guide, partner_guide, request_number, authorized_at, guide_pdf) VALUES (?, 0, 1, 1, ?, '', ?, ?, `+
			`'', ?, '', ?, ?, '', ?)`,
			answer, k.status, k.numbers[0], k.password, k.numbers[1], k.numbers[2], k.numbers[3], pdf)
		return nil
	}))
	return uid
}

const insertSubmission = `INSERT INTO submission (uid, token, sender, idempotency_key, created_at, credential_uid, ` +
	`card_number, beneficiary_name,
	unit_uid, provider_guide, credential_name, unit_name, care_point_uid, executant_uid,
	deadline_at, card_validity, beneficiary_plan, newborn, newborn_name, newborn_birth, patient_present, requester_name,
	requester_council, requester_number, requester_state, specialty, accident_type, care_regime, care_type, follow_up,
	contact_name, contact_area_code, contact_phone, contact_email, care_point_name, executant_name, specialty_name)
	VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?1, ?1,
	1, '', '', 0, '', '', 0, '', '', '', '', 1, '9', 'E', '05', 0, '', '', '', '', '', '', '')`
