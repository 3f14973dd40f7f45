package directory_test

import (
	"strings"
	"testing"

	"guiche/internal/directory"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

// wrong joins path and code of an error's fields.
func wrong(err error) []string {
	var all []string
	for _, f := range problem.FieldsOf(err) {
		all = append(all, f.Path+" "+f.Code)
	}
	return all
}

func TestTypedUnit_Read(t *testing.T) {
	const id, point = "01970000-0000-7000-8000-000000000001", "01970000-0000-7000-8000-000000000011"
	t.Run("OK", func(t *testing.T) {
		got, err := directory.TypedUnit{ID: " " + strings.ToUpper(id) + " ", Name: "Centro",
			CarePoints: []directory.TypedPoint{{ID: point, Name: "Balcão", Active: true}, {Name: "Sala"}}}.Read()
		if err != nil || got.UID != uuid.MustParse(id) || got.CarePoints[0].UID != uuid.MustParse(point) || !got.CarePoints[0].Active {
			t.Fatalf("got %+v, %v", got, err)
		}
		if got.CarePoints[1].UID == uuid.Nil || got.CarePoints[1].Active {
			t.Errorf("a point without identifier: got %+v, want a fresh one", got.CarePoints[1])
		}
	})
	for _, tc := range []struct {
		name string
		unit directory.TypedUnit
		want []string
	}{
		{"AllAtOnceInOrder", directory.TypedUnit{ID: "17", CarePoints: []directory.TypedPoint{{Name: "A"}, {ID: "x"}}},
			[]string{"nome obrigatorio", "id formato", "pontosAtendimento[1].id formato", "pontosAtendimento[1].nome obrigatorio"}},
		{"NilIdentifier", directory.TypedUnit{ID: uuid.Nil.String(), Name: "A"}, []string{"id formato"}},
		{"SamePointTwice", directory.TypedUnit{Name: "A", CarePoints: []directory.TypedPoint{{ID: point, Name: "A"}, {ID: point, Name: "B"}}},
			[]string{"pontosAtendimento[1].id dominio"}},
		{"TooLong", directory.TypedUnit{Name: strings.Repeat("é", 201)}, []string{"nome limite"}},
		{"AsLongAsItMayBe", directory.TypedUnit{Name: strings.Repeat("é", 200)}, nil},
		{"OnlyControlCharacters", directory.TypedUnit{Name: "\x00\t\u0085"}, []string{"nome obrigatorio"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.unit.Read()
			if diff := cmp.Diff(wrong(err), tc.want); diff != "" {
				t.Errorf("got, want\n%s", diff)
			}
		})
	}
}

func TestTypedProfessional_Read(t *testing.T) {
	one := []directory.TypedSpecialty{{ID: " 7 ", Name: "Cardiologia", CBO: "2251-20"}}
	t.Run("OK", func(t *testing.T) {
		got, err := directory.TypedProfessional{Name: "Elisa", Council: "CRM", State: "SP", Specialties: one}.Read()
		if err != nil || got.UID == uuid.Nil || got.Specialties[0].ID != 7 {
			t.Errorf("got %+v, %v", got, err)
		}
	})
	for _, tc := range []struct {
		name string
		p    directory.TypedProfessional
		want []string
	}{
		{"NoSpecialty", directory.TypedProfessional{Name: "Elisa"}, []string{"especialidades[0].nome obrigatorio"}},
		{"NumberThatIsNone", directory.TypedProfessional{Name: "Elisa",
			Specialties: []directory.TypedSpecialty{{ID: "doze", Name: "A"}}}, []string{"especialidades[0].id formato"}},
		{"NumberBeyondTheInterface", directory.TypedProfessional{Name: "Elisa",
			Specialties: []directory.TypedSpecialty{{ID: "9999999999", Name: "A"}}}, []string{"especialidades[0].id formato"}},
		{"NoNumber", directory.TypedProfessional{Name: "Elisa", Specialties: []directory.TypedSpecialty{{Name: "A"}}},
			[]string{"especialidades[0].id obrigatorio"}},
		{"Negative", directory.TypedProfessional{Name: "Elisa", Specialties: []directory.TypedSpecialty{{ID: "-1", Name: "A"}}},
			[]string{"especialidades[0].id obrigatorio"}},
		{"NumberTwice", directory.TypedProfessional{Name: "Elisa",
			Specialties: append([]directory.TypedSpecialty{{ID: "7", Name: "A"}}, one...)}, []string{"especialidades[1].id dominio"}},
		{"CBO", directory.TypedProfessional{Name: "Elisa",
			Specialties: []directory.TypedSpecialty{{ID: "1", Name: "A", CBO: "22512"}}}, []string{"especialidades[0].cbo formato"}},
		{"AllInTheOrderOfTheForm", directory.TypedProfessional{ID: "17", State: "YY",
			Specialties: []directory.TypedSpecialty{{ID: "doze", Name: "A"}, {ID: "7"}}},
			[]string{"nome obrigatorio", "id formato", "uf dominio", "especialidades[0].id formato", "especialidades[1].nome obrigatorio"}},
		{"Tables", directory.TypedProfessional{Name: "Elisa", Council: "XXX", State: "YY", Specialties: one},
			[]string{"siglaConselho dominio", "uf dominio"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := tc.p.Read()
			if diff := cmp.Diff(wrong(err), tc.want); diff != "" {
				t.Errorf("got, want\n%s", diff)
			}
		})
	}
}

func TestCredential_Rules(t *testing.T) {
	for _, tc := range []struct {
		name, pattern, card string
		matches, broken     bool
	}{
		{"Whole", `\d{4}`, "1234", true, false},
		{"NotAPart", `\d{4}`, "12345", false, false},
		{"Alternatives", `1|22`, "22", true, false},
		{"NoPatternTakesAll", "", "x", true, false},
		{"Unclosed", `(`, "", false, true},
		{"ClosesWhatItDidNotOpen", `a)(b`, "", false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			rules, err := directory.Credential{CardPattern: tc.pattern}.Rules()
			if (err != nil) != tc.broken {
				t.Fatalf("error: got %v, want one: %v", err, tc.broken)
			}
			if err == nil && (rules.CardPattern == nil || rules.CardPattern.MatchString(tc.card)) != tc.matches {
				t.Errorf("card %q: want match %v", tc.card, tc.matches)
			}
		})
	}
}
