package servicestore_test

import (
	"crypto/sha256"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/store/accessstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

var now = time.Date(2026, 11, 20, 17, 30, 55, 123456000, time.UTC)

// fixture is a store with one profile and one credential.
type fixture struct {
	*servicestore.Store
	db         engine.DB
	profile    uuid.UUID
	credential uuid.UUID
}

func MustStore(tb testing.TB) fixture {
	tb.Helper()
	return mustStoreIn(tb, storetest.Open(tb, migrations.Service, clock))
}

func clock() time.Time { return now }

// mustStoreIn is MustStore in a database that is empty.
func mustStoreIn(tb testing.TB, db engine.DB) fixture {
	tb.Helper()
	f := fixture{Store: servicestore.New(db), db: db, profile: uuid.New(), credential: uuid.New()}
	must(tb, accessstore.New(db).PutProfile(tb.Context(), access.Profile{ID: f.profile, Name: "P", Methods: access.Methods(),
		Scopes: access.Scopes(), Rate: 3}))
	must(tb, f.PutCredential(tb.Context(), service.Credential{ID: f.credential, EligibilityID: uuid.New(), Name: "C",
		Operator: "x", Timeout: 1500 * time.Millisecond}))
	return f
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

func (f fixture) request(guide string) service.RequestEntry {
	notes := "Em jejum"
	return service.RequestEntry{
		ID: uuid.New(), Caller: service.Caller{ProfileID: f.profile}, Fingerprint: sha256.Sum256([]byte(guide)), ReceivedAt: now,
		KeyUntil: now.Add(time.Hour),
		Request: authorization.Request{CredentialID: f.credential, ProviderGuide: guide, CardNumber: "1",
			CardValidity: authorization.DateOf(2027, 12, 31),
			Notes:        &notes, Procedures: []authorization.Procedure{{Code: "1", Name: "TSH", Quantity: 2}},
			Attachments: []authorization.Attachment{{Name: "a.pdf", Size: 3, Blob: blob.Ref(strings.Repeat("a", 64))}}},
		Generate: func(seconds int) string { return now.Add(time.Duration(seconds) * time.Second).Format("060102150405") },
	}
}

func (f fixture) mustReceive(tb testing.TB, r service.RequestEntry) service.LedgerRequest {
	tb.Helper()
	record, fresh, err := f.Receive(tb.Context(), r)
	must(tb, err)
	if !fresh {
		tb.Fatalf("request %q was there already", r.Request.ProviderGuide)
	}
	return record
}

// mustAnswer stores an answer with one authorization for each status.
func (f fixture) mustAnswer(tb testing.TB, request uuid.UUID, statuses ...authorization.Status) []uuid.UUID {
	tb.Helper()
	a := service.AnswerEntry{RequestID: request, At: now, Operator: "x", Answer: blob.Info{Ref: blob.Ref(strings.Repeat("b", 64)), Size: 9}}
	var ids []uuid.UUID
	for i, s := range statuses {
		ids = append(ids, uuid.New())
		a.Decision.Authorizations = append(a.Decision.Authorizations, authorization.Authorization{Number: i + 1,
			GuideID: ids[i].String(), Status: s, Senha: "SIM1"})
	}
	must(tb, f.AddAnswer(tb.Context(), a))
	return ids
}

func TestStore_Receive(t *testing.T) {
	f := MustStore(t)
	want := f.request("g")
	hash := sha256.Sum256([]byte("k"))
	want.Key = &hash
	added := f.mustReceive(t, want)
	if !reflect.DeepEqual(added.Request, want.Request) || added.ID != want.ID {
		t.Errorf("got %+v", added)
	}
	for name, get := range map[string]func() (service.LedgerRequest, error){
		"Request":        func() (service.LedgerRequest, error) { return f.Request(t.Context(), want.ID) },
		"RequestByKey":   func() (service.LedgerRequest, error) { return f.RequestByKey(t.Context(), f.profile, hash, now) },
		"RequestByGuide": func() (service.LedgerRequest, error) { return f.RequestByGuide(t.Context(), f.profile, "g") },
	} {
		got, err := get()
		if err != nil || !reflect.DeepEqual(got.Request, want.Request) || got.Fingerprint != want.Fingerprint || !got.ReceivedAt.Equal(now) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
	}
	again := f.request("g")
	if got, fresh, err := f.Receive(t.Context(), again); err != nil || fresh || got.ID != want.ID {
		t.Errorf("same guide: got %v, %v, %v", got.ID, fresh, err)
	}
	other := f.request("h")
	other.Key = &hash
	if got, fresh, err := f.Receive(t.Context(), other); err != nil || fresh || got.ID != want.ID {
		t.Errorf("same key: got %v, %v, %v", got.ID, fresh, err)
	}
	other.ReceivedAt = now.Add(time.Hour)
	f.mustReceive(t, other) // the key's time is over
	if _, err := f.RequestByKey(t.Context(), f.profile, hash, now.Add(2*time.Hour)); !problem.Is(err, problem.NotFound) {
		t.Errorf("ended key: got %v, want not found", err)
	}
}

func TestStore_ReceiveGeneratesGuides(t *testing.T) {
	f := MustStore(t)
	f.mustReceive(t, f.request("261120173056"))
	for _, want := range []string{"261120173055", "261120173057"} {
		if got := f.mustReceive(t, f.request("")).Request.ProviderGuide; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestStore_AddAnswer(t *testing.T) {
	f := MustStore(t)
	r := f.mustReceive(t, f.request("g"))
	must(t, f.AddFailure(t.Context(), service.FailureEntry{RequestID: r.ID, At: now, Operator: "x", Reason: "tempo_operadora"}))
	if got, err := f.Request(t.Context(), r.ID); err != nil || got.Failure != "tempo_operadora" || got.Answer != "" {
		t.Errorf("after a failure: got %+v, %v", got, err)
	}
	f.mustAnswer(t, r.ID, "A", "R")
	if got, err := f.Request(t.Context(), r.ID); err != nil || got.AnswerSize != 9 || got.Answer == "" {
		t.Errorf("after an answer: got %+v, %v", got, err)
	}
	if got, err := f.Authorizations(t.Context(), r.ID); err != nil || len(got) != 2 || got[1].Status != "R" || got[0].Senha != "SIM1" {
		t.Errorf("authorizations: got %+v, %v", got, err)
	}
	err := f.AddAnswer(t.Context(), service.AnswerEntry{RequestID: r.ID, At: now, Operator: "x", Answer: blob.Info{Ref: "c"}})
	if !problem.Is(err, problem.Conflict) {
		t.Errorf("second answer: got %v, want a conflict", err)
	}
}

// TestStore_AddUpdate is row 19: each of the 18 x 18 steps.
func TestStore_AddUpdate(t *testing.T) {
	f := MustStore(t)
	allowed := map[string]string{"K": "R", "R": "AZNSHX", "S": "RX", "H": "ATX", "T": "A", "A": "WX", "Z": "WX", "W": "PX", "P": "E", "X": "C"}
	r := f.mustReceive(t, f.request("g"))
	var all []authorization.Status
	for _, info := range authorization.Statuses() {
		all = append(all, info.Code)
	}
	var pairs [][2]authorization.Status
	var from []authorization.Status
	for _, before := range all {
		for _, after := range all {
			pairs, from = append(pairs, [2]authorization.Status{before, after}), append(from, before)
		}
	}
	ids := f.mustAnswer(t, r.ID, from...)
	for i, p := range pairs {
		err := f.AddUpdate(t.Context(), service.UpdateEntry{GuideID: ids[i], Before: p[0], Path: []authorization.Status{p[1]},
			At: now, Actor: "x"})
		if want := strings.Contains(allowed[string(p[0])], string(p[1])); want != (err == nil) {
			t.Errorf("%s to %s: got %v, allowed %v", p[0], p[1], err, want)
		}
		if len(allowed[string(p[0])]) == 0 && !p[0].Info().Final {
			t.Errorf("%s leads nowhere but is not final", p[0])
		}
	}
	if err := f.AddUpdate(t.Context(), service.UpdateEntry{GuideID: ids[0], Before: "R", Path: []authorization.Status{"A"},
		At: now, Actor: "x"}); !problem.Is(err, problem.Conflict) {
		t.Errorf("moved meanwhile: got %v, want a conflict", err)
	}
	if err := f.AddUpdate(t.Context(), service.UpdateEntry{GuideID: uuid.New(), At: now, Actor: "x"}); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown authorization: got %v, want not found", err)
	}
}

// TestStore_LedgerOnlyGrows: the database itself refuses changes.
func TestStore_LedgerOnlyGrows(t *testing.T) {
	f := MustStore(t)
	r := f.mustReceive(t, f.request("g"))
	ids := f.mustAnswer(t, r.ID, "A")
	must(t, f.addAct(t, ids[0]))
	for _, statement := range []string{
		`UPDATE request SET method = 'oauth'`, `UPDATE request_blob SET ref = 'x'`, `DELETE FROM request_blob`,
		`UPDATE act SET note = 'x'`, `DELETE FROM act`, `UPDATE act_blob SET ref = 'x'`, `DELETE FROM act_blob`,
		`UPDATE act_result SET actor = 'x'`, `DELETE FROM act_result`,
		`UPDATE authorization_revision SET actor = 'x'`, `DELETE FROM authorization_revision`,
		`UPDATE status_transition SET after = 'E'`, `DELETE FROM status_transition`,
		`INSERT INTO authorization_status (entry_id, before, after, at, actor) VALUES (1, 'X', 'E', 1, 'x')`,
		`INSERT INTO authorization_status (entry_id, before, after, at, actor) VALUES (1, 'A', 'X', 1, 'x')`,
		`INSERT INTO authorization_status (entry_id, before, after, at, actor) VALUES (1, 'X', 'C', 1, 'x')`,
		`INSERT INTO authorization_status (entry_id, after, at, actor) VALUES (1, 'X', 1, 'x')`,
		`UPDATE request SET document = '{}'`, `DELETE FROM request`, `UPDATE decision SET size = 1`, `DELETE FROM decision`,
		`UPDATE authorization_entry SET document = '{}'`, `UPDATE authorization_entry SET guide = 'x'`, `DELETE FROM authorization_entry`,
		`UPDATE authorization_entry SET status = 'R'`, `UPDATE authorization_entry SET status = 'Q'`,
		`UPDATE authorization_status SET after = 'N'`, `DELETE FROM authorization_status`,
		`INSERT INTO authorization_status (entry_id, after, at, actor) VALUES (1, 'Q', 1, 'x')`,
	} {
		statement = strings.ReplaceAll(statement, "(1, ", "((SELECT min(id) FROM authorization_entry), ")
		err := f.db.Write(t.Context(), func(tx *engine.Tx) error { _, err := tx.Exec(t.Context(), statement); return err })
		if err == nil {
			t.Errorf("%s: was taken", statement)
		}
	}
}

// TestStore_LedgerIsNotReplaced: to replace a row is to delete it, which SQLite
// tells triggers only where it is told to.
func TestStore_LedgerIsNotReplaced(t *testing.T) {
	storetest.OfSQLite(t)
	f := MustStore(t)
	entry := f.request("g")
	entry.GuideID = uuid.New()
	r := f.mustReceive(t, entry)
	must(t, f.addAct(t, f.mustAnswer(t, r.ID, "A")[0]))
	for _, table := range []string{
		"request", "request_blob", "acceptance", "decision", "authorization_entry", "authorization_status", "authorization_revision",
		"act", "act_blob", "act_result", "status_transition",
	} {
		var rows int
		err := f.db.Write(t.Context(), func(tx *engine.Tx) error {
			if err := tx.QueryRow(t.Context(), `SELECT count(*) FROM `+table).Scan(&rows); err != nil {
				t.Fatal(err)
			}
			_, err := tx.Exec(t.Context(), `INSERT OR REPLACE INTO `+table+` SELECT * FROM `+table)
			return err
		})
		if rows == 0 || err == nil {
			t.Errorf("%s: %d rows, error %v, want some that cannot be replaced", table, rows, err)
		}
	}
}

// addAct has a partner cancel with an attachment, the operator fail once and then
// take it.
func (f fixture) addAct(tb testing.TB, guide uuid.UUID) error {
	tb.Helper()
	act := service.Action{ID: uuid.New(), Caller: service.Caller{ProfileID: f.profile}, GuideID: guide, Kind: service.ActionCancel,
		Before: "A", ReceivedAt: now,
		Attachments: []authorization.Attachment{{Name: "a", Size: 1, Blob: "c"}}}
	_, _, err := f.AddAction(tb.Context(), act)
	return errors.Join(err, f.AddActionFailure(tb.Context(), service.ActionFailureEntry{ActionID: act.ID, At: now, Operator: "x",
		Reason: "tempo_operadora"}),
		f.AddUpdate(tb.Context(), service.UpdateEntry{GuideID: guide, Before: "A", Path: []authorization.Status{"X"}, At: now,
			Actor: "x", ActionID: act.ID,
			Authorization: authorization.Authorization{Status: "X"}, Answer: blob.Info{Ref: "d", Size: 1}}))
}

func TestStore_Credential(t *testing.T) {
	f := MustStore(t)
	want := service.Credential{ID: f.credential, EligibilityID: uuid.New(), Name: "Ção", ProviderCode: "1", Operator: "o",
		ANSRegister: "123456",
		Contractor:  "Clínica", CNES: "1234567", Indication: "i", Biometrics: true, ValidityRequired: true, CardPattern: "^1",
		AttachmentsFor: []string{"40901122", "41*"}, Timeout: time.Minute, Disabled: true}
	must(t, f.PutCredential(t.Context(), want))
	if got, err := f.Credential(t.Context(), want.ID); err != nil || !cmp.Equal(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if _, err := f.Credential(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown: got %v", err)
	}
	if page, err := f.SearchCredentials(t.Context(), service.CredentialQuery{Page: 1, Size: 5}); err != nil || page.Total != 0 {
		t.Errorf("disabled: got %+v, %v", page, err)
	}
}
