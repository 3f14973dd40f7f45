package servicestore_test

import (
	"crypto/sha256"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/admin"
	"guiche/internal/sqlite"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

var flips = flag.Int("flips", 100, "bits that TestProtected_Flips flips")

// TestProtected_Columns holds that the sums cover all columns.
func TestProtected_Columns(t *testing.T) {
	storetest.CheckColumns(t, MustStore(t).db, servicestore.ProtectedTables())
}

// TestProtected_Written: all writing goes through Insert, InsertNumbered, Overwrite, Update.
func TestProtected_Written(t *testing.T) {
	storetest.CheckWritten(t, servicestore.ProtectedTables(), "servicestore", "accessstore")
}

// mustFillAll makes rows in every protected table.
func (f fixture) mustFillAll(tb testing.TB, n int) {
	tb.Helper()
	for range n {
		must(tb, f.PutUnit(tb.Context(), service.Unit{ID: uuid.New(), Name: "Centro",
			Points: []service.CarePoint{{ID: uuid.New(), Name: "Coleta"}}}))
		must(tb, f.PutProfessional(tb.Context(), service.Professional{ID: uuid.New(), Name: "Ana Luz",
			Specialties: []service.Specialty{{ID: 1, Name: "Cardiologia"}}}))
		w := f.mustWorld(tb)
		must(tb, f.AddUpdate(tb.Context(), service.UpdateEntry{GuideID: w.guide, Before: "A", Path: []authorization.Status{"W", "P"}, At: now,
			Actor: "x", ActionID: w.action.ID, Answer: blob.Info{Ref: "c", Size: 1}}))
		must(tb, f.AddAnswer(tb.Context(), service.AnswerEntry{RequestID: f.mustReceive(tb, f.request(uuid.NewString())).ID, At: now,
			Operator: "x", Answer: blob.Info{Ref: "d", Size: 9}, Text: &service.AnswerText{Text: []byte("{}"), GuideAt: 1}}))
		act := f.action(w.guide)
		act.Attachments = []authorization.Attachment{{Name: "a", Size: 1, Blob: "c"}}
		f.mustAct(tb, act)
	}
}

// TestProtected_EveryColumn: another value in any column of any protected row is found.
func TestProtected_EveryColumn(t *testing.T) {
	f := MustStore(t)
	f.mustFillAll(t, 2)
	storetest.CheckEveryColumn(t, f.db, servicestore.ProtectedTables())
}

// TestProtected_Flips: of bits that flip in the file of a database, or in its log while it is
// open, all that change a protected value are found.
func TestProtected_Flips(t *testing.T) {
	storetest.OfSQLite(t)
	path := storetest.Migrated(t, migrations.Service)
	db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: path, Migrations: migrations.Service, Clock: clock})
	must(t, err)
	f := mustStoreIn(t, db)
	f.mustFillAll(t, 30)
	must(t, checksum.Fill(t.Context(), f.db, servicestore.ProtectedTables()))
	storetest.CheckLogFlips(t, path, servicestore.ProtectedTables(), *flips)
	must(t, db.Close())
	storetest.CheckFlips(t, path, servicestore.ProtectedTables(), *flips)
}

// TestProtected_Before: rows from before checksums are read as they are until they get
// theirs, and a row without one is damaged from then on.
func TestProtected_Before(t *testing.T) {
	f := MustStore(t)
	w := f.mustWorld(t)
	storetest.Unguard(t, f.db)
	for _, table := range servicestore.ProtectedTables() {
		f.mustExec(t, `UPDATE `+table.Name+` SET checksum = NULL`)
		f.mustExec(t, `INSERT INTO checksum_pending (table_name) VALUES (?) ON CONFLICT DO NOTHING`, table.Name)
	}
	_, err := f.Request(t.Context(), w.answered)
	must(t, err)
	must(t, checksum.Fill(t.Context(), f.db, servicestore.ProtectedTables()))
	_, err = f.Request(t.Context(), w.answered)
	must(t, err)
	f.mustExec(t, `UPDATE decision SET checksum = NULL`)
	if _, err := f.Request(t.Context(), w.answered); !problem.Is(err, problem.Damaged) {
		t.Errorf("without a sum: got %v, want damaged", err)
	}
}

// told are the damaged rows that a store tells of.
func (f fixture) told() *[]string {
	var all []string
	f.OnDamage(func(row checksum.Row) { all = append(all, row.String()) })
	return &all
}

// TestStore_Damaged: what is damaged is given to nobody, is told of, and keeps nothing else
// from being read.
func TestStore_Damaged(t *testing.T) {
	read := map[string]func(f fixture, w world) error{
		"Request": func(f fixture, w world) error { _, err := f.Request(t.Context(), w.answered); return err },
		"RequestByKey": func(f fixture, w world) error {
			_, err := f.RequestByKey(t.Context(), f.profile, sha256.Sum256([]byte(f.mustGuideOf(t, w.answered))), now)
			return err
		},
		"Receive": func(f fixture, w world) error {
			_, _, err := f.Receive(t.Context(), f.request(f.mustGuideOf(t, w.answered)))
			return err
		},
		"Authorization": func(f fixture, w world) error {
			_, err := f.Authorization(t.Context(), f.profile, w.guide)
			return err
		},
		"Authorizations":      func(f fixture, w world) error { _, err := f.Authorizations(t.Context(), w.answered); return err },
		"LedgerAuthorization": func(f fixture, w world) error { _, err := f.LedgerAuthorization(t.Context(), w.guide); return err },
		"LedgerEntry":         func(f fixture, w world) error { _, _, err := f.LedgerEntry(t.Context(), w.answered); return err },
		"AttachmentBlobs":     func(f fixture, w world) error { _, err := f.AttachmentBlobs(t.Context(), w.answered); return err },
		"Action":              func(f fixture, w world) error { _, err := f.Action(t.Context(), w.action.ID); return err },
		"AddUpdate": func(f fixture, w world) error {
			return f.AddUpdate(t.Context(), service.UpdateEntry{GuideID: w.guide, Before: "A", Path: []authorization.Status{"X"},
				At: now, Actor: "x"})
		},
		"BeginAsking": func(f fixture, w world) error { _, err := f.BeginAsking(t.Context(), w.accepted, now); return err },
		"Credential":  func(f fixture, _ world) error { _, err := f.Credential(t.Context(), f.credential); return err },
	}
	ledger := []string{"Request", "RequestByKey", "Receive", "LedgerAuthorization", "LedgerEntry"}
	entry := []string{"Authorization", "Authorizations", "LedgerAuthorization", "LedgerEntry"}
	for _, c := range []struct {
		table, key string // of the first row
		harm       string
		damaged    []string
	}{
		{"request", "id", `x_request_id = 'x'`, append(ledger, "Authorization")},
		{"decision", "id", `size = size + 1`, ledger},
		{"authorization_entry", "id", `document = replace(document, 'A', 'B')`, append(entry, "AddUpdate")},
		{"authorization_entry", "id", `status = 'Z'`, entry},
		{"authorization_status", "id", `at = at + 1`, entry},
		{"request_blob", "request_id", `ref = 'x'`, []string{"AttachmentBlobs", "LedgerEntry"}},
		{"acceptance", "request_id", `asked_at = 7`, []string{"BeginAsking"}},
		{"act", "id", `note = 'x'`, []string{"Action", "LedgerEntry"}},
		{"credential", "id", `name = 'x'`, []string{"Credential"}},
	} {
		f := MustStore(t)
		w := f.mustWorld(t)
		storetest.Unguard(t, f.db)
		first := f.mustID(t, `SELECT min(`+c.key+`) FROM `+c.table)
		f.mustExec(t, `UPDATE `+c.table+` SET `+c.harm+` WHERE `+c.key+` = ?`, first)
		row := fmt.Sprintf("%s %d", c.table, first)
		for name, do := range read {
			told := f.told()
			err := do(f, w)
			if !slices.Contains(c.damaged, name) {
				if problem.Is(err, problem.Damaged) && name != "AddUpdate" && name != "Receive" {
					t.Errorf("%s: %s: got %v of what is whole", c.harm, name, err)
				}
				continue
			}
			if !problem.Is(err, problem.Damaged) || !slices.ContainsFunc(*told, func(r string) bool { return strings.HasPrefix(r+" ", row+" ") }) {
				t.Errorf("%s: %s: got %v, told of %q, want damaged %s", c.harm, name, err, *told, row)
			}
		}
	}
}

// TestStore_Damaged_Key: a repetition is known as one though the row of its key is damaged.
func TestStore_Damaged_Key(t *testing.T) {
	for _, harm := range []string{
		`UPDATE idempotency_key SET hash = (SELECT fingerprint FROM request LIMIT 1)`,
		`UPDATE idempotency_key SET request_id = (SELECT max(id) FROM request)`,
		`UPDATE idempotency_key SET expires_at = 1`, `DELETE FROM idempotency_key`,
	} {
		f := MustStore(t)
		hash := sha256.Sum256([]byte("k"))
		first := f.request("")
		first.Key = &hash
		want := f.mustReceive(t, first)
		f.mustReceive(t, f.request("other"))
		f.mustExec(t, harm)
		again := f.request("")
		again.Key = &hash
		got, fresh, err := f.Receive(t.Context(), again)
		if err != nil || fresh || got.ID != want.ID {
			t.Errorf("%s: got %v, fresh %v, %v, want the first", harm, got.ID, fresh, err)
		}
	}
}

// TestStore_Damaged_Lists: lists leave damaged entries out or name them, and go on.
func TestStore_Damaged_Lists(t *testing.T) {
	ctx, f := t.Context(), MustStore(t)
	var all []uuid.UUID
	for _, guide := range []string{"1", "2", "3"} {
		all = append(all, f.mustReceive(t, f.request(guide)).ID)
		must(t, f.PutCredential(ctx, service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: "C" + guide}))
		must(t, f.PutUnit(ctx, service.Unit{ID: uuid.New(), Name: "U" + guide, Points: []service.CarePoint{{ID: uuid.New(), Name: "P" + guide}}}))
		must(t, f.PutProfessional(ctx, service.Professional{ID: uuid.New(), Name: "D" + guide,
			Specialties: []service.Specialty{{ID: 1, Name: "E"}}}))
	}
	storetest.Unguard(t, f.db)
	f.mustExec(t, `UPDATE request SET document = 'no JSON', method = 'x' WHERE provider_guide = '2'`)
	for _, table := range []string{"credential", "unit", "professional"} {
		f.mustExec(t, `UPDATE `+table+` SET disabled = 7 WHERE name LIKE '_2'`)
	}
	f.mustExec(t, `UPDATE care_point SET name = 'x' WHERE name = 'P3'`)
	f.mustExec(t, `UPDATE specialty SET name = 'x' WHERE professional_id = (SELECT id FROM professional WHERE name = 'D3')`)
	rows, err := f.Ledger(ctx, admin.LedgerQuery{Limit: 10, Today: now.Add(-time.Hour)})
	must(t, err)
	if len(rows) != 3 || rows[1].ID != all[1] || !rows[1].Damaged || rows[1].ProviderGuide != "" || rows[0].Damaged ||
		rows[2].ProviderGuide != "1" {
		t.Errorf("ledger: got %+v, want the second one damaged", rows)
	}
	page, err := f.SearchCredentials(ctx, service.CredentialQuery{Page: 1, Size: 10, Disabled: true, Text: "C"})
	if err != nil || len(page.Items) != 3 {
		t.Errorf("credentials: got %+v, %v, want the two and the fixture's", page, err)
	}
	units, err := f.Units(ctx, service.DirectoryQuery{Disabled: true})
	if err != nil || len(units.Items) != 2 || len(units.Items[0].Points) != 1 || len(units.Items[1].Points) != 0 {
		t.Errorf("units: got %+v, %v", units, err)
	}
	if _, err := f.Unit(ctx, units.Items[1].ID); !problem.Is(err, problem.Damaged) {
		t.Errorf("a unit with a damaged care point: got %v", err)
	}
	doctors, err := f.Professionals(ctx, service.DirectoryQuery{Disabled: true})
	if err != nil || len(doctors.Items) != 2 || len(doctors.Items[0].Specialties) != 1 || len(doctors.Items[1].Specialties) != 0 {
		t.Errorf("professionals: got %+v, %v", doctors, err)
	}
	must(t, f.PutUnit(ctx, service.Unit{ID: units.Items[1].ID, Name: "U3"}))
	if u, err := f.Unit(ctx, units.Items[0].ID); err != nil || u.Name != "U1" {
		t.Errorf("a whole unit: got %+v, %v", u, err)
	}
}

// TestStore_Damaged_Work: nothing damaged is asked about, and everything else is.
func TestStore_Damaged_Work(t *testing.T) {
	ctx, f := t.Context(), MustStore(t)
	bad, _ := f.mustAccept(t, "bad")
	good, _ := f.mustAccept(t, "good")
	other := service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: "Other"}
	must(t, f.PutCredential(ctx, other))
	storetest.Unguard(t, f.db)
	f.mustExec(t, `UPDATE request SET document = 'no JSON', uid = ? WHERE provider_guide = 'bad'`, engine.UID(uuid.New()))
	claim := func(credential uuid.UUID) []uuid.UUID {
		tasks, err := f.Claim(ctx, credential, later, later.Add(time.Minute), 10)
		must(t, err)
		var ids []uuid.UUID
		for _, task := range tasks {
			ids = append(ids, task.RequestID)
		}
		return ids
	}
	if got := claim(f.credential); !slices.Equal(got, []uuid.UUID{good}) {
		t.Errorf("got %v, want %v and not %v", got, good, bad)
	}
	const ofGood = ` WHERE request_id = (SELECT id FROM request WHERE provider_guide = 'good')`
	f.mustExec(t, `UPDATE task SET due_at = 1, credential_id = (SELECT max(id) FROM credential)`+ofGood)
	if got := claim(other.ID); len(got) != 0 {
		t.Errorf("of another credential: got %v", got)
	}
	f.mustExec(t, `UPDATE task SET due_at = 1`+ofGood)
	f.mustExec(t, `UPDATE credential SET uid = ? WHERE name = 'Other'`, engine.UID(uuid.New()))
	due, _, err := f.Due(ctx, later)
	if err != nil || !slices.Equal(due, []uuid.UUID{f.credential}) {
		t.Errorf("due: got %v, %v, want %v", due, err, f.credential)
	}
}
