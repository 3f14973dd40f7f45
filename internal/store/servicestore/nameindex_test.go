package servicestore_test

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"guiche/internal/service"
	"guiche/internal/store/engine"
	"guiche/internal/store/servicestore"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/uuid"
)

// mustTotal searches and returns how many were found.
func mustTotal(tb testing.TB, s *servicestore.Store, text string) int {
	tb.Helper()
	page, err := s.SearchCredentials(tb.Context(), service.CredentialQuery{Text: text, Page: 1, Size: 50})
	must(tb, err)
	if page.Total != len(page.Items) {
		tb.Fatalf("got %d items of %d", len(page.Items), page.Total)
	}
	return page.Total
}

// mustOthers are stores of two processes on the same database.
func mustOthers(tb testing.TB) (f fixture, other *servicestore.Store, db engine.DB) {
	tb.Helper()
	first := storetest.Open(tb, migrations.Service, clock)
	second := first.Again(tb)
	return mustStoreIn(tb, first), servicestore.New(second), second
}

func (f fixture) mustChanges(tb testing.TB) (changes int) {
	tb.Helper()
	must(tb, f.db.Read(tb.Context(), func(tx *engine.Tx) error {
		return tx.QueryRow(tb.Context(), `SELECT count FROM credential_changes`).Scan(&changes)
	}))
	return changes
}

// mustCredentials are the sums of all credentials.
func (f fixture) mustCredentials(tb testing.TB) (sums []string) {
	tb.Helper()
	must(tb, f.db.Read(tb.Context(), func(tx *engine.Tx) (err error) {
		sums, err = engine.List(tb.Context(), tx, func(row engine.Row) (sum string, err error) { return sum, row.Scan(&sum) },
			`SELECT checksum FROM credential ORDER BY id`)
		return err
	}))
	return sums
}

// What another process changes, and what it takes back, the next search knows.
func TestStore_SearchCredentials_OtherProcess(t *testing.T) {
	f, other, db := mustOthers(t)
	c := service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: "Operadora"}
	for _, step := range []struct {
		name     string
		disabled bool
		want     int
	}{{"Operadora", false, 0}, {"Operadora do Vale", false, 1}, {"Operadora do Vale", true, 0}, {"Operadora do Vale", false, 1}} {
		c.Name, c.Disabled = step.name, step.disabled
		must(t, other.PutCredential(t.Context(), c))
		if got := mustTotal(t, f.Store, "vale"); got != step.want {
			t.Errorf("%+v: got %d, want %d", step, got, step.want)
		}
	}
	t.Run("RolledBack", func(t *testing.T) {
		before, failed := f.mustChanges(t), errors.New("no")
		err := db.Write(t.Context(), func(tx *engine.Tx) error {
			for _, statement := range []string{`UPDATE credential SET searched = 'serra'`, `UPDATE credential_changes SET count = count + 1`} {
				_, err := tx.Exec(t.Context(), statement)
				must(t, err)
			}
			return failed
		})
		if !errors.Is(err, failed) || f.mustChanges(t) != before {
			t.Fatalf("got %v and %d changes, want %v and %d", err, f.mustChanges(t), failed, before)
		}
		if serra, vale := mustTotal(t, f.Store, "serra"), mustTotal(t, f.Store, "vale"); serra != 0 || vale != 1 {
			t.Errorf("got %d and %d, want 0 and 1", serra, vale)
		}
		c.Name = "Operadora da Serra" // raises the count to what was taken back
		must(t, other.PutCredential(t.Context(), c))
		if serra, vale := mustTotal(t, f.Store, "serra"), mustTotal(t, f.Store, "vale"); serra != 1 || vale != 0 {
			t.Errorf("then: got %d and %d, want 1 and 0", serra, vale)
		}
	})
}

// TestStore_CredentialChanges: whatever writes a credential raises the count, and
// nothing else does, so that the ledger's traffic costs searches nothing.
func TestStore_CredentialChanges(t *testing.T) {
	f := MustStore(t)
	tried := append(slices.Collect(maps.Keys(f.readers(uuid.Nil))), "OnDamage", "ReadTogether")
	for _, w := range f.writers(t) {
		tried = append(tried, w.method)
		world := f.mustWorld(t)
		before, credentials := f.mustChanges(t), f.mustCredentials(t)
		must(t, w.do(t.Context(), world))
		touched := !slices.Equal(f.mustCredentials(t), credentials)
		if raised := f.mustChanges(t) > before; raised != touched {
			t.Errorf("%s: writes a credential: %v; raises the count: %v", w.method, touched, raised)
		}
	}
	for method := range reflect.TypeFor[*servicestore.Store]().Methods() {
		if !slices.Contains(tried, method.Name) {
			t.Errorf("%s is neither among the writers nor among the readers", method.Name)
		}
	}
}

// Searches of several processes while credentials change find what was committed
// before they began, and each page is of one moment.
func TestStore_SearchCredentials_Concurrent(t *testing.T) {
	const added = 60
	f, other, _ := mustOthers(t)
	stores := []*servicestore.Store{f.Store, other}
	var committed atomic.Int64
	var searching sync.WaitGroup
	for i := range 6 {
		searching.Go(func() {
			for before := int64(0); before < added; {
				before = committed.Load()
				page, err := stores[i%2].SearchCredentials(t.Context(), service.CredentialQuery{Text: "nova", Page: 1, Size: added})
				if err != nil || page.Total < int(before) || page.Total != len(page.Items) {
					t.Errorf("got %d items of %d, error %v, want all of at least %d", len(page.Items), page.Total, err, before)
					return
				}
			}
		})
	}
	for i := range added {
		c := service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: "Nova"}
		if err := stores[i%2].PutCredential(t.Context(), c); err != nil {
			t.Error(err) // those who search wait for all
		}
		committed.Add(1)
	}
	searching.Wait()
}

// A search that its caller gave up leaves the next one the right answer.
func TestStore_SearchCredentials_GivenUp(t *testing.T) {
	f := MustStore(t)
	c := service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Operator: "x", Name: "Operadora do Vale"}
	must(t, f.PutCredential(t.Context(), c))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.SearchCredentials(ctx, service.CredentialQuery{Text: "vale", Page: 1, Size: 50}); err == nil {
		t.Error("a search that was given up: got no error")
	}
	if got := mustTotal(t, f.Store, "vale"); got != 1 {
		t.Errorf("the next one: got %d, want 1", got)
	}
}
