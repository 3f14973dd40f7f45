package admin_test

import (
	"bytes"
	"encoding/base64"
	"net/http"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"guiche/internal/problem"
	"guiche/internal/service"
)

// paths are the fields that an error is about.
func paths(err error) string {
	var all []string
	for _, f := range problem.FieldsOf(err) {
		all = append(all, f.Path+" "+f.Code)
	}
	return strings.Join(all, ", ")
}

func TestAdmin_CheckUnit(t *testing.T) {
	admin := MustEnv(t, limits{}).Admin
	long := strings.Repeat("é", 201)
	for name, c := range map[string]struct {
		unit service.Unit
		want string
	}{
		"OK":       {service.Unit{Name: strings.Repeat("é", 200), Points: []service.CarePoint{{Name: "Coleta"}}}, ""},
		"NoPoints": {service.Unit{Name: "Centro"}, ""},
		"Empty": {service.Unit{Name: " ", Points: []service.CarePoint{{Name: "Coleta"}, {}}},
			"nome obrigatorio, pontosAtendimento[1].nome obrigatorio"},
		"Long": {service.Unit{Name: long, Points: []service.CarePoint{{Name: long}}}, "nome limite, pontosAtendimento[0].nome limite"},
	} {
		if got := paths(admin.CheckUnit(c.unit)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestAdmin_CheckProfessional(t *testing.T) {
	admin := MustEnv(t, limits{}).Admin
	good := service.Professional{Name: "Ana Luz", Council: "CRM", Number: "88123", State: "SP",
		Specialties: []service.Specialty{{ID: 1, Name: "Cardiologia", CBO: "225120"}}}
	for name, c := range map[string]struct {
		change func(p *service.Professional)
		want   string
	}{
		"OK":   {func(*service.Professional) {}, ""},
		"Bare": {func(p *service.Professional) { p.Council, p.Number, p.State, p.Specialties[0].CBO = "", "", "", "" }, ""},
		"Everything": {func(p *service.Professional) {
			*p = service.Professional{Council: "X", State: "XX", Number: strings.Repeat("1", 21)}
		}, "nome obrigatorio, siglaConselho dominio, numeroConselho limite, uf dominio, especialidades[0].nome obrigatorio"},
		"Specialty": {func(p *service.Professional) {
			p.Specialties = append(p.Specialties, service.Specialty{ID: 1, Name: "Outra", CBO: "22512"}, service.Specialty{},
				service.Specialty{ID: -1, Name: strings.Repeat("x", 201)})
		}, "especialidades[1].id dominio, especialidades[1].cbo formato, especialidades[2].id obrigatorio, especialidades[2].nome " +
			"obrigatorio, especialidades[3].id obrigatorio, especialidades[3].nome limite"},
		"NoneInUse": {func(p *service.Professional) { p.Specialties[0].Disabled = true }, "especialidades[0].ativo obrigatorio"},
	} {
		p := good
		p.Specialties = slices.Clone(good.Specialties)
		c.change(&p)
		if got := paths(admin.CheckProfessional(p)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

// TestAdmin_SwitchedOff: what is switched off is not listed, and a request that
// names it is refused, from the next one on (row 13).
func TestAdmin_SwitchedOff(t *testing.T) {
	e := MustEnv(t, limits{})
	admin := e.Admin
	putUnit := func(disabled bool, points ...service.CarePoint) func() {
		return func() {
			e.Must(admin.PutUnit(t.Context(), service.Unit{ID: unitID, Name: "Unidade Centro", Disabled: disabled, Points: points}))
		}
	}
	putProfessional := func(disabled bool, specialties ...service.Specialty) func() {
		return func() {
			e.Must(admin.PutProfessional(t.Context(), service.Professional{ID: professionalID, Name: "Ana", Disabled: disabled,
				Specialties: specialties}))
		}
	}
	point, specialty := service.CarePoint{ID: pointID, Name: "Recepção"}, service.Specialty{ID: specialtyID, Name: "Cardiologia"}
	off, gone := service.CarePoint{ID: pointID, Name: "Recepção", Disabled: true},
		service.Specialty{ID: specialtyID, Name: "Cardiologia", Disabled: true}
	names := func(path, list string) []string {
		all := []string{}
		for _, item := range e.Get(path).Entries("items") {
			for _, part := range item[list].([]any) {
				all = append(all, part.(map[string]any)["nome"].(string))
			}
		}
		return all
	}
	for name, c := range map[string]struct {
		change func()
		path   string
		list   string
		want   []string // still listed
		field  string
	}{
		"Unit": {putUnit(true, point), "/api/v2/unidades", "pontosAtendimento", []string{}, "unidadeId dominio"},
		"Point": {putUnit(false, off, service.CarePoint{ID: strictID, Name: "Coleta"}), "/api/v2/unidades",
			"pontosAtendimento", []string{"Coleta"}, "pontoAtendimentoId dominio"},
		"Professional": {putProfessional(true, specialty), "/api/v2/profissionais-executantes", "especialidades", []string{},
			"profissionalExecutanteId dominio"},
		"Specialty": {putProfessional(false, gone, service.Specialty{ID: 9, Name: "Pediatria"}), "/api/v2/profissionais-executantes",
			"especialidades",
			[]string{"Pediatria"}, "especialidadeExecutanteId dominio"},
	} {
		t.Run(name, func(t *testing.T) {
			putUnit(false, point)()
			putProfessional(false, specialty)()
			if got := e.Post(body(nil), nil); got.Status != http.StatusOK {
				t.Fatalf("before: got %d", got.Status)
			}
			c.change()
			if got := names(c.path, c.list); !reflect.DeepEqual(got, c.want) {
				t.Errorf("listed: got %q, want %q", got, c.want)
			}
			res := e.Post(body(nil), nil)
			checkRefusal(t, res, http.StatusUnprocessableEntity)
			if got := res.Fields(); !slices.Equal(got, []string{c.field}) {
				t.Errorf("got %q, want %q", got, c.field)
			}
		})
	}
}

// TestAdmin_OlderRequests: a guide that is drawn after a specialty left still
// prints who has it.
func TestAdmin_OlderRequests(t *testing.T) {
	e := MustEnv(t, limits{})
	id, _ := e.MustAuthorize("999903000000")
	e.Must(e.Admin.PutProfessional(t.Context(), service.Professional{ID: professionalID, Name: "Ana Beatriz Moura", Council: "CRM",
		Number: "88123", State: "SP", Disabled: true}))
	e.Clock.Move(20 * time.Second)
	e.RunDue()
	encoded, _ := e.StandsAt(id, "A").Data()["pdfGuiaAutorizacao"].(string)
	document, err := base64.StdEncoding.DecodeString(encoded)
	e.Must(err)
	cmd := exec.CommandContext(t.Context(), "pdftotext", "-layout", "-", "-")
	cmd.Stdin = bytes.NewReader(document)
	text, err := cmd.Output()
	e.Must(err)
	if printed := string(text); !strings.Contains(printed, "Ana Beatriz Moura") || !strings.Contains(printed, "225120") {
		t.Errorf("the guide names neither her nor her CBO: %.2000s", printed)
	}
}
