package servicestore_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/blob"
	"guiche/internal/service"
	"guiche/internal/service/admin"
	"guiche/internal/store/engine"

	"github.com/google/uuid"
)

// world is what a write is tried on: an accepted request that waits, an answered one
// with an authorization that is followed, an action on it, and keys whose time is over.
type world struct {
	accepted, answered uuid.UUID
	guide              uuid.UUID
	action             service.Action
}

func (f fixture) mustWorld(tb testing.TB) world {
	tb.Helper()
	old := f.request(uuid.NewString())
	hash := sha256.Sum256([]byte(old.Request.ProviderGuide))
	old.Key, old.KeyUntil = &hash, now.Add(time.Second)
	w := world{answered: f.mustReceive(tb, old).ID, guide: uuid.New()}
	w.accepted, _ = f.mustAccept(tb, uuid.NewString())
	must(tb, f.AddAnswer(tb.Context(), service.AnswerEntry{
		RequestID: w.answered, At: now, Operator: "x", Answer: blob.Info{Ref: "b", Size: 9}, Due: []time.Time{now},
		Decision: service.Decision{Authorizations: []authorization.Authorization{{Number: 1, GuideID: w.guide.String(), Status: "A"}}},
	}))
	w.action = f.action(w.guide)
	w.action.Key, w.action.KeyUntil = &hash, now.Add(time.Second)
	f.mustAct(tb, w.action)
	must(tb, f.db.Write(tb.Context(), func(tx *engine.Tx) error { // of a process that was killed
		_, process := tx.Exec(tb.Context(), `INSERT INTO traffic_process (uid, since, open, seen_at) VALUES (?, 1, 0, 1)`, engine.UID(uuid.New()))
		_, count := tx.Exec(tb.Context(), `INSERT INTO traffic (route, status, count) VALUES ('/', 200, 1)
			ON CONFLICT DO NOTHING`)
		return errors.Join(process, count)
	}))
	return w
}

// writer is a method of the store that writes.
type writer struct {
	method string
	breaks string // statements that it cannot do without, separated by commas
	do     func(ctx context.Context, w world) error
}

// later is when the writers write.
var later = now.Add(time.Minute)

// writers are all methods that write.
func (f fixture) writers(t *testing.T) []writer {
	t.Helper()
	return slices.Concat(f.requestWriters(t), f.authorizationWriters(t), f.directoryWriters(t), f.directoryChangers(t), f.workWriters())
}

func (f fixture) requestWriters(t *testing.T) []writer {
	t.Helper()
	receive := func(ctx context.Context, w world) error {
		e := f.request("")
		hash := sha256.Sum256(w.guide[:])
		e.ReceivedAt, e.GuideID, e.Key, e.KeyUntil = later, uuid.New(), &hash, later.Add(time.Hour)
		_, fresh, err := f.Receive(ctx, e)
		if err == nil && !fresh {
			t.Error("a request that failed was kept")
		}
		return err
	}
	answer := func(ctx context.Context, w world) error {
		return f.AddAnswer(ctx, service.AnswerEntry{
			RequestID: w.accepted, At: later, Operator: "x", Answer: blob.Info{Ref: "b", Size: 9}, Due: []time.Time{later},
			Decision: service.Decision{Authorizations: []authorization.Authorization{{Number: 1, GuideID: w.accepted.String(), Status: "A"}}},
		})
	}
	fail := func(ctx context.Context, w world) error {
		return f.AddFailure(ctx, service.FailureEntry{RequestID: w.accepted, At: later, Operator: "x", Reason: service.OperatorFailed})
	}
	return []writer{
		{"Receive", "INSERT ON request, INSERT ON acceptance, INSERT ON task, INSERT ON request_blob, DELETE ON idempotency_key, " +
			"INSERT ON idempotency_key", receive},
		{"AddAnswer", "INSERT ON decision, DELETE ON task, INSERT ON authorization_entry, INSERT ON task, " +
			"INSERT ON authorization_status", answer},
		{"AddFailure", "INSERT ON decision", fail},
	}
}

func (f fixture) authorizationWriters(t *testing.T) []writer {
	t.Helper()
	update := func(ctx context.Context, w world) error {
		return f.AddUpdate(ctx, service.UpdateEntry{GuideID: w.guide, Before: "A", Path: []authorization.Status{"W", "P"}, At: later,
			Actor: "x", ActionID: w.action.ID, Answer: blob.Info{Ref: "c", Size: 1}})
	}
	act := func(ctx context.Context, w world) error {
		a := f.action(w.guide)
		hash := sha256.Sum256(w.guide[:])
		a.ReceivedAt, a.Key, a.KeyUntil = later, &hash, later.Add(time.Hour)
		a.Attachments = []authorization.Attachment{{Name: "a", Size: 1, Blob: "c"}}
		_, fresh, err := f.AddAction(ctx, a)
		if err == nil && !fresh {
			t.Error("an action that failed was kept")
		}
		return err
	}
	fail := func(ctx context.Context, w world) error {
		return f.AddActionFailure(ctx, service.ActionFailureEntry{ActionID: w.action.ID, At: later, Operator: "x",
			Reason: service.OperatorFailed, Due: later})
	}
	return []writer{
		{"AddUpdate", "UPDATE ON authorization_entry, INSERT ON authorization_status, INSERT ON authorization_revision, " +
			"INSERT ON act_result, DELETE ON task", update},
		{"AddAction", "INSERT ON act, INSERT ON act_blob, DELETE ON act_key, INSERT ON act_key", act},
		{"AddActionFailure", "INSERT ON act_result, UPDATE ON task", fail},
	}
}

func (f fixture) directoryWriters(t *testing.T) []writer {
	t.Helper()
	unit := service.Unit{ID: uuid.New(), Name: "Centro", Points: []service.CarePoint{{ID: uuid.New(), Name: "Coleta"}}}
	must(t, f.PutUnit(t.Context(), unit))
	putUnit := func(ctx context.Context, _ world) error {
		unit.Points = append(unit.Points, service.CarePoint{ID: uuid.New(), Name: "Recepção"})
		return f.PutUnit(ctx, unit)
	}
	doctor := service.Professional{ID: uuid.New(), Name: "Ana Luz", Specialties: []service.Specialty{{ID: 1, Name: "Cardiologia"}}}
	must(t, f.PutProfessional(t.Context(), doctor))
	putProfessional := func(ctx context.Context, _ world) error {
		doctor.Specialties = append(doctor.Specialties, service.Specialty{ID: len(doctor.Specialties) + 1, Name: "Pediatria"})
		return f.PutProfessional(ctx, doctor)
	}
	putCredential := func(ctx context.Context, _ world) error {
		return f.PutCredential(ctx, service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: "Vale"})
	}
	return []writer{
		{"PutUnit", "UPDATE ON unit, UPDATE ON care_point, INSERT ON care_point", putUnit},
		{"PutProfessional", "UPDATE ON professional, UPDATE ON specialty, INSERT ON specialty", putProfessional},
		{"PutCredential", "INSERT ON credential, UPDATE ON credential_changes", putCredential},
	}
}

func (f fixture) directoryChangers(t *testing.T) []writer {
	t.Helper()
	unit := service.Unit{ID: uuid.New(), Name: "Norte", Points: []service.CarePoint{{ID: uuid.New(), Name: "Coleta"}}}
	must(t, f.PutUnit(t.Context(), unit))
	doctor := service.Professional{ID: uuid.New(), Name: "Rui Sá", Specialties: []service.Specialty{{ID: 1, Name: "Cardiologia"}}}
	must(t, f.PutProfessional(t.Context(), doctor))
	plan := service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: "Serra"}
	must(t, f.PutCredential(t.Context(), plan))
	return []writer{
		{"ChangeUnit", "UPDATE ON unit, UPDATE ON care_point", func(ctx context.Context, _ world) error {
			return f.ChangeUnit(ctx, unit.ID, func(now service.Unit) (service.Unit, error) {
				now.Disabled = !now.Disabled
				return now, nil
			})
		}},
		{"ChangeProfessional", "UPDATE ON professional, UPDATE ON specialty", func(ctx context.Context, _ world) error {
			return f.ChangeProfessional(ctx, doctor.ID, func(now service.Professional) (service.Professional, error) {
				now.Disabled = !now.Disabled
				return now, nil
			})
		}},
		{"ChangeCredential", "UPDATE ON credential, UPDATE ON credential_changes", func(ctx context.Context, _ world) error {
			return f.ChangeCredential(ctx, plan.ID, func(now service.Credential) (service.Credential, error) {
				now.Disabled = !now.Disabled
				return now, nil
			})
		}},
	}
}

func (f fixture) workWriters() []writer {
	task := func(w world) service.Task { return service.Task{RequestID: w.answered, GuideID: w.guide} }
	return []writer{
		{"Claim", "UPDATE ON task", func(ctx context.Context, _ world) error {
			_, err := f.Claim(ctx, f.credential, later, later, 1)
			return err
		}},
		{"Postpone", "UPDATE ON task", func(ctx context.Context, w world) error { return f.Postpone(ctx, task(w), later) }},
		{"Drop", "DELETE ON task", func(ctx context.Context, w world) error { return f.Drop(ctx, task(w)) }},
		{"GiveUp", "UPDATE ON task", func(ctx context.Context, w world) error { return f.GiveUp(ctx, task(w), later) }},
		{"BeginAsking", "UPDATE ON acceptance", func(ctx context.Context, w world) error {
			_, err := f.BeginAsking(ctx, w.accepted, later)
			return err
		}},
		{"AddTraffic", "DELETE ON traffic_process, DELETE ON traffic, INSERT ON traffic, INSERT ON traffic_process", f.addTraffic},
		{"MarkRestored", "UPDATE ON acceptance", func(ctx context.Context, _ world) error { return f.MarkRestored(ctx) }},
	}
}

// addTraffic is the news of a process before which another one ended.
func (f fixture) addTraffic(ctx context.Context, _ world) error {
	return f.AddTraffic(ctx, service.TrafficNews{Process: uuid.New(), Counts: []service.TrafficCount{{Route: "/", Status: 404, Count: 1}}})
}

// readers are all methods that only read.
func (f fixture) readers(id uuid.UUID) map[string]func(ctx context.Context) error {
	return map[string]func(ctx context.Context) error{
		"Credential":              func(ctx context.Context) error { _, err := f.Credential(ctx, id); return err },
		"CredentialByEligibility": func(ctx context.Context) error { _, err := f.CredentialByEligibility(ctx, id); return err },
		"SearchCredentials": func(ctx context.Context) error {
			_, err := f.SearchCredentials(ctx, service.CredentialQuery{Page: 1, Size: 1})
			return err
		},
		"Unit":             func(ctx context.Context) error { _, err := f.Unit(ctx, id); return err },
		"Units":            func(ctx context.Context) error { _, err := f.Units(ctx, service.DirectoryQuery{}); return err },
		"Professional":     func(ctx context.Context) error { _, err := f.Professional(ctx, id); return err },
		"References":       func(ctx context.Context) error { _, err := f.References(ctx, id, id, id); return err },
		"Professionals":    func(ctx context.Context) error { _, err := f.Professionals(ctx, service.DirectoryQuery{}); return err },
		"Request":          func(ctx context.Context) error { _, err := f.Request(ctx, id); return err },
		"RequestByKey":     func(ctx context.Context) error { _, err := f.RequestByKey(ctx, id, [32]byte{}, now); return err },
		"RequestByGuide":   func(ctx context.Context) error { _, err := f.RequestByGuide(ctx, id, "g"); return err },
		"RequestByGuideID": func(ctx context.Context) error { _, err := f.RequestByGuideID(ctx, id, id); return err },
		"Authorization":    func(ctx context.Context) error { _, err := f.Authorization(ctx, id, id); return err },
		"Authorizations":   func(ctx context.Context) error { _, err := f.Authorizations(ctx, id); return err },
		"LedgerAuthorization": func(ctx context.Context) error {
			_, err := f.LedgerAuthorization(ctx, id)
			return err
		},
		"Action":          func(ctx context.Context) error { _, err := f.Action(ctx, id); return err },
		"ActionByKey":     func(ctx context.Context) error { _, err := f.ActionByKey(ctx, id, [32]byte{}, now); return err },
		"Due":             func(ctx context.Context) error { _, _, err := f.Due(ctx, now); return err },
		"Ledger":          func(ctx context.Context) error { _, err := f.Ledger(ctx, admin.LedgerQuery{Limit: 1}); return err },
		"LedgerEntry":     func(ctx context.Context) error { _, _, err := f.LedgerEntry(ctx, id); return err },
		"AttachmentBlobs": func(ctx context.Context) error { _, err := f.AttachmentBlobs(ctx, id); return err },
		"Traffic":         func(ctx context.Context) error { _, err := f.Traffic(ctx, id); return err },
		"SentBytes":       func(ctx context.Context) error { _, err := f.SentBytes(ctx, id, now); return err },
	}
}
