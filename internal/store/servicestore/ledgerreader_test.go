package servicestore_test

import (
	"crypto/sha256"
	"slices"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/access"
	"guiche/internal/service/admin"
	"guiche/internal/store/accessstore"

	"github.com/google/uuid"
)

// TestStore_Ledger: each restriction by itself, and pages that go on behind a row.
func TestStore_Ledger(t *testing.T) {
	f := MustStore(t)
	other := uuid.New()
	must(t, accessstore.New(f.db).PutProfile(t.Context(), access.Profile{ID: other, Name: "Outro"}))
	var ids []uuid.UUID
	for i, guide := range []string{"a", "b", "c"} {
		e := f.request(guide)
		e.ReceivedAt = now.Add(time.Duration(i) * time.Hour)
		if guide == "c" {
			e.Caller.ProfileID = other
			e.Request.Attachments = nil
		}
		ids = append(ids, f.mustReceive(t, e).ID)
	}
	guide := f.mustAnswer(t, ids[0], "A", "R")[0]
	must(t, f.AddUpdate(t.Context(), service.UpdateEntry{GuideID: guide, Before: "A", Path: []authorization.Status{"W"}, At: now, Actor: "x",
		Authorization: authorization.Authorization{GuideNumber: "n2"}}))
	must(t, f.AddFailure(t.Context(), service.FailureEntry{RequestID: ids[1], At: now, Operator: "x", Reason: service.OperatorTimeout}))
	for name, c := range map[string]struct {
		query admin.LedgerQuery
		want  []int
	}{
		"all":             {admin.LedgerQuery{}, []int{2, 1, 0}},
		"limit":           {admin.LedgerQuery{Limit: 2}, []int{2, 1}},
		"before":          {admin.LedgerQuery{Before: ids[2]}, []int{1, 0}},
		"from":            {admin.LedgerQuery{From: now.Add(time.Hour)}, []int{2, 1}},
		"to":              {admin.LedgerQuery{To: now.Add(time.Hour)}, []int{0}},
		"profile":         {admin.LedgerQuery{Profile: other}, []int{2}},
		"status":          {admin.LedgerQuery{Status: "W"}, []int{0}},
		"a status it had": {admin.LedgerQuery{Status: "A"}, nil},
		"failed":          {admin.LedgerQuery{Failed: true}, []int{1}},
		"guiaPrestador":   {admin.LedgerQuery{Number: "b"}, []int{1}},
		"numeroGuia":      {admin.LedgerQuery{Number: "n2"}, []int{0}},
		"guiaId":          {admin.LedgerQuery{Number: guide.String()}, []int{0}},
		"no number":       {admin.LedgerQuery{Number: "x"}, nil},
		"all of it":       {admin.LedgerQuery{Number: "n2", Status: "W", Profile: f.profile, From: now, To: now.Add(time.Minute)}, []int{0}},
	} {
		if c.query.Limit == 0 {
			c.query.Limit = 10
		}
		rows, err := f.Ledger(t.Context(), c.query)
		must(t, err)
		var got []int
		for _, r := range rows {
			got = append(got, slices.Index(ids, r.ID))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
	rows, err := f.Ledger(t.Context(), admin.LedgerQuery{Limit: 10})
	must(t, err)
	answered, failed, open := rows[2], rows[1], rows[0]
	if answered.Profile != "P" || answered.Credential != "C" || answered.ProviderGuide != "a" || answered.Attachments != 1 ||
		answered.AnswerSize != 9 ||
		!answered.AnsweredAt.Equal(now) || answered.Failure != "" || answered.ProfileID != f.profile {
		t.Errorf("answered: got %+v", answered)
	}
	if want := []admin.LedgerGuide{{ID: guide, Number: "n2", Status: "W"}}; len(answered.Guides) != 2 ||
		answered.Guides[0] != want[0] || answered.Guides[1].Status != "R" {
		t.Errorf("guides: got %+v, want first %+v", answered.Guides, want)
	}
	if failed.Failure != "tempo_operadora" || !failed.AnsweredAt.IsZero() || open.Failure != "" || open.Attachments != 0 ||
		open.Guides != nil {
		t.Errorf("without an answer: got %+v and %+v", failed, open)
	}
}

// TestStore_LedgerEntry: all that became of a request, in its order, and by which
// access each came.
// TestStore_Ledger_AtCounter: what waits for its operator while the patient is at the
// counter comes first, as it came; and pages go on where the page before ended.
func TestStore_Ledger_AtCounter(t *testing.T) {
	f := MustStore(t)
	receive := func(guide string, present bool, at time.Time, statuses ...authorization.Status) uuid.UUID {
		e := f.request(guide)
		e.Request.PatientPresent, e.ReceivedAt = present, at
		id := f.mustReceive(t, e).ID
		if len(statuses) > 0 {
			f.mustAnswer(t, id, statuses...)
		}
		return id
	}
	yesterday := receive("1", true, now.Add(-24*time.Hour))
	away, unanswered := receive("2", false, now), receive("3", true, now)
	denied, analysed := receive("4", true, now, "N"), receive("5", true, now, "A", "R")
	want := []uuid.UUID{unanswered, analysed, denied, away, yesterday}
	for size := 1; size <= len(want)+1; size++ {
		var got []uuid.UUID
		q := admin.LedgerQuery{Limit: size, Today: now}
		for {
			rows, err := f.Ledger(t.Context(), q)
			must(t, err)
			if len(rows) == 0 || len(got) > len(want) {
				break
			}
			for _, r := range rows {
				got = append(got, r.ID)
				if r.Present != (r.ID != away) {
					t.Errorf("%s: got present %v", r.ProviderGuide, r.Present)
				}
			}
			q.Before = got[len(got)-1]
		}
		if !slices.Equal(got, want) {
			t.Errorf("pages of %d: got %v, want %v", size, got, want)
		}
	}
}

func TestStore_LedgerEntry(t *testing.T) {
	f := MustStore(t)
	accesses := accessstore.New(f.db)
	key, _ := access.NewKey(f.profile, 0, now)
	must(t, accesses.AddKey(t.Context(), key))
	user := access.User{ID: uuid.New(), ProfileID: f.profile, Name: "ana", CreatedAt: now}
	must(t, accesses.AddUser(t.Context(), user, "h"))
	client, _ := access.NewClient(f.profile, "Sistema", 0, now)
	must(t, accesses.AddClient(t.Context(), client))

	e := f.request("g")
	e.Caller.Method, e.Caller.AccessID = access.MethodAPIKey, key.ID
	r := f.mustReceive(t, e)
	must(t, f.AddFailure(t.Context(), service.FailureEntry{RequestID: r.ID, At: now, Operator: "x", Reason: service.OperatorFailed}))
	guide := f.mustAnswer(t, r.ID, "A")[0]
	for i, by := range []service.Caller{
		{ProfileID: f.profile, Method: access.MethodPassword, AccessID: user.ID},
		{ProfileID: f.profile, Method: access.MethodOAuth, AccessID: client.ID},
		{ProfileID: f.profile},
	} {
		a := f.action(guide)
		a.Caller, a.ReceivedAt = by, now.Add(time.Duration(i+1)*time.Minute)
		f.mustAct(t, a)
		must(t, f.AddActionFailure(t.Context(), service.ActionFailureEntry{ActionID: a.ID, At: a.ReceivedAt, Operator: "x",
			Reason: service.OperatorTimeout}))
		if i == 2 {
			must(t, f.AddUpdate(t.Context(), service.UpdateEntry{GuideID: guide, Before: "A", Path: []authorization.Status{"X"},
				At: a.ReceivedAt, Actor: "x",
				ActionID: a.ID, Answer: blob.Info{Ref: "d", Size: 7}}))
		}
	}
	row, events, err := f.LedgerEntry(t.Context(), r.ID)
	must(t, err)
	if row.ID != r.ID || len(row.Guides) != 1 || row.Guides[0].Status != "X" {
		t.Errorf("row: got %+v", row)
	}
	at := func(minutes int) time.Time { return now.Add(time.Duration(minutes) * time.Minute) }
	want := []admin.LedgerEvent{
		{At: now, Kind: admin.EventReceived, Method: access.MethodAPIKey, Secret: key.Hint},
		{At: now, Kind: admin.EventFailure, Code: "falha_operadora", Actor: "x"},
		{At: now, Kind: admin.EventAnswer, Actor: "x", Size: 9},
		{At: now, Kind: admin.EventStatus, GuideID: guide, Code: "A", Actor: "x"},
		{At: at(1), Kind: admin.EventAction, GuideID: guide, Code: "cancelamento", Method: access.MethodPassword, Secret: "ana"},
		{At: at(1), Kind: admin.EventActionFailure, GuideID: guide, Code: "tempo_operadora", Actor: "x"},
		{At: at(2), Kind: admin.EventAction, GuideID: guide, Code: "cancelamento", Method: access.MethodOAuth, Secret: "Sistema"},
		{At: at(2), Kind: admin.EventActionFailure, GuideID: guide, Code: "tempo_operadora", Actor: "x"},
		{At: at(3), Kind: admin.EventAction, GuideID: guide, Code: "cancelamento"},
		{At: at(3), Kind: admin.EventActionFailure, GuideID: guide, Code: "tempo_operadora", Actor: "x"},
		{At: at(3), Kind: admin.EventActionAnswer, GuideID: guide, Actor: "x", Size: 7},
		{At: at(3), Kind: admin.EventStatus, GuideID: guide, Before: "A", Code: "X", Actor: "x"},
	}
	if len(events) != len(want) {
		t.Fatalf("got %d events, want %d: %+v", len(events), len(want), events)
	}
	for i, got := range events {
		if !got.At.Equal(want[i].At) {
			t.Errorf("event %d: at %v, want %v", i, got.At, want[i].At)
		}
		if got.At = want[i].At; got != want[i] {
			t.Errorf("event %d: got %+v, want %+v", i, got, want[i])
		}
	}
	if _, _, err := f.LedgerEntry(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown: got %v, want %s", err, problem.NotFound)
	}
}

// TestStore_RequestByKey: a key is its partner's alone.
func TestStore_RequestByKey(t *testing.T) {
	f := MustStore(t)
	hash := sha256.Sum256([]byte("k"))
	e := f.request("g")
	e.Key = &hash
	f.mustReceive(t, e)
	for name, c := range map[string]struct {
		profile uuid.UUID
		at      time.Time
		found   bool
	}{
		"its own": {f.profile, now, true}, "just before its end": {f.profile, now.Add(time.Hour - time.Microsecond), true},
		"at its end": {f.profile, now.Add(time.Hour), false}, "another partner's": {uuid.New(), now, false},
	} {
		if _, err := f.RequestByKey(t.Context(), c.profile, hash, c.at); (err == nil) != c.found || err != nil &&
			!problem.Is(err, problem.NotFound) {
			t.Errorf("%s: got %v, want found %v", name, err, c.found)
		}
	}
	if _, err := f.RequestByGuide(t.Context(), uuid.New(), "g"); !problem.Is(err, problem.NotFound) {
		t.Errorf("another partner's guiaPrestador: got %v, want %s", err, problem.NotFound)
	}
}

// TestStore_CredentialByEligibility: of several the oldest that can be used.
func TestStore_CredentialByEligibility(t *testing.T) {
	f := MustStore(t)
	shared := uuid.New()
	var all []service.Credential
	for range 3 {
		c := service.Credential{ID: uuid.New(), EligibilityID: shared, Name: "C", Operator: "x"}
		all = append(all, c)
		must(t, f.PutCredential(t.Context(), c))
	}
	for i := range all {
		if got, err := f.CredentialByEligibility(t.Context(), shared); err != nil || got.ID != all[i].ID {
			t.Errorf("%d are off: got %v, %v, want %v", i, got.ID, err, all[i].ID)
		}
		all[i].Disabled = true
		must(t, f.PutCredential(t.Context(), all[i]))
	}
	if _, err := f.CredentialByEligibility(t.Context(), shared); !problem.Is(err, problem.NotFound) {
		t.Errorf("all are off: got %v, want %s", err, problem.NotFound)
	}
}
