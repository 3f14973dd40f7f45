package service_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// asking is a request through the strict credential for procedures by their codes.
func asking(codes string, changes map[string]any) string {
	var procedures []any
	for code := range strings.FieldsSeq(codes) {
		procedures = append(procedures, map[string]any{"nomeProcedimento": "Exame", "codigoProcedimento": code, "quantidade": 1})
	}
	all := map[string]any{"credencialId": strictID, "validadeCarteira": "2027-12-31", "numeroCarteira": "03100045120633450",
		"procedimentos": procedures}
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
	}{"AtOnce": {(*env).Post, "", http.StatusOK}, "Afterwards": {(*env).Submit, "solicitacao.", http.StatusAccepted}} {
		t.Run(name, func(t *testing.T) {
			e := MustEnv(t, limits{})
			for _, c := range []struct {
				what, body string
				fields     []string
				message    string // of the first field
			}{
				{"code", asking("40316521 40901122 40901122", nil), []string{"anexos obrigatorio"},
					"O procedimento 40901122 exige anexo nesta credencial."},
				{"beginning", asking("41001010 40901122", map[string]any{"anexos": []any{}}), []string{"anexos obrigatorio"},
					"Os procedimentos 41001010 e 40901122 exigem anexo nesta credencial."},
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
				if got := res.Fields(); !slices.Equal(got, c.fields) {
					t.Errorf("%s: got %q, want %q", c.what, got, c.fields)
				}
				if got := res.Body["erros"].([]any)[0]; c.message != "" && got != c.message {
					t.Errorf("%s: got %q, want %q", c.what, got, c.message)
				}
			}
			if got := len(e.Texts(`SELECT uid FROM request`)); got != 0 || e.Operator.Authorized.Load() != 0 {
				t.Errorf("%d requests kept, the operator asked %d times, want none of both", got, e.Operator.Authorized.Load())
			}
			if res := send.to(e, asking("40901122", map[string]any{"anexos": []any{"QUJD"}}), key("k")); res.Status != send.status ||
				res.Header.Get("Idempotency-Replayed") != "" {
				t.Errorf("corrected, with the same key: got %d %s", res.Status, res.Text)
			}
			for what, text := range map[string]string{
				"another procedure": asking("40316521 4090112 409011220", nil),
				"another credential": body(map[string]any{"procedimentos": []any{map[string]any{"nomeProcedimento": "Exame",
					"codigoProcedimento": "40901122", "quantidade": 1}}}),
			} {
				if res := send.to(e, text, nil); res.Status != send.status {
					t.Errorf("%s: got %d %s", what, res.Status, res.Text)
				}
			}
		})
	}
}

// TestService_AttachmentsRequiredLater: a request that was answered before the
// settings changed is answered again.
func TestService_AttachmentsRequiredLater(t *testing.T) {
	e := MustEnv(t, limits{})
	first := e.Post(body(nil), key("k"))
	credential, err := e.Admin.Credential(t.Context(), credentialID)
	e.Must(err)
	credential.AttachmentsFor = []string{"4*"}
	e.Must(e.Admin.PutCredential(t.Context(), credential))
	checkReplay(t, first, e.Post(body(nil), key("k")))
	checkRefusal(t, e.Post(body(nil), key("another")), http.StatusUnprocessableEntity)
}
