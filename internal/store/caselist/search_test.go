package caselist_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/sqlite"
	"guiche/internal/store/caselist"
	"guiche/internal/store/checksum"
)

// mustName gives each case words: names as they are written in Brazil, elsewhere, and by
// programs, and numbers in groups.
func mustName(t *testing.T, tx *sqlite.Tx, rows []caselist.Row) {
	t.Helper()
	random := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // the same names each time
	pick := func(words ...string) string { return words[random.IntN(len(words))] }
	for _, r := range rows {
		_, err := tx.Exec(t.Context(), `INSERT INTO history (submission_id, names, numbers, procedures) VALUES (?, ?, ?, ?)`, r.ID,
			pick("Maria", "MARIA", "Márcia", "Mariana", "José", "Jos\u00e9lia", "Zoë", "İlker", "Straße", "Łukasz", "A\u0301lvaro")+" "+
				pick("da Silva", "d'Ávila", "Silveira", "SILVÉRIO", "Souza", "Conceição", "Ñandú", "Ørsted", "ªb", "x"),
			pick("0310 0045 1206", "031000451206", "0011-2233 00112233", "BG-771904 BG771904", "7719"),
			pick("40316521 Tireoestimulante, hormônio (TSH)", "40901122 US - Abdome total", "20102020 Holter de 24 horas"))
		must(t, err)
		_, err = tx.Exec(t.Context(), `INSERT INTO history_text (rowid, names, numbers, procedures)
			SELECT submission_id, names, numbers, procedures FROM history WHERE submission_id = ?`, r.ID)
		must(t, err)
	}
}

// TestFinder_Find: whatever the words are, and whatever else is asked, the same cases are
// found as the full-text index alone finds.
func TestFinder_Find(t *testing.T) {
	const limit = 20
	texts := []string{
		"maria", "marian", "mariana silv", "MÁRCIA", "silva", "silveri", "d'ávila", "avila", "conceicao", "jose", "joselia", "zoe",
		"ilker", "İlker", "strasse", "straße", "łuk", "luk", "alvaro", "A\u0301lvaro", "ñandu", "nandu", "orsted", "ørsted", "ªb",
		"0310 0045", "0310 0045 1206", "maria 0310 0045", "bg771904", "bg 771904", "tireoestimulante silva", "hormonio tsh",
		"m s t", "x", "holter 24", "nada", "abdome total maria", "a b c d e f g h", "tota",
	}
	within(t, 400, func(tx *sqlite.Tx, values caselist.FilterValues, rows []caselist.Row) {
		mustName(t, tx, rows)
		for _, text := range texts {
			for _, q := range []question{
				{unit: -1, credential: -1, sender: -1, group: -1}, {unit: 1, credential: -1, sender: -1, group: 5},
				{units: []byte{0, 2}, unit: -1, credential: -1, sender: -1, group: -1, below: 300},
				{unit: -1, credential: 0, sender: 1, group: -1, status: authorization.Authorized},
			} {
				var want, got []int64
				for _, r := range found(t, tx, text) {
					if q.holds(values, rows[r-1]) && len(want) < limit {
						want = append(want, r)
					}
				}
				f := q.finder(values)
				f.Words(sqlite.Words(text))
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

// found are the cases that the full-text index finds, newest first.
func found(t *testing.T, tx *sqlite.Tx, text string) []int64 {
	t.Helper()
	all, err := sqlite.List(t.Context(), tx, func(row sqlite.Row) (id int64, err error) {
		err = row.Scan(&id)
		return id, err
	}, `SELECT rowid FROM history_text WHERE history_text MATCH ? ORDER BY rowid DESC`, sqlite.MatchQuery(sqlite.Words(text)))
	if err != nil {
		t.Fatalf("%s: %v", strings.ToUpper(text), err)
	}
	return all
}
