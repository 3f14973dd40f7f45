package directorystore_test

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"guiche/internal/directory"
	"guiche/internal/problem"
)

func procedures() []directory.Procedure {
	return []directory.Procedure{
		{Code: "40316521", Name: "Tireoestimulante, hormônio (TSH) - pesquisa e/ou dosagem",
			Aliases: []string{"TSH", "hormônio da tireoide"}, Active: true},
		{Code: "40304361", Name: "Hemograma com contagem de plaquetas ou frações", Aliases: []string{"hemograma completo"}, Active: true},
		{Code: "40901122", Name: "US - Abdome total", Aliases: []string{"ultrassom abdome", "ultrassonografia de abdômen"}, Active: true},
		{Code: "40901130", Name: "US - Abdome superior", Active: true},
		{Code: "20102020", Name: "Holter de 24 horas - 2 ou mais canais", Active: true},
		{Code: "10101012", Name: "Consulta em consultório", Active: true},
		{Code: "40301001", Name: "Exame extinto de hemograma", Active: false},
		{Code: "40808041", Name: "Mamografia convencional bilateral d'Ávila", Active: true},
	}
}

func MustProcedures(tb testing.TB) *directory.Directory {
	tb.Helper()
	r := MustDirectory(tb)
	MustDo(tb, r.PutProcedures(context.Background(), procedures()...))
	return r
}

func TestStore_SearchProcedures(t *testing.T) {
	r := MustProcedures(t)
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"CodePrefix", "4090", []string{"40901122", "40901130"}},
		{"CodeTypedWithDots", "4.09.01.12-2", []string{"40901122"}},
		{"Word", "hemograma", []string{"40304361"}},
		{"BeginningOfWord", "hemog", []string{"40304361"}},
		{"CaseAndAccents", "HORMONIO", []string{"40316521"}},
		{"AccentsNobodyWrote", "hêmógráma", []string{"40304361"}},
		{"DecomposedAccents", "hormo\u0302nio", []string{"40316521"}},
		{"Alias", "tsh", []string{"40316521"}},
		{"AliasOfTwoWords", "ultrassom abdome", []string{"40901122"}},
		{"WordsInAnyOrder", "total abdome", []string{"40901122"}},
		{"AllWordsCount", "abdome hemograma", nil},
		{"AliasFirst", "abdome", []string{"40901122", "40901130"}},
		{"NumberInName", "24", []string{"20102020"}},
		{"NumberAndWord", "holter 24 horas", []string{"20102020"}},
		{"Apostrophe", "d'Ávila", []string{"40808041"}},
		{"NothingTyped", "  ", nil},
		{"OnlyPunctuation", `"'*(-`, nil},
		{"Operators", `hemograma OR NOT "`, nil},
		{"Unseen", "hemo\u00adgra\u200bma", []string{"40304361"}},
		{"ZeroByte", "hemo\x00grama", []string{"40304361"}},
		{"BrokenUTF8", "hemograma\xff", []string{"40304361"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, err := r.SearchProcedures(t.Context(), tc.text, 10)
			MustDo(t, err)
			var got []string
			for _, p := range found {
				got = append(got, p.Code)
			}
			if !slices.Equal(got, tc.want) {
				t.Errorf("codes: got %v, want %v", got, tc.want)
			}
		})
	}
	t.Run("Limit", func(t *testing.T) {
		if got, err := r.SearchProcedures(t.Context(), "4", 2); len(got) != 2 || err != nil {
			t.Errorf("got %d, %v, want 2", len(got), err)
		}
		if got, err := r.SearchProcedures(t.Context(), "4", 0); len(got) != 0 || err != nil {
			t.Errorf("got %d, %v, want 0", len(got), err)
		}
	})
}

func TestStore_PutProcedures(t *testing.T) {
	ctx, r := t.Context(), MustProcedures(t)
	t.Run("ReplacedIsFoundByItsNewWordsOnly", func(t *testing.T) {
		MustDo(t, r.PutProcedures(ctx, directory.Procedure{Code: "4.03.16.52-1", Name: "Tirotropina", Active: true}))
		if got, _ := r.SearchProcedures(ctx, "tsh", 5); len(got) != 0 {
			t.Errorf("by the old alias: got %v, want none", got)
		}
		if got, _ := r.SearchProcedures(ctx, "tirotropina", 5); len(got) != 1 {
			t.Errorf("by the new name: got %v, want one", got)
		}
		p, err := r.Procedure(ctx, "4031652-1")
		if p.Name != "Tirotropina" || p.Aliases != nil || err != nil {
			t.Errorf("by code: got %+v, %v", p, err)
		}
	})
	t.Run("SwitchedOff", func(t *testing.T) {
		MustDo(t, r.PutProcedures(ctx, directory.Procedure{Code: "40304361", Name: "Hemograma"}))
		if got, _ := r.SearchProcedures(ctx, "hemograma", 5); len(got) != 0 {
			t.Errorf("got %v, want none", got)
		}
		if _, err := r.Procedure(ctx, "40304361"); err != nil {
			t.Errorf("by code: got %v; earlier requests name it", err)
		}
	})
	t.Run("ErrUnknown", func(t *testing.T) {
		if _, err := r.Procedure(ctx, "99999999"); !problem.Is(err, problem.NotFound) {
			t.Errorf("got %v, want not found", err)
		}
	})
	t.Run("ErrInvalid", func(t *testing.T) {
		fields := problem.FieldsOf(r.PutProcedures(ctx, directory.Procedure{Code: "-", Name: ""}))
		if len(fields) != 2 || fields[0].Path != "codigo" || fields[1].Path != "nome" {
			t.Errorf("got %v, want code and name", fields)
		}
		fields = problem.FieldsOf(r.PutProcedures(ctx, directory.Procedure{Code: "ABC", Name: "Exame"}))
		if len(fields) != 1 || fields[0].Path != "codigo" || fields[0].Code != "formato" {
			t.Errorf("a code without a digit: got %v", fields)
		}
	})
	t.Run("ErrTooMany", func(t *testing.T) {
		p := directory.Procedure{Code: "40304361", Name: "Hemograma"}
		for i := range 51 {
			p.Aliases = append(p.Aliases, strconv.Itoa(i))
		}
		if got := problem.FieldsOf(r.PutProcedures(ctx, p)); len(got) != 1 || got[0].Path != "sinonimos" {
			t.Errorf("got %v, want one of sinonimos", got)
		}
		p.Aliases = append(p.Aliases[:50], p.Aliases[0]) // what is said twice counts once
		MustDo(t, r.PutProcedures(ctx, p))
	})
	t.Run("ErrTooLong", func(t *testing.T) {
		const code, long = "40304361", 2000 // as TUSS has names
		whole := directory.Procedure{Code: code, Name: strings.Repeat("á", long), Aliases: []string{strings.Repeat("á", 200)}}
		MustDo(t, r.PutProcedures(ctx, whole))
		for field, p := range map[string]directory.Procedure{
			"nome":      {Code: code, Name: whole.Name + "á"},
			"codigo":    {Code: strings.Repeat("1", 21), Name: "Hemograma"},
			"sinonimos": {Code: code, Name: "Hemograma", Aliases: []string{"HMG", whole.Aliases[0] + "á", whole.Aliases[0] + "é"}},
		} {
			if got := problem.FieldsOf(r.PutProcedures(ctx, p)); len(got) != 1 || got[0].Path != field || got[0].Code != "limite" {
				t.Errorf("got %v, want one of %s", got, field)
			}
		}
	})
}

func FuzzStore_SearchProcedures(f *testing.F) {
	for _, seed := range []string{
		"hemograma", `"`, `""*`, "a OR b", "NEAR(a b)", "col:x", "^a", "a*", "{a} : b", "\x00", "\xff\xfe", "\u0301", "\u0301a", "ʼ", "4.03",
		"0011-2233", "d'Ávila", "\ue000", "𝟘", "٣", "²", "🫀", "ß", "İ", "ﬁ", "a\u200db", "( - +",
	} {
		f.Add(seed)
	}
	r := MustProcedures(f)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := r.SearchProcedures(t.Context(), text, 5); err != nil {
			t.Errorf("search: got %v, want no error whatever is typed", err)
		}
	})
}
