package admin_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

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
	for card, want := range map[string]int{"12345678901234567": 200, "000": 200, "123456789012345678": 422,
		"x12345678901234567": 422, "0000": 422} {
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
		e.Must(e.Admin.PutCredential(t.Context(), service.Credential{ID: uuid.New(), EligibilityID: uuid.New(),
			Name: fmt.Sprintf("Plano %03d", i), Operator: "x"}))
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
		"Use no máximo 20 dígitos por código, com um * no fim para todos os que começam assim. Confira " +
			"“4.09.01.12-2”, “*”, “4*1”, “" + strings.Repeat("9", 21) + "”.": {
			"4.09.01.12-2", "40901122", "*", "4*1", strings.Repeat("9", 21)},
	} {
		err := e.Admin.CheckCredential(t.Context(), service.Credential{ID: uuid.New(), Name: "Ipê", Operator: "simulada", AttachmentsFor: codes})
		fields := problem.FieldsOf(err)
		if want == "" && err != nil || want != "" && (len(fields) != 1 || fields[0].Path != "anexosObrigatorios" || fields[0].Message != want) {
			t.Errorf("got %v, want %q", fields, want)
		}
	}
}

func TestAdmin_CheckCredential(t *testing.T) {
	e := MustEnv(t, limits{})
	good := servicetest.Credentials()[0]
	for name, c := range map[string]struct {
		change func(c *service.Credential)
		want   string
	}{
		"good":                  {func(*service.Credential) {}, ""},
		"an operator that left": {func(c *service.Credential) { *c = servicetest.Credentials()[2] }, ""},
		"another's that left":   {func(c *service.Credential) { c.Operator = "tiss" }, "operadora dominio"},
		"a new one of it":       {func(c *service.Credential) { c.ID, c.Operator = uuid.New(), "tiss" }, "operadora dominio"},
		"no operator":           {func(c *service.Credential) { c.ID, c.Operator = uuid.New(), "" }, "operadora dominio"},
		"full":                  {func(c *service.Credential) { c.ANSRegister, c.CNES, c.CardPattern = "123456", "1234567", `\d{17}` }, ""},
		"no name":               {func(c *service.Credential) { c.Name = "  " }, "nome obrigatorio"},
		"longest texts":         {func(c *service.Credential) { longest(c, 0) }, ""},
		"texts that are longer": {func(c *service.Credential) { longest(c, 1) },
			"nome limite, codigoPrestador limite, contratado limite, indicacaoClinica limite, formatoCarteira limite"},
		"short numbers": {func(c *service.Credential) { c.ANSRegister, c.CNES = "12345", "123456" },
			"registroANS formato, cnes formato"},
		"long numbers": {func(c *service.Credential) { c.ANSRegister, c.CNES = "1234567", "12345678" },
			"registroANS formato, cnes formato"},
		"a pattern that is none":        {func(c *service.Credential) { c.CardPattern = "(" }, "formatoCarteira formato"},
		"the longest time":              {func(c *service.Credential) { c.Timeout = 10 * time.Minute }, ""},
		"a time that is longer":         {func(c *service.Credential) { c.Timeout = 10*time.Minute + 1 }, "tempoLimite limite"},
		"a time that is less than none": {func(c *service.Credential) { c.Timeout = -1 }, "tempoLimite limite"},
	} {
		credential := good
		c.change(&credential)
		if got := paths(e.Admin.CheckCredential(t.Context(), credential)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// longest makes every text as long as it may be, and so much longer.
func longest(c *service.Credential, more int) {
	c.Name, c.ProviderCode = strings.Repeat("ç", 100+more), strings.Repeat("ç", 20+more)
	c.Contractor, c.Indication = strings.Repeat("ç", 70+more), strings.Repeat("ç", 500+more)
	c.CardPattern = strings.Repeat("ç", 200+more)
}

func TestAdmin_Credentials(t *testing.T) {
	e := MustEnv(t, limits{})
	off := servicetest.Credentials()[1]
	off.Disabled = true
	e.Must(e.Admin.PutCredential(t.Context(), off))
	for disabled, want := range map[bool]int{false: 2, true: 3} {
		if found, err := e.Admin.Credentials(t.Context(), service.CredentialQuery{Page: 1, Size: 10,
			Disabled: disabled}); err != nil || found.Total != want {
			t.Errorf("disabled %v: got %d, %v, want %d", disabled, found.Total, err, want)
		}
	}
	if got, err := e.Admin.Credential(t.Context(), off.ID); err != nil || got.Name != off.Name || !got.Disabled {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := e.Admin.Credential(t.Context(), uuid.New()); !problem.Is(err, problem.NotFound) {
		t.Errorf("unknown: got %v, want %s", err, problem.NotFound)
	}
	if got := e.Admin.Operators(); len(got) != 1 || got[0] != "simulada" {
		t.Errorf("operators: got %v", got)
	}
}
