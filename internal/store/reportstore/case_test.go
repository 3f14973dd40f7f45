package reportstore_test

import (
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"guiche/internal/audit"
	"guiche/internal/authorization"
	"guiche/internal/permission"
	"guiche/internal/problem"
	"guiche/internal/report"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/checksum"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/reportstore"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// MustFill adds seven cases that differ in everything a filter asks for, and
// returns the store over them.
func MustFill(tb testing.TB) report.Store {
	tb.Helper()
	db, s, _ := MustOpen(tb)
	day := 24 * time.Hour
	for _, k := range []kase{
		{name: "Helena", at: noon.Add(-6 * day)},
		{name: "Pedro", at: noon.Add(-5 * day), credential: guarida, status: "A", group: 5, password: "482", guide: true},
		{name: "Lia", at: noon.Add(-4 * day), unit: jardim, sender: ivone, status: "V", group: 2},
		{name: "Nair", at: noon.Add(-3 * day), unit: jardim, credential: guarida, status: "N", group: 3},
		{name: "Davi", at: noon.Add(-2 * day), sender: ivone, status: "W", group: 5},
		{name: "Iara", at: noon.Add(-1 * day), status: "Ç", group: 2},
		{name: "Olga", at: noon, unit: jardim, status: "Q7", group: 4},
	} {
		MustAdd(tb, db, k)
	}
	unknown := MustAdd(tb, db, kase{name: "Júlio"})
	for _, step := range []string{`'sending', due_at = 0, lease = uid`, `'unknown', lease = NULL, queue_group = 0`} {
		MustExec(tb, db, `UPDATE submission_state SET state = `+step+` FROM submission s WHERE s.id = submission_id
			AND s.uid = ?`, engine.UID(unknown))
	}
	MustList(tb, db)
	MustExec(tb, db, `INSERT INTO desk_person (uid, name) VALUES (?, 'Ana Prado'), (?, 'Ivone Sá')`, engine.UID(ana), engine.UID(ivone))
	return s
}

// found returns the names in the order of the answer.
func found(tb testing.TB, s report.Store, reach permission.Reach, q report.Query) []string {
	tb.Helper()
	if q.Limit == 0 {
		q.Limit = 100
	}
	cases, _, err := s.Cases(tb.Context(), reach, q)
	MustDo(tb, err)
	names := []string{}
	for _, c := range cases {
		names = append(names, c.BeneficiaryName)
	}
	return names
}

func TestStore_Cases(t *testing.T) {
	s := MustFill(t)
	situation := func(word string) report.Query {
		parsed, ok := report.ParseSituation(word)
		if !ok {
			t.Fatalf("no situation %q", word)
		}
		return report.Query{Filter: report.Filter{Situation: parsed}}
	}
	two := permission.Reach{Units: []uuid.UUID{jardim, uuid.New()}}
	for _, tc := range []struct {
		name  string
		reach permission.Reach
		query report.Query
		want  []string
	}{
		{"NewestFirst", everything, report.Query{}, []string{"Júlio", "Olga", "Iara", "Davi", "Nair", "Lia", "Pedro", "Helena"}},
		{"Limit", everything, report.Query{Limit: 2}, []string{"Júlio", "Olga"}},
		{"OneUnitOnly", permission.Reach{Units: []uuid.UUID{jardim}}, report.Query{}, []string{"Olga", "Nair", "Lia"}},
		{"SeveralUnits", two, report.Query{}, []string{"Olga", "Nair", "Lia"}},
		{"NoUnit", permission.Reach{}, report.Query{}, []string{}},
		{"UnitFilter", everything, report.Query{Filter: report.Filter{Unit: jardim}}, []string{"Olga", "Nair", "Lia"}},
		{"UnitFilterBeyondReach", permission.Reach{Units: []uuid.UUID{jardim}}, report.Query{Filter: report.Filter{Unit: centro}}, []string{}},
		{"UnitFilterWithinReach", two, report.Query{Filter: report.Filter{Unit: jardim}}, []string{"Olga", "Nair", "Lia"}},
		{"Credential", everything, report.Query{Filter: report.Filter{Credential: guarida}}, []string{"Nair", "Pedro"}},
		{"Sender", everything, report.Query{Filter: report.Filter{Sender: ivone}}, []string{"Davi", "Lia"}},
		{"CredentialAndUnit", everything, report.Query{Filter: report.Filter{Credential: guarida, Unit: jardim}}, []string{"Nair"}},
		{"Group", everything, situation("ok"), []string{"Davi", "Pedro"}},
		{"GroupOfUnknownCodes", everything, situation("nao"), []string{"Olga"}},
		{"Code", everything, situation("W"), []string{"Davi"}},
		{"Cedilla", everything, situation("Ç"), []string{"Iara"}},
		{"WithoutAnswer", everything, situation("sem-resposta"), []string{"Júlio"}},
		{"WithoutAnswerBeyondReach", two, situation("sem-resposta"), []string{}},
		{"Since", everything, report.Query{Since: noon.Add(-24 * time.Hour)}, []string{"Júlio", "Olga", "Iara"}},
		{"Before", everything, report.Query{Before: noon.Add(-4 * 24 * time.Hour)}, []string{"Pedro", "Helena"}},
		{"Period", everything, report.Query{Since: noon.Add(-4 * 24 * time.Hour), Before: noon.Add(-2 * 24 * time.Hour)},
			[]string{"Nair", "Lia"}},
		{"PeriodWithoutCases", everything, report.Query{Since: noon.Add(time.Hour)}, []string{}},
		{"PeriodBeforeAllCases", everything, report.Query{Before: noon.Add(-30 * 24 * time.Hour)}, []string{}},
		{"TextWithFilters", everything, report.Query{Filter: report.Filter{Text: "tsh", Sender: ivone, Unit: jardim}}, []string{"Lia"}},
		{"TextBeyondReach", two, report.Query{Filter: report.Filter{Text: "helena"}}, []string{}},
		{"TextInPeriod", everything, report.Query{Since: noon, Filter: report.Filter{Text: "tsh"}}, []string{"Júlio", "Olga"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := found(t, s, tc.reach, tc.query); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestStore_Cases_Row(t *testing.T) {
	s := MustFill(t)
	cases, _, err := s.Cases(t.Context(), everything, report.Query{Filter: report.Filter{Text: "pedro"}, Limit: 1})
	MustDo(t, err)
	want := report.Row{CreatedAt: noon.Add(-5 * 24 * time.Hour), BeneficiaryName: "Pedro", CardNumber: "0310004512063345",
		Credential: "Operadora 2", Unit: "Unidade 1", Sender: "Ana Prado", FirstProcedure: "40316521", Procedures: 1,
		State: "answered", Status: "A", Group: authorization.Ready, Senha: "482", HasGuide: true}
	cases[0].UID = uuid.Nil
	if diff := cmp.Diff(cases[0], want); diff != "" {
		t.Errorf("got, want\n%s", diff)
	}
}

// TestStore_Cases_Damaged: of a case whose row is damaged only its identifier is listed, and
// the damage is told.
func TestStore_Cases_Damaged(t *testing.T) {
	db, _, _ := MustOpen(t)
	bad, good := MustAdd(t, db, kase{name: "Pedro"}), MustAdd(t, db, kase{name: "Rita"})
	MustExec(t, db, `UPDATE case_summary SET card_number = 'x' WHERE uid = ?`, bad[:])
	var told []string
	cases := deskstore.New(db, nil)
	cases.OnDamage(func(row checksum.Row) { told = append(told, row.String()) })
	s := reportstore.New(db, auditlog.New(db, audit.Key{1}), cases)
	got, _, err := s.Cases(t.Context(), everything, report.Query{Limit: 10})
	MustDo(t, err)
	if len(got) != 2 || got[0].UID != good || got[0].Damaged || got[0].BeneficiaryName != "Rita" ||
		got[1] != (report.Row{UID: bad, Damaged: true}) {
		t.Errorf("got %+v, want the second one as damaged and nothing else of it", got)
	}
	want := []string{fmt.Sprint("case_summary ", mustID(t, db, "Pedro"))}
	if !slices.Equal(slices.Compact(told), want) { // told again by each run
		t.Errorf("told of %q, want %q", told, want)
	}
}

// Pages of every size go through all cases once, whatever finds them.
func TestStore_Cases_Pages(t *testing.T) {
	db, s, _ := MustOpen(t)
	for i := range 11 {
		MustAdd(t, db, kase{name: "Caso " + strconv.Itoa(i)})
	}
	for _, filter := range []report.Filter{{}, {Text: "caso"}, {Unit: centro, Sender: ana}} {
		all := found(t, s, everything, report.Query{Filter: filter})
		for _, size := range []int{1, 3, 10, 11} {
			var got []string
			for after := uuid.Nil; ; {
				page, _, err := s.Cases(t.Context(), everything, report.Query{Filter: filter, After: after, Limit: size})
				MustDo(t, err)
				if len(page) == 0 {
					break
				}
				for _, c := range page {
					got, after = append(got, c.BeneficiaryName), c.UID
				}
			}
			if len(got) != 11 || !slices.Equal(got, all) {
				t.Errorf("%+v by %d: got %v, want %v", filter, size, got, all)
			}
		}
	}
	t.Run("ErrCursorBeyondReach", func(t *testing.T) {
		first, _, err := s.Cases(t.Context(), everything, report.Query{Limit: 1})
		MustDo(t, err)
		for _, after := range []uuid.UUID{first[0].UID, uuid.New()} {
			_, _, err := s.Cases(t.Context(), permission.Reach{Units: []uuid.UUID{jardim}}, report.Query{After: after, Limit: 1})
			if !problem.Is(err, problem.NotFound) {
				t.Errorf("got %v, want not found", err)
			}
		}
	})
}

// A clock that was set back hides no case from a period.
func TestStore_Cases_ClockSetBack(t *testing.T) {
	db, s, _ := MustOpen(t)
	for _, k := range []kase{{name: "Adiantada", at: noon.Add(time.Hour)}, {name: "Certa", at: noon},
		{name: "Depois", at: noon.Add(2 * time.Hour)}} {
		MustAdd(t, db, k)
	}
	for _, tc := range []struct {
		query report.Query
		want  []string
	}{
		{report.Query{Since: noon}, []string{"Depois", "Certa", "Adiantada"}},
		{report.Query{Since: noon.Add(time.Minute)}, []string{"Depois", "Adiantada"}},
		{report.Query{Before: noon.Add(time.Minute)}, []string{"Certa"}},
		{report.Query{Before: noon.Add(90 * time.Minute)}, []string{"Certa", "Adiantada"}},
	} {
		if got := found(t, s, everything, tc.query); !slices.Equal(got, tc.want) {
			t.Errorf("%+v: got %v, want %v", tc.query, got, tc.want)
		}
	}
}

func TestStore_Choices(t *testing.T) {
	s := MustFill(t)
	all, err := s.Choices(t.Context(), everything)
	MustDo(t, err)
	want := report.Choices{
		Credentials: []report.Choice{{UID: sereno, Name: "Operadora 1"}, {UID: guarida, Name: "Operadora 2"}},
		Units:       []report.Choice{{UID: centro, Name: "Unidade 1"}, {UID: jardim, Name: "Unidade 2"}},
		Senders:     []report.Choice{{UID: ana, Name: "Ana Prado"}, {UID: ivone, Name: "Ivone Sá"}},
	}
	numbers := map[int64]bool{}
	for _, list := range [][]report.Choice{all.Credentials, all.Units, all.Senders} {
		for i := range list {
			numbers[list[i].Number], list[i].Number = true, 0
		}
	}
	if diff := cmp.Diff(all, want); diff != "" || len(numbers) != 6 || numbers[0] {
		t.Errorf("numbers %v; got, want\n%s", numbers, diff)
	}
	t.Run("UnitsWithinReachOnly", func(t *testing.T) {
		got, err := s.Choices(t.Context(), permission.Reach{Units: []uuid.UUID{jardim}})
		MustDo(t, err)
		if len(got.Units) > 0 {
			got.Units[0].Number = 0
		}
		if diff := cmp.Diff(got.Units, want.Units[1:]); diff != "" {
			t.Errorf("got, want\n%s", diff)
		}
	})
	t.Run("NoCases", func(t *testing.T) {
		_, empty, _ := MustOpen(t)
		if got, err := empty.Choices(t.Context(), everything); err != nil || len(got.Credentials)+len(got.Units)+len(got.Senders) != 0 {
			t.Errorf("got %+v, %v, want none", got, err)
		}
	})
}
