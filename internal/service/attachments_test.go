package service_test

import (
	"encoding/base64"
	"encoding/json"
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
			if res := send.to(e, asking("40901122", map[string]any{"anexos": []any{"JVBERi0xLjQK"}}), key("k")); res.Status != send.status ||
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

// TestService_AttachmentKinds: what is no PDF, JPEG or PNG by its content is refused at its
// place, in a request and afterwards, and no operator hears of it.
func TestService_AttachmentKinds(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999909000000")
	asked := e.Operator.Authorized.Load()
	for name, content := range map[string]string{
		"page": "<html><script>alert(1)</script>", "drawing": `<svg xmlns="http://www.w3.org/2000/svg"/>`, "archive": "PK\x03\x04",
		"program": "MZ\x90", "unknown": "ABC", "page within": "%PDF-1.4\n<script>alert(1)</script>",
		"archive within": "\xff\xd8\xff" + "PK\x05\x06" + strings.Repeat("\x00", 18),
	} {
		item := map[string]any{"base64": base64.StdEncoding.EncodeToString([]byte(content)), "name": "pedido.pdf",
			"contentType": "application/pdf"}
		changes := map[string]any{"anexos": []any{"JVBERi0xLjQK", item}, "tipoAcidente": "7"}
		acted, err := json.Marshal(map[string]any{"anexos": []any{"JVBERi0xLjQK", item}})
		e.Must(err)
		for want, r := range map[string]reply{
			"tipoAcidente dominio, anexos[1] formato":                         e.Post(body(changes), key("k-"+name)),
			"solicitacao.tipoAcidente dominio, solicitacao.anexos[1] formato": e.Submit(body(changes), key("k-"+name)),
			"anexos[1] formato": e.Act(id, "anexos", string(acted), key("k")),
		} {
			checkRefusal(t, r, http.StatusUnprocessableEntity)
			got := strings.Join(r.Fields(), ", ")
			if got != want || !strings.Contains(r.Text, "O anexo ") || strings.Contains(r.Text, "pedido.pdf") {
				t.Errorf("%s: got %s, want %s", name, r.Text, want)
			}
		}
	}
	if got := e.Operator.Authorized.Load() - asked; got != 0 || e.Operator.Attached != nil {
		t.Errorf("the operator was asked %d times and handed %v", got, e.Operator.Attached)
	}
	item := `{"anexos":[{"base64":"JVBERi0xLjQK","name":"..\\..\\x.html","contentType":"text/html"}]}`
	if r := e.Act(id, "anexos", item, key("k")); r.Status != http.StatusOK {
		t.Fatalf("corrected, with the same key: got %d %s", r.Status, r.Text)
	}
	if got := e.Operator.Attached; len(got) != 1 || got[0].Name != "x.html.pdf" || got[0].ContentType != "application/pdf" {
		t.Errorf("the operator was handed %+v", got)
	}
}
