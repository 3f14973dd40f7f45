package api_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/admin"

	"github.com/google/uuid"
)

// asking is a request through the strict credential for procedures by their codes.
func asking(codes string, changes map[string]any) string {
	var procedures []any
	for code := range strings.FieldsSeq(codes) {
		procedures = append(procedures, map[string]any{"nomeProcedimento": "Exame", "codigoProcedimento": code, "quantidade": 1})
	}
	all := map[string]any{"credencialId": strictID, "validadeCarteira": "2027-12-31", "numeroCarteira": "03100045120633450", "procedimentos": procedures}
	for name, value := range changes {
		all[name] = value
	}
	return body(all)
}

// TestService_AttachmentsRequired: a credential's settings say which procedures
// need an attachment. The operator hears nothing of a request without one, and
// the corrected request may use its key.
func TestService_AttachmentsRequired(t *testing.T) {
	for name, send := range map[string]struct {
		to     func(e *env, body string, header http.Header) reply
		prefix string
		status int
	}{"AtOnce": {(*env).post, "", http.StatusOK}, "Afterwards": {(*env).submit, "solicitacao.", http.StatusAccepted}} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			for _, c := range []struct {
				what, body string
				fields     []string
				message    string // of the first field
			}{
				{"code", asking("40316521 40901122 40901122", nil), []string{"anexos obrigatorio"}, "O procedimento 40901122 exige anexo nesta credencial."},
				{"beginning", asking("41001010 40901122", map[string]any{"anexos": []any{}}), []string{"anexos obrigatorio"}, "Os procedimentos 41001010 e 40901122 exigem anexo nesta credencial."},
				{"with all other problems", asking("40901122", map[string]any{"validadeCarteira": "", "tipoAcidente": "7"}),
					[]string{"validadeCarteira obrigatorio", "tipoAcidente dominio", "anexos obrigatorio"}, ""},
				{"a wrong list", asking("40901122", map[string]any{"anexos": "x"}), []string{"anexos tipo"}, ""},
				{"a wrong attachment", asking("40901122", map[string]any{"anexos": []any{"?"}}), []string{"anexos[0] formato"}, ""},
			} {
				res := send.to(e, c.body, key("k"))
				checkRefusal(t, res, http.StatusUnprocessableEntity)
				for i, field := range c.fields {
					c.fields[i] = send.prefix + field
				}
				if got := res.fields(); !slices.Equal(got, c.fields) {
					t.Errorf("%s: got %q, want %q", c.what, got, c.fields)
				}
				if got := res.body["erros"].([]any)[0]; c.message != "" && got != c.message {
					t.Errorf("%s: got %q, want %q", c.what, got, c.message)
				}
			}
			if got := len(e.texts(`SELECT uid FROM request`)); got != 0 || e.operator.authorize.Load() != 0 {
				t.Errorf("%d requests kept, the operator asked %d times, want none of both", got, e.operator.authorize.Load())
			}
			if res := send.to(e, asking("40901122", map[string]any{"anexos": []any{"QUJD"}}), key("k")); res.status != send.status || res.header.Get("Idempotency-Replayed") != "" {
				t.Errorf("corrected, with the same key: got %d %s", res.status, res.text)
			}
			for what, text := range map[string]string{
				"another procedure":  asking("40316521 4090112 409011220", nil),
				"another credential": body(map[string]any{"procedimentos": []any{map[string]any{"nomeProcedimento": "Exame", "codigoProcedimento": "40901122", "quantidade": 1}}}),
			} {
				if res := send.to(e, text, nil); res.status != send.status {
					t.Errorf("%s: got %d %s", what, res.status, res.text)
				}
			}
		})
	}
}

// TestService_AttachmentsRequiredLater: a request that was answered before the
// settings changed is answered again.
func TestService_AttachmentsRequiredLater(t *testing.T) {
	e := MustEnv(t, limits{})
	first := e.post(body(nil), key("k"))
	credential, err := e.admin.Credential(t.Context(), credentialID)
	e.must(err)
	credential.AttachmentsFor = []string{"4*"}
	e.must(e.admin.PutCredential(t.Context(), credential))
	checkReplay(t, first, e.post(body(nil), key("k")))
	checkRefusal(t, e.post(body(nil), key("another")), http.StatusUnprocessableEntity)
}

func TestAdmin_CheckCredentialCodes(t *testing.T) {
	e := MustEnv(t, limits{})
	many := make([]string, admin.MaxAttachmentCodes+1)
	for i := range many {
		many[i] = "4"
	}
	for want, codes := range map[string][]string{
		"":                           append(many[1:len(many)-2:len(many)-2], "40901122", strings.Repeat("9", 20)+"*"),
		"São no máximo 200 códigos.": many,
		"O código de procedimento tem até 20 dígitos, com um * no fim para todos os que começam assim. Confira “4.09.01.12-2”, “*”, “4*1”, “" + strings.Repeat("9", 21) + "”.": {
			"4.09.01.12-2", "40901122", "*", "4*1", strings.Repeat("9", 21)},
	} {
		err := e.admin.CheckCredential(t.Context(), service.Credential{ID: uuid.New(), Name: "Ipê", Operator: "simulada", AttachmentsFor: codes})
		fields := problem.FieldsOf(err)
		if want == "" && err != nil || want != "" && (len(fields) != 1 || fields[0].Path != "anexosObrigatorios" || fields[0].Message != want) {
			t.Errorf("got %v, want %q", fields, want)
		}
	}
}
