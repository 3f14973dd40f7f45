package authorization_test

import (
	"regexp"
	"strings"
	"testing"

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
	for _, tt := range []struct {
		name   string
		rules  authorization.Rules
		change func(*authorization.Request)
		want   []string
	}{
		{"OK", authorization.Rules{}, func(*authorization.Request) {}, nil},
		{"Empty", authorization.Rules{}, func(r *authorization.Request) { *r = authorization.Request{} }, []string{
			"credencialId obrigatorio", "numeroCarteira obrigatorio", "nomeBeneficiario obrigatorio", "unidadeId obrigatorio",
			"pontoAtendimentoId obrigatorio", "nomeSolicitante obrigatorio", "ufSolicitante obrigatorio", "crmSolicitante obrigatorio",
			"siglaConselhoSolicitante obrigatorio", "profissionalExecutanteId obrigatorio", "especialidadeExecutanteId obrigatorio",
			"tipoAcidente dominio", "regimeAtendimento dominio", "tipoAtendimento dominio", "procedimentos obrigatorio",
		}},
		{"BlankIsEmpty", authorization.Rules{}, func(r *authorization.Request) { r.BeneficiaryName = " \t" }, []string{"nomeBeneficiario obrigatorio"}},
		{"NewbornNeedsNameAndBirth", authorization.Rules{}, func(r *authorization.Request) { r.Newborn = true },
			[]string{"nomeRecemNascido obrigatorio", "dataNascimentoRecemNascido obrigatorio"}},
		{"ValidityOptional", authorization.Rules{}, func(r *authorization.Request) { r.CardValidity = authorization.LocalTime{} }, nil},
		{"ValidityRequired", authorization.Rules{ValidityRequired: true}, func(*authorization.Request) {}, []string{"validadeCarteira obrigatorio"}},
		{"CardPattern", authorization.Rules{CardPattern: regexp.MustCompile(`^\d{17}$`)}, func(*authorization.Request) {}, []string{"numeroCarteira formato"}},
		{"AttachmentForCode", authorization.Rules{AttachmentsFor: []string{"1", "40316521"}}, func(*authorization.Request) {}, []string{"anexos obrigatorio"}},
		{"AttachmentForBeginning", authorization.Rules{AttachmentsFor: []string{"403*"}}, func(*authorization.Request) {}, []string{"anexos obrigatorio"}},
		{"AttachmentForOthers", authorization.Rules{AttachmentsFor: []string{"4031652", "403165210", "41*"}}, func(*authorization.Request) {}, nil},
		{"AttachmentGiven", authorization.Rules{AttachmentsFor: []string{"4*"}}, func(r *authorization.Request) { r.Attachments = make([]authorization.Attachment, 1) }, nil},
		{"State", authorization.Rules{}, func(r *authorization.Request) { r.RequesterState = "XX" }, []string{"ufSolicitante dominio"}},
		{"Domains", authorization.Rules{}, func(r *authorization.Request) { r.AccidentType, r.CareRegime, r.CareType = "3", "X", "12" },
			[]string{"tipoAcidente dominio", "regimeAtendimento dominio", "tipoAtendimento dominio"}},
		{"GuideOf20", authorization.Rules{}, func(r *authorization.Request) { r.ProviderGuide = strings.Repeat("ç", 20) }, nil},
		{"GuideOf21", authorization.Rules{}, func(r *authorization.Request) { r.ProviderGuide = strings.Repeat("1", 21) }, []string{"guiaPrestador limite"}},
		{"Quantities", authorization.Rules{}, func(r *authorization.Request) {
			r.Procedures = []authorization.Procedure{{Code: "1", Name: "a", Quantity: 999}, {Code: "1", Name: "a", Quantity: 0}, {Code: "1", Name: "a", Quantity: 1000}, {}}
		}, []string{"procedimentos[1].quantidade limite", "procedimentos[2].quantidade limite", "procedimentos[3].nomeProcedimento obrigatorio",
			"procedimentos[3].codigoProcedimento obrigatorio", "procedimentos[3].quantidade limite"}},
		{"TooManyProcedures", authorization.Rules{}, func(r *authorization.Request) {
			for len(r.Procedures) <= authorization.MaxProcedures {
				r.Procedures = append(r.Procedures, r.Procedures[0])
			}
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

func TestCleanCard(t *testing.T) {
	for in, want := range map[string]string{
		"0310 0045 1206 3345": "0310004512063345", "0011-2233.44/5": "00112233445",
		" 12\u00a034\t": "1234", "\u202e123": "123", "AB 12": "AB12", "": "",
	} {
		if got := authorization.CleanCard(in); got != want {
			t.Errorf("CleanCard(%q) = %q, want %q", in, got, want)
		}
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
