package desk_test

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"
	"guiche/internal/desk"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
)

var today = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

// cmpTimes lets cmp compare dates without zone, which compare with ==.
var cmpTimes = cmp.Comparer(func(a, b authorization.LocalTime) bool { return a == b })

func TestForm_Request(t *testing.T) {
	typed := func(change map[string]string) desk.Form {
		f := fullForm()
		maps.Copy(f.Values, change)
		return f
	}
	t.Run("OK", func(t *testing.T) {
		got, problems := fullForm().Request(today, authorization.Rules{})
		want := authorization.Request{
			CredentialID: serenoID, CardNumber: "0310004577824821", CardValidity: authorization.DateOf(2027, 12, 31),
			BeneficiaryName: "Maria Aparecida Silveira", BeneficiaryPlan: "Essencial", PatientPresent: true,
			UnitID: centroID, CarePointID: balcaoID, RequesterName: "Caio Leme", RequesterCouncil: "CRM", RequesterNumber: "104552",
			RequesterState: "SP", ProfessionalID: doctorID, SpecialtyID: specialty, AccidentType: "9", CareRegime: "E", CareType: "05",
			Procedures:  []authorization.Procedure{{Code: "40901122", Name: "US - Abdome total", Quantity: 1}},
			ContactName: "Ana", ContactAreaCode: "11", ContactPhone: "900000000", ContactEmail: "a@b.example",
		}
		if diff := cmp.Diff(got, want, cmpTimes); diff != "" || problems != nil {
			t.Errorf("got, want (problems %v)\n%s", problems, diff)
		}
	})
	long, emoji := strings.Repeat("Ç", 5000), "Zoë 👩🏽‍⚕️ e\u0301 \u202eabc"
	for _, tc := range []struct {
		name  string
		typed map[string]string
		read  func(authorization.Request) any
		want  any
	}{
		{"DateWithSlashes", map[string]string{"validadeCarteira": "31/12/2027"}, validity, "31/12/2027"},
		{"DateOfSixDigits", map[string]string{"validadeCarteira": " 311227 "}, validity, "31/12/2027"},
		{"DateShort", map[string]string{"validadeCarteira": "1/2/27"}, validity, "01/02/2027"},
		{"DateMissing", map[string]string{"validadeCarteira": " "}, validity, ""},
		{"DatePasted", map[string]string{"validadeCarteira": "\u202a31/12/2027\u202c"}, validity, "31/12/2027"},
		{"NumbersPasted", map[string]string{"crmSolicitante": "10\u200b4552", "dddContato": "\u202d11",
			"telefoneContato": "99876\u00ad5432\u202c", "emailContato": "lia@\u200bexample.org"}, func(r authorization.Request) any {
			return r.RequesterNumber + " " + r.ContactAreaCode + " " + r.ContactPhone + " " + r.ContactEmail
		}, "104552 11 998765432 lia@example.org"},
		{"CardPasted", map[string]string{"numeroCarteira": "\t03-10.00\u00a0 45\u200b/A "}, card, "03100045A"},
		{"NameTrimmed", map[string]string{"nomeBeneficiario": "  Lia  Costa\n"}, name, "Lia  Costa"},
		{"NameLong", map[string]string{"nomeBeneficiario": long}, name, long},
		{"NameByteForByte", map[string]string{"nomeBeneficiario": emoji}, name, emoji},
		{"NameWithNull", map[string]string{"nomeBeneficiario": "\x00 Lia\x00 Costa"}, name, "Lia Costa"},
		{"NewbornNameWithoutNewborn", map[string]string{"nomeRecemNascido": "RN", "dataNascimentoRecemNascido": "xx"},
			func(r authorization.Request) any { return r.NewbornName + r.NewbornBirth.String() }, ""},
		{"Newborn", map[string]string{"atendimentoRN": "S", "nomeRecemNascido": "RN de Lia", "dataNascimentoRecemNascido": "01112026"},
			func(r authorization.Request) any { return r.NewbornName + " " + r.NewbornBirth.Date() }, "RN de Lia 01/11/2026"},
		{"IndicationUntouched", map[string]string{"indicacaoClinica": " \n"},
			func(r authorization.Request) any { return r.ClinicalIndication == nil }, true},
		{"IndicationTyped", map[string]string{"indicacaoClinica": "dor "},
			func(r authorization.Request) any { return *r.ClinicalIndication }, "dor"},
		{"NotesBlank", nil, func(r authorization.Request) any { return r.Notes == nil }, true},
		{"DefaultsOverridden", map[string]string{"regimeAtendimento": "U", "tipoAtendimento": "23", "tipoAcidente": "0"},
			func(r authorization.Request) any { return r.CareRegime + r.CareType + r.AccidentType }, "U230"},
		{"FollowUp", map[string]string{"retorno": "S"}, func(r authorization.Request) any { return r.FollowUp }, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r, problems := typed(tc.typed).Request(today, authorization.Rules{})
			if got := tc.read(r); got != tc.want || problems != nil {
				t.Errorf("got %q (%v), want %q", got, problems, tc.want)
			}
		})
	}
}

// TestForm_Request_Codes: a TUSS code goes out as the tables have it, however it was typed; an operator's own as it was typed.
func TestForm_Request_Codes(t *testing.T) {
	for typed, want := range map[string]string{" 4.09.01.12-2 ": "40901122", "40901122": "40901122", "OP-1.5": "OP-1.5"} {
		f := fullForm()
		f.Procedures[0].Code = typed
		r, problems := f.Request(today, authorization.Rules{})
		if len(r.Procedures) != 1 || r.Procedures[0].Code != want || problems != nil {
			t.Errorf("%q: got %+v (%v), want %q", typed, r.Procedures, problems, want)
		}
	}
}

func validity(r authorization.Request) any { return r.CardValidity.Date() }
func card(r authorization.Request) any     { return r.CardNumber }
func name(r authorization.Request) any     { return r.BeneficiaryName }

func TestForm_RequestProblems(t *testing.T) {
	for _, tc := range []struct {
		name   string
		change map[string]string
		rules  authorization.Rules
		want   []string
	}{
		{"DateThatIsNone", map[string]string{"validadeCarteira": "31022027"}, authorization.Rules{ValidityRequired: true},
			[]string{"validadeCarteira formato"}},
		{"ValidityRequired", map[string]string{"validadeCarteira": ""}, authorization.Rules{ValidityRequired: true},
			[]string{"validadeCarteira obrigatorio"}},
		{"NewbornWithoutNameAndBirth", map[string]string{"atendimentoRN": "S"}, authorization.Rules{},
			[]string{"nomeRecemNascido obrigatorio", "dataNascimentoRecemNascido obrigatorio"}},
		{"NewbornOfTomorrow", map[string]string{"atendimentoRN": "S", "nomeRecemNascido": "RN", "dataNascimentoRecemNascido": "21/11/2026"},
			authorization.Rules{}, []string{"dataNascimentoRecemNascido dominio"}},
		{"NewbornOfToday", map[string]string{"atendimentoRN": "S", "nomeRecemNascido": "RN", "dataNascimentoRecemNascido": "20/11/2026"},
			authorization.Rules{}, nil},
		{"IdentifiersThatAreNone", map[string]string{"credencialId": "x", "especialidadeExecutanteId": "sete"}, authorization.Rules{},
			[]string{"credencialId formato", "especialidadeExecutanteId formato"}},
		{"FlagThatIsNone", map[string]string{"retorno": "talvez"}, authorization.Rules{}, []string{"retorno dominio"}},
		{"InTheOrderOfTheForm", map[string]string{"ufSolicitante": "XX", "numeroCarteira": "", "tipoAtendimento": "99",
			"validadeCarteira": "x"}, authorization.Rules{},
			[]string{"numeroCarteira obrigatorio", "validadeCarteira formato", "ufSolicitante dominio", "tipoAtendimento dominio"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := fullForm()
			maps.Copy(f.Values, tc.change)
			_, problems := f.Request(today, tc.rules)
			if got := paths(problems); !slices.Equal(got, tc.want) {
				t.Errorf("problems: got %v, want %v", got, tc.want)
			}
		})
	}
	t.Run("EmptyForm", func(t *testing.T) {
		_, problems := desk.Form{}.Request(today, authorization.Rules{})
		if got, want := len(problems), 12; got != want {
			t.Errorf("problems: got %d (%v), want %d", got, paths(problems), want)
		}
	})
	t.Run("ProcedurePasted", func(t *testing.T) {
		f := fullForm()
		f.Procedures = []desk.ProcedureRow{{Code: "4090\u200b1122", Name: "US", Quantity: "\u202d2\u202c"}}
		r, problems := f.Request(today, authorization.Rules{})
		if got, want := r.Procedures[0], (authorization.Procedure{Code: "40901122", Name: "US", Quantity: 2}); got != want || problems != nil {
			t.Errorf("got %+v, %v, want %+v", got, paths(problems), want)
		}
	})
	t.Run("RowsKeepTheirPlace", func(t *testing.T) {
		f := fullForm()
		f.Procedures = []desk.ProcedureRow{
			{Quantity: "1"}, {Code: " 40901122 ", Name: "US", Quantity: " 2 "}, {}, {Code: "1", Quantity: "dois"},
			{Name: "Sem código", Quantity: "1000"},
		}
		r, problems := f.Request(today, authorization.Rules{})
		want := []string{
			"procedimentos[3].quantidade formato", "procedimentos[3].nomeProcedimento obrigatorio",
			"procedimentos[4].codigoProcedimento obrigatorio", "procedimentos[4].quantidade limite",
		}
		if got := paths(problems); !slices.Equal(got, want) {
			t.Errorf("problems: got %v, want %v", got, want)
		}
		if got, want := r.Procedures[0], (authorization.Procedure{Code: "40901122", Name: "US", Quantity: 2}); got != want {
			t.Errorf("first: got %+v, want %+v", got, want)
		}
	})
}

func paths(fields []problem.Field) []string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Path+" "+f.Code)
	}
	return all
}

// TestForm_RequestOrder: problems come in the order of the form, those of procedures row by
// row, whoever found them.
func TestForm_RequestOrder(t *testing.T) {
	t.Parallel()
	f := MustDesk(t)
	form := fullForm()
	form.Values["numeroCarteira"] = ""
	form.Procedures = []desk.ProcedureRow{{Code: "1", Quantity: "1"}, {Code: "2", Name: "b", Quantity: "x"}, {Name: "c", Quantity: "1"},
		{Code: "4", Name: "d", Quantity: "0"}}
	draft, err := f.SaveDraft(t.Context(), ana, MustUID(t), form, 0)
	MustDo(t, err)
	_, err = f.Review(t.Context(), ana, draft.UID)
	var got []string
	for _, p := range problem.FieldsOf(err) {
		got = append(got, p.Path)
	}
	want := []string{"numeroCarteira", "procedimentos[0].nomeProcedimento", "procedimentos[1].quantidade",
		"procedimentos[2].codigoProcedimento", "procedimentos[3].quantidade"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestFormOf(t *testing.T) {
	f := fullForm()
	maps.Copy(f.Values, map[string]string{
		"atendimentoRN": "S", "nomeRecemNascido": "RN", "dataNascimentoRecemNascido": "01/11/2026", "observacoes": "duas\nlinhas",
		"indicacaoClinica": "dor", "tipoAcidente": "1",
	})
	want, problems := f.Request(today, authorization.Rules{})
	if problems != nil {
		t.Fatal(problems)
	}
	got, problems := desk.FormOf(want).Request(today, authorization.Rules{})
	if diff := cmp.Diff(got, want, cmpTimes); diff != "" || problems != nil {
		t.Errorf("typed again: got, want (%v)\n%s", problems, diff)
	}
	for key := range desk.FormOf(want).Values {
		if !slices.Contains(desk.FormFields(), key) {
			t.Errorf("%s is no field of the form", key)
		}
	}
}
