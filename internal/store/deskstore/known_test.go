package deskstore_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// of makes a submission of a beneficiary.
func of(name, card string, change ...func(*authorization.Request)) func(*desk.Submission) {
	return func(s *desk.Submission) {
		s.Request.BeneficiaryName, s.Request.CardNumber = name, card
		for _, c := range change {
			c(&s.Request)
		}
	}
}

func within(unit uuid.UUID) func(*authorization.Request) {
	return func(r *authorization.Request) { r.UnitID = unit }
}

// found are the names that a search finds, in its order.
func (e *env) found(t *testing.T, reach permission.Reach, text string) string {
	t.Helper()
	list, err := e.Beneficiaries(t.Context(), reach, text, 8)
	MustDo(t, err)
	var names []string
	for _, b := range list {
		names = append(names, b.Request.BeneficiaryName)
	}
	return strings.Join(names, ", ")
}

func TestStore_Beneficiaries(t *testing.T) {
	e := mustEnv(t)
	e.submit(t, of("Ana D'Ávila Gouvêa", "5500001"))
	e.submit(t, of("João Gouveia", "AB77200"))
	e.submit(t, of("Maria da Silva", "031000451206"))
	for text, want := range map[string]string{
		"gouve":            "João Gouveia, Ana D'Ávila Gouvêa",
		"GOUVEA ana":       "Ana D'Ávila Gouvêa",
		"d'avila":          "Ana D'Ávila Gouvêa",
		"silva maria":      "Maria da Silva",
		"0310.0045-12":     "Maria da Silva",
		"0310 0045":        "Maria da Silva",
		"maria 0310":       "Maria da Silva",
		"AB-77.2":          "João Gouveia",
		"ana silva":        "",
		"m":                "",
		"":                 "",
		`"*) OR words : (`: "",
		"anywhere":         "",
		"caio":             "",
		"0045":             "",
	} {
		if got := e.found(t, all, text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestStore_Beneficiaries_Latest: the latest request of a card tells of it, and what its name
// was before finds nobody.
func TestStore_Beneficiaries_Latest(t *testing.T) {
	e := mustEnv(t)
	e.submit(t, of("Maria Antunes", "0310"))
	e.submit(t, of("Rui Reis", "7719"))
	e.pass(time.Hour)
	last := e.submit(t, of("Maria Antunes Prado", "0310", func(r *authorization.Request) { r.BeneficiaryPlan = "Pleno" }))
	list, err := e.Beneficiaries(t.Context(), all, "antunes", 8)
	MustDo(t, err)
	if len(list) != 1 || list[0].Request.BeneficiaryPlan != "Pleno" || list[0].Last.UID != last.UID ||
		list[0].Names.Credential != "Vale Sereno" || list[0].Last.ProcedureName != "Um" {
		t.Fatalf("got %+v", list)
	}
	e.submit(t, of("Marta Prado", "0310"))
	if got := e.found(t, all, "antunes"); got != "" {
		t.Errorf("got %q by a name of before", got)
	}
	other := e.submit(t, of("Marta Prado", "0310", func(r *authorization.Request) { r.CredentialID = uuid.UUID{9} }))
	if got := e.found(t, all, "prado"); got != "Marta Prado, Marta Prado" {
		t.Errorf("got %q, want one for each credential", got)
	}
	cases, err := e.LatestOf(t.Context(), all, other.Request.CredentialID, "0310", 3)
	MustDo(t, err)
	if len(cases) != 1 || cases[0].UID != other.UID {
		t.Errorf("got %+v", cases)
	}
}

// TestStore_Beneficiaries_Reach: somebody sees what the cases of their units tell.
func TestStore_Beneficiaries_Reach(t *testing.T) {
	e := mustEnv(t)
	e.submit(t, of("Maria Centro", "0310", within(centro)))
	e.submit(t, of("Maria Praia", "0310", within(praia)))
	e.submit(t, of("Maria Outra", "0311", within(praia)))
	for _, tt := range []struct {
		reach permission.Reach
		want  string
		cases int
	}{
		{permission.Reach{Units: []uuid.UUID{centro}}, "Maria Centro", 1},
		{permission.Reach{Units: []uuid.UUID{praia}}, "Maria Outra, Maria Praia", 1},
		{permission.Reach{Units: []uuid.UUID{centro, praia}}, "Maria Outra, Maria Praia", 2},
		{all, "Maria Outra, Maria Praia", 2},
		{permission.Reach{Units: []uuid.UUID{uuid.New()}}, "", 0},
		{permission.Reach{}, "", 0},
	} {
		if got := e.found(t, tt.reach, "maria"); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.reach, got, tt.want)
		}
		cases, err := e.LatestOf(t.Context(), tt.reach, fullRequest().CredentialID, "0310", 3)
		MustDo(t, err)
		if len(cases) != tt.cases {
			t.Errorf("%v: got %d cases, want %d", tt.reach, len(cases), tt.cases)
		}
	}
}

func TestStore_Requesters(t *testing.T) {
	e := mustEnv(t)
	asks := func(name, council, number string) func(*authorization.Request) {
		return func(r *authorization.Request) {
			r.RequesterName, r.RequesterCouncil, r.RequesterNumber, r.RequesterState = name, council, number, "SP"
		}
	}
	e.submit(t, of("Maria", "0310", asks("Dr. Caio Leme", "CRM", "104552")))
	e.submit(t, of("Maria", "0310", asks("Dra. Íris Leme", "CRO", "104")))
	e.submit(t, of("Rui", "0311", asks("Caio Leme", "CRM", "104552")))
	caio := desk.Requester{Name: "Caio Leme", Council: "CRM", Number: "104552", State: "SP"}
	iris := desk.Requester{Name: "Dra. Íris Leme", Council: "CRO", Number: "104", State: "SP"}
	for text, want := range map[string][]desk.Requester{"leme": {caio, iris}, "iris": {iris}, "104552": {caio}, "maria": nil} {
		got, err := e.Requesters(t.Context(), text, 8)
		if err != nil || cmp.Diff(want, got) != "" {
			t.Errorf("%q: got %v, %v", text, got, err)
		}
	}
}

// TestStore_FillKnown: requests from before are known after the fill, however often it was
// cut short, and a later request meanwhile is not overwritten.
func TestStore_FillKnown(t *testing.T) {
	e := mustEnv(t)
	for i := range 3 {
		e.submit(t, of(fmt.Sprintf("Maria %d", i), "0310"))
	}
	e.submit(t, of("Rui", "7719"))
	e.forgetKnown(t)
	e.submit(t, of("Maria Nova", "0310"))
	if got := e.found(t, all, "rui"); got != "" {
		t.Fatalf("got %q before the fill", got)
	}
	cut, cancel := context.WithCancel(t.Context())
	cancel()
	if err := e.FillKnown(cut); err == nil {
		t.Error("a fill that was cut short tells nothing")
	}
	for range 2 {
		MustDo(t, e.FillKnown(t.Context()))
		if got := e.found(t, all, "maria") + "; " + e.found(t, all, "rui"); got != "Maria Nova; Rui" {
			t.Errorf("got %q", got)
		}
	}
}

// TestStore_Beneficiaries_Damaged: a request that is not as it was stored tells of nobody.
func TestStore_Beneficiaries_Damaged(t *testing.T) {
	e := mustEnv(t)
	sub := e.submit(t, of("Maria", "0310"))
	storetest.Unguard(t, e.db)
	MustDo(t, exec(e.db, `UPDATE submission SET beneficiary_plan = 'outro' WHERE uid = ?`, engine.UID(sub.UID)))
	if got := e.found(t, all, "maria"); got != "" {
		t.Errorf("got %q", got)
	}
}

// TestStore_Latest_Damaged: a latest request that cannot be read tells nothing, and stops no form; its row is told of.
func TestStore_Latest_Damaged(t *testing.T) {
	e := mustEnv(t)
	var told []string
	e.OnDamage(func(row checksum.Row) { told = append(told, row.String()) })
	sub := e.submit(t, of("Maria", "0310"))
	if _, err := e.LatestBy(t.Context(), sub.Sender.User); err != nil {
		t.Errorf("of a whole request: %v", err)
	}
	storetest.Unguard(t, e.db)
	MustDo(t, exec(e.db, `UPDATE submission SET card_validity = '31' WHERE uid = ?`, engine.UID(sub.UID)))
	if _, err := e.LatestBy(t.Context(), sub.Sender.User); !problem.Is(err, problem.NotFound) {
		t.Errorf("of the sender: %v, want none", err)
	}
	if _, err := e.LatestWith(t.Context(), all, sub.Request.CredentialID); !problem.Is(err, problem.NotFound) {
		t.Errorf("of the operator: %v, want none", err)
	}
	if len(told) == 0 || !strings.HasPrefix(told[0], "submission ") {
		t.Errorf("told of %q", told)
	}
}

// TestStore_RepairKnown: what is missing, old or changed is found by the check, and made again.
func TestStore_RepairKnown(t *testing.T) {
	for name, damage := range map[string]string{
		"Missing": `DELETE FROM known`,
		"Old":     `UPDATE known SET submission_id = (SELECT min(id) FROM submission)`,
		"Words":   `UPDATE known SET words = 'outra coisa'`,
		"Key":     `UPDATE known SET key = 'outra'`,
	} {
		t.Run(name, func(t *testing.T) {
			e := mustEnv(t)
			e.submit(t, of("Rui", "7719", func(r *authorization.Request) { r.RequesterNumber = "7" }))
			e.submit(t, of("Maria", "0310"))
			e.submit(t, of("Maria Reis", "0310"))
			MustDo(t, exec(e.db, damage+` WHERE submission_id = (SELECT max(id) FROM submission)`))
			differing, err := e.CheckLists(t.Context(), nil)
			MustDo(t, err)
			repaired, err := e.RepairLists(t.Context(), differing)
			MustDo(t, err)
			if len(differing) == 0 || len(repaired) != len(differing) || e.found(t, all, "reis") != "Maria Reis" {
				t.Errorf("%v differ, %v were repaired, and found is %q", differing, repaired, e.found(t, all, "reis"))
			}
		})
	}
}
