package deskstore_test

import (
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"

	"github.com/google/uuid"
)

// TestStore_LatestUses_Plan: what is told before sending is read by indexes alone.
func TestStore_LatestUses_Plan(t *testing.T) {
	storetest.OfSQLite(t) // whose plan it is
	db, _ := MustOpen(t)
	for query, args := range map[string][]any{
		deskstore.LatestUsesQuery:     {engine.UID(uuid.New()), "40901122", 60, 20},
		deskstore.LatestOutcomesQuery: {int64(authorization.Refusal), engine.UID(uuid.New()), "40901122", 20},
		deskstore.LatestCardsQuery:    {engine.UID(uuid.New()), 20, "V"},
	} {
		plan, err := engine.Get(t.Context(), db, func(tx *engine.Tx) ([]string, error) {
			return engine.List(t.Context(), tx, func(row engine.Row) (detail string, err error) {
				var id, parent, unused int
				err = row.Scan(&id, &parent, &unused, &detail)
				return detail, err
			}, `EXPLAIN QUERY PLAN `+query, args...)
		})
		MustDo(t, err)
		for _, step := range plan {
			limited := step == "SCAN p" || strings.HasPrefix(step, "SCAN (subquery") || step == "SCAN u"
			if strings.HasPrefix(step, "SCAN") && !limited || strings.Contains(step, "TEMP B-TREE FOR ORDER") {
				t.Errorf("%s, in\n%s", step, strings.Join(plan, "\n"))
			}
		}
	}
}

// TestStore_LatestCards: those of the operator alone, the latest first.
func TestStore_LatestCards(t *testing.T) {
	e := mustEnv(t)
	e.submit(t, of("Ana", "11"))
	e.submit(t, of("Bia", "22"))
	e.submit(t, of("Caio", "33", func(r *authorization.Request) { r.CredentialID = uuid.UUID{9} }))
	cards, err := e.LatestCards(t.Context(), fullRequest().CredentialID, 20)
	MustDo(t, err)
	if got := strings.Join(cards, " "); got != "22 11" {
		t.Errorf("got %q", got)
	}
}

// TestStore_LatestUses_Repair: rows that are missing are found by the check, and made again.
func TestStore_LatestUses_Repair(t *testing.T) {
	e := mustEnv(t)
	e.submit(t, of("Ana", "11"))
	MustDo(t, exec(e.db, `DELETE FROM procedure_use`))
	differing, err := e.CheckLists(t.Context(), nil)
	MustDo(t, err)
	repaired, err := e.RepairLists(t.Context(), differing)
	MustDo(t, err)
	again, err := e.CheckLists(t.Context(), nil)
	MustDo(t, err)
	if len(differing) != 1 || len(repaired) != 1 || len(again) > 0 {
		t.Errorf("%v differ, %v were repaired, %v differ still", differing, repaired, again)
	}
}
