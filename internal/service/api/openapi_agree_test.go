package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"guiche/internal/service/servicetest"

	"github.com/google/uuid"
)

// TestDescription_Agrees: what the description allows of a request, the service
// takes, and what it does not allow is refused, for every property and every odd
// value.
func TestDescription_Agrees(t *testing.T) {
	e := MustEnv(t, limits{})
	schema := servicetest.Description(t).Components.Schemas["Pedido"]
	cases := map[string][]any{}
	for name := range schema.Value.Properties {
		cases[name] = []any{absent, nil, "", "x", " ", 7, 1.5, true, []any{}, map[string]any{}}
	}
	for name, values := range more() {
		cases[name] = append(cases[name], values...)
	}
	taken := 0
	for name, values := range cases {
		for _, value := range values {
			changes := map[string]any{"numeroCarteira": "9999210001"} // whose answer has no guide to draw
			changes[name] = value
			if together, ok := value.(several); ok {
				delete(changes, name)
				maps.Copy(changes, together)
			}
			text := body(changes)
			allowed := servicetest.Visit(schema, []byte(text))
			e.Clock.Move(1e9)
			res := e.Post(text, http.Header{"Idempotency-Key": {uuid.NewString()}})
			switch said := res.Fields(); {
			case allowed == nil && res.Status == http.StatusConflict: // a guiaPrestador of before
			case allowed == nil && res.Status != http.StatusOK && !undescribable(name, value, said):
				t.Errorf("%s %s is described as fine, the service says %d %q", name, asJSON(value), res.Status, said)
			case allowed != nil && res.Status != http.StatusUnprocessableEntity:
				t.Errorf("%s %s is answered %d, the description says %v", name, asJSON(value), res.Status, allowed)
			case allowed == nil:
				taken++
			}
		}
	}
	if taken < 100 {
		t.Errorf("%d values were taken: the test asks for nothing", taken)
	}
}

// several are properties that say something together.
type several map[string]any

// newborns are requests with atendimentoRN S and with N, with whatever else is said
// about the child.
func newborns() (all []any) {
	for _, flag := range []any{"S", "N", absent} {
		for _, name := range []any{"LARA", "", " ", nil, absent, 5} {
			for _, birth := range []any{"2026-11-01T00:00:00", "", nil, absent} {
				all = append(all, several{"atendimentoRN": flag, "nomeRecemNascido": name, "dataNascimentoRecemNascido": birth})
			}
		}
	}
	return all
}

// more are values at the borders of what single properties may hold.
func more() map[string][]any {
	one := map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1}
	procedure := func(name string, value any) []any {
		changed := map[string]any{"nomeProcedimento": "TSH", "codigoProcedimento": "40316521", "quantidade": 1, name: value}
		if value == absent {
			delete(changed, name)
		}
		return []any{changed}
	}
	all := map[string][]any{
		"procedimentos": {slices.Repeat([]any{one}, 100), slices.Repeat([]any{one}, 101), []any{"x"}, []any{nil}},
		"anexos": {[]any{"JVBERi0xLjQK"}, []any{""}, []any{nil}, []any{5}, []any{map[string]any{}},
			slices.Repeat([]any{"JVBERi0xLjQK"}, 20), slices.Repeat([]any{"JVBERi0xLjQK"}, 21)},
		"atendimentoRN":   append(newborns(), "N", "s", "SIM"),
		"pacienteNoLocal": {"S", "N", "n"},
		"retorno":         {"S", "N", "não"},
		"guiaPrestador":   {strings.Repeat("ç", 20), strings.Repeat("9", 21)},
		"validadeCarteira": {"2027-12-31", "2027-12-31T00:00:00.5", "2027-12-31 00:00:00", "2027-12-31T00:00:00-03:00",
			"2027-12-31T00:00", "2027-12-31T00:00Z", "2027-12-31 00:00:00Z", "31/12/2027", "20271231", "amanhã"},
		"ufSolicitante": {"SP", "TO", "EX", "XX", "sp"},
		"unidadeId":     {"{" + unitID.String() + "}", strings.ToUpper(unitID.String())},
		"tipoAcidente":  {"0", "1", "2", "9", "3", "09"},
	}
	for _, code := range []string{"E", "U", "e", "00", "01", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "12",
		"13", "14", "22", "23", "24"} {
		all["regimeAtendimento"] = append(all["regimeAtendimento"], code)
		all["tipoAtendimento"] = append(all["tipoAtendimento"], code)
	}
	for _, value := range []any{absent, nil, "", "x", 0, 1, json.RawMessage("1.0"), 999, 1000, 1.5, "1", true} {
		for name := range one {
			all["procedimentos"] = append(all["procedimentos"], procedure(name, value))
		}
	}
	for _, name := range []string{"base64", "conteudo", "name", "nome", "contentType", "tipo"} {
		for _, value := range []any{nil, "", "JVBERi0xLjQK", 5} {
			item := map[string]any{"base64": "JVBERi0xLjQK", name: value}
			if name == "conteudo" {
				delete(item, "base64")
			}
			all["anexos"] = append(all["anexos"], []any{item})
		}
	}
	return all
}

// undescribable reports whether a value was refused for what no schema says: which
// identifiers the registers know, and that a text is blank.
func undescribable(name string, value any, said []string) bool {
	if strings.HasSuffix(name, "Id") {
		return slices.Equal(said, []string{name + " dominio"})
	}
	return value == " " && slices.Equal(said, []string{name + " obrigatorio"})
}

func asJSON(value any) string {
	if value == absent {
		return "(absent)"
	}
	text, _ := json.Marshal(value)
	return string(text[:min(len(text), 80)])
}
