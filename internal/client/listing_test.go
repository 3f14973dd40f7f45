package client_test

import (
	"errors"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	"guiche/internal/authorization"
	"guiche/internal/client"
	"guiche/internal/client/faultservice"
	"guiche/internal/problem"

	"github.com/google/go-cmp/cmp"
)

func withLists(units, professionals string) func(*client.Config) {
	return func(cfg *client.Config) { cfg.UnitsPath, cfg.ProfessionalsPath = units, professionals }
}

// answering returns a client of a service that answers everything with that body.
func answering(tb testing.TB, body string, options ...func(*client.Config)) pair {
	tb.Helper()
	p := MustPair(tb, options...)
	p.service.Add(faultservice.Rule{Fault: faultservice.Answer(200, body)})
	return p
}

// Row 13 leaves the shape to the service: each of these is the same list.
func TestClient_Units(t *testing.T) {
	want := []authorization.ListedUnit{
		{ID: "u-1", Name: "Centro", CarePoints: []authorization.ListedCarePoint{{ID: "p-1", Name: "Balcão"}, {ID: "p-2", Name: "Sala"}}},
		{ID: "2", Name: "Norte"},
	}
	for name, body := range map[string]string{
		"Items": `{"sucesso":true,"erros":[],"data":{"items":[{"id":"u-1","nome":"Centro","pontosAtendimento":[{"id":"p-1",` +
			`"nome":"Balcão"},{"id":"p-2","nome":"Sala"}]},
			{"id":2,"nome":"Norte","pontosAtendimento":[]}],"total":2}}`,
		"Array": `{"sucesso":true,"data":[{"Id":"u-1","Nome":" Centro ","PontosAtendimento":[{"Id":"p-1","Nome":"Balcão"},` +
			`{"Id":"p-2","Nome":"Sala"}]},{"Id":"2","Nome":"Norte","novo":1}]}`,
		"Snake": `{"sucesso":true,"data":{"unidades":[{"unidade_id":"u-1","nome":"Centro",` +
			`"pontos_atendimento":[{"ponto_atendimento_id":"p-1","nome":"Balcão"},
			{"ponto_atendimento_id":"p-2","nome":"Sala"}]},{"unidade_id":"2","nome":"Norte","pontos_atendimento":null}]}}`,
		"English": `{"sucesso":true,"data":{"itens":[{"unidadeId":"u-1","name":"Centro","pontos":[{"pontoAtendimentoId":"p-1",` +
			`"descricao":"Balcão"},{"id":"p-2","name":"Sala"}]},{"id":"2","descricao":"Norte"}]}}`,
	} {
		t.Run(name, func(t *testing.T) {
			p := answering(t, body, withLists("/lista/unidades", ""))
			got, err := p.Units(t.Context())
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
			if e := only(t, p.service, faultservice.Received); e.Method+" "+e.Path != "GET /lista/unidades" {
				t.Errorf("asked %s %s", e.Method, e.Path)
			}
		})
	}
}

func TestClient_Professionals(t *testing.T) {
	want := []authorization.ListedProfessional{{ID: "e-1", Name: "Elisa Monteverde", Council: "CRM", CouncilNumber: "104552", State: "SP",
		Specialties: []authorization.ListedSpecialty{{ID: 7, Name: "Cardiologia", CBO: "225120"}, {Name: "Sem número"}}}}
	for name, body := range map[string]string{
		"Items": `{"sucesso":true,"erros":[],"data":{"items":[{"id":"e-1","nome":"Elisa Monteverde","siglaConselho":"CRM",` +
			`"numeroConselho":"104552","uf":"SP",
			"especialidades":[{"id":7,"nome":"Cardiologia","cbo":"225120"},{"id":"x","nome":"Sem número","cbo":null}]}]}}`,
		"Snake": `{"sucesso":true,"data":{"profissionais":[{"profissional_executante_id":"e-1","nome":"Elisa Monteverde",` +
			`"sigla_conselho":"CRM","numero_conselho":104552,"uf":"SP",
			"especialidades":[{"especialidade_executante_id":"7","descricao":"Cardiologia","codigo_cbo":225120},{"nome":"Sem número"}]}]}}`,
		"Array": `{"data":[{"profissionalId":"e-1","name":"Elisa Monteverde","conselho":"CRM","crm":"104552","ufConselho":"SP",
			"especialidades":[{"especialidadeId":7,"name":"Cardiologia","codigoCbo":"225120"},{"nome":"Sem número"}]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := answering(t, body, withLists("", "/quem")).Professionals(t.Context())
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

// A list at the usual path is asked for where it is announced, one at a path of its
// own always, and one without a path never.
func TestClient_Units_Offered(t *testing.T) {
	const empty = `{"sucesso":true,"erros":[],"data":{"items":[]}}`
	for name, c := range map[string]struct {
		path      string
		announced bool
		asked     string
	}{
		"Announced": {"", true, client.DefaultUnitsPath}, "NotAnnounced": {"", false, ""}, "OwnPath": {"/u", false, "/u"},
		"NoPath": {client.NoPath, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := answering(t, empty, withLists(c.path, ""), withFeatures(client.Features{Directory: c.announced}))
			got, err := p.Units(t.Context())
			if c.asked == "" {
				if !problem.Is(err, problem.NotFound) || len(p.service.Ledger()) != 0 {
					t.Errorf("got %v after %d requests, want it told without asking", err, len(p.service.Ledger()))
				}
				return
			}
			if e := only(t, p.service, faultservice.Received); err != nil || len(got) != 0 || e.Path != c.asked {
				t.Errorf("got %v, error %v from %s, want none from %s", got, err, e.Path, c.asked)
			}
		})
	}
}

// Right after a start nobody has asked yet what the service can do: the list does.
func TestClient_Units_AsksFirst(t *testing.T) {
	service := MustService(t, faultservice.Config{Features: []string{"cadastros"}})
	service.Add(faultservice.Rule{Path: client.DefaultUnitsPath,
		Fault: faultservice.Answer(200, `{"sucesso":true,"data":{"items":[{"id":"u-1"}]}}`)})
	service.Add(faultservice.Rule{Path: faultservice.FeaturesPath, Nth: 1, Fault: faultservice.HTML(500)})
	c := MustClient(t, service.URL(), newFolder(t))
	if _, err := c.Units(t.Context()); !problem.Is(err, problem.Unavailable) {
		t.Errorf("a service that could not be asked: got %v, want it said", err)
	}
	for range 2 {
		if got, err := c.Units(t.Context()); len(got) != 1 || err != nil {
			t.Errorf("got %v, error %v", got, err)
		}
	}
	var asked []string
	for _, e := range service.Ledger() {
		if e.Event == faultservice.Received {
			asked = append(asked, e.Path)
		}
	}
	want := []string{faultservice.FeaturesPath, faultservice.FeaturesPath, client.DefaultUnitsPath, client.DefaultUnitsPath}
	if diff := cmp.Diff(want, asked); diff != "" {
		t.Errorf("asked (-want +got):\n%s", diff)
	}
}

func TestClient_Units_Refused(t *testing.T) {
	for name, c := range map[string]struct {
		fault faultservice.Fault
		words string
	}{
		"Unknown":  {faultservice.HTML(http.StatusNotFound), "/lista"},
		"Failure":  {faultservice.HTML(500), "não entende"},
		"NoList":   {faultservice.Answer(200, `{"sucesso":true,"data":{"id":"u-1"}}`), "não entende"},
		"Part":     {faultservice.Answer(200, `{"sucesso":true,"data":{"items":[{"id":"u-1"}],"total":70}}`), "só uma parte"},
		"Redirect": {faultservice.Answer(302, "", "Location", "/outra"), "não segue"},
		"Access":   {faultservice.Answer(403, refusal), "recusou o acesso"},
	} {
		t.Run(name, func(t *testing.T) {
			p := MustPair(t, withLists("/lista", ""))
			p.service.Add(faultservice.Rule{Fault: c.fault})
			_, err := p.Units(t.Context())
			var shown *problem.Error
			if !errors.As(err, &shown) || shown.Code != problem.Unavailable || !strings.Contains(shown.Message, c.words) {
				t.Errorf("got %v, want a sentence about %q", err, c.words)
			}
			only(t, p.service, faultservice.Received)
		})
	}
}

// What an administrator sets goes before what is announced, at the path that is set.
func TestClient_Eligibility_Set(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		set       *bool
		announced bool
		asked     bool
	}{
		"Always": {&yes, false, true}, "Never": {&no, true, false}, "Announced": {nil, true, true}, "NotAnnounced": {nil, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			p := answering(t, `{"sucesso":true,"data":{"elegivel":true}}`, withFeatures(client.Features{Eligibility: c.announced}),
				func(cfg *client.Config) { cfg.Eligibility, cfg.EligibilityPath = c.set, "/elegivel" })
			got, err := p.Eligibility(t.Context(), authorization.EligibilityQuestion{EligibilityID: "e", CardNumber: "1"})
			if got.Eligible != c.asked || (err == nil) != c.asked || len(p.service.Ledger()) > 0 != c.asked {
				t.Errorf("got %+v, error %v after %d requests", got, err, len(p.service.Ledger()))
			}
			if c.asked && only(t, p.service, faultservice.Received).Path != "/elegivel" {
				t.Error("asked at another path")
			}
		})
	}
}

// TestClient_Lists_DefaultPaths are those of row 13.
func TestClient_Lists_DefaultPaths(t *testing.T) {
	p := answering(t, `{"sucesso":true,"data":{"items":[]}}`, withFeatures(client.Features{Directory: true}))
	_, unitsErr := p.Units(t.Context())
	_, professionalsErr := p.Professionals(t.Context())
	var paths []string
	for _, e := range p.service.Ledger() {
		if e.Event == faultservice.Received {
			paths = append(paths, e.Path)
		}
	}
	if unitsErr != nil || professionalsErr != nil || !slices.Equal(paths, []string{"/api/v2/unidades", "/api/v2/profissionais-executantes"}) {
		t.Errorf("asked %q, errors %v and %v", paths, unitsErr, professionalsErr)
	}
}

// TestClient_Eligibility_Question: the validity of the card is told where it is known, and not at all
// where it is not.
func TestClient_Eligibility_Question(t *testing.T) {
	for want, validity := range map[string]authorization.LocalTime{
		"credencialId=e&numeroCarteira=1":                                          {},
		"credencialId=e&numeroCarteira=1&validadeCarteira=2027-12-31T00%3A00%3A00": authorization.DateOf(2027, 12, 31),
	} {
		p := answering(t, `{"sucesso":true,"data":{"elegivel":true}}`, withFeatures(client.Features{Eligibility: true}))
		_, err := p.Eligibility(t.Context(), authorization.EligibilityQuestion{EligibilityID: "e", CardNumber: "1", CardValidity: validity})
		if got := only(t, p.service, faultservice.Received).RawQuery; err != nil || got != want {
			t.Errorf("asked %q, %v, want %q", got, err, want)
		}
	}
}

// TestClient_Eligibility_EveryField reads all that a service may tell.
func TestClient_Eligibility_EveryField(t *testing.T) {
	p := answering(t, `{"sucesso":true,"data":{"elegivel":true,"situacao":"Ativo","nomeBeneficiario":"HELENA DUARTE",
		"planoBeneficiario":"Essencial","validadeCarteira":"2027-12-31","mensagens":["Sem carência.",""]}}`,
		withFeatures(client.Features{Eligibility: true}))
	got, err := p.Eligibility(t.Context(), authorization.EligibilityQuestion{EligibilityID: "e", CardNumber: "1"})
	want := authorization.Eligibility{Told: true, Eligible: true, Situation: "Ativo", Name: "HELENA DUARTE", Plan: "Essencial",
		CardValidity: authorization.DateOf(2027, 12, 31), Messages: []string{"Sem carência."}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
}

// TestClient_Eligibility_Refused: a service that says no and why, whatever the status, is heard.
func TestClient_Eligibility_Refused(t *testing.T) {
	ask := func(t *testing.T, answer string) (authorization.Eligibility, error) {
		t.Helper()
		p := answering(t, answer, withFeatures(client.Features{Eligibility: true}))
		return p.Eligibility(t.Context(), authorization.EligibilityQuestion{EligibilityID: "e", CardNumber: "1"})
	}
	for name, data := range map[string]string{"Null": "null", "Empty": "{}"} {
		t.Run(name, func(t *testing.T) {
			_, err := ask(t, `{"sucesso":false,"erros":["Carteira curta."],"errosDetalhados":[{"campo":"numeroCarteira",`+
				`"mensagem":"Carteira curta."}],"data":`+data+`}`)
			if fields := problem.FieldsOf(err); !problem.Is(err, problem.Invalid) || len(fields) != 1 || fields[0].Message != "Carteira curta." {
				t.Errorf("got %v with fields %v, want what is wrong with the card", err, fields)
			}
		})
	}
	t.Run("BesideData", func(t *testing.T) {
		got, err := ask(t, `{"sucesso":false,"erros":["Plano suspenso."],"data":{"elegivel":false,"mensagens":"Plano suspenso."}}`)
		want := authorization.Eligibility{Told: true, Messages: []string{"Plano suspenso."}}
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v, want %+v", got, err, want)
		}
	})
}
