package deskstore_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/desk"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// mustProcesses are stores of one database, as two processes have them.
func mustProcesses(t *testing.T) [2]*deskstore.Store {
	t.Helper()
	first := storetest.Open(t, migrations.Desk, nil)
	return [2]*deskstore.Store{newStore(first), newStore(first.Again(t))}
}

// TestStore_SubmitAndStart_Processes: what many people send at the same time through two processes is
// kept once each, under a guide number of its own, and counted.
func TestStore_SubmitAndStart_Processes(t *testing.T) {
	const people, each = 16, 4
	stores := mustProcesses(t)
	var sending sync.WaitGroup
	for i := range people {
		s, start := stores[i%2], desk.Start{Lease: uuid.UUID{byte(1 + i%2)}, To: embedded, Slots: wide(5)}
		sending.Go(func() {
			for k := range each {
				if err := sendOne(t, s, fmt.Sprint(i, k), start); err != nil {
					t.Error(err)
				}
			}
		})
	}
	sending.Wait()
	cases, err := stores[0].Cases(t.Context(), all, desk.Query{Limit: people*each + 1})
	MustDo(t, err)
	guides, counted := map[string]bool{}, 0
	for _, c := range cases {
		whole, err := stores[0].Case(t.Context(), all, c.UID)
		MustDo(t, err)
		guides[whole.ProviderGuide] = true
	}
	counts, err := stores[0].Counts(t.Context(), all, time.Time{})
	MustDo(t, err)
	for _, tally := range counts.Groups {
		counted += tally.Count
	}
	if want := people * each; len(cases) != want || len(guides) != want || counted != want {
		t.Errorf("got %d cases with %d guide numbers, and counted %d, want %d", len(cases), len(guides), counted, want)
	}
	mustListAll(t, stores[0])
}

// TestStore_SubmitAndStart_OneToken: a form that is sent through two processes at once is one submission, and one
// attempt begins.
func TestStore_SubmitAndStart_OneToken(t *testing.T) {
	const presses = 16
	stores := mustProcesses(t)
	user, token := uuid.New(), uuid.New()
	form := desk.Form{Values: map[string]string{"nomeBeneficiario": "Maria"}}
	_, err := stores[0].SaveDraft(t.Context(), user, token, form, 0, anyQuota)
	MustDo(t, err)
	var pressing sync.WaitGroup
	var led [presses]uuid.UUID
	var started atomic.Int64
	for i := range presses {
		pressing.Go(func() {
			sub := submissionOf(user, token, "1")
			at, claim, err := stores[i%2].SubmitAndStart(t.Context(), sub, audit.Entry{Event: audit.RequestSubmitted},
				desk.Start{Lease: uuid.UUID{byte(1 + i%2)}, To: embedded, Slots: wide(5)})
			if err != nil {
				t.Error(err)
			}
			if led[i] = at; claim != nil {
				started.Add(1)
			}
		})
	}
	pressing.Wait()
	cases, err := stores[1].Cases(t.Context(), all, desk.Query{Limit: presses})
	MustDo(t, err)
	if len(cases) != 1 || started.Load() != 1 {
		t.Fatalf("got %d cases and %d attempts, want one", len(cases), started.Load())
	}
	for _, at := range led {
		if at != cases[0].UID {
			t.Errorf("a press led to %v, want %v", at, cases[0].UID)
		}
	}
}

// TestStore_Submit_Blocks: those who send at the same moment through one process take one block of guide
// numbers, and do not meet at the row that counts them.
func TestStore_Submit_Blocks(t *testing.T) {
	const people = 16
	db := storetest.Open(t, migrations.Desk, nil)
	if !db.Shared() {
		t.Skip("of engines that processes share")
	}
	s := newStore(db)
	var sending sync.WaitGroup
	for i := range people {
		sending.Go(func() {
			if err := sendOne(t, s, fmt.Sprint(i), desk.Start{Lease: uuid.UUID{1}, To: embedded, Slots: wide(5)}); err != nil {
				t.Error(err)
			}
		})
	}
	sending.Wait()
	counter := 0
	MustDo(t, db.Read(t.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(t.Context(), `SELECT counter FROM installation`).Scan(&counter)
	}))
	if counter > 100 {
		t.Errorf("%d numbers were taken for %d requests, want one block", counter, people)
	}
}

// submissionOf is a request of a user's draft.
func submissionOf(user, token uuid.UUID, number string) desk.Submission {
	sub := desk.Submission{UID: uuid.New(), Token: token, Revision: 1, Sender: desk.Author{User: user, Name: "Ana"},
		IdempotencyKey: uuid.NewString(), Request: fullRequest(), At: time.Now(), Deadline: time.Now().Add(time.Hour)}
	sub.Request.CardNumber, sub.Request.RequesterNumber = number, number
	return sub
}

// sendOne sends a request of somebody's own.
func sendOne(t *testing.T, s *deskstore.Store, number string, start desk.Start) error {
	t.Helper()
	sub := submissionOf(uuid.New(), uuid.New(), number)
	form := desk.Form{Values: map[string]string{"nomeBeneficiario": "Maria"}}
	_, err := s.SaveDraft(t.Context(), sub.Sender.User, sub.Token, form, 0, anyQuota)
	if err == nil {
		_, _, err = s.SubmitAndStart(t.Context(), sub, audit.Entry{Event: audit.RequestSubmitted}, start)
	}
	return err
}

// TestStore_Claim_Processes: two processes that look at the same time never send the same.
func TestStore_Claim_Processes(t *testing.T) {
	const requests = 24
	stores := mustProcesses(t)
	for range requests {
		MustSubmit(t, stores[0])
	}
	claimed := make(chan uuid.UUID, 2*requests)
	var looking sync.WaitGroup
	for _, s := range stores {
		lease := uuid.New()
		looking.Go(func() {
			for n := 2; ; n += 2 {
				claims, err := s.Claim(t.Context(), lease, embedded, wide(n))
				if err != nil {
					t.Error(err)
				}
				if len(claims) == 0 {
					return
				}
				for _, c := range claims {
					claimed <- c.Case
				}
			}
		})
	}
	looking.Wait()
	close(claimed)
	times := map[uuid.UUID]int{}
	for uid := range claimed {
		times[uid]++
		if times[uid] > 1 {
			t.Errorf("%v was claimed %d times", uid, times[uid])
		}
	}
	if len(times) != requests {
		t.Errorf("claimed %d, want %d", len(times), requests)
	}
}
