package reportstore_test

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"guiche/internal/audit"
	"guiche/internal/report"
	"guiche/internal/sqlite"
	"guiche/internal/store/auditlog"
	"guiche/internal/store/caselist"
	"guiche/internal/store/deskstore"
	"guiche/internal/store/engine"
	"guiche/internal/store/reportstore"
	"guiche/internal/store/storetest"
	"guiche/migrations"
)

// MustWords adds cases whose names, numbers and procedures are searched.
func MustWords(tb testing.TB) (engine.DB, *reportstore.Store) {
	tb.Helper()
	db, s, _ := MustOpen(tb)
	for _, k := range []kase{
		{name: "Marta d'Ávila", card: "0011-2233", procedures: []string{"40901122 US - Abdome total", "20102020 Holter de 24 horas"}},
		{name: "José Ângelo", card: "7719000022900056", status: "A", group: 5, password: "BG-771904",
			numbers: []string{"900123", "PROT 55.44", "PARC77", "SOL-8"}},
		{name: "Nome NEAR OR", card: "5500111122223333"},
	} {
		MustAdd(tb, db, k)
	}
	return db, s
}

func TestStore_Cases_Text(t *testing.T) {
	_, s := MustWords(t)
	const marta, jose, near = "Marta d'Ávila", "José Ângelo", "Nome NEAR OR"
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"Name", "marta", []string{marta}},
		{"WithoutAccents", "angelo jose", []string{jose}},
		{"AccentsNobodyWrote", "mártà", []string{marta}},
		{"DecomposedAccents", "A\u0302ngelo", []string{jose}},
		{"Apostrophe", "d'Ávila", []string{marta}},
		{"ApostropheTypedOtherwise", "d´avila", []string{marta}},
		{"BeginningOfWord", "mar", []string{marta}},
		{"NotItsMiddle", "arta", nil},
		{"AllWordsCount", "marta angelo", nil},
		{"CardWithHyphen", "0011-2233", []string{marta}},
		{"CardWithoutHyphen", "00112233", []string{marta}},
		{"CardInGroups", "7719 0000 2290 0056", []string{jose}},
		{"CardWithDots", "7719.0000.2290", []string{jose}},
		{"NameAndCardInGroups", "angelo 7719 0000", []string{jose}},
		{"Password", "BG-771904", []string{jose}},
		{"PasswordWithoutHyphen", "bg771904", []string{jose}},
		{"EndOfPassword", "771904", []string{jose}},
		{"GuideNumber", "900123", []string{jose}},
		{"Protocol", "prot 55.44", []string{jose}},
		{"ProtocolJoined", "PROT5544", []string{jose}},
		{"PartnerGuide", "parc77", []string{jose}},
		{"RequestNumber", "sol-8", []string{jose}},
		{"ProcedureCode", "40901122", []string{marta}},
		{"ProcedureName", "abdome", []string{marta}},
		{"SecondProcedure", "holter 24", []string{marta}},
		{"OperatorIsAWord", "NEAR", []string{near}},
		{"OperatorsAreWords", "NEAR( OR", []string{near}},
		{"OnlyPunctuation", `"'*(-`, nil},
		{"OnlyEmoji", "🫀", nil},
		{"NameAndEmoji", "marta 🫀", []string{marta}},
		{"ZeroByte", "mar\x00ta", []string{marta}},
		{"FiveThousandCharacters", "marta " + strings.Repeat("x", 4994), nil},
		{"ManyWords", strings.Repeat("marta ", 833), []string{marta}},
		{"ManyNumbers", strings.Repeat("1 ", 2500), nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := found(t, s, everything, report.Query{Filter: report.Filter{Text: tc.text}}); !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
	t.Run("ProviderGuide", func(t *testing.T) {
		if got := found(t, s, everything, report.Query{Filter: report.Filter{Text: "0000000000"}}); len(got) != 3 {
			t.Errorf("got %v, want all three, whose guiaPrestador begins so", got)
		}
	})
}

// Rows that stood before the history did are found like those that come after.
func TestSchema_EarlierRows(t *testing.T) {
	storetest.OfSQLite(t) // PostgreSQL's schema is younger than the history
	path := filepath.Join(t.TempDir(), "guiche.db")
	open := func(migrations fs.FS) engine.DB {
		db, err := sqlite.Open(t.Context(), sqlite.Options{Strict: true, Path: path, Migrations: migrations})
		MustDo(t, err)
		return db
	}
	earlier := fstest.MapFS{}
	for _, name := range []string{"00001_account.sql", "00002_audit.sql", "00003_register.sql", "00004_desk.sql"} {
		content, err := fs.ReadFile(migrations.Desk, name)
		MustDo(t, err)
		earlier[name] = &fstest.MapFile{Data: content}
	}
	db := open(earlier)
	MustWrite(t, db, kase{name: "José Ângelo", status: "A", group: 5, password: "BG-771904", procedures: []string{"1 Um", "2 Dois"}})
	MustDo(t, db.Close())
	db = open(migrations.Desk)
	t.Cleanup(func() { MustDo(t, db.Close()) })
	s := reportstore.New(db, auditlog.New(db, audit.Key{1}), deskstore.New(db, nil))
	for _, q := range []report.Query{
		{Filter: report.Filter{Text: "angelo bg771904 dois"}}, {Filter: report.Filter{Unit: centro, Sender: ana, Credential: sereno}},
		{Filter: report.Filter{Situation: report.Situation{Status: "A"}}},
	} {
		if got := found(t, s, everything, q); !slices.Equal(got, []string{"José Ângelo"}) {
			t.Errorf("%+v: got %v, want José Ângelo", q.Filter, got)
		}
	}
	mustBeWhole(t, db)
}

// mustBeWhole fails when SQLite's index does not say what the table says.
func mustBeWhole(t *testing.T, db engine.DB) {
	t.Helper()
	if !storetest.OnPostgres() {
		MustExec(t, db, `INSERT INTO history_text (history_text, rank) VALUES ('integrity-check', 1)`)
	}
}

// A later answer adds its numbers and keeps the earlier ones.
func TestSchema_LaterAnswer(t *testing.T) {
	db, s := MustWords(t)
	jose := mustID(t, db, "José Ângelo")
	MustExec(t, db, `INSERT INTO answer (submission_id, attempt, read_at, success, guide_pdf, receipt_pdf) VALUES (?, 2, 2, 1, '', '')`, jose)
	MustExec(t, db, `INSERT INTO "authorization" (answer_id, position, number, success, status, guide_id, guide_number,
		password, password_until, protocol, provider_guide, partner_guide, request_number, authorized_at, guide_pdf, recorded)
		SELECT (SELECT MAX(id) FROM answer), position, number, success, status, guide_id, guide_number,
		'NOVA-99', password_until, protocol, provider_guide, partner_guide, request_number, authorized_at, guide_pdf, recorded
		FROM "authorization" WHERE id = (SELECT min(id) FROM "authorization")`)
	MustExec(t, db, `INSERT INTO authorization_procedure VALUES ((SELECT MAX(id)
		FROM "authorization"), 0, '1', 'Um', 1, 1, 0, 'ITEM-7', 'P-3', '', '', NULL)`)
	MustDo(t, db.Write(t.Context(), func(tx *engine.Tx) error { return caselist.Learn(t.Context(), tx, jose) }))
	for _, text := range []string{"nova99", "bg-771904", "item7", "p-3"} {
		if got := found(t, s, everything, report.Query{Filter: report.Filter{Text: text}}); !slices.Equal(got, []string{"José Ângelo"}) {
			t.Errorf("%s: got %v, want José Ângelo", text, got)
		}
	}
	mustBeWhole(t, db)
}

func FuzzStore_Cases(f *testing.F) {
	for _, seed := range []string{
		"marta", "d'Ávila", "0011-2233", `"`, `""*`, "a OR b", "NEAR(", "NEAR(a b, 3)", "names:x", "^a", "a*", "{names} : b",
		"\x00", "\xff\xfe", "\u0301",
		"\u0301a", "ʼ", "\ue000", "𝟘", "٣ ٤", "² ³", "🫀", "ß", "İ", "ﬁ", "a\u200db", "( - +", "1 2 3 a 4 5",
		strings.Repeat("9 ", 2500),
	} {
		f.Add(seed)
	}
	_, s := MustWords(f)
	f.Fuzz(func(t *testing.T, text string) {
		if _, _, err := s.Cases(t.Context(), everything, report.Query{Filter: report.Filter{Text: text}, Limit: 5}); err != nil {
			t.Errorf("search: got %v, want no error whatever is typed", err)
		}
	})
}
