package directorystore_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/directory"
	"guiche/internal/problem"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/directorystore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func TestDirectory_ListUnits(t *testing.T) {
	ctx, r := t.Context(), MustDirectory(t)
	unit := func(name string, active bool, points ...string) directory.Unit {
		u := directory.Unit{UID: uuid.New(), Name: name, Active: active}
		for _, p := range points {
			u.CarePoints = append(u.CarePoints, directory.CarePoint{UID: uuid.New(), Name: p, Active: true})
		}
		return u
	}
	MustDo(t, r.PutUnits(ctx, unit("Zona Sul", true), unit("água Verde", true, "Coleta"), unit("Antiga", false), unit("Bairro", true)))
	for search, want := range map[string]string{
		"": "água Verde, Bairro, Zona Sul, Antiga", "AGUA": "água Verde", "coleta verde": "água Verde", "antiga": "Antiga", "x": "",
		"\x00\xff": "água Verde, Bairro, Zona Sul, Antiga", "'": "",
	} {
		units, err := r.ListUnits(ctx, search)
		MustDo(t, err)
		var names []string
		for _, u := range units {
			names = append(names, u.Name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%q: got %q, want %q", search, got, want)
		}
	}
}

// TestDirectory_ListCredentials: in the order of a person, what is switched off last.
func TestDirectory_ListCredentials(t *testing.T) {
	ctx, r := t.Context(), MustDirectory(t)
	for name, active := range map[string]bool{"Zelo": true, "ágil saúde": true, "Boa Vida": true, "Aroeira": false} {
		MustDo(t, r.PutCredential(ctx, directory.Credential{UID: uuid.New(), Name: name, ProviderCode: "0042", Active: active}))
	}
	for search, want := range map[string]string{"": "ágil saúde, Boa Vida, Zelo, Aroeira", "AGIL": "ágil saúde", "vida 0042": "Boa Vida"} {
		credentials, err := r.ListCredentials(ctx, search)
		MustDo(t, err)
		var names []string
		for _, c := range credentials {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("%q: got %q, want %q", search, got, want)
		}
	}
}

func TestDirectory_ListProcedures(t *testing.T) {
	ctx, r := t.Context(), MustDirectory(t)
	all := []directory.Procedure{{Code: "20101012", Name: "Ecocardiografia d'Ávila", Aliases: []string{"ECO"}, Active: true}}
	for i := range 120 {
		all = append(all, directory.Procedure{Code: fmt.Sprintf("4031%04d", i), Name: "Dosagem", Active: i%2 == 0})
	}
	MustDo(t, r.PutProcedures(ctx, all...))
	codes := func(search string, offset, limit int) (all []string, total int) {
		t.Helper()
		page, total, err := r.ListProcedures(ctx, search, offset, limit)
		MustDo(t, err)
		for _, p := range page {
			all = append(all, p.Code)
		}
		return all, total
	}
	t.Run("PagesHoldEachOnce", func(t *testing.T) {
		seen := map[string]int{}
		for offset := 0; ; offset += 50 {
			page, total := codes("", offset, 50)
			if total != 121 {
				t.Fatalf("total: got %d, want 121", total)
			}
			if len(page) == 0 {
				break
			}
			for _, c := range page {
				seen[c]++
			}
		}
		if len(seen) != 121 {
			t.Errorf("got %d codes, want 121", len(seen))
		}
	})
	for _, tc := range []struct {
		name, search string
		want         []string
		total        int
	}{
		{"Code", "4031.0007", []string{"40310007"}, 1},
		{"CodesBeginning", "40310", []string{"40310000", "40310001"}, 120},
		{"FoldedWord", "avila ECOCARD", []string{"20101012"}, 1},
		{"Alias", "eco", []string{"20101012"}, 1},
		{"Unseen", "eco\u00adcardio\u200bgrafia", []string{"20101012"}, 1},
		{"OffOnesToo", "dosag", []string{"40310000", "40310001"}, 120},
		{"Nothing", "zebra", nil, 0},
		{"NoWords", "?! 🫀", nil, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, total := codes(tc.search, 0, 2)
			if diff := cmp.Diff(got, tc.want); diff != "" || total != tc.total {
				t.Errorf("total %d, want %d; got, want\n%s", total, tc.total, diff)
			}
		})
	}
	t.Run("AnyTextIsNoError", func(t *testing.T) {
		for _, text := range []string{`"`, `'`, `NEAR(`, `a AND`, `*`, `^x`, `{a b}:c`, "a\x00b", "\xff", `d'Ávila OR "`,
			strings.Repeat("ab ", 5000), "-", "name:x"} {
			if _, _, err := r.ListProcedures(ctx, text, 0, 10); err != nil {
				t.Errorf("%.20q: %v", text, err)
			}
		}
	})
}

// follower keeps what it is told.
type follower struct {
	units         map[uuid.UUID]directory.Unit
	professionals map[uuid.UUID]directory.Professional
}

func (f *follower) ReplicateUnit(ctx context.Context, u directory.Unit) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	f.units[u.UID] = u
	return nil
}

func (f *follower) ReplicateProfessional(_ context.Context, p directory.Professional) error {
	f.professionals[p.UID] = p
	return nil
}

func TestDirectory_ReplicateTo(t *testing.T) {
	ctx, tr := t.Context(), MustTrailed(t)
	MustDo(t, tr.PutUnits(ctx, centro()))
	f := &follower{units: map[uuid.UUID]directory.Unit{}, professionals: map[uuid.UUID]directory.Professional{}}
	MustDo(t, tr.ReplicateTo(ctx, f))
	if f.units[unitID].Name != "Centro" {
		t.Errorf("at the start it hears %+v", f.units)
	}
	MustDo(t, tr.SwitchUnit(ctx, admin, unitID, false))
	MustDo(t, tr.AddProfessional(ctx, admin, directory.Professional{UID: doctorID, Name: "Elisa"}))
	if f.units[unitID].Active || f.professionals[doctorID].Name != "Elisa" {
		t.Errorf("after changes it holds %+v", f)
	}
	tr.broken = true
	_ = tr.SwitchUnit(ctx, admin, unitID, true)
	if f.units[unitID].Active {
		t.Error("it heard of what was never committed")
	}
}

// Whoever leaves the page right after the commit does not keep the follower from
// hearing of it.
func TestDirectory_ReplicateTo_Cancelled(t *testing.T) {
	tr, f := MustTrailed(t), &follower{units: map[uuid.UUID]directory.Unit{}}
	MustDo(t, tr.ReplicateTo(t.Context(), f))
	ctx, leave := context.WithCancel(t.Context())
	runs := 0
	tr.noted = func() {
		if runs++; runs == 2 { // the first one is taken back
			leave()
		}
	}
	MustDo(t, tr.AddUnit(ctx, admin, centro()))
	if f.units[unitID].Name != "Centro" {
		t.Errorf("it holds %+v, want what was committed", f.units)
	}
}

// crowd answers when so many wait for it.
type crowd struct{ waiting sync.WaitGroup }

func (c *crowd) ReplicateUnit(ctx context.Context, _ directory.Unit) error {
	c.waiting.Done()
	all := make(chan struct{})
	go func() {
		c.waiting.Wait()
		close(all)
	}()
	select {
	case <-all:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *crowd) ReplicateProfessional(ctx context.Context, _ directory.Professional) error {
	return c.ReplicateUnit(ctx, directory.Unit{})
}

// At a start no entry waits for the disk of another.
func TestDirectory_ReplicateTo_Together(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	tr, all := MustTrailed(t), &crowd{}
	for range 3 {
		u := centro()
		u.UID = uuid.New()
		u.Name += u.UID.String()
		u.CarePoints = nil
		MustDo(t, tr.PutUnits(ctx, u))
		MustDo(t, tr.AddProfessional(ctx, admin, directory.Professional{UID: uuid.New(), Name: "Elisa"}))
	}
	all.waiting.Add(6)
	MustDo(t, tr.ReplicateTo(ctx, all))
}

// TestDirectory_DamagedCredential: a credential that cannot be read is said to be damaged in the list, hinders no other,
// cannot be chosen, and stays as it is when the service lists it.
func TestDirectory_DamagedCredential(t *testing.T) {
	ctx := t.Context()
	db := storetest.Open(t, migrations.Desk, nil)
	r := directory.New(directorystore.New(db, auditlog.New(db, audit.Key{1})))
	bad, good := uuid.New(), uuid.New()
	seen := []authorization.Credential{{ID: bad.String(), Name: "Ipê"}, {ID: good.String(), Name: "Aroeira"}}
	MustDo(t, r.SeeCredentials(ctx, seen))
	storetest.Unguard(t, db)
	MustDo(t, db.Write(ctx, func(tx *engine.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE credential SET biometrics = 7 WHERE uid = ?`, engine.UID(bad))
		return err
	}))
	storetest.CheckAgain(t, db)

	for search, want := range map[string]int{"": 2, "aroeira": 2, "x": 1} {
		all, err := r.ListCredentials(ctx, search)
		MustDo(t, err)
		if len(all) != want || !cmp.Equal(all[len(all)-1], directory.Credential{UID: bad, Damaged: true}) {
			t.Errorf("%q: got %+v, want %d, the damaged one told as such", search, all, want)
		}
	}
	if active, err := r.Credentials(ctx); err != nil || len(active) != 1 || active[0].UID != good {
		t.Errorf("got %+v, %v, want the whole one alone", active, err)
	}
	MustDo(t, r.SeeCredentials(ctx, seen))
	if offered, err := r.Offered(ctx, seen); err != nil || len(offered) != 1 || offered[0].Name != "Aroeira" {
		t.Errorf("got %+v, %v, want the whole one alone", offered, err)
	}
	if _, err := r.Credential(ctx, bad); !problem.Is(err, problem.Damaged) {
		t.Errorf("got %v, want %s", err, problem.Damaged)
	}
}
