package data

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// sampled is how many patients the facts name.
const sampled = 400

// facts are what somebody who measures has to know of the cases.
func (g *generator) facts() Facts {
	f := Facts{Cases: g.cases, Password: password, Supervisor: supervisor, Receptionist: receptionist(0), First: g.from, Last: g.until,
		Units: map[string]string{}, Operators: map[string]string{}, Senders: map[string]string{}}
	for _, u := range g.clinic.units.values {
		f.Units[u.Name] = u.UID.String()
		for _, s := range g.clinic.senders[u.UID] {
			f.Senders[s.Name] = s.User.String()
		}
	}
	for _, c := range g.clinic.credentials.values {
		f.Operators[c.Name] = c.UID.String()
	}
	f.Form = g.clinic.form()
	r := rand.New(rand.NewPCG(g.seed, 2)) //nolint:gosec // no secret
	for range sampled {
		p := g.clinic.patient(g.seed, r.IntN(g.patients))
		words := strings.Fields(p.name)
		f.Words = append(f.Words, p.card, words[0]+" "+words[len(words)-1])
	}
	return f
}

// form is a request at the first unit, as it is typed.
func (c *clinic) form() map[string]string {
	unit, executant := c.units.values[0], c.professionals[0]
	return map[string]string{
		"credencialId": c.credentials.values[0].UID.String(), "unidadeId": unit.UID.String(),
		"pontoAtendimentoId": unit.CarePoints[0].UID.String(), "profissionalExecutanteId": executant.UID.String(),
		"especialidadeExecutanteId": strconv.Itoa(executant.Specialties[0].ID),
		"nomeBeneficiario":          "Beneficiária de Medida", "planoBeneficiario": "Família",
		"nomeSolicitante": "Caio Leme", "siglaConselhoSolicitante": "CRM", "crmSolicitante": "104552", "ufSolicitante": "SP",
		"tipoAtendimento": "05", "indicacaoClinica": "Controle",
		"procedimentos[0].codigoProcedimento": c.procedures.values[0].Code, "procedimentos[0].nomeProcedimento": c.procedures.values[0].Name,
		"procedimentos[0].quantidade": "1",
	}
}
