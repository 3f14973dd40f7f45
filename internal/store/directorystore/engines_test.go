package directorystore_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"guiche/internal/audit"
	"guiche/internal/directory"
	"guiche/internal/directory/catalogue"
	"guiche/internal/sqlite"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/directorystore"
	"guiche/internal/store/engine"
	"guiche/internal/store/storetest"
	"guiche/migrations"

	"github.com/google/go-cmp/cmp"
)

// catalogueIn returns the directory with the procedures that the program ships.
func catalogueIn(t *testing.T, db engine.DB) *directory.Directory {
	t.Helper()
	var all []directory.Procedure
	for i, p := range catalogue.Procedures() {
		all = append(all, directory.Procedure{Code: p.Code, Name: p.Name, Aliases: p.Aliases, Active: i%50 > 0})
	}
	r := directory.New(directorystore.New(db, auditlog.New(db, audit.Key{1})))
	MustDo(t, r.PutProcedures(t.Context(), all...))
	return r
}

// typed is what somebody may type to find a procedure: beginnings of its words, or of its code.
func typed(random *rand.Rand, p directory.Procedure) string {
	if random.IntN(8) == 0 {
		return p.Code[:1+random.IntN(len(p.Code))]
	}
	names := append([]string{p.Name}, p.Aliases...)
	words := engine.Words(names[random.IntN(len(names))])
	words = words[random.IntN(len(words)):]
	words = words[:1+random.IntN(min(3, len(words)))]
	for i, word := range words {
		runes := []rune(word)
		switch random.IntN(4) {
		case 0:
			words[i] = strings.ToUpper(word)
		case 1, 2:
			words[i] = engine.Fold(string(runes[:1+random.IntN(len(runes))]))
		}
	}
	return strings.Join(words, " ")
}

// TestStore_SearchProcedures_Engines: for the same words both engines find the same procedures in the same order.
func TestStore_SearchProcedures_Engines(t *testing.T) {
	if !storetest.OnPostgres() {
		t.Skip("it compares PostgreSQL with SQLite: make test-postgres")
	}
	const queries, shown = 200, 12
	random := rand.New(rand.NewPCG(13, 300)) // the same queries each time
	path := storetest.Migrated(t, migrations.Desk)
	db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: path, Migrations: migrations.Desk})
	MustDo(t, err)
	t.Cleanup(func() { MustDo(t, db.Close()) })
	one, other := catalogueIn(t, db), catalogueIn(t, storetest.Open(t, migrations.Desk, nil))
	all, _, err := one.ListProcedures(t.Context(), "", 0, 1000)
	MustDo(t, err)
	found := 0
	for range queries {
		text := typed(random, all[random.IntN(len(all))])
		want, err := one.SearchProcedures(t.Context(), text, shown)
		MustDo(t, err)
		got, err := other.SearchProcedures(t.Context(), text, shown)
		MustDo(t, err)
		if diff := cmp.Diff(got, want); diff != "" {
			t.Errorf("%q: PostgreSQL, SQLite\n%s", text, diff)
		}
		if len(want) > 1 {
			found++
		}
	}
	t.Logf("%d of %d queries find several", found, queries)
	if found < queries/2 {
		t.Errorf("%d of %d queries find several: too few to compare", found, queries)
	}
}

// TestStore_SearchProcedures_Order: what people mean most often comes first.
func TestStore_SearchProcedures_Order(t *testing.T) {
	r := catalogueIn(t, storetest.Open(t, migrations.Desk, nil))
	for text, want := range map[string][]string{
		"tc":       {"40304582", "41001010"},             // a name says this alone, then those that begin so
		"consulta": {"10101020", "50000462"},             // more names begin so
		"tsh":      {"40316521", "40305627", "40316084"}, // less before the parenthesis
		"us abd":   {"40901122", "40901130"},
		"colest":   {"40301583", "40301591", "40302695", "40302750"},
		"hemogr":   {"40304361"},
		"403043":   {"40304353", "40304361", "40304370"}, // by code
	} {
		found, err := r.SearchProcedures(t.Context(), text, len(want))
		MustDo(t, err)
		var got []string
		for _, p := range found {
			got = append(got, p.Code)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", text, got, want)
		}
	}
}
