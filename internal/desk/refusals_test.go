package desk_test

import (
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
)

// TestDesk_Refusals_Operator: a correction shows the operator's words beside the fields that
// they are about, those of one field in one line, and what is about none apart.
func TestDesk_Refusals_Operator(t *testing.T) {
	t.Parallel()
	code := fullForm().Procedures[0].Code
	told := func(path, message string) problem.Field {
		return problem.Field{Path: path, Code: authorization.CodeDomain, Message: message}
	}
	of := func(a authorization.Authorization) authorization.Answer {
		a.Number = 1
		return authorization.Answer{Success: true, Authorizations: []authorization.Authorization{a}}
	}
	denied := func(results ...authorization.ProcedureResult) authorization.Answer {
		return of(authorization.Authorization{Status: authorization.Denied, Procedures: results})
	}
	for name, tt := range map[string]struct {
		answer authorization.Answer
		want   []problem.Field
	}{
		"Card": {of(authorization.Authorization{Status: authorization.InvalidBeneficiary}), []problem.Field{
			told("numeroCarteira", "A operadora não reconhece este beneficiário. Confira a carteira e a operadora.")}},
		"Attachment": {of(authorization.Authorization{Status: authorization.AwaitingAttachment}), []problem.Field{
			told("anexos", "A operadora pede um anexo.")}},
		"Procedure": {denied(authorization.ProcedureResult{Code: code, Quantity: 1, Justification: " Fora do plano. "}), []problem.Field{
			told("procedimentos[0].codigoProcedimento", "Fora do plano.")}},
		"Part": {denied(authorization.ProcedureResult{Code: code, Quantity: 3, Authorized: 1, Justification: "Limite."}), []problem.Field{
			told("procedimentos[0].quantidade", "Limite.")}},
		"AllOfIt":  {denied(authorization.ProcedureResult{Code: code, Quantity: 1, Authorized: 1, Justification: "Ciente."}), nil},
		"NotAsked": {denied(authorization.ProcedureResult{Code: "9", Quantity: 1, Justification: "Outro."}), []problem.Field{told("", "Outro.")}},
		"Errors": {of(authorization.Authorization{Status: authorization.Denied, Errors: []authorization.AnswerError{
			{Field: "numeroCarteira", Message: "Bloqueada."}, {Field: "numeroCarteira", Message: "Vencida."},
			{Field: "numeroCarteira", Message: "Bloqueada."}, {Field: "desconhecido", Message: "Ligue."}, {Field: "observacoes", Message: "  "},
			{Code: authorization.CodeBadPDF, Field: "observacoes", Message: "PDF"}}}), []problem.Field{
			told("numeroCarteira", "Bloqueada. Vencida."), told("", "Ligue.")}},
	} {
		t.Run(name, func(t *testing.T) {
			f := MustDesk(t)
			uid := f.MustEnd(t, authorization.Outcome{Kind: authorization.OutcomeAnswered, Answer: tt.answer})[0]
			copied, err := f.CopyToDraft(t.Context(), ana, uid)
			MustDo(t, err)
			got, err := f.Refusals(t.Context(), ana, copied)
			if diff := cmp.Diff(tt.want, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}
