package authorization_test

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/authorization"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"
)

func validRequest() authorization.Request {
	return authorization.Request{
		CredentialID: uuid.New(), CardNumber: "0310004512063345", BeneficiaryName: "Beneficiária",
		UnitID: uuid.New(), CarePointID: uuid.New(),
		RequesterName: "Solicitante", RequesterCouncil: "CRM", RequesterNumber: "104552", RequesterState: "SP",
		ProfessionalID: uuid.New(), SpecialtyID: 7,
		Procedures: []authorization.Procedure{{Code: "40316521", Name: "TSH", Quantity: 1}},
	}.WithDefaults()
}

func TestRequest_Problems(t *testing.T) {
	type request = authorization.Request
	none := authorization.Rules{}
	attachmentsFor := func(codes ...string) authorization.Rules { return authorization.Rules{AttachmentsFor: codes} }
	for _, tt := range []struct {
		name   string
		rules  authorization.Rules
		change func(*request)
		want   []string
	}{
		{"OK", none, func(*request) {}, nil},
		{"Empty", none, func(r *request) { *r = authorization.Request{} }, []string{
			"credencialId obrigatorio", "numeroCarteira obrigatorio", "nomeBeneficiario obrigatorio", "unidadeId obrigatorio",
			"pontoAtendimentoId obrigatorio", "nomeSolicitante obrigatorio", "ufSolicitante obrigatorio", "crmSolicitante obrigatorio",
			"siglaConselhoSolicitante obrigatorio", "profissionalExecutanteId obrigatorio", "especialidadeExecutanteId obrigatorio",
			"tipoAcidente dominio", "regimeAtendimento dominio", "tipoAtendimento dominio", "procedimentos obrigatorio",
		}},
		{"BlankIsEmpty", none, func(r *request) { r.BeneficiaryName = " \t" }, []string{"nomeBeneficiario obrigatorio"}},
		{"RequesterBlank", none, func(r *request) { r.RequesterState, r.RequesterNumber, r.RequesterCouncil = " ", " ", " " },
			[]string{"ufSolicitante obrigatorio", "ufSolicitante dominio", "crmSolicitante obrigatorio", "siglaConselhoSolicitante obrigatorio"}},
		{"AnyCouncil", none, func(r *request) { r.RequesterCouncil = "CONSELHO" }, nil},
		{"SpecialtyOne", none, func(r *request) { r.SpecialtyID = 1 }, nil},
		{"SpecialtyNegative", none, func(r *request) { r.SpecialtyID = -1 }, []string{"especialidadeExecutanteId obrigatorio"}},
		{"NewbornComplete", none, func(r *request) {
			r.Newborn, r.NewbornName, r.NewbornBirth = true, "Recém-nascida", authorization.DateOf(2026, 11, 19)
		}, nil},
		{"NewbornBlankName", none, func(r *request) {
			r.Newborn, r.NewbornName, r.NewbornBirth = true, " ", authorization.DateOf(2026, 11, 19)
		}, []string{"nomeRecemNascido obrigatorio"}},
		{"NewbornNeedsNameAndBirth", none, func(r *request) { r.Newborn = true },
			[]string{"nomeRecemNascido obrigatorio", "dataNascimentoRecemNascido obrigatorio"}},
		{"NewbornBornToday", authorization.Rules{Today: authorization.DateOf(2026, 11, 19)}, func(r *request) {
			r.Newborn, r.NewbornName = true, "Recém-nascida"
			r.NewbornBirth = authorization.NewLocalTime(time.Date(2026, 11, 19, 23, 59, 0, 0, time.UTC))
		}, nil},
		{"NewbornBornTomorrow", authorization.Rules{Today: authorization.DateOf(2026, 11, 19)}, func(r *request) {
			r.Newborn, r.NewbornName, r.NewbornBirth = true, "Recém-nascida", authorization.DateOf(2026, 11, 20)
		}, []string{"dataNascimentoRecemNascido dominio"}},
		{"NobodyBornTomorrow", authorization.Rules{Today: authorization.DateOf(2026, 11, 19)}, func(r *request) {
			r.NewbornBirth = authorization.DateOf(2026, 11, 20)
		}, nil},
		{"ValidityOptional", none, func(r *request) { r.CardValidity = authorization.LocalTime{} }, nil},
		{"ValidityRequired", authorization.Rules{ValidityRequired: true}, func(*request) {}, []string{"validadeCarteira obrigatorio"}},
		{"ValidityGiven", authorization.Rules{ValidityRequired: true}, func(r *request) {
			r.CardValidity = authorization.DateOf(2027, 12, 31)
		}, nil},
		{"CardPatternFits", authorization.Rules{CardPattern: regexp.MustCompile(`^\d{16}$`)}, func(*request) {}, nil},
		{"CardPatternNoCard", authorization.Rules{CardPattern: regexp.MustCompile(`^\d{16}$`)}, func(r *request) { r.CardNumber = "" },
			[]string{"numeroCarteira obrigatorio"}},
		{"CardPattern", authorization.Rules{CardPattern: regexp.MustCompile(`^\d{17}$`)}, func(*request) {},
			[]string{"numeroCarteira formato"}},
		{"AttachmentForCode", attachmentsFor("1", "40316521"), func(*request) {}, []string{"anexos obrigatorio"}},
		{"AttachmentForBeginning", attachmentsFor("403*"), func(*request) {}, []string{"anexos obrigatorio"}},
		{"AttachmentForOthers", attachmentsFor("4031652", "403165210", "41*"), func(*request) {}, nil},
		{"AttachmentGiven", attachmentsFor("4*"), func(r *request) { r.Attachments = make([]authorization.Attachment, 1) }, nil},
		{"State", none, func(r *request) { r.RequesterState = "XX" }, []string{"ufSolicitante dominio"}},
		{"Domains", none, func(r *request) { r.AccidentType, r.CareRegime, r.CareType = "3", "X", "12" },
			[]string{"tipoAcidente dominio", "regimeAtendimento dominio", "tipoAtendimento dominio"}},
		{"GuideOf20", none, func(r *request) { r.ProviderGuide = strings.Repeat("ç", 20) }, nil},
		{"GuideOf21", none, func(r *request) { r.ProviderGuide = strings.Repeat("1", 21) }, []string{"guiaPrestador limite"}},
		{"Quantities", none, func(r *request) {
			r.Procedures = []authorization.Procedure{
				{Code: "1", Name: "a", Quantity: 999}, {Code: "1", Name: "a", Quantity: 0}, {Code: "1", Name: "a", Quantity: 1000}, {},
			}
		}, []string{"procedimentos[1].quantidade limite", "procedimentos[2].quantidade limite", "procedimentos[3].nomeProcedimento obrigatorio",
			"procedimentos[3].codigoProcedimento obrigatorio", "procedimentos[3].quantidade limite"}},
		{"OneHundredProcedures", none, func(r *request) { r.Procedures = slices.Repeat(r.Procedures, authorization.MaxProcedures) }, nil},
		{"TooManyProcedures", none, func(r *request) {
			r.Procedures = slices.Repeat(r.Procedures, authorization.MaxProcedures+1)
		}, []string{"procedimentos limite"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := validRequest()
			tt.change(&r)
			var got []string
			for _, f := range r.Problems(tt.rules) {
				got = append(got, f.Path+" "+f.Code)
				if !strings.HasSuffix(f.Message, ".") {
					t.Errorf("message of %s is not a sentence: %q", f.Path, f.Message)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("problems (-want, +got):\n%s", diff)
			}
		})
	}
}

func TestRequest_AttachmentProblem(t *testing.T) {
	rules := authorization.Rules{AttachmentsFor: []string{"40901122", "41*"}}
	for want, codes := range map[string]string{
		"O procedimento 40901122 exige anexo nesta credencial.":                                     "40316521 40901122 40901122",
		"Os procedimentos 40901122 e 41001010 exigem anexo nesta credencial.":                       "40901122 41001010 40901122",
		"Os procedimentos 41001010, 40901122 e 41999999999999999999 exigem anexo nesta credencial.": "41001010 40901122 41999999999999999999",
		"O procedimento 41" + strings.Repeat("0", 18) + "… exige anexo nesta credencial.":           "41" + strings.Repeat("0", 1000),
	} {
		r := validRequest()
		r.Procedures = nil
		for code := range strings.FieldsSeq(codes) {
			r.Procedures = append(r.Procedures, authorization.Procedure{Code: code, Name: "x", Quantity: 1})
		}
		got := r.Problems(rules)
		if len(got) != 1 || got[0].Path != "anexos" || got[0].Message != want {
			t.Errorf("%.40s: got %+v, want %q", codes, got, want)
		}
	}
}

// TestRequest_AttachmentProblem_Many: beyond the allowed number, procedures are not
// looked at.
func TestRequest_AttachmentProblem_Many(t *testing.T) {
	r := validRequest()
	r.Procedures = slices.Repeat(r.Procedures, authorization.MaxProcedures)
	r.Procedures = append(r.Procedures, authorization.Procedure{Code: "40901122", Name: "x", Quantity: 1})
	for _, f := range r.Problems(authorization.Rules{AttachmentsFor: []string{"40901122"}}) {
		if f.Path == "anexos" {
			t.Errorf("got %+v, want no problem of a procedure that is one too many", f)
		}
	}
}

func TestRequest_WithDefaults(t *testing.T) {
	empty := authorization.Request{}.WithDefaults()
	if empty.AccidentType != "9" || empty.CareRegime != "E" || empty.CareType != "05" {
		t.Errorf("got %q, %q, %q, want the defaults of 2.3", empty.AccidentType, empty.CareRegime, empty.CareType)
	}
	given := authorization.Request{AccidentType: "0", CareRegime: "U", CareType: "23"}
	if got := given.WithDefaults(); !reflect.DeepEqual(got, given) {
		t.Errorf("got %+v, want what was given", got)
	}
	if empty.ProviderGuide != "" || empty.ClinicalIndication != nil {
		t.Errorf("got %q, %v, want both left to the service", empty.ProviderGuide, empty.ClinicalIndication)
	}
}

func TestFlag(t *testing.T) {
	if yes, no := authorization.Flag(true), authorization.Flag(false); yes != "S" || no != "N" {
		t.Errorf("got %q and %q, want S and N", yes, no)
	}
}
