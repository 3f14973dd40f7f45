package admin_test

import (
	"fmt"
	"strings"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/service"
	"guiche/internal/service/admin"
	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// What administração turned off is there all the same: nobody fills the register
// anew over it.
func TestAdmin_HasCredentials(t *testing.T) {
	e := MustEnv(t, limits{})
	admin := e.Admin
	for _, c := range servicetest.Credentials() {
		c.Disabled = true
		e.Must(admin.PutCredential(t.Context(), c))
	}
	if some, err := admin.HasCredentials(t.Context()); err != nil || !some {
		t.Errorf("got %v, %v, want those that are disabled too", some, err)
	}
}

// The pattern of a card is about the whole number, as the form says.
func TestService_CardPattern(t *testing.T) {
	e := MustEnv(t, limits{})
	c := servicetest.Credentials()[0]
	c.CardPattern = `\d{17}|0{3}`
	e.Must(e.Admin.PutCredential(t.Context(), c))
	for card, want := range map[string]int{"12345678901234567": 200, "000": 200, "123456789012345678": 422, "x12345678901234567": 422, "0000": 422} {
		if r := e.Post(body(map[string]any{"numeroCarteira": card}), nil); r.Status != want {
			t.Errorf("%s: got %d %v, want %d", card, r.Status, r.Fields(), want)
		}
	}
}

func TestAdmin_PutCredential(t *testing.T) {
	e := MustEnv(t, limits{})
	bad := servicetest.Credentials()[0]
	bad.CardPattern = "("
	if err := e.Admin.PutCredential(t.Context(), bad); !problem.Is(err, problem.Invalid) {
		t.Errorf("got %v, want invalid", err)
	}
	for i := range 120 {
		e.Must(e.Admin.PutCredential(t.Context(), service.Credential{ID: uuid.New(), EligibilityID: uuid.New(), Name: fmt.Sprintf("Plano %03d", i), Operator: "x"}))
	}
	if got := e.Get("/api/v2/credenciais?Pagina=3"); got.Data()["total"] != 123.0 || len(got.Entries("items")) != 23 {
		t.Errorf("got total %v, %d items", got.Data()["total"], len(got.Entries("items")))
	}
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
		err := e.Admin.CheckCredential(t.Context(), service.Credential{ID: uuid.New(), Name: "Ipê", Operator: "simulada", AttachmentsFor: codes})
		fields := problem.FieldsOf(err)
		if want == "" && err != nil || want != "" && (len(fields) != 1 || fields[0].Path != "anexosObrigatorios" || fields[0].Message != want) {
			t.Errorf("got %v, want %q", fields, want)
		}
	}
}
