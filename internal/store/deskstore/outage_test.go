package deskstore_test

import (
	"context"
	"testing"
	"time"

	"guiche/internal/desk"
	"guiche/internal/store/engine"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// other is a credential beside that of every submission.
var other = uuid.MustParse("01970000-0000-7000-8000-0000000000ff")

func toOther(s *desk.Submission) {
	s.Request.CredentialID, s.Names.Credential = other, "Outra Operadora"
}

// silent settles a claim as one that brought no answer.
func silent(c desk.Contact) func(*desk.Settlement) {
	return func(s *desk.Settlement) { s.Contact = c }
}

// TestStore_Claim_PerCredential: a credential takes no more than its slots, and what is
// on the wire counts.
func TestStore_Claim_PerCredential(t *testing.T) {
	e, lease := mustEnv(t), uuid.New()
	var ours []uuid.UUID
	for range 4 {
		ours = append(ours, e.submit(t).UID)
	}
	theirs := e.submit(t, toOther).UID
	for i, want := range [][]uuid.UUID{{ours[0], ours[1], theirs}, nil} {
		claims, err := e.Claim(t.Context(), lease, embedded, desk.Slots{All: 9, PerCredential: 2})
		if diff := cmp.Diff(want, cases(claims)); diff != "" || err != nil {
			t.Errorf("%d: -want +got, %v\n%s", i, err, diff)
		}
	}
	if claims, err := e.Claim(t.Context(), uuid.New(), embedded, desk.Slots{All: 1, PerCredential: 1}); len(claims) != 1 || err != nil {
		t.Errorf("another process: got %d claims, %v, want 1", len(claims), err)
	}
}

func cases(claims []desk.Claim) (uids []uuid.UUID) {
	for _, c := range claims {
		uids = append(uids, c.Case)
	}
	return uids
}

// TestStore_Outages: whoever does not answer several times in a row gets one request at a
// time, with pauses that grow, until one is answered.
func TestStore_Outages(t *testing.T) {
	for _, tc := range []struct {
		name           string
		fails, answers desk.Contact
		want           string // whose outage
		others         bool   // go on
	}{
		{"Operator", desk.OperatorSilent, desk.OperatorAnswered, "Vale Sereno", true},
		{"Service", desk.ServiceSilent, desk.ServiceAnswered, "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := mustEnv(t)
			for range desk.OutageAfter {
				e.submit(t)
			}
			began := e.now
			for i := range desk.OutageAfter {
				if outages, err := e.Outages(t.Context(), began.Add(-time.Hour)); len(outages) != 0 || err != nil {
					t.Fatalf("after %d failures: got %v, %v, want none", i, outages, err)
				}
				e.settle(t, e.claim(t), desk.Unknown, silent(tc.fails))
			}
			want := []desk.Outage{{Credential: tc.want, Since: began}}
			outages, err := e.Outages(t.Context(), began.Add(-time.Hour))
			if diff := cmp.Diff(want, outages); diff != "" || err != nil {
				t.Errorf("-want +got, %v\n%s", err, diff)
			}
			if outages, err := e.Outages(t.Context(), began); len(outages) != 0 || err != nil {
				t.Errorf("long after the last failure: got %v, %v, want none", outages, err)
			}
			e.submit(t)
			e.submit(t)
			lease := uuid.New()
			claims, err := e.Claim(t.Context(), lease, embedded, wide(9))
			if len(claims) != 0 || err != nil {
				t.Errorf("in the pause: got %d claims, %v, want none", len(claims), err)
			}
			e.pass(desk.OutagePause(desk.OutageAfter))
			if claims, err = e.Claim(t.Context(), lease, embedded, wide(9)); len(claims) != 1 || err != nil {
				t.Fatalf("after the pause: got %d claims, %v, want one that tries", len(claims), err)
			}
			e.submit(t, toOther)
			if others, err := e.Claim(t.Context(), lease, embedded, wide(9)); len(others) == 1 != tc.others || err != nil {
				t.Errorf("others: got %d claims, %v, want %v", len(others), err, tc.others)
			}
			e.settle(t, claims[0], desk.Refused, silent(tc.answers))
			if claims, err = e.Claim(t.Context(), lease, embedded, wide(9)); len(claims) == 0 || err != nil {
				t.Errorf("after an answer: got %d claims, %v, want the rest", len(claims), err)
			}
			if outages, err := e.Outages(t.Context(), began.Add(-time.Hour)); len(outages) != 0 || err != nil {
				t.Errorf("after an answer: got %v, %v, want no outage", outages, err)
			}
		})
	}
}

// TestStore_Outages_ClockPutBack: a pause that a wrong clock planned keeps nobody waiting until the right one has come so
// far: one request tries, and open cases are asked about.
func TestStore_Outages_ClockPutBack(t *testing.T) {
	for name, fails := range map[string]desk.Contact{"Operator": desk.OperatorSilent, "Service": desk.ServiceSilent} {
		t.Run(name, func(t *testing.T) {
			e := mustEnv(t)
			e.open(t, "g-1")
			for range desk.OutageAfter {
				e.submit(t)
				e.settle(t, e.claim(t), desk.Unknown, silent(fails))
			}
			e.pass(-24 * time.Hour)
			e.submit(t)
			e.submit(t)
			claims, err := e.Claim(t.Context(), uuid.New(), embedded, wide(9))
			if len(claims) != 1 || err != nil {
				t.Errorf("got %d claims, %v, want one that tries", len(claims), err)
			}
			MustDo(t, e.RescheduleFollowed(t.Context(), e.now.Add(time.Hour), time.Time{}))
			if _, found := e.follow(t); !found {
				t.Error("no open case is asked about")
			}
		})
	}
}

// TestStore_ServiceAnswers: any answer of the service ends its outage, not the operators'.
func TestStore_ServiceAnswers(t *testing.T) {
	e := mustEnv(t)
	for range desk.OutageAfter {
		e.submit(t)
		e.settle(t, e.claim(t), desk.Unknown, silent(desk.OperatorSilent))
	}
	for range desk.OutageAfter {
		e.submit(t, toOther)
		e.settle(t, e.claim(t), desk.Unknown, silent(desk.ServiceSilent))
	}
	for _, want := range []int{2, 1} {
		outages, err := e.Outages(t.Context(), e.now.Add(-time.Hour))
		if err != nil || len(outages) != want {
			t.Errorf("got %v, %v, want %d", outages, err, want)
		}
		if err := e.ServiceAnswers(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStore_ServiceAnswers_NoOutage: while nobody is silent an answer needs no turn of the
// writer.
func TestStore_ServiceAnswers_NoOutage(t *testing.T) {
	e := mustEnv(t)
	MustDo(t, e.db.Write(t.Context(), func(*engine.Tx) error {
		patient, end := context.WithTimeout(t.Context(), time.Minute)
		defer end()
		return e.ServiceAnswers(patient)
	}))
}

// TestStore_Claim_Fair: one request that is never answered does not keep those behind it
// from an operator that answers them.
func TestStore_Claim_Fair(t *testing.T) {
	e := mustEnv(t)
	never := e.submit(t, func(s *desk.Submission) { s.Request.PatientPresent = true }).UID
	for range 8 {
		c := e.claim(t)
		if c.Case != never {
			t.Fatalf("got %s, want the one that waits alone", c.Case)
		}
		e.settle(t, c, desk.Queued, silent(desk.OperatorSilent), func(s *desk.Settlement) {
			s.UnknownOutcome, s.Due = true, e.now
		})
		e.pass(time.Minute)
	}
	behind := e.submit(t).UID
	if got := e.claim(t).Case; got != behind {
		t.Errorf("got %s again, want %s", got, behind)
	}
}
