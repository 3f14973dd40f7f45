package caselist_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
	"guiche/internal/store/engine"
)

// Letters beyond those of western Europe are compared by the full-text index alone.
var (
	western = []string{"Maria", "MARIA", "Márcia", "Mariana", "José", "Jos\u00e9lia", "Zoë", "Straße", "Lucas"}
	others  = append([]string{"İlker", "Łukasz", "A\u0301lvaro"}, western...)
)

// mustName gives each case words: names as they are written in Brazil, elsewhere, and by
// programs, and numbers in groups.
func mustName(t *testing.T, tx *engine.Tx, rows []caselist.Row, first []string) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4)) // the same names each time
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	for _, r := range rows {
		mustWord(t, tx, r.ID,
			pick(first...)+" "+
				pick("da Silva", "d'Ávila", "Silveira", "SILVÉRIO", "Souza", "Conceição", "Ñandú", "Ørsted", "ªb", "x"),
			pick("0310 0045 1206", "031000451206", "0011-2233 00112233", "BG-771904 BG771904", "7719"),
			pick("40316521 Tireoestimulante, hormônio (TSH)", "40901122 US - Abdome total", "20102020 Holter de 24 horas"))
	}
}

// mustWord has a case found by words.
func mustWord(t *testing.T, tx *engine.Tx, id int64, names, numbers, procedures string) {
	t.Helper()
	must(t, tx.Insert(t.Context(), "history", []string{"submission_id", "names", "numbers", "procedures"}, id, names, numbers, procedures))
	must(t, tx.AddText(t.Context(), wordIndex, id, names, numbers, procedures))
}

// wordIndex is the full-text index of cases.
var wordIndex = engine.TextIndex{Table: "history_text", Columns: []string{"names", "numbers", "procedures"}}

// TestFinder_Find_Beginnings: a beginning that very many words have is found as well.
func TestFinder_Find_Beginnings(t *testing.T) {
	within(t, 200, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
		for _, r := range rows {
			mustWord(t, tx, r.ID, fmt.Sprintf("Josef%c%c", 'a'+r.ID%26, 'a'+r.ID/26), fmt.Sprint(7001000+r.ID%50), "US")
		}
		for text, want := range map[string]int{"josef": 200, "josefa": 7, "josefab": 1, "70010": 200, "7001049 jose": 4, "josef 70011": 0} {
			f := caselist.NewFinder(values)
			f.Words(engine.Words(text))
			got, err := f.Find(t.Context(), tx, nil, 1000)
			if err != nil || len(got) != want {
				t.Errorf("%q: got %d cases, %v, want %d", text, len(got), err, want)
			}
		}
	})
}

// TestFinder_Find: whatever the words are, and whatever else is asked, the same cases are
// found as the full-text index alone finds.
func TestFinder_Find(t *testing.T) {
	const limit = 20
	asked := []question{
		{unit: -1, credential: -1, sender: -1, group: -1}, {unit: 1, credential: -1, sender: -1, group: 5},
		{units: []byte{0, 2}, unit: -1, credential: -1, sender: -1, group: -1, below: 300},
		{unit: -1, credential: 0, sender: 1, group: -1, status: authorization.Authorized},
		{unit: -1, credential: -1, sender: -1, group: 3}, {unit: 2, credential: -1, sender: -1, group: -1, status: "N"},
		{unit: -1, credential: 0, sender: -1, group: -1}, {unit: -1, credential: -1, sender: -1, group: -1, status: "N"},
		{unit: 3, credential: 4, sender: -1, group: -1}, {unit: 3, credential: 3, sender: -1, group: -1},
		{units: []byte{0}, unit: -1, credential: -1, sender: -1, group: -1, where: true},
	}
	texts := []string{
		"maria", "marian", "mariana silv", "MÁRCIA", "silva", "silveri", "d'ávila", "avila", "conceicao", "jose", "joselia", "zoe",
		"ilker", "İlker", "strasse", "straße", "łuk", "luk", "alvaro", "A\u0301lvaro", "ñandu", "nandu", "orsted", "ørsted", "ªb",
		"0310 0045", "0310 0045 1206", "maria 0310 0045", "bg771904", "bg 771904", "tireoestimulante silva", "hormonio tsh",
		"m s t", "x", "holter 24", "nada", "abdome total maria", "a b c d e f g h", "tota", "m maria mar", "maria naoha", "silve 03100",
		"tireoestimulante", "silverio holter", "40901 maria", "conta",
	}
	for _, first := range [][]string{western, others} {
		within(t, 5000, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
			mustName(t, tx, rows, first)
			for _, text := range texts {
				all := found(t, tx, text)
				for _, q := range asked {
					var want, got []int64
					for _, r := range all {
						if q.holds(values, rows[r-1]) && len(want) < limit {
							want = append(want, r)
						}
					}
					f := q.finder(values)
					f.Words(engine.Words(text))
					listed, err := f.Find(t.Context(), tx, func(r checksum.Row) { t.Errorf("damaged: %v", r) }, limit)
					must(t, err)
					for _, r := range listed {
						got = append(got, r.ID)
					}
					if !slices.Equal(got, want) {
						t.Errorf("%q %+v: got %v, want %v", text, q, got, want)
					}
				}
			}
		})
	}
}

// TestFinder_Find_Rare: within a group of few cases the same cases are found, whether all of
// them are noted as such, none, or all but one.
func TestFinder_Find_Rare(t *testing.T) {
	const limit = 20
	groups := []question{
		{unit: -1, credential: -1, sender: -1, group: 0}, {unit: 1, credential: -1, sender: -1, group: 4},
		{unit: -1, credential: -1, sender: -1, group: 0, below: 300}, {unit: 4, credential: 4, sender: -1, group: 0},
	}
	for _, first := range [][]string{western, others} {
		within(t, 2000, func(tx *engine.Tx, values caselist.FilterValues, rows []caselist.Row) {
			mustName(t, tx, rows, first)
			for _, noted := range []string{
				`0`, `1 WHERE submission_id IN (SELECT submission_id FROM case_summary WHERE queue_group = 0)`,
				`2 WHERE submission_id IN (SELECT submission_id FROM case_summary WHERE queue_group = 4)`,
				`0 WHERE submission_id = (SELECT max(submission_id) FROM history WHERE rare = 1)`,
				`0 WHERE submission_id = (SELECT min(submission_id) FROM history WHERE rare = 2)`,
			} {
				_, err := tx.Exec(t.Context(), `UPDATE history SET rare = `+noted)
				must(t, err)
				for _, text := range []string{"maria", "mariana silv", "d'ávila", "joselia", "İlker", "0310 0045", "holter silva", "nada"} {
					having := found(t, tx, text)
					for _, q := range groups {
						var want []int64
						for _, r := range having {
							if q.holds(values, rows[r-1]) && len(want) < limit {
								want = append(want, r)
							}
						}
						f := q.finder(values)
						f.Words(engine.Words(text))
						listed, err := f.Find(t.Context(), tx, nil, limit)
						must(t, err)
						if got := allIDs(listed); !slices.Equal(got, want) {
							t.Errorf("rare = %s, %q %+v: got %v, want %v", noted, text, q, got, want)
						}
					}
				}
			}
		})
	}
}

// found are the cases that the full-text index finds, newest first.
func found(t *testing.T, tx *engine.Tx, text string) []int64 {
	t.Helper()
	in := tx.Match(wordIndex, engine.BeginAll(engine.Alternatives(engine.Words(text))...))
	all, err := engine.List(t.Context(), tx, func(row engine.Row) (id int64, err error) {
		err = row.Scan(&id)
		return id, err
	}, `SELECT `+in.ID+` FROM `+in.From+` ORDER BY `+in.ID+` DESC`, in.Value)
	if err != nil {
		t.Fatalf("%s: %v", strings.ToUpper(text), err)
	}
	return all
}
