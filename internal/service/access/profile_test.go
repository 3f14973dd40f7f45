package access_test

import (
	"slices"
	"strings"
	"testing"

	"guiche/internal/problem"
	"guiche/internal/service/access"

	"github.com/google/uuid"
)

// paths are "path code" of each problem.
func paths(fields []problem.Field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Path+" "+f.Code)
	}
	return strings.Join(all, ",")
}

func TestProfile_Problems(t *testing.T) {
	for name, c := range map[string]struct {
		change func(p *access.Profile)
		want   string
	}{
		"good":            {func(*access.Profile) {}, ""},
		"no name":         {func(p *access.Profile) { p.Name = "" }, "nome obrigatorio"},
		"100 characters":  {func(p *access.Profile) { p.Name = strings.Repeat("ç", 100) }, ""},
		"101 characters":  {func(p *access.Profile) { p.Name = strings.Repeat("ç", 101) }, "nome limite"},
		"no method":       {func(p *access.Profile) { p.Methods = nil }, "metodos obrigatorio"},
		"unknown method":  {func(p *access.Profile) { p.Methods = []access.Method{"chave", "voz"} }, "metodos dominio"},
		"no scope":        {func(p *access.Profile) { p.Scopes = nil }, "escopos obrigatorio"},
		"unknown scope":   {func(p *access.Profile) { p.Scopes = []access.Scope{"tudo"} }, "escopos dominio"},
		"negative rate":   {func(p *access.Profile) { p.Rate = -1 }, "limite limite"},
		"highest rate":    {func(p *access.Profile) { p.Rate = 60_000 }, ""},
		"too high a rate": {func(p *access.Profile) { p.Rate = 60_001 }, "limite limite"},
		"all at once": {func(p *access.Profile) { *p = access.Profile{Rate: -1} },
			"nome obrigatorio,metodos obrigatorio,escopos obrigatorio,limite limite"},
	} {
		p := access.Profile{ID: uuid.New(), Name: "Parceiro", Methods: access.Methods(), Scopes: access.Scopes()}
		c.change(&p)
		if got := paths(p.Problems()); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestDeskProfile(t *testing.T) {
	p := access.DeskProfile()
	if !p.Permanent() || p.Rate != 0 || !slices.Equal(p.Methods, []access.Method{access.MethodAPIKey}) ||
		!slices.Equal(p.Scopes, access.Scopes()) {
		t.Errorf("got %+v", p)
	}
	if fields := p.Problems(); fields != nil {
		t.Errorf("problems: %v", fields)
	}
	if p.ID = uuid.New(); p.Permanent() {
		t.Error("another profile is permanent too")
	}
	if len(access.Scopes()) != 6 || len(access.Methods()) != 3 {
		t.Errorf("got %v and %v, want the six of row 25 and three methods", access.Scopes(), access.Methods())
	}
}

func TestUserNameProblems(t *testing.T) {
	for name, want := range map[string]string{
		"ana": "", "an": "usuario limite", "": "usuario limite", strings.Repeat("a", 64): "", strings.Repeat("a", 65): "usuario limite",
		"ana.b-c_d@e+1": "", "ana b": "usuario formato", "anä": "usuario formato", "Ana": "usuario formato", "ana/b": "usuario formato",
	} {
		if got := paths(access.UserNameProblems(name)); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestFoldUserName(t *testing.T) {
	for given, want := range map[string]string{"  Ana ": "ana", "ANA.B": "ana.b", "ana": "ana", "A\u0303o": "ão"} {
		if got := access.FoldUserName(given); got != want {
			t.Errorf("%q: got %q, want %q", given, got, want)
		}
	}
}

func TestRefusal_Error(t *testing.T) {
	err := &access.Refusal{Reason: access.InvalidKey}
	if got := err.Error(); got != "access: invalid key" {
		t.Errorf("got %q", got)
	}
}
