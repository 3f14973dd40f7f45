package deskstore_test

import (
	"testing"

	"github.com/google/uuid"

	"guiche/internal/desk"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/store/caselist"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/storetest"
)

// TestStore_CheckLists: whatever lists are read from that is not what the cases say is found,
// and made again from them.
func TestStore_CheckLists(t *testing.T) {
	for name, harm := range map[string]string{
		"Value":   `UPDATE case_summary SET beneficiary_name = 'outro' WHERE submission_id = (SELECT min(id) FROM submission)`,
		"Sealed":  `UPDATE case_summary SET state = 'queued' WHERE submission_id = (SELECT min(id) FROM submission)`,
		"Missing": `DELETE FROM case_summary WHERE submission_id = (SELECT min(id) FROM submission)`,
		"Counter": `UPDATE queue_count SET cases = cases + 1`,
		"NoCount": `DELETE FROM queue_count`,
		"TooMany": `INSERT INTO queue_count (queue_group, unit, cases) SELECT 3, unit, 1 FROM case_summary LIMIT 1`,
		"Place":   `UPDATE queue_case SET queue_group = 3`,
		"Left":    `DELETE FROM queue_case`,
		"Words":   `UPDATE history SET names = 'outro' WHERE submission_id = (SELECT min(id) FROM submission)`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			db, s := MustOpen(t)
			mustFillAll(t, s, 3)
			MustDo(t, caselist.LearnPending(ctx, db))
			mustListAll(t, s)
			before, err := s.Cases(ctx, all, desk.Query{Limit: 10})
			MustDo(t, err)
			MustDo(t, exec(db, harm))
			differing, err := s.CheckLists(ctx, nil)
			if err != nil || len(differing) == 0 {
				t.Fatalf("got %v, %v, want the difference", differing, err)
			}
			repaired, err := s.RepairLists(ctx, differing)
			if err != nil || len(repaired) != len(differing) {
				t.Errorf("got %v made again, %v, want %v", repaired, err, differing)
			}
			mustListAll(t, s)
			after, err := s.Cases(ctx, all, desk.Query{Limit: 10})
			if err != nil || len(after) != len(before) || after[len(after)-1] != before[len(before)-1] {
				t.Errorf("got %+v, %v, want as before", after, err)
			}
		})
	}
}

// TestStore_RepairLists_Damaged: of a case that is damaged itself no list is made.
func TestStore_RepairLists_Damaged(t *testing.T) {
	ctx := t.Context()
	db, s := MustOpen(t)
	MustSubmit(t, s)
	storetest.Unguard(t, db)
	MustDo(t, exec(db, `UPDATE submission SET card_number = '9'`))
	differing, err := s.CheckLists(ctx, nil)
	MustDo(t, err)
	repaired, err := s.RepairLists(ctx, differing)
	if err != nil || len(differing) == 0 || len(repaired) != 0 {
		t.Errorf("got %v made again of %v, %v, want nothing", repaired, differing, err)
	}
}

// TestStore_RepairLists_Lost: a case that is gone is told by its address, and what lists have of it stays.
func TestStore_RepairLists_Lost(t *testing.T) {
	ctx := t.Context()
	db, s := MustOpen(t)
	lost := MustSubmit(t, s)
	storetest.Unguard(t, db)
	MustDo(t, exec(db, `CREATE TABLE gone AS SELECT * FROM submission_state`))
	MustDo(t, exec(db, `DELETE FROM submission_state`))
	differing, err := s.CheckLists(ctx, nil)
	if err != nil || len(differing) != 1 || !deskstore.IsLost(differing[0]) {
		t.Fatalf("got %v, %v, want one lost case", differing, err)
	}
	if uid, err := s.CaseOfRow(ctx, differing[0]); uid != lost.UID || err != nil {
		t.Errorf("got case %s, %v, want %s", uid, err, lost.UID)
	}
	for reach, want := range map[*permission.Reach]problem.Code{
		{All: true}: problem.Damaged,
		{Units: []uuid.UUID{lost.Request.UnitID}}: problem.Damaged,
		{Units: []uuid.UUID{uuid.New()}}:          problem.NotFound,
	} {
		if _, err := s.Case(ctx, *reach, lost.UID); !problem.Is(err, want) {
			t.Errorf("%+v: got %v, want %s", *reach, err, want)
		}
	}
	if back, err := s.IsBack(ctx, differing[0].String()); back || err != nil {
		t.Errorf("got that it is back %t, %v", back, err)
	}
	repaired, err := s.RepairLists(ctx, differing)
	left, _ := s.CheckLists(ctx, nil)
	if err != nil || len(repaired) != 0 || len(left) != 1 {
		t.Errorf("got %v made again, %v, and %v left, want the case left as it is", repaired, err, left)
	}
	MustDo(t, exec(db, `INSERT INTO submission_state SELECT * FROM gone`))
	for name, want := range map[string]bool{differing[0].String(): true, "case 99": false, "answer 1": false} {
		if back, err := s.IsBack(ctx, name); back != want || err != nil {
			t.Errorf("%s: got that it is back %t, %v, want %t", name, back, err, want)
		}
	}
}
